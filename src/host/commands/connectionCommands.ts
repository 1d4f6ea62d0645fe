import * as vscode from "vscode";
import type { ServerEntry } from "../../client/serverPool.ts";
import type { ServerState } from "../../client/serverState.ts";
import { reportProblem } from "../report.ts";
import type { HostServices } from "../services.ts";
import { chooseServer, type ServerChoice } from "./chooseServer.ts";
import type { Handlers } from "./table.ts";

/** Connect, Disconnect, Restart, Negotiate Again and Refresh Tools. */
export function connectionCommands(
  services: HostServices,
): Handlers<
  | "signalbox.connect"
  | "signalbox.disconnect"
  | "signalbox.restart"
  | "signalbox.negotiateAgain"
  | "signalbox.refreshTools"
> {
  const { l10n } = vscode;

  async function act(
    argument: unknown,
    choice: ServerChoice,
    progress: (server: string) => string,
    run: (id: string) => Promise<void>,
  ): Promise<ServerState | undefined> {
    const entry = await chooseServer(services, argument, choice);
    if (entry === undefined) return undefined;
    const { id } = entry;
    try {
      const options = { location: vscode.ProgressLocation.Window, title: progress(id) };
      await vscode.window.withProgress(options, () => run(id));
    } catch (problem) {
      // Not awaited: a notification may stay open for as long as it likes.
      void reportProblem(services, problem, id);
    }
    return services.pool.get(id)?.state;
  }

  return {
    "signalbox.connect": (server) =>
      act(
        server,
        {
          title: l10n.t("Connect a Server"),
          fits: (entry) => entry.state.kind !== "connected" && entry.state.kind !== "disabled",
          nothing: l10n.t("All servers are connected or disabled."),
        },
        (name) => l10n.t("Connecting “{server}”…", { server: name }),
        (id) => services.pool.connect(id),
      ),
    "signalbox.disconnect": (server) =>
      act(
        server,
        {
          title: l10n.t("Disconnect a Server"),
          fits: isRunning,
          nothing: l10n.t("No server is connected."),
        },
        (name) => l10n.t("Disconnecting “{server}”…", { server: name }),
        (id) => services.pool.disconnect(id),
      ),
    "signalbox.restart": (server) =>
      act(
        server,
        { title: l10n.t("Restart a Server"), fits: (entry) => entry.state.kind !== "disabled" },
        (name) => l10n.t("Restarting “{server}”…", { server: name }),
        (id) => services.pool.restart(id),
      ),
    "signalbox.negotiateAgain": (server) =>
      act(
        server,
        { title: l10n.t("Negotiate the Protocol Again"), fits: (entry) => entry.state.kind !== "disabled" },
        (name) => l10n.t("Negotiating with “{server}”…", { server: name }),
        (id) => services.pool.negotiateAgain(id),
      ),
    "signalbox.refreshTools": (server) =>
      act(
        server,
        {
          title: l10n.t("Refresh the Tools of a Server"),
          fits: (entry) => entry.state.kind === "connected",
          nothing: l10n.t("No server is connected."),
        },
        (name) => l10n.t("Listing the tools of “{server}”…", { server: name }),
        (id) => services.pool.refreshTools(id),
      ),
  };
}

function isRunning(entry: ServerEntry): boolean {
  return entry.state.kind === "connected" || entry.state.kind === "connecting";
}
