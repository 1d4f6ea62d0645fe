import * as vscode from "vscode";
import { describeProblem } from "../describeProblem.ts";
import { plainMarkdown } from "../chat/safeMarkdown.ts";
import { authorizationCures } from "./authorizationCures.ts";

/** Says in chat that an authorization failed, with a button for each way out. Passes over every other problem. */
export function writeCures(stream: vscode.ChatResponseStream, problem: unknown, serverId: string): void {
  const cures = authorizationCures(problem);
  if (cures.length === 0) return;
  stream.markdown(new vscode.MarkdownString(`\n\n${plainMarkdown(describeProblem(problem).message)}\n\n`));
  for (const { command, label } of cures) stream.button({ command, title: label, arguments: [serverId] });
}
