import type { AuthContext } from "../model/authContext.ts";
import type { ResourceFacts } from "../model/facts.ts";

/** Which authorization server to use; `choose` leaves it to the person. */
export type IssuerPick =
  | { readonly kind: "issuer"; readonly issuer: string }
  | { readonly kind: "choose"; readonly issuers: readonly string[] };

/** Picks among the authorization servers of a resource. `before` is the issuer of an earlier sign-in. */
export function pickIssuer(
  _context: Pick<AuthContext, "settings">,
  _resource: ResourceFacts,
  _before: string | undefined,
): IssuerPick {
  throw new Error("not built yet");
}
