import { AuthError } from "../authError.ts";
import { cleanText } from "../cleanText.ts";
import type { AuthSettings, ClientAuthMethod } from "../model/authSettings.ts";
import type { IssuerFacts } from "../model/facts.ts";

/**
 * How a client that is known already proves itself at the token endpoint: as the settings say; with its key; with its
 * secret in the way that the server takes, `client_secret_basic` where it does not say; or not at all.
 *
 * Throws AuthError `auth-method-unsupported` when what the client has is not taken: a secret is never left out in
 * silence.
 */
export function chooseAuthMethod(
  settings: AuthSettings,
  issuer: IssuerFacts,
  has: { readonly secret: boolean; readonly key: boolean },
): ClientAuthMethod {
  const offered = issuer.tokenAuthMethods;
  const possible = listPossible(has);
  const { clientAuthMethod: configured } = settings;
  if (configured !== undefined && possible.includes(configured)) return configured;
  const method = possible.find((one) => one === "none" || offered === undefined || offered.includes(one));
  if (method !== undefined) return method;
  throw new AuthError("auth-method-unsupported", {
    server: settings.serverName,
    issuer: cleanText(issuer.issuer, 300),
    credential: has.key ? "a key" : "a secret",
    offered: offered === undefined || offered.length === 0 ? "–" : offered.join(", "),
  });
}

/** In the order of preference. A server that does not say what it takes takes the first (RFC 8414, section 2). */
function listPossible(has: { readonly secret: boolean; readonly key: boolean }): readonly ClientAuthMethod[] {
  if (has.key) return ["private_key_jwt"];
  return has.secret ? ["client_secret_basic", "client_secret_post"] : ["none"];
}
