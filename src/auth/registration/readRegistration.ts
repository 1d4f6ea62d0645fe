import { type JsonObject, parseJsonObject, readAmount } from "../../base/json.ts";
import { cleanText } from "../cleanText.ts";
import { isAuthMethod } from "../discovery/readIssuerMetadata.ts";
import type { ClientAuthMethod } from "../model/authSettings.ts";
import type { ClientFacts, IssuerFacts } from "../model/facts.ts";
import { isCredentialText } from "./credentialText.ts";

/** Characters of an id or a secret. Some servers put whole signed documents there. */
const MAX_CREDENTIAL = 8_192;

/** What became of a registration. */
export type RegistrationAnswer =
  | { readonly kind: "client"; readonly client: ClientFacts }
  | { readonly kind: "refused"; readonly error: string; readonly description: string }
  | { readonly kind: "rewritten" }
  | { readonly kind: "unusable"; readonly reason: string };

/** What was asked for. */
export interface RegistrationWish {
  readonly authMethod: ClientAuthMethod;
  readonly redirectUri: string;
}

/**
 * Reads the answer to a registration. Servers differ much here: 200 is as good as 201, what is missing is as it was asked
 * for, and times may be texts. What counts is an id, our redirect address, and a way to prove the client.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7591#section-3.2
 */
export function readRegistration(
  { status, body }: { readonly status: number; readonly body: string },
  issuer: Pick<IssuerFacts, "tokenAuthMethods">,
  wish: RegistrationWish,
): RegistrationAnswer {
  const answer = parseJsonObject(body);
  if (status !== 200 && status !== 201) {
    const error = cleanText(answer?.["error"], 100);
    const description = cleanText(answer?.["error_description"], 300);
    return { kind: "refused", error: error === "" ? "it does not say why" : error, description };
  }
  if (answer === undefined) return { kind: "unusable", reason: "it is not a JSON object" };
  const id = answer["client_id"];
  if (!isCredential(id)) return { kind: "unusable", reason: "it holds no “client_id” that can be used" };
  const echoed = answer["redirect_uris"];
  if (Array.isArray(echoed) && !echoed.includes(wish.redirectUri)) return { kind: "rewritten" };
  const secret = isCredential(answer["client_secret"]) ? answer["client_secret"] : undefined;
  const authMethod = readAuthMethod(answer, issuer, wish.authMethod, secret !== undefined);
  if (authMethod === undefined)
    return { kind: "unusable", reason: "it wants the client to prove itself in a way that is not possible" };
  const secretExpiresAtMs = secret === undefined ? undefined : readExpiry(answer["client_secret_expires_at"]);
  return {
    kind: "client",
    client: {
      kind: "dcr",
      id,
      authMethod,
      ...(secret !== undefined && { secret }),
      ...(secretExpiresAtMs !== undefined && { secretExpiresAtMs }),
      redirectUri: wish.redirectUri,
    },
  };
}

/** What the server says holds. Where it says nothing, a secret that it gave is meant to be used. */
function readAuthMethod(
  answer: JsonObject,
  { tokenAuthMethods: offered }: Pick<IssuerFacts, "tokenAuthMethods">,
  wished: ClientAuthMethod,
  hasSecret: boolean,
): ClientAuthMethod | undefined {
  const echoed = answer["token_endpoint_auth_method"] ?? undefined;
  if (!hasSecret)
    return echoed === undefined || isSecretMethod(echoed) || echoed === "none" ? "none" : undefined;
  if (echoed !== undefined)
    return typeof echoed === "string" && isAuthMethod(echoed) && echoed !== "private_key_jwt"
      ? echoed
      : undefined;
  if (isSecretMethod(wished)) return wished;
  const methods = ["client_secret_basic", "client_secret_post"] as const;
  return methods.find((method) => offered === undefined || offered.includes(method)) ?? "none";
}

function isSecretMethod(method: unknown): boolean {
  return method === "client_secret_basic" || method === "client_secret_post";
}

/** Seconds since the epoch; nothing and 0 mean never. */
function readExpiry(value: unknown): number | undefined {
  const seconds = typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : readAmount(value);
  return seconds !== undefined && seconds > 0 && seconds < 1e12 ? seconds * 1_000 : undefined;
}

function isCredential(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_CREDENTIAL && isCredentialText(value);
}
