import * as vscode from "vscode";
import { CodedError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import type { ServerEntry } from "../../client/serverPool.ts";
import { OLD_REVISIONS } from "../../protocol/model/revision.ts";
import type { ConfigWatcher } from "../config/watchConfig.ts";
import { readEntry, writeEntries } from "../config/writeServer.ts";
import type { HostServices } from "../services.ts";
import { chooseServer } from "./chooseServer.ts";
import { originOf } from "./originOf.ts";
import type { Handlers } from "./table.ts";

/** Commands that change one key of a server's entry, and the way to workspace trust. */
export function settingsCommands(
  services: HostServices,
  config: ConfigWatcher,
): Handlers<
  "signalbox.enable" | "signalbox.disable" | "signalbox.allowOldRevision" | "signalbox.manageTrust"
> {
  const { l10n } = vscode;

  async function change(serverId: string, keys: JsonObject): Promise<string> {
    const origin = originOf(config, serverId);
    await writeEntries(services.context, origin, { [serverId]: { ...readEntry(origin, serverId), ...keys } });
    await config.reload();
    return serverId;
  }

  return {
    async "signalbox.enable"(server) {
      const entry = await chooseServer(services, server, {
        title: l10n.t("Enable a Server"),
        fits: (candidate) => candidate.state.kind === "disabled",
        nothing: l10n.t("No server is disabled."),
      });
      return entry === undefined ? undefined : change(entry.id, { enabled: true });
    },

    async "signalbox.disable"(server) {
      const entry = await chooseServer(services, server, {
        title: l10n.t("Disable a Server"),
        fits: (candidate) => candidate.state.kind !== "disabled",
        nothing: l10n.t("All servers are disabled."),
      });
      return entry === undefined ? undefined : change(entry.id, { enabled: false });
    },

    async "signalbox.allowOldRevision"(server) {
      const entry = await chooseServer(services, server, {
        title: l10n.t("Allow an Old Revision of MCP"),
        fits: (candidate) => refusedRevision(candidate) !== undefined,
        nothing: l10n.t("No server was refused for its revision."),
      });
      const revision = entry === undefined ? undefined : refusedRevision(entry);
      if (entry === undefined || revision === undefined) return undefined;
      await change(entry.id, { minimumProtocol: revision });
      await services.pool.connect(entry.id);
      return entry.id;
    },

    async "signalbox.manageTrust"() {
      await vscode.commands.executeCommand("workbench.trust.manage");
      return undefined;
    },
  };
}

/** The revision that a server answered and that was refused, when allowing it would help. */
function refusedRevision(entry: ServerEntry): string | undefined {
  if (entry.state.kind !== "failed") return undefined;
  const { problem } = entry.state;
  if (!(problem instanceof CodedError) || problem.code !== "no-common-revision") return undefined;
  const theirs = String(problem.args["theirs"] ?? "");
  return OLD_REVISIONS.find((revision) => theirs.includes(revision));
}
