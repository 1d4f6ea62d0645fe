import type { AuthErrorCode } from "../auth/authError.ts";
import { CodedError } from "../base/errors.ts";
import type { ClientErrorCode } from "../client/clientError.ts";
import type { NetErrorCode } from "../net/netError.ts";
import type { EngineErrorCode } from "../protocol/engineError.ts";
import type { CommandId } from "./commands/table.ts";

/** Something that a person can do about a problem, as a command of ours on the server that has it. */
export type ProblemAction = Extract<
  CommandId,
  | "signalbox.showServerLog"
  | "signalbox.editServer"
  | "signalbox.restart"
  | "signalbox.connect"
  | "signalbox.negotiateAgain"
  | "signalbox.setSecret"
  | "signalbox.addServer"
  | "signalbox.refreshTools"
  | "signalbox.allowOldRevision"
  | "signalbox.allowSampling"
  | "signalbox.chooseFolders"
  | "signalbox.manageTrust"
  | "signalbox.enable"
  | "signalbox.signIn"
  | "signalbox.signInWithScopes"
  | "signalbox.signInWithNewRegistration"
  | "signalbox.signInWithMoreScopes"
  | "signalbox.showAuthorization"
>;

type ProblemCode = AuthErrorCode | EngineErrorCode | ClientErrorCode | NetErrorCode;

const LOOK: readonly ProblemAction[] = ["signalbox.showServerLog"];
const EDIT: readonly ProblemAction[] = ["signalbox.editServer", "signalbox.showServerLog"];
const RESTART: readonly ProblemAction[] = ["signalbox.restart", "signalbox.showServerLog"];
const SIGN_IN: readonly ProblemAction[] = ["signalbox.signIn", "signalbox.showServerLog"];
const REGISTER: readonly ProblemAction[] = [
  "signalbox.signInWithNewRegistration",
  "signalbox.showAuthorization",
];

/** What helps where signing in, or what it gave, is at fault. Where others are at fault, the log says more. */
const AUTH_ACTIONS: Readonly<Partial<Record<AuthErrorCode, readonly ProblemAction[]>>> = {
  "sign-in-needed": ["signalbox.signIn"],
  "credential-rejected": ["signalbox.editServer", "signalbox.setSecret"],
  "insufficient-scope": ["signalbox.signInWithMoreScopes", "signalbox.showAuthorization"],
  "insufficient-scope-unnamed": ["signalbox.signInWithScopes", "signalbox.showAuthorization"],
  "scope-withheld": ["signalbox.showAuthorization", "signalbox.showServerLog"],
  "scope-already-granted": ["signalbox.showAuthorization", "signalbox.showServerLog"],
  "sign-in-declined": [],
  // Where the page said that it does not know the client, nobody but the person has seen it.
  "sign-in-timeout": ["signalbox.signIn", "signalbox.signInWithNewRegistration"],
  "bad-settings": EDIT,
  "insecure-endpoint": EDIT,
  "no-resource-metadata": EDIT,
  "resource-mismatch": EDIT,
  "issuer-unavailable": SIGN_IN,
  "issuer-mismatch": EDIT,
  "issuer-slash": EDIT,
  "issuer-not-listed": EDIT,
  "issuer-changed": REGISTER,
  "resource-changed": ["signalbox.signIn", "signalbox.showAuthorization"],
  "pkce-unsupported": EDIT,
  "secret-cross-origin": EDIT,
  "registration-unsupported": EDIT,
  "no-client-metadata-url": EDIT,
  "no-client": EDIT,
  "registration-refused": EDIT,
  "redirect-refused": EDIT,
  "registration-rewritten": EDIT,
  "bad-registration": EDIT,
  "client-unusable": ["signalbox.signInWithScopes", "signalbox.showAuthorization"],
  "auth-method-unsupported": EDIT,
  "client-unknown": ["signalbox.signInWithNewRegistration", "signalbox.editServer"],
  "client-refused": ["signalbox.editServer", "signalbox.setSecret"],
  "port-taken": EDIT,
  "callback-invalid": SIGN_IN,
  "iss-missing": SIGN_IN,
  "iss-mismatch": SIGN_IN,
  "authorization-refused": SIGN_IN,
  "scope-refused": ["signalbox.signInWithScopes", "signalbox.editServer"],
  "exchange-uncertain": SIGN_IN,
  "token-refused": SIGN_IN,
  "token-not-bound": EDIT,
  "bad-client-key": ["signalbox.editServer", "signalbox.setSecret"],
  "bad-dpop-key": ["signalbox.signIn"],
  "zone-changed": ["signalbox.signIn", "signalbox.showAuthorization"],
};

/** What helps against each error, the most helpful first. A code that is not here has the log. */
const ACTIONS: Readonly<Partial<Record<ProblemCode, readonly ProblemAction[]>>> = {
  ...AUTH_ACTIONS,
  "no-such-server": ["signalbox.addServer"],
  "own-credential": ["signalbox.editServer"],
  "nothing-to-sign-in": ["signalbox.editServer"],
  "not-connected": ["signalbox.connect"],
  disabled: ["signalbox.enable"],
  "invalid-config": ["signalbox.editServer"],
  untrusted: ["signalbox.manageTrust", "signalbox.editServer"],
  "not-approved": ["signalbox.connect", "signalbox.editServer"],
  "tls-file": ["signalbox.editServer"],
  "tls-not-pem": ["signalbox.editServer"],
  "tls-key": ["signalbox.editServer", "signalbox.setSecret"],
  "tls-key-missing": ["signalbox.editServer"],
  "tls-pair": ["signalbox.editServer"],
  "call-declined": [],
  "command-not-found": EDIT,
  "spawn-failed": EDIT,
  "process-exited": RESTART,
  closed: RESTART,
  "session-lost": RESTART,
  "stream-ended": RESTART,
  timeout: RESTART,
  "message-too-large": EDIT,
  "not-json-rpc": EDIT,
  "http-status": EDIT,
  "authorization-required": EDIT,
  forbidden: ["signalbox.showServerLog", "signalbox.showAuthorization"],
  redirected: EDIT,
  "was-modern": ["signalbox.negotiateAgain", "signalbox.showServerLog"],
  "no-common-revision": ["signalbox.allowOldRevision", "signalbox.showServerLog"],
  "pinned-revision": EDIT,
  "neither-era": EDIT,
  "sampling-off": ["signalbox.allowSampling", "signalbox.showServerLog"],
  "sampling-refused": [],
  "roots-off": ["signalbox.chooseFolders", "signalbox.showServerLog"],
  "tasks-off": EDIT,
  "no-such-task": ["signalbox.refreshTools"],
  "unknown-tool": ["signalbox.refreshTools"],
  "no-such-resource": ["signalbox.refreshTools", "signalbox.showServerLog"],
  "no-such-prompt": ["signalbox.refreshTools"],
  "prompt-refused": ["signalbox.refreshTools", "signalbox.showServerLog"],
  "not-announced": ["signalbox.refreshTools", "signalbox.showServerLog"],
  "invalid-url": EDIT,
  "invalid-header": EDIT,
  dns: EDIT,
  tls: EDIT,
  "tls-self-signed": EDIT,
  "tls-unknown-authority": EDIT,
  "tls-expired": EDIT,
  "tls-not-yet-valid": EDIT,
  "tls-wrong-host": EDIT,
  "tls-client-certificate": EDIT,
  "tls-none": EDIT,
  "tls-settings": EDIT,
  "proxy-unusable": EDIT,
  "proxy-unreachable": EDIT,
  "proxy-tls": EDIT,
  "proxy-login": EDIT,
  "proxy-refused": EDIT,
  "address-refused": EDIT,
  insecure: EDIT,
  "zone-escalation": EDIT,
  "environment-proxy": EDIT,
  refused: RESTART,
  unreachable: RESTART,
  "connect-timeout": RESTART,
  "connect-closed": RESTART,
  reset: RESTART,
  "bad-http": EDIT,
};

/** The commands to offer beside an error message. At most two, so that the message stays readable. */
export function actionsFor(problem: unknown): readonly ProblemAction[] {
  if (!(problem instanceof CodedError)) return LOOK;
  const code = String(problem.code);
  if (code === "unset-variable") return actionsForPlaceholder(String(problem.args["placeholder"] ?? ""));
  return isKnown(code) ? (ACTIONS[code] ?? LOOK) : LOOK;
}

/** A secret can be set and a question asked again from here; an environment variable has to be set elsewhere. */
function actionsForPlaceholder(placeholder: string): readonly ProblemAction[] {
  if (placeholder.startsWith("${secret:")) return ["signalbox.setSecret", "signalbox.editServer"];
  if (placeholder.startsWith("${input:")) return ["signalbox.connect", "signalbox.editServer"];
  return ["signalbox.editServer"];
}

function isKnown(code: string): code is ProblemCode {
  return Object.hasOwn(ACTIONS, code);
}
