import * as vscode from "vscode";
import { SERVER_LOG_LEVELS } from "../../protocol/model/serverLog.ts";
import type { ConfigWatcher } from "../config/watchConfig.ts";
import { readEntry, writeEntries } from "../config/writeServer.ts";
import { askChoice } from "../quickInput/ask.ts";
import { BACK } from "../quickInput/runFlow.ts";
import type { HostServices } from "../services.ts";
import { chooseServer } from "./chooseServer.ts";
import { originOf } from "./originOf.ts";
import type { Handlers } from "./table.ts";

const LEVELS = ["off", ...SERVER_LOG_LEVELS] as const;

/** Chooses what a server is asked to log. It is written to the settings and takes effect without a new connection. */
export function logLevelCommand(
  services: HostServices,
  config: ConfigWatcher,
): Handlers<"signalbox.setLogLevel"> {
  const { l10n } = vscode;
  return {
    async "signalbox.setLogLevel"(server, level) {
      const entry = await chooseServer(services, server, {
        title: l10n.t("Set the Log Level of a Server"),
        fits: (candidate) => candidate.config !== undefined,
        nothing: l10n.t("No server has a usable definition."),
      });
      if (entry === undefined) return undefined;
      const known = LEVELS.find((candidate) => candidate === level);
      const chosen = known ?? (await askLevel(entry.id, entry.config?.logLevel ?? "off"));
      if (chosen === undefined) return undefined;
      const origin = originOf(config, entry.id);
      const { logLevel: _, ...rest } = readEntry(origin, entry.id) ?? {};
      const next = chosen === "off" ? rest : { ...rest, logLevel: chosen };
      await writeEntries(services.context, origin, { [entry.id]: next });
      await config.reload();
      return chosen;
    },
  };
}

async function askLevel(serverId: string, current: string): Promise<(typeof LEVELS)[number] | undefined> {
  const { l10n } = vscode;
  const chosen = await askChoice({
    title: l10n.t("Log level of “{server}”", { server: serverId }),
    placeholder: l10n.t("What to ask the server for. The log itself shows what its own level lets through."),
    items: LEVELS.map((level) => ({
      label: level === "off" ? l10n.t("Off") : level,
      ...(level === current && { description: l10n.t("current") }),
      ...(level === "off" && { detail: l10n.t("Asks for nothing; a server may log all the same.") }),
      value: level,
    })),
  });
  return chosen === BACK ? undefined : chosen;
}
