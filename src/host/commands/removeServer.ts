import * as vscode from "vscode";
import type { AuthStatus } from "../../auth/model/authStatus.ts";
import type { JsonObject } from "../../base/json.ts";
import type { ConfigLayer } from "../config/mergeLayers.ts";
import { secretNamesIn } from "../config/secretNamesIn.ts";
import type { ConfigWatcher } from "../config/watchConfig.ts";
import { readEntry, writeEntries } from "../config/writeServer.ts";
import { reportProblem } from "../report.ts";
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
      const isSignedIn = !isForced(options) && holdsSignIn(entry.authorization);
      const consent = isForced(options)
        ? "keepSecrets"
        : await confirmRemoval({ serverId: entry.id, orphans, isSignedIn });
      if (consent === undefined) return undefined;
      // While there still is a server to sign out of: afterwards nobody could.
      if (isSignedIn) await signOut(services, entry.id);
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

/** True where something is kept that could still be used. */
function holdsSignIn(status: AuthStatus | undefined): boolean {
  const { kind } = status ?? {};
  return kind === "signed-in" || kind === "needs-scopes" || kind === "expired";
}

async function signOut(services: HostServices, serverId: string): Promise<void> {
  try {
    const outcome = await services.pool.signOut(serverId);
    services.log.forServer(serverId).write("info", `Signed out before it was removed: ${outcome.kind}`);
  } catch (problem) {
    void reportProblem(services, problem, serverId);
  }
}

async function confirmRemoval({
  serverId,
  orphans,
  isSignedIn,
}: {
  readonly serverId: string;
  readonly orphans: readonly string[];
  readonly isSignedIn: boolean;
}): Promise<"keepSecrets" | "deleteSecrets" | undefined> {
  const remove = vscode.l10n.t("Remove");
  const removeAll = vscode.l10n.t("Remove with Its Secrets");
  const what =
    orphans.length === 0
      ? vscode.l10n.t("Its entry is deleted from the settings. A running connection is closed.")
      : vscode.l10n.t("Its entry is deleted from the settings. No other server uses these secrets: {names}", {
          names: orphans.join(", "),
        });
  const detail = isSignedIn ? `${what}\n\n${vscode.l10n.t("You are signed out of it as well.")}` : what;
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("Remove the server “{server}”?", { server: serverId }),
    { modal: true, detail },
    remove,
    ...(orphans.length === 0 ? [] : [removeAll]),
  );
  if (chosen === undefined) return undefined;
  return chosen === removeAll ? "deleteSecrets" : "keepSecrets";
}
