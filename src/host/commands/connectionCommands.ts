import * as vscode from "vscode";
import type { ServerEntry, ServerPool } from "../../client/serverPool.ts";
import type { ServerState } from "../../client/serverState.ts";
import { reportProblem } from "../report.ts";
import type { HostServices } from "../services.ts";
import { chooseServer, type ServerChoice } from "./chooseServer.ts";
import type { CommandId, Handlers } from "./table.ts";

type ConnectionCommand = Extract<
  CommandId,
  | "signalbox.connect"
  | "signalbox.disconnect"
  | "signalbox.restart"
  | "signalbox.negotiateAgain"
  | "signalbox.refreshTools"
>;

/** What one of these commands asks, says and does. */
interface Act {
  readonly choice: ServerChoice;
  readonly progress: (server: string) => string;
  readonly run: (pool: ServerPool, id: string) => Promise<void>;
}

/** Connect, Disconnect, Restart, Negotiate Again and Refresh Lists. */
export function connectionCommands(services: HostServices): Handlers<ConnectionCommand> {
  const act =
    (of: () => Act) =>
    async (argument?: unknown): Promise<ServerState | undefined> => {
      const { choice, progress, run } = of();
      const entry = await chooseServer(services, argument, choice);
      if (entry === undefined) return undefined;
      const { id } = entry;
      try {
        const options = { location: vscode.ProgressLocation.Window, title: progress(id) };
        await vscode.window.withProgress(options, () => run(services.pool, id));
      } catch (problem) {
        // Not awaited: a notification may stay open for as long as it likes.
        void reportProblem(services, problem, id);
      }
      return services.pool.get(id)?.state;
    };
  return {
    "signalbox.connect": act(connect),
    "signalbox.disconnect": act(disconnect),
    "signalbox.restart": act(restart),
    "signalbox.negotiateAgain": act(negotiateAgain),
    "signalbox.refreshTools": act(refreshLists),
  };
}

const connect = (): Act => ({
  choice: {
    title: vscode.l10n.t("Connect a Server"),
    fits: (entry) => entry.state.kind !== "connected" && entry.state.kind !== "disabled",
    nothing: vscode.l10n.t("All servers are connected or disabled."),
  },
  progress: (server) => vscode.l10n.t("Connecting “{server}”…", { server }),
  run: (pool, id) => pool.connect(id),
});

const disconnect = (): Act => ({
  choice: {
    title: vscode.l10n.t("Disconnect a Server"),
    fits: (entry) => entry.state.kind === "connected" || entry.state.kind === "connecting",
    nothing: vscode.l10n.t("No server is connected."),
  },
  progress: (server) => vscode.l10n.t("Disconnecting “{server}”…", { server }),
  run: (pool, id) => pool.disconnect(id),
});

const restart = (): Act => ({
  choice: { title: vscode.l10n.t("Restart a Server"), fits: isEnabled },
  progress: (server) => vscode.l10n.t("Restarting “{server}”…", { server }),
  run: (pool, id) => pool.restart(id),
});

const negotiateAgain = (): Act => ({
  choice: { title: vscode.l10n.t("Negotiate the Protocol Again"), fits: isEnabled },
  progress: (server) => vscode.l10n.t("Negotiating with “{server}”…", { server }),
  run: (pool, id) => pool.negotiateAgain(id),
});

const refreshLists = (): Act => ({
  choice: {
    title: vscode.l10n.t("Refresh the Lists of a Server"),
    fits: (entry) => entry.state.kind === "connected",
    nothing: vscode.l10n.t("No server is connected."),
  },
  progress: (server) => vscode.l10n.t("Reading the lists of “{server}”…", { server }),
  run: (pool, id) => pool.refresh(id),
});

function isEnabled(entry: ServerEntry): boolean {
  return entry.state.kind !== "disabled";
}
