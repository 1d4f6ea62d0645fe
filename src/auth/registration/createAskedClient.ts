import type { AuthSettings } from "../model/authSettings.ts";
import type { ClientFacts, IssuerFacts } from "../model/facts.ts";

/** The client that a person has typed in. Throws AuthError when it cannot prove itself there. */
export function createAskedClient(
  _settings: AuthSettings,
  _issuer: IssuerFacts,
  _answer: { readonly id: string; readonly secret?: string },
): ClientFacts {
  throw new Error("not built yet");
}
