import type { AuthStatus } from "../../auth/model/authStatus.ts";
import type { ServerEntry } from "../../client/serverPool.ts";
import { showInvisible } from "../../client/invisibleText.ts";
import type { Translate } from "../../shared/translate.ts";
import { reasonWords, scopeWords } from "../auth/authWords.ts";
import type { NoteNode } from "./nodes.ts";
import { createNote, type NoteOptions } from "./noteNode.ts";

/** Scopes that a row of the tree names before it counts the rest. */
const MAX_SCOPES = 4;

type Words = Pick<NoteOptions, "label" | "remedy" | "severity" | "click">;

/** What a person has to do about a server's authorization. A click on the row does it. */
export function authNotes({ id, state, authorization }: ServerEntry, t: Translate): readonly NoteNode[] {
  // It is being done about just now.
  if (authorization === undefined || state.kind === "connecting") return [];
  const words = wordsOf(authorization, t);
  return words === undefined ? [] : [createNote(id, { key: "authorization", t, ...words })];
}

function wordsOf(status: AuthStatus, t: Translate): Words | undefined {
  switch (status.kind) {
    case "needs-sign-in":
      return signInWords(status.reason, t);
    case "expired":
      return {
        label: t("Sign in again: it has expired"),
        remedy: t("It cannot be renewed without you. Click to sign in."),
        severity: "warning",
        click: "signIn",
      };
    case "needs-scopes":
      return {
        label: t("Wants more permission: {scopes}", { scopes: scopeWords(status.missing, t, MAX_SCOPES) }),
        remedy: t("Click to sign in with these scopes too. What was refused is not run again by itself."),
        severity: "warning",
        click: "signInWithMoreScopes",
      };
    case "external":
      if (!status.isRejected) return undefined;
      return {
        label: t("The server does not take the credential of the settings"),
        remedy: t("Renew what the “Authorization” header names. Click to open the settings."),
        severity: "warning",
        click: "editServer",
      };
    case "signed-in":
      if (status.refreshProblem === undefined) return undefined;
      return {
        label: t("Not renewed: {reason}", { reason: showInvisible(status.refreshProblem) }),
        remedy: t("You stay signed in, and it is tried again. Click to show the log."),
        severity: "info",
        click: "showServerLog",
      };
    default:
      return undefined;
  }
}

function signInWords(reason: Extract<AuthStatus, { kind: "needs-sign-in" }>["reason"], t: Translate): Words {
  if (reason === "client-unknown") {
    return {
      label: t("Sign in with a new registration"),
      remedy: t("The authorization server no longer knows this client. Click to register anew and sign in."),
      severity: "warning",
      click: "signInWithNewRegistration",
    };
  }
  const isFirst = reason === "first" || reason === "signed-out";
  return {
    label: isFirst ? t("Sign in to use this server") : t("Sign in again"),
    remedy: `${reasonWords(reason, t)} ${t("Click to sign in.")}`,
    severity: "warning",
    click: "signIn",
  };
}
