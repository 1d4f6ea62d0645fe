import { AuthError } from "../authError.ts";
import { cleanText } from "../cleanText.ts";
import type { ClientFacts } from "../model/facts.ts";

/** What an authorization server said of a client. Both texts are clean. */
export interface ClientRefusal {
  readonly server: string;
  readonly issuer: string;
  readonly error: string;
  readonly description: string;
}

/**
 * The error for a client that the authorization server does not take. One that registered itself, or that a person typed
 * in, is simply got anew; one of the settings has to be corrected there, and mostly it is the secret that is wrong.
 */
export function refusedClient(
  { kind, id }: Pick<ClientFacts, "kind" | "id">,
  { server, issuer, error, description }: ClientRefusal,
): AuthError {
  const names = { server, issuer, client: cleanText(id, 200) };
  const isOfSettings = kind === "preregistered" || kind === "cimd";
  if (isOfSettings) return new AuthError("client-refused", { ...names, error, description });
  return new AuthError("client-unknown", names, { detail: `${error} ${description}`.trim() });
}
