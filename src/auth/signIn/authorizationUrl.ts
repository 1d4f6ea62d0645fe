import { createHash, randomBytes } from "node:crypto";

/** What goes into an authorization request. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
  /** The PKCE verifier: only its digest is sent. */
  readonly verifier: string;
  /** Exactly as the metadata of the resource writes it (RFC 8707). */
  readonly resource: string;
  /** Empty sends no `scope`. */
  readonly scopes: readonly string[];
  /** Asks for consent again, without which many servers give no refresh token. */
  readonly offline: boolean;
  /** Has the person sign in there anew, where another account may be chosen (OpenID Connect Core §3.1.2.1). */
  readonly asksAccount?: boolean;
  /** The thumbprint of the key that tokens will be bound to (RFC 9449 §10). */
  readonly dpopThumbprint: string | undefined;
}

/** Parameters that decide what is asked for and where the answer goes: the metadata of a server has no say in them. */
const OURS = [
  "response_type",
  "client_id",
  "redirect_uri",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
  "scope",
  "prompt",
  "dpop_jkt",
  "response_mode",
  "request",
  "request_uri",
  "nonce",
  "claims",
  "authorization_details",
  "audience",
  "max_age",
  "id_token_hint",
  "login_hint",
  "registration",
  "display",
  "code",
  "error",
  "iss",
] as const;

/** The parameters of an authorization request, each once. */
export function authorizationParameters(request: AuthorizationRequest): URLSearchParams {
  const parameters = new URLSearchParams({
    response_type: "code",
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    state: request.state,
    code_challenge: createHash("sha256").update(request.verifier).digest("base64url"),
    code_challenge_method: "S256",
    resource: request.resource,
  });
  if (request.scopes.length > 0) parameters.set("scope", request.scopes.join(" "));
  const prompts = [
    ...(request.asksAccount === true ? ["login"] : []),
    ...(request.offline ? ["consent"] : []),
  ];
  if (prompts.length > 0) parameters.set("prompt", prompts.join(" "));
  if (request.dpopThumbprint !== undefined) parameters.set("dpop_jkt", request.dpopThumbprint);
  return parameters;
}

/**
 * The address to open: the endpoint with these parameters, each exactly once, whatever its own query says of them.
 * Other parameters of its query stay: some servers tell their tenants apart by them.
 */
export function authorizationUrl(endpoint: string, parameters: URLSearchParams): string {
  const url = new URL(endpoint);
  for (const name of OURS) url.searchParams.delete(name);
  for (const [name, value] of parameters) url.searchParams.set(name, value);
  // Both mean a space in a query, but not everybody who reads one knows of the plus sign.
  url.search = url.search.replaceAll("+", "%20");
  return url.href;
}

/** 256 random bits, for a state or a PKCE verifier: 43 characters of base64url. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}
