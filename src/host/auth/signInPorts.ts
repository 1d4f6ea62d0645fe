import * as vscode from "vscode";
import type { AuthOverrides } from "../../auth/model/authSettings.ts";
import type { SignInPlan, SignInPorts } from "../../auth/model/signInPorts.ts";
import { showInvisible } from "../../client/invisibleText.ts";
import { openInBrowser } from "../panels/openInBrowser.ts";
import { askChoice } from "../quickInput/ask.ts";
import { BACK } from "../quickInput/runFlow.ts";
import { pickLabel, withoutLinks } from "../serverText.ts";
import type { InfoDocuments } from "../views/infoDocuments.ts";
import { translate } from "../wording.ts";
import { askClient } from "./askClient.ts";
import { answerPages } from "./answerPages.ts";
import { askForAddress } from "./askForAddress.ts";
import { wrongAddressWords } from "./authWords.ts";
import type { SignInDesk } from "./signInDesk.ts";
import { signInQuestion } from "./signInQuestion.ts";

/** What the ports of one server need. */
export interface SignInPortParts {
  /** The server's configured name. */
  readonly serverName: string;
  readonly overrides: AuthOverrides;
  readonly desk: SignInDesk;
  readonly documents: InfoDocuments;
}

/** A person's part in the sign-ins of one server, in this window. */
export function createSignInPorts({ serverName, overrides, desk, documents }: SignInPortParts): SignInPorts {
  return {
    confirm: (plan, signal) => confirm(plan, overrides, documents, signal),

    async chooseIssuer(issuers, signal) {
      const chosen = await askChoice({
        title: vscode.l10n.t("Sign in to “{server}”", { server: serverName }),
        placeholder: vscode.l10n.t(
          "The server names several authorization servers. Choose the one that you use.",
        ),
        items: issuers.map((issuer) => ({ label: pickLabel(showInvisible(issuer)), value: issuer })),
        signal,
      });
      return chosen === BACK ? undefined : chosen;
    },

    askClient: ({ issuer, redirectUri }, signal) =>
      askClient({ serverName, issuer: issuer.issuer, redirectUri }, signal),

    async open(url, how, signal) {
      desk.noteAddress(serverName, url, signal);
      if (how === "open" && (await openInBrowser(url))) return;
      // Not awaited: the listener waits meanwhile, for a browser that the person opens.
      void offerAddress(serverName, url, how, signal);
    },

    externalUri,

    pasteAddress(signal, problem) {
      const pasted = desk.takeAddress(serverName, signal);
      // Here a browser often does not reach this machine, so it is asked for without waiting to see.
      if (isBrowserElsewhere() || problem !== undefined) {
        const wrong = problem === undefined ? {} : { wrong: wrongAddressWords(problem, translate) };
        void askForAddress(desk, serverName, { signal, ...wrong });
      }
      return pasted;
    },

    pages: answerPages(translate),
  };
}

/** True where the browser runs on another machine than this extension, or may. */
export function isBrowserElsewhere(): boolean {
  return vscode.env.remoteName !== undefined || vscode.env.uiKind === vscode.UIKind.Web;
}

async function externalUri(loopback: string): Promise<string> {
  if (!isBrowserElsewhere()) return loopback;
  const uri = await vscode.env.asExternalUri(vscode.Uri.parse(loopback, true));
  return uri.toString(true);
}

/**
 * Asks before the browser is opened. VS Code gives the focus to the first button: for an unusual sign-in that is one
 * that does no harm, so that a key pressed too early agrees to nothing.
 */
async function confirm(
  plan: SignInPlan,
  overrides: AuthOverrides,
  documents: InfoDocuments,
  signal: AbortSignal,
): Promise<boolean> {
  const { title, detail, warnings, whole } = signInQuestion(plan, overrides, translate);
  const go = plan.showOnly === undefined ? vscode.l10n.t("Open Browser") : vscode.l10n.t("Show Address");
  if (whole !== undefined) return confirmLong({ title, detail, whole, go }, documents, signal);
  const copy = vscode.l10n.t("Copy Details");
  const buttons = warnings.length === 0 ? [go, copy] : [copy, go];
  for (;;) {
    const chosen = await vscode.window.showInformationMessage(title, { modal: true, detail }, ...buttons);
    signal.throwIfAborted();
    if (chosen !== copy) return chosen === go;
    await vscode.env.clipboard.writeText(`${title}\n\n${detail}\n`);
  }
}

/** Lets everything be read in an editor first, where a dialog has no room for it. */
async function confirmLong(
  texts: { readonly title: string; readonly detail: string; readonly whole: string; readonly go: string },
  documents: InfoDocuments,
  signal: AbortSignal,
): Promise<boolean> {
  const { title, detail, whole, go } = texts;
  const read = vscode.l10n.t("Show Everything");
  const first = await vscode.window.showInformationMessage(title, { modal: true, detail }, read);
  signal.throwIfAborted();
  if (first !== read) return false;
  await documents.show(title, `${title}\n\n${whole}\n`);
  signal.throwIfAborted();
  // Not modal: the text beside it is to be read.
  const chosen = await vscode.window.showInformationMessage(
    withoutLinks(title),
    go,
    vscode.l10n.t("Don't Sign In"),
  );
  signal.throwIfAborted();
  return chosen === go;
}

/** Gives the address to the person, where the browser was not sent there. It is never opened from here. */
async function offerAddress(
  serverName: string,
  url: string,
  how: "open" | "show",
  signal: AbortSignal,
): Promise<void> {
  const copy = vscode.l10n.t("Copy Address");
  const message =
    how === "show"
      ? vscode.l10n.t("Open this address yourself to sign in to “{server}”", { server: serverName })
      : vscode.l10n.t("The browser did not open. Open this address yourself to sign in to “{server}”", {
          server: serverName,
        });
  const chosen = await vscode.window.showWarningMessage(
    message,
    { modal: true, detail: showInvisible(url) },
    copy,
  );
  if (chosen === copy && !signal.aborted) await vscode.env.clipboard.writeText(url);
}
