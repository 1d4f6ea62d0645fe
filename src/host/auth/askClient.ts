import * as vscode from "vscode";
import { isCredentialText } from "../../auth/registration/credentialText.ts";
import { showInvisible } from "../../client/invisibleText.ts";
import { askText } from "../quickInput/ask.ts";
import { BACK, runFlow, type FlowStep, SKIP } from "../quickInput/runFlow.ts";

/** Characters of what is typed in. */
const MAX_ID = 2_048;
const MAX_SECRET = 4_096;

/** What the person has to know to register a client by hand. */
export interface ClientQuestion {
  readonly serverName: string;
  readonly issuer: string;
  readonly redirectUri: string;
}

interface Draft {
  readonly id?: string;
  readonly secret?: string;
}

/** Explains that a client has to be registered by hand, and asks for it. Undefined when the person gives up. */
export async function askClient(
  question: ClientQuestion,
  signal: AbortSignal,
): Promise<{ readonly id: string; readonly secret?: string } | undefined> {
  if (!(await explain(question, signal))) return undefined;
  const draft = await runFlow<Draft>(steps(question, signal), {});
  signal.throwIfAborted();
  if (draft?.id === undefined) return undefined;
  const { id, secret = "" } = draft;
  return secret === "" ? { id } : { id, secret };
}

/** The address to register comes first, because without it there is no client id to type in. */
async function explain(
  { serverName, issuer, redirectUri }: ClientQuestion,
  signal: AbortSignal,
): Promise<boolean> {
  const type = vscode.l10n.t("Type In a Client Id…");
  const copy = vscode.l10n.t("Copy Redirect Address");
  const title = vscode.l10n.t("“{server}” needs a client id", { server: serverName });
  const detail = [
    vscode.l10n.t("{issuer} does not let clients register themselves.", { issuer: showInvisible(issuer) }),
    vscode.l10n.t("Register one there by hand, with this redirect address:"),
    showInvisible(redirectUri),
  ].join("\n\n");
  for (;;) {
    const chosen = await vscode.window.showInformationMessage(title, { modal: true, detail }, type, copy);
    signal.throwIfAborted();
    if (chosen !== copy) return chosen === type;
    await vscode.env.clipboard.writeText(redirectUri);
  }
}

function steps({ serverName, issuer }: ClientQuestion, signal: AbortSignal): readonly FlowStep<Draft>[] {
  const title = vscode.l10n.t("Sign in to “{server}”", { server: serverName });
  return [
    async (draft) => {
      const id = await askText({
        title,
        prompt: vscode.l10n.t("Client id that is registered at {issuer}", { issuer: showInvisible(issuer) }),
        signal,
        validate: (text) =>
          isCredentialText(text.trim()) && text.trim().length <= MAX_ID
            ? undefined
            : vscode.l10n.t("A client id has only letters, digits and signs of ASCII."),
      });
      if (id === BACK || id === undefined) return id;
      return id.trim() === "" ? SKIP : { ...draft, id: id.trim() };
    },
    async (draft, canGoBack) => {
      const secret = await askText({
        title,
        canGoBack,
        prompt: vscode.l10n.t(
          "Client secret, if it has one. It is kept with the sign-in. Leave it empty if there is none.",
        ),
        password: true,
        signal,
        validate: (text) =>
          text === "" || (isCredentialText(text) && text.length <= MAX_SECRET)
            ? undefined
            : vscode.l10n.t("A client secret has only letters, digits and signs of ASCII."),
      });
      return typeof secret === "string" ? { ...draft, secret } : secret;
    },
  ];
}
