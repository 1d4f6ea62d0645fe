import * as vscode from "vscode";
import { reportProblem } from "../report.ts";
import type { HostServices } from "../services.ts";
import type { InfoDocuments } from "../views/infoDocuments.ts";
import { negotiationText } from "../views/negotiationText.ts";
import { wording } from "../wording.ts";
import { chooseServer } from "./chooseServer.ts";
import type { Handlers } from "./table.ts";

const WALKTHROUGH = "signalbox.signalbox#start";

/** Commands that only show something. */
export function viewCommands(
  services: HostServices,
  documents: InfoDocuments,
): Handlers<
  | "signalbox.showNegotiation"
  | "signalbox.showServerLog"
  | "signalbox.showPendingInput"
  | "signalbox.openWalkthrough"
> {
  return {
    async "signalbox.showNegotiation"(server) {
      const entry = await chooseServer(services, server, {
        title: vscode.l10n.t("Show How the Protocol Was Negotiated"),
        fits: (candidate) => candidate.state.kind === "connected" || candidate.state.kind === "failed",
        nothing: vscode.l10n.t("No server is connected."),
      });
      if (entry === undefined) return undefined;
      if (entry.state.kind === "failed") {
        void reportProblem(services, entry.state.problem, entry.id);
        return undefined;
      }
      const text = negotiationText(entry, wording.t);
      await documents.show(vscode.l10n.t("Negotiation with {server}", { server: entry.id }), text);
      return text;
    },

    async "signalbox.showServerLog"(server) {
      const entry = await chooseServer(services, server, {
        title: vscode.l10n.t("Show the Log of a Server"),
      });
      if (entry === undefined) return undefined;
      services.log.show(entry.id);
      return entry.id;
    },

    "signalbox.showPendingInput"() {
      const waiting = [services.samplingPanel, services.inputHandler].filter(
        ({ pendingCount }) => pendingCount > 0,
      );
      for (const panel of waiting) panel.show();
      if (waiting.length === 0)
        void vscode.window.showInformationMessage(vscode.l10n.t("No server waits for your input."));
      return Promise.resolve(waiting.reduce((sum, { pendingCount }) => sum + pendingCount, 0));
    },

    async "signalbox.openWalkthrough"() {
      await vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, false);
      return undefined;
    },
  };
}
