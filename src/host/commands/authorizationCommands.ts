import * as vscode from "vscode";
import { CodedError, fillTemplate, joinSentences } from "../../base/errors.ts";
import type { AuthReport } from "../../auth/model/authStatus.ts";
import { RpcError } from "../../protocol/rpcError.ts";
import { askForAddress } from "../auth/askForAddress.ts";
import { authorizationReport, authorizationText } from "../auth/authorizationText.ts";
import type { SignInDesk, WaitingSignIn } from "../auth/signInDesk.ts";
import { describeProblem } from "../describeProblem.ts";
import type { Translate } from "../../shared/translate.ts";
import { askChoice } from "../quickInput/ask.ts";
import { BACK } from "../quickInput/runFlow.ts";
import { readClientInfo } from "../readClientInfo.ts";
import { pickLabel, withoutLinks } from "../serverText.ts";
import type { HostServices } from "../services.ts";
import type { InfoDocuments } from "../views/infoDocuments.ts";
import { translate } from "../wording.ts";
import { chooseServer, serverIdOf } from "./chooseServer.ts";
import type { Handlers } from "./table.ts";

type AuthorizationCommand =
  | "signalbox.showAuthorization"
  | "signalbox.copyAuthorizationReport"
  | "signalbox.pasteSignInAddress"
  | "signalbox.copySignInAddress";

/** Commands that show an authorization, and those that reach a sign-in which waits for the browser. */
export function authorizationCommands(
  services: HostServices,
  documents: InfoDocuments,
  desk: SignInDesk,
): Handlers<AuthorizationCommand> {
  const { l10n, window, env } = vscode;

  async function chooseReport(server: unknown): Promise<AuthReport | undefined> {
    const entry = await chooseServer(services, server, {
      title: l10n.t("Show the Authorization of a Server"),
      fits: ({ authorization }) => authorization !== undefined,
      nothing: l10n.t("No server has any authorization: each is a process."),
    });
    if (entry === undefined) return undefined;
    const report = services.pool.authReport(entry.id);
    if (report === undefined)
      void window.showInformationMessage(
        l10n.t("Nothing is known of the authorization of “{server}” yet. Connect it first.", {
          server: withoutLinks(entry.id),
        }),
      );
    return report;
  }

  return {
    async "signalbox.showAuthorization"(server) {
      const report = await chooseReport(server);
      if (report === undefined) return undefined;
      const problem = problemWords(problemOf(services, report.serverName));
      const text = authorizationText(report, translate, problem);
      await documents.show(l10n.t("Authorization of {server}", { server: report.serverName }), text);
      return text;
    },

    async "signalbox.copyAuthorizationReport"(server) {
      const report = await chooseReport(server);
      if (report === undefined) return undefined;
      const { version } = readClientInfo(services.context);
      const about = { extension: version, editor: `${env.appName} ${vscode.version}` };
      const problem = problemOf(services, report.serverName)?.message;
      const text = authorizationReport(report, about, english, problem);
      await env.clipboard.writeText(text);
      void window.showInformationMessage(l10n.t("The report is copied. It holds no secret."));
      return text;
    },

    async "signalbox.pasteSignInAddress"(server) {
      const waiting = await chooseWaiting(desk, server, ({ takesAddress }) => takesAddress);
      if (waiting === undefined) return undefined;
      return (await askForAddress(desk, waiting.serverName)) ? waiting.serverName : undefined;
    },

    async "signalbox.copySignInAddress"(server) {
      const waiting = await chooseWaiting(desk, server, ({ address }) => address !== undefined);
      if (waiting?.address === undefined) return undefined;
      await env.clipboard.writeText(waiting.address);
      return waiting.serverName;
    },
  };
}

/** Reports are in English: those who read them run the server. */
const english: Translate = (template, args = {}) => fillTemplate(template, args);

/** What keeps a server from being used, where it is in our words: a report is to hold nothing of others' secrets. */
function problemOf(services: HostServices, id: string): CodedError | undefined {
  const state = services.pool.get(id)?.state;
  if (state?.kind !== "failed" && state?.kind !== "blocked") return undefined;
  const { problem } = state;
  return problem instanceof CodedError && !(problem instanceof RpcError) ? problem : undefined;
}

/** A problem and its remedy, in the language of the window. */
function problemWords(problem: CodedError | undefined): string | undefined {
  if (problem === undefined) return undefined;
  const { message, remedy } = describeProblem(problem);
  return joinSentences(message, remedy);
}

/** The sign-in that is named, the only one, or the one that the person chooses. */
async function chooseWaiting(
  desk: SignInDesk,
  argument: unknown,
  fits: (waiting: WaitingSignIn) => boolean,
): Promise<WaitingSignIn | undefined> {
  const named = serverIdOf(argument);
  const fitting = desk.waiting.filter(
    (waiting) => fits(waiting) && (named === undefined || waiting.serverName === named),
  );
  if (fitting.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t("No sign-in waits for the browser."));
    return undefined;
  }
  if (fitting.length === 1) return fitting[0];
  const chosen = await askChoice({
    title: vscode.l10n.t("Which sign-in?"),
    items: fitting.map((waiting) => ({ label: pickLabel(waiting.serverName), value: waiting })),
  });
  return chosen === BACK ? undefined : chosen;
}
