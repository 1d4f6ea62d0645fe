import { CodedError, type MessageArgs, type MessageTemplate } from "../base/errors.ts";

/** What goes wrong before and around a connection. `server` is always the configured name. */
export const CLIENT_ERRORS = {
  "no-such-server": {
    message: "There is no server “{server}” in the settings.",
    remedy: "Add it with “Signalbox: Add Server…”.",
  },
  "not-connected": { message: "“{server}” is not connected.", remedy: "Connect it first." },
  disabled: { message: "“{server}” is disabled.", remedy: "Set “enabled” to true in its settings." },
  "invalid-config": {
    message: "The settings of “{server}” are not usable: {problem}",
    remedy: "Open the settings and correct the entry.",
  },
  untrusted: {
    message: "“{server}” is defined by this workspace, which is not trusted.",
    remedy: "Trust the workspace, or define the server in your user settings.",
  },
  "not-approved": {
    message: "“{server}” was not approved, so nothing was started or sent.",
    remedy: "Connect it again and read the command before you allow it.",
  },
  "unset-variable": {
    message: "“{server}” needs {placeholder}, which is not set. Nothing was started or sent.",
    remedy: "{hint}",
  },
  "own-credential": {
    message: "The settings of “{server}” send a credential of their own, so nobody signs in to it.",
    remedy: "To sign in with a browser instead, remove the “Authorization” header from its settings.",
  },
  "nothing-to-sign-in": {
    message: "There is nothing to sign in to for “{server}”.",
    remedy: "Signing in is for servers with a “url” whose settings do not say “oauth”: false.",
  },
  "tls-file": {
    message: "“{setting}” of “{server}” cannot be used ({source}): {reason}",
    remedy: "It must be the path of a text file in PEM form, or such a text.",
  },
  "tls-not-pem": {
    message: "“{setting}” of “{server}” holds no “-----BEGIN {label}-----” ({source}).",
    remedy: "Convert the file to PEM form, for example with openssl.",
  },
  "tls-key": {
    message: "The private key in “{setting}” of “{server}” cannot be read ({source}): {reason}",
    remedy: "If it is encrypted, set “tls.passphrase” to its password with a ${secret:NAME} placeholder.",
  },
  "tls-key-missing": {
    message: "“tls.cert” of “{server}” needs the private key that belongs to it.",
    remedy: "Name its file in “tls.key”, or put both into one file.",
  },
  "tls-pair": {
    message: "The private key of “{server}” ({key}) does not belong to its certificate ({cert}).",
    remedy: "Name the key that the certificate was made for, in “tls.key”.",
  },
  "no-such-prompt": {
    message: "“{server}” lists no prompt “{prompt}”.",
    remedy: "Refresh the server's lists, and check the name.",
  },
  "no-such-task": {
    message: "“{server}” has no task {task} that is known here.",
    remedy: "It may have been forgotten. Run the tool again if its result is still wanted.",
  },
  "call-declined": { message: "The call of “{tool}” on “{server}” was not allowed." },
  "too-many-inputs": {
    message: "{limit} requests for input are waiting already; “{server}” was told “cancel”.",
  },
  "no-model": {
    message: "“{server}” wants the answer of a language model, and there is none in this editor.",
    remedy: "Set up a provider of language models, such as a chat extension, and call it again.",
  },
  "model-not-allowed": {
    message: "{model} may not be used by Signalbox.",
    remedy: "Allow it when the editor asks, or take another model.",
  },
  "model-blocked": {
    message: "{model} refused the request, or its quota is used up: {reason}",
    remedy: "Take another model, or try again later.",
  },
  "model-gone": { message: "{model} is no longer there.", remedy: "Take another model." },
  "model-failed": {
    message: "{model} gave no answer: {reason}",
    remedy: "Try again, or take another model.",
  },
  unexpected: {
    message: "Something went wrong with “{server}”: {reason}",
    remedy: "This is a fault of Signalbox; its log has the details.",
  },
} as const satisfies Record<string, MessageTemplate>;

export type ClientErrorCode = keyof typeof CLIENT_ERRORS;

/** The error class of the client layer. */
export class ClientError extends CodedError<ClientErrorCode> {
  constructor(
    code: ClientErrorCode,
    args: MessageArgs,
    options: { readonly cause?: unknown; readonly detail?: string | undefined } = {},
  ) {
    super(code, CLIENT_ERRORS[code], args, options);
  }
}
