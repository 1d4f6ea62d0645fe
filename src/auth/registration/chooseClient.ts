import type { AuthSettings } from "../model/authSettings.ts";
import type { ClientFacts, IssuerFacts } from "../model/facts.ts";

/** How to come to a client: there is one, it is to be registered, or only the person can name one. */
export type ClientChoice =
  | { readonly kind: "use"; readonly client: ClientFacts }
  | { readonly kind: "register" }
  | { readonly kind: "ask" };

/** The client of an earlier sign-in, with the issuer that knows it. A `SignedIn` is one. */
export interface EarlierClient {
  readonly issuer: Pick<IssuerFacts, "issuer">;
  readonly client: ClientFacts;
}

/** Chooses how this client is known to an authorization server. Throws AuthError. */
export function chooseClient(
  _settings: AuthSettings,
  _issuer: IssuerFacts,
  _before: EarlierClient | undefined,
  _redirectUri: string,
  _nowMs: number,
): ClientChoice {
  throw new Error("not built yet");
}
