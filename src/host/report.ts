import * as vscode from "vscode";
import { CodedError, joinSentences } from "../base/errors.ts";
import { describeProblem, isCancellation } from "./describeProblem.ts";
import { actionsFor, type ProblemAction } from "./problemActions.ts";
import { withoutLinks } from "./serverText.ts";
import type { HostServices } from "./services.ts";

const reported = new WeakSet<Error>();

const OWN_CHOICES: ReadonlySet<string> = new Set(["not-approved", "call-declined", "sign-in-declined"]);

/**
 * The one place where an error becomes a notification. The same problem is shown once, however many waited for it;
 * what the person cancelled is not shown at all. Resolves when the notification is gone.
 */
export async function reportProblem(
  services: Pick<HostServices, "log">,
  problem: unknown,
  serverId?: string,
): Promise<void> {
  if (isCancellation(problem) || isOwnChoice(problem)) return;
  if (problem instanceof Error) {
    if (reported.has(problem)) return;
    reported.add(problem);
  }
  const { message, remedy, detail } = describeProblem(problem);
  const log = serverId === undefined ? services.log.main : services.log.forServer(serverId);
  log.write("error", detail === undefined ? message : `${message}\n${detail}`);
  const items = actionsFor(problem).map((action) => ({ title: titleOf(action), action }));
  const chosen = await vscode.window.showErrorMessage(withoutLinks(joinSentences(message, remedy)), ...items);
  if (chosen !== undefined)
    await vscode.commands.executeCommand(chosen.action, argumentFor(chosen.action, problem, serverId));
}

/** A refusal that the person has just made in a dialog of ours needs no second dialog. */
function isOwnChoice(problem: unknown): boolean {
  return problem instanceof CodedError && OWN_CHOICES.has(String(problem.code));
}

function argumentFor(
  action: ProblemAction,
  problem: unknown,
  serverId: string | undefined,
): string | undefined {
  if (action !== "signalbox.setSecret" || !(problem instanceof CodedError)) return serverId;
  return /secret:([^}]+)/.exec(String(problem.args["placeholder"] ?? ""))?.[1];
}

/** What a button says that does it. */
export function titleOf(action: ProblemAction): string {
  switch (action) {
    case "signalbox.showServerLog":
      return vscode.l10n.t("Show Log");
    case "signalbox.editServer":
      return vscode.l10n.t("Open Settings");
    case "signalbox.restart":
      return vscode.l10n.t("Restart");
    case "signalbox.connect":
      return vscode.l10n.t("Connect");
    case "signalbox.negotiateAgain":
      return vscode.l10n.t("Negotiate Again");
    case "signalbox.setSecret":
      return vscode.l10n.t("Set Secret…");
    case "signalbox.addServer":
      return vscode.l10n.t("Add Server…");
    case "signalbox.refreshTools":
      return vscode.l10n.t("Refresh Lists");
    case "signalbox.allowSampling":
      return vscode.l10n.t("Allow a Language Model…");
    case "signalbox.chooseFolders":
      return vscode.l10n.t("Choose Folders…");
    case "signalbox.allowOldRevision":
      return vscode.l10n.t("Allow This Revision");
    case "signalbox.manageTrust":
      return vscode.l10n.t("Manage Workspace Trust");
    case "signalbox.enable":
      return vscode.l10n.t("Enable");
    case "signalbox.signIn":
      return vscode.l10n.t("Sign In…");
    case "signalbox.signInWithScopes":
      return vscode.l10n.t("Sign In With Scopes…");
    case "signalbox.signInWithNewRegistration":
      return vscode.l10n.t("Sign In With a New Registration");
    case "signalbox.signInWithMoreScopes":
      return vscode.l10n.t("Sign In With More Scopes…");
    case "signalbox.showAuthorization":
      return vscode.l10n.t("Show Authorization");
  }
}
