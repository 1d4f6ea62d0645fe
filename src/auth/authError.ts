import { CodedError, type MessageArgs, type MessageTemplate } from "../base/errors.ts";

/**
 * What goes wrong with authorization. `server` is always the configured name; `error` and `description` are the words of
 * an authorization server, cleaned and shortened. No argument ever holds a secret.
 */
export const AUTH_ERRORS = {
  "sign-in-needed": {
    message: "“{server}” wants you to sign in.",
    remedy: "Choose “Sign In…” for this server.",
  },
  "credential-rejected": {
    message: "“{server}” did not take the credential that its settings send (HTTP {status}).",
    remedy:
      "Renew the token that the “Authorization” header in its settings names. To sign in with a browser instead, remove that header.",
  },
  "insufficient-scope": {
    message: "“{server}” wants more permission than you gave it: {missing}",
    remedy: "If you want to allow that, choose “Sign In With More Scopes…”, then run it again.",
  },
  "insufficient-scope-unnamed": {
    message: "“{server}” wants more permission than you gave it, and does not say which.",
    remedy: "If you know which scopes it needs, choose “Sign In With Scopes…” and name them.",
  },
  "scope-withheld": {
    message: "“{server}” wants more permission, and {issuer} did not give it: {scopes}",
    remedy: "Your account may lack the right there; ask whoever administers it.",
  },
  "scope-already-granted": {
    message: "“{server}” refuses for want of permissions that you have given it already: {required}",
    remedy: "This is a fault of the server, or your account lacks the right there.",
  },
  "sign-in-declined": { message: "You did not sign in to “{server}”." },
  "sign-in-timeout": {
    message: "Nobody finished signing in to “{server}” within {minutes} minutes.",
    remedy: "Choose “Sign In…” again.",
  },
  "bad-settings": {
    message: "The “oauth” settings of “{server}” cannot be used: {problem}",
    remedy: "Correct them in the settings.",
  },
  "insecure-endpoint": {
    message:
      "“{server}” is reached over http, so that everybody on the way could take its token. You were not signed in.",
    remedy: "Use its https address. Over http only servers on this computer can be signed in to.",
  },
  "no-resource-metadata": {
    message: "“{server}” asks for authorization and does not say where to get it. Looked at: {places}",
    remedy:
      "Ask its authors for protected resource metadata (RFC 9728), set “oauth.issuer” and “oauth.resource” if you know them, or send a token with an “Authorization” header.",
  },
  "resource-mismatch": {
    message:
      "The metadata of “{server}” is about {resource}, which is not {endpoint}. You were not signed in.",
    remedy: "If you know that it is right, set “oauth.resource” to exactly that text in your user settings.",
  },
  "bad-metadata": {
    message: "{url} does not hold metadata that can be used for “{server}”: {reason}",
    remedy: "This is a fault of the server or of its authorization server; report it to its authors.",
  },
  "no-issuer-metadata": {
    message: "The authorization server {issuer} of “{server}” publishes no metadata. Looked at: {places}",
    remedy: "Check whether it can be reached. Endpoints are never guessed.",
  },
  "issuer-unavailable": {
    message: "The authorization server {issuer} of “{server}” cannot be asked now: {reason}",
    remedy: "Check whether it can be reached from this computer, and sign in again.",
  },
  "issuer-mismatch": {
    message: "{url} is the metadata of the issuer “{actual}”, where “{expected}” was wanted for “{server}”.",
    remedy:
      "The two must be the same, character by character. If “oauth.issuer” is set, correct it; else this is a fault of the server or of its authorization server, to be reported to its authors.",
  },
  "issuer-slash": {
    message:
      "“{server}” names the authorization server “{expected}”, which calls itself “{actual}”. They differ by a slash.",
    remedy:
      "The two must be the same, character by character, and whoever runs them should be told. Until then, set “oauth.issuer” to exactly “{actual}” in your user settings.",
  },
  "issuer-not-listed": {
    message:
      "“{server}” does not name the authorization server {issuer} of your settings. It names: {listed}",
    remedy: "Correct or remove “oauth.issuer”.",
  },
  "issuer-changed": {
    message:
      "“{server}” now names another authorization server: {actual} in place of {expected}. Nothing was sent to it.",
    remedy: "If that is intended, choose “Sign In With a New Registration”.",
  },
  "resource-changed": {
    message: "“{server}” now names another resource: {actual} in place of {expected}. Nothing was sent.",
    remedy: "If that is intended, sign in again.",
  },
  "pkce-unsupported": {
    message:
      "The authorization server {issuer} of “{server}” does not announce PKCE with S256, without which codes can be stolen.",
    remedy:
      "If you know that it checks PKCE all the same, set “oauth.assumePkceS256” to true and “oauth.issuer” in your user settings.",
  },
  "bad-endpoint": {
    message: "The {endpoint} of {issuer} cannot be used for “{server}”: {reason}",
    remedy: "This is a fault of the authorization server; report it to its operators.",
  },
  "secret-cross-origin": {
    message:
      "The client secret of “{server}” was not sent: {tokenEndpoint} is not on the origin of {issuer}.",
    remedy:
      "If you know that it belongs there, set “oauth.tokenEndpoint” to exactly that address in your user settings.",
  },
  "registration-unsupported": {
    message: "{issuer} does not offer the registration “{mode}” that the settings of “{server}” ask for.",
    remedy: "Set “oauth.registration” to “auto”, or “oauth.clientId” to a client that is registered there.",
  },
  "no-client-metadata-url": {
    message: "“{server}” is set to use a client metadata document, and there is none.",
    remedy: "Set “signalbox.oauth.clientMetadataUrl” to the https address of such a document.",
  },
  "no-client": {
    message: "{issuer} does not let clients register themselves, so “{server}” needs a client id.",
    remedy: "Register a client there, and set “oauth.clientId”.",
  },
  "registration-refused": {
    message: "{issuer} did not register this client for “{server}” (HTTP {status}): {error} {description}",
    remedy: "Register a client there by hand, and set “oauth.clientId”.",
  },
  "redirect-refused": {
    message:
      "{issuer} did not register this client for “{server}”, because the browser must not come back to {redirectUri}: {description}",
    remedy:
      "Some servers allow one certain port, or “localhost” alone: set “oauth.redirectPort” or “oauth.redirectHost”. Else register a client there by hand, and set “oauth.clientId”.",
  },
  "registration-rewritten": {
    message:
      "{issuer} registered this client for “{server}” with another redirect address than {redirectUri}.",
    remedy: "Register a client there by hand, and set “oauth.clientId” and “oauth.redirectPort”.",
  },
  "bad-registration": {
    message: "{issuer} answered the registration of this client for “{server}” with what is none: {reason}",
    remedy: "Register a client there by hand, and set “oauth.clientId”.",
  },
  "auth-method-unsupported": {
    message:
      "{issuer} does not let the client of “{server}” prove itself with {credential}. It takes: {offered}",
    remedy:
      "Register the client there in a way that both sides know. If the server knows more than it says, set “oauth.clientAuthMethod”.",
  },
  "client-unknown": {
    message: "{issuer} no longer knows the client {client} of “{server}”.",
    remedy:
      "Choose “Sign In With a New Registration”. If the settings name the client, correct “oauth.clientId”.",
  },
  "client-refused": {
    message:
      "{issuer} does not accept the client {client} of the settings of “{server}”: {error} {description}",
    remedy:
      "Correct “oauth.clientId”, its secret or key, or “oauth.clientAuthMethod”. A client metadata document has to be one that the authorization server can read.",
  },
  "client-unusable": {
    message:
      "More permission for “{server}” can only be given to the client that you signed in with, and that one can no longer be used.",
    remedy: "Choose “Sign In With Scopes…” and name all of them. That registers a new client.",
  },
  "port-taken": {
    message: "The browser has to come back to port {port} for “{server}”, and it cannot be used ({reason}).",
    remedy:
      "Close what uses it, or set “oauth.redirectPort” to another port that the client is registered with.",
  },
  "callback-invalid": {
    message: "What the browser came back with cannot be the answer for “{server}”: {reason}",
    remedy: "Sign in again. If it happens again, report it to the operators of the authorization server.",
  },
  "iss-missing": {
    message:
      "{issuer} announces that its answers name it, and this one for “{server}” does not. It was not used.",
    remedy: "This is a fault of the authorization server, or somebody interfered. Sign in again.",
  },
  "iss-mismatch": {
    message: "The answer of the sign-in for “{server}” does not come from {issuer}. It was not used.",
    remedy: "Somebody may have interfered. Sign in again, and look at the address that the browser shows.",
  },
  "authorization-refused": {
    message: "{issuer} did not authorize “{server}”: {error} {description}",
    remedy: "Sign in again, and allow what it asks.",
  },
  "scope-refused": {
    message: "{issuer} does not grant the scopes that were asked for “{server}”: {scopes}",
    remedy: "Choose “Sign In With Scopes…” or set “oauth.scopes”; an empty list asks for none.",
  },
  "exchange-uncertain": {
    message: "{issuer} did not answer the last step of signing in to “{server}”: {reason}",
    remedy: "Sign in again.",
  },
  "token-refused": {
    message: "{issuer} gave no token for “{server}” (HTTP {status}): {error} {description}",
    remedy: "Sign in again. If it happens again, look at the server's log.",
  },
  "token-unavailable": {
    message: "{issuer} cannot give “{server}” a token now: {reason}",
    remedy: "Try again later.",
  },
  "bad-token-answer": {
    message: "{issuer} answered for “{server}” with something that is no token answer: {reason}",
    remedy: "This is a fault of the authorization server; report it to its operators.",
  },
  "token-not-bound": {
    message: "{issuer} gave a token for “{server}” that is not bound to a key, although that is required.",
    remedy: "Set “oauth.dpop” to “auto” if a plain bearer token will do.",
  },
  "bad-client-key": {
    message: "The private key of the client of “{server}” cannot be used: {reason}",
    remedy:
      "Set “oauth.clientKey” to a key in PEM form (PKCS #8) or to a JWK, with a ${secret:NAME} placeholder.",
  },
  "bad-dpop-key": {
    message: "The key that tokens were bound to can no longer be used.",
    remedy: "Sign in again.",
  },
  "refresh-unavailable": {
    message: "The token of “{server}” has expired and {issuer} cannot renew it now: {reason}",
    remedy: "Try again later. You stay signed in.",
  },
  "zone-changed": {
    message:
      "“{server}” is now in another network ({actual}) than when you signed in ({expected}). No token was sent.",
    remedy: "Check where its address leads, and sign in again if that is right.",
  },
  "store-failed": {
    message: "What you signed in to “{server}” with could not be kept: {reason}",
    remedy: "You are signed in until this window is closed.",
  },
  "store-delete-failed": {
    message: "What “{server}” was signed in with is no longer used, but it could not be deleted: {reason}",
    remedy: "Sign out again, or delete it where credentials are kept.",
  },
  "lock-timeout": {
    message: "Another window has been renewing the token of “{server}” for too long.",
    remedy: "Try again.",
  },
} as const satisfies Record<string, MessageTemplate>;

export type AuthErrorCode = keyof typeof AUTH_ERRORS;

/** The error class of the authorization layer. Its `cause` and `detail` hold no secret either. */
export class AuthError extends CodedError<AuthErrorCode> {
  constructor(
    code: AuthErrorCode,
    args: MessageArgs,
    options: { readonly cause?: unknown; readonly detail?: string | undefined } = {},
  ) {
    super(code, AUTH_ERRORS[code], args, options);
  }
}
