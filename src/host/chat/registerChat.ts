import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import type { HostServices } from "../services.ts";
import { offerAuthorizationCures } from "../auth/authorizationCures.ts";
import { SessionApprovals, ShownCalls } from "./approvals.ts";
import { askApproval } from "./askApproval.ts";
import { registerLmTools } from "./lmTools.ts";
import { createParticipantHandler } from "./participant.ts";

/** Brings the servers into chat: tools for every agent of the editor, and `@signalbox` with a loop of its own. */
export function registerChat(services: HostServices): Disposable {
  const store = new DisposableStore();
  // Declared as always there, but absent from some editors that are built on VS Code.
  const { lm, chat } = vscode as Partial<Pick<typeof vscode, "lm" | "chat">>;
  if (lm?.registerTool === undefined || chat?.createChatParticipant === undefined) {
    services.log.main.write(
      "info",
      "This editor has no chat for extensions; everything else works without it.",
    );
    return store;
  }
  const offerCures = (problem: unknown, serverId: string): void => {
    offerAuthorizationCures(services, problem, serverId);
  };
  store.add(registerLmTools(services, { shown: new ShownCalls(), askApproval, offerCures }));
  const handler = createParticipantHandler(services, { approvals: new SessionApprovals(), askApproval });
  const participant = store.add(chat.createChatParticipant("signalbox.chat", handler));
  participant.iconPath = new vscode.ThemeIcon("radio-tower");
  return store;
}
