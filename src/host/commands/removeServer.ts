import * as vscode from "vscode";
import type { JsonObject } from "../../base/json.ts";
import type { ConfigLayer } from "../config/mergeLayers.ts";
import { secretNamesIn } from "../config/secretNamesIn.ts";
import type { ConfigWatcher } from "../config/watchConfig.ts";
import { readEntry, writeEntries } from "../config/writeServer.ts";
import type { HostServices } from "../services.ts";
import { chooseServer } from "./chooseServer.ts";
import { isForced } from "./isForced.ts";
import { originOf } from "./originOf.ts";
import type { Handlers } from "./table.ts";

/** Remove Server…, with the secrets that nothing else uses when the person wants that. */
export function removeServerCommand(
  services: HostServices,
  config: ConfigWatcher,
): Handlers<"signalbox.removeServer"> {
  return {
    async "signalbox.removeServer"(server, options) {
      const entry = await chooseServer(services, server, { title: vscode.l10n.t("Remove a Server") });
      if (entry === undefined) return undefined;
      const origin = originOf(config, entry.id);
      const orphans = isForced(options) ? [] : orphanedSecrets(services, config, entry.id);
      const consent = isForced(options) ? "keepSecrets" : await confirmRemoval(entry.id, orphans);
      if (consent === undefined) return undefined;
      await writeEntries(services.context, origin, { [entry.id]: undefined });
      await config.reload();
      if (consent === "deleteSecrets") for (const name of orphans) await services.secrets.delete(name);
      return entry.id;
    },
  };
}

/** Secrets that only this server refers to. */
function orphanedSecrets(services: HostServices, config: ConfigWatcher, serverId: string): readonly string[] {
  const entryOf = (id: string, layer: ConfigLayer): JsonObject => readEntry(layer, id) ?? {};
  const origins = [...config.current.origins];
  const used = new Set(
    origins.filter(([id]) => id !== serverId).flatMap(([id, layer]) => secretNamesIn(entryOf(id, layer))),
  );
  const own = origins
    .filter(([id]) => id === serverId)
    .flatMap(([id, layer]) => secretNamesIn(entryOf(id, layer)));
  const stored = new Set(services.secrets.names());
  return [...new Set(own)].filter((name) => stored.has(name) && !used.has(name));
}

async function confirmRemoval(
  serverId: string,
  orphans: readonly string[],
): Promise<"keepSecrets" | "deleteSecrets" | undefined> {
  const remove = vscode.l10n.t("Remove");
  const removeAll = vscode.l10n.t("Remove with Its Secrets");
  const detail =
    orphans.length === 0
      ? vscode.l10n.t("Its entry is deleted from the settings. A running connection is closed.")
      : vscode.l10n.t("Its entry is deleted from the settings. No other server uses these secrets: {names}", {
          names: orphans.join(", "),
        });
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("Remove the server “{server}”?", { server: serverId }),
    { modal: true, detail },
    remove,
    ...(orphans.length === 0 ? [] : [removeAll]),
  );
  if (chosen === undefined) return undefined;
  return chosen === removeAll ? "deleteSecrets" : "keepSecrets";
}
