import type { AuthChallenge } from "../../net/authChallenges.ts";
import type { ChallengeFacts } from "../model/facts.ts";
import { readScopes } from "../scopes/scopeTokens.ts";
import { MAX_ADDRESS } from "./authAddress.ts";

/** What an error code may hold (RFC 6749, section 5.2); codes that are in use are much shorter. */
const ERROR_CODE = /^[\u0020\u0021\u0023-\u005B\u005D-\u007E]{1,100}$/;

/**
 * What a refusal says about authorization; undefined when it says nothing that is used. Of several challenges the first
 * one that names something counts, `Bearer` before `DPoP`. The parser has left out what is ambiguous.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6750#section-3
 * @see https://www.rfc-editor.org/rfc/rfc9728#section-5.1
 */
export function readChallenge(challenges: readonly AuthChallenge[]): ChallengeFacts | undefined {
  const readable = (["bearer", "dpop"] as const).flatMap((scheme) =>
    challenges.filter((challenge) => challenge.scheme === scheme).flatMap((one) => read(scheme, one.params)),
  );
  return readable.find(saysSomething) ?? readable[0];
}

function saysSomething({ resourceMetadata, scopes, error }: ChallengeFacts): boolean {
  return resourceMetadata !== undefined || scopes !== undefined || error !== undefined;
}

/** One challenge, or nothing when it names an address of absurd length. */
function read(scheme: ChallengeFacts["scheme"], params: ReadonlyMap<string, string>): ChallengeFacts[] {
  const resourceMetadata = params.get("resource_metadata") ?? "";
  if (resourceMetadata.length > MAX_ADDRESS) return [];
  const scopes = readScopes(params.get("scope"));
  const error = params.get("error") ?? "";
  return [
    {
      scheme,
      ...(resourceMetadata !== "" && { resourceMetadata }),
      ...(scopes !== undefined && { scopes }),
      ...(ERROR_CODE.test(error) && { error }),
    },
  ];
}
