import { assertNever } from "../../base/assertNever.ts";
import type { AuthError } from "../../auth/authError.ts";
import type { AuthStatus, SignInReason } from "../../auth/model/authStatus.ts";
import type { Zone } from "../../net/zones.ts";
import type { ScopeSource } from "../../auth/model/facts.ts";
import { showInvisible } from "../../client/invisibleText.ts";
import type { Translate } from "../../shared/translate.ts";
import type { TooltipLine } from "../views/nodes.ts";

/** Scopes that one line names before it counts the rest. */
const MAX_SCOPES = 12;

/** How a server is authorized, in a word or three; undefined when there is nothing to say about it. */
export function authWords(status: AuthStatus | undefined, t: Translate): string | undefined {
  switch (status?.kind) {
    case undefined:
    case "none":
      return undefined;
    case "external":
      return status.isRejected ? t("Credential not accepted") : t("Credential from the settings");
    case "signing-in":
      return t("Signing in…");
    case "signed-in":
      return status.refreshProblem === undefined ? t("Signed in") : t("Signed in, not renewed");
    case "expired":
      return t("Sign-in expired");
    case "needs-sign-in":
      return status.reason === "signed-out" ? t("Signed out") : t("Needs sign-in");
    case "needs-scopes":
      return t("Needs more permission");
    default:
      return assertNever(status);
  }
}

/** True when nothing goes on without the person. */
export function needsPerson(status: AuthStatus | undefined): boolean {
  switch (status?.kind) {
    case "expired":
    case "needs-scopes":
      return true;
    case "needs-sign-in":
      // Whoever signed out wants it so.
      return status.reason !== "signed-out";
    case "external":
      return status.isRejected;
    default:
      return false;
  }
}

/** What the menus of the tree match of a server's authorization, as in `signInNeeded`; empty when there is none. */
export function authContext(status: AuthStatus | undefined): string {
  switch (status?.kind) {
    case undefined:
      return "";
    case "none":
      return "maySignIn";
    case "external":
      return "external";
    case "signing-in":
      return "signingIn";
    case "signed-in":
      return "signedIn";
    case "expired":
    case "needs-sign-in":
      return "signInNeeded";
    case "needs-scopes":
      return "scopesNeeded";
    default:
      return assertNever(status);
  }
}

/** Facts about a server's authorization for its tooltip. */
export function authLines(status: AuthStatus | undefined, t: Translate): readonly TooltipLine[] {
  const words = authWords(status, t);
  if (status === undefined || words === undefined) return [];
  const fact = (name: string, text: string): TooltipLine => ({ style: "fact", name, text });
  const lines = [fact(t("Authorization"), words)];
  if ("issuer" in status) lines.push(fact(t("Authorization server"), showInvisible(status.issuer)));
  switch (status.kind) {
    case "signed-in":
      lines.push(fact(t("Scopes"), scopeWords(status.scopes, t)));
      if (status.expiresAtMs !== undefined)
        lines.push(fact(t("Token valid until"), timeWords(status.expiresAtMs)));
      if (!status.canRefresh)
        lines.push({ style: "text", text: t("It cannot be renewed: sign in again when it has expired.") });
      if (status.refreshProblem !== undefined)
        lines.push({ style: "text", text: showInvisible(status.refreshProblem) });
      break;
    case "expired":
      lines.push(fact(t("Expired"), timeWords(status.expiredAtMs)));
      break;
    case "needs-scopes":
      lines.push(fact(t("Missing scopes"), scopeWords(status.missing, t)));
      lines.push(fact(t("Granted scopes"), scopeWords(status.granted, t)));
      break;
    case "needs-sign-in":
      lines.push({ style: "text", text: reasonWords(status.reason, t) });
      break;
    default:
  }
  return lines;
}

/** Why signing in is needed, as a sentence. */
export function reasonWords(reason: SignInReason, t: Translate): string {
  switch (reason) {
    case "first":
      return t("This server wants you to sign in.");
    case "revoked":
      return t("What you signed in with is no longer accepted.");
    case "client-unknown":
      return t("The authorization server no longer knows this client.");
    case "settings-changed":
      return t("The settings that the sign-in was made with have changed.");
    case "zone-changed":
      return t("The server is in another network than when you signed in.");
    case "record-unusable":
      return t("What was kept of the sign-in cannot be used.");
    case "signed-out":
      return t("You signed out.");
  }
}

/** Scopes on one line, each exactly as it is written. */
export function scopeWords(scopes: readonly string[], t: Translate, max = MAX_SCOPES): string {
  if (scopes.length === 0) return t("none");
  const shown = scopes.slice(0, max).map(showInvisible).join(", ");
  const rest = scopes.length - max;
  return rest <= 0 ? shown : t("{scopes} and {count} more", { scopes: shown, count: rest });
}

/** Where the scopes of a request came from. */
export function scopeSourceWords(source: ScopeSource, t: Translate): string {
  switch (source) {
    case "command":
      return t("typed in for this sign-in");
    case "settings":
      return t("from the settings");
    case "challenge":
      return t("the server asked for them");
    case "resource":
      return t("from the server's metadata");
    case "server":
      return t("all that the authorization server lists");
    case "none":
      return t("nothing names any");
    case "step-up":
      return t("what you have, and what the server asked for now");
  }
}

/** A moment in the time of this machine, as in “2026-11-30 19:05”. */
export function timeWords(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** A network, as it is said in a sentence. */
export function zoneWords(zone: Zone, t: Translate): string {
  switch (zone) {
    case "public":
      return t("the internet");
    case "private":
      return t("a private network");
    case "loopback":
      return t("this machine");
    case "link-local":
      return t("the local link");
  }
}

/** Why a pasted address is asked for again. The sign-in goes on, so that the error's own remedy would lead astray. */
export function wrongAddressWords({ args, message }: AuthError, t: Translate): string {
  const { reason } = args;
  return t(
    "This is not the answer: {reason}. Paste the whole address that the browser ended on. The sign-in still waits for it.",
    { reason: typeof reason === "string" ? reason : message },
  );
}
