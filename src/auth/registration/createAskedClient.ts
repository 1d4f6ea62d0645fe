import type { AuthSettings } from "../model/authSettings.ts";
import type { ClientFacts, IssuerFacts } from "../model/facts.ts";
import { chooseAuthMethod } from "./chooseAuthMethod.ts";

/**
 * The client that a person has typed in where nothing else was possible. Throws AuthError `auth-method-unsupported` when
 * the server does not take its secret.
 */
export function createAskedClient(
  settings: AuthSettings,
  issuer: IssuerFacts,
  answer: { readonly id: string; readonly secret?: string },
): ClientFacts {
  const secret = answer.secret ?? "";
  const authMethod = chooseAuthMethod(settings, issuer, { secret: secret !== "", key: false });
  return { kind: "asked", id: answer.id, authMethod, ...(secret !== "" && { secret }) };
}
