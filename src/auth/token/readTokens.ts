import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { TokenFacts } from "../model/facts.ts";
import { capScopes, isScopeToken } from "../scopes/scopeTokens.ts";

/** What is known before an answer is read. */
export interface TokenCircumstances {
  /** When it was asked for: a token may have begun to age then. */
  readonly askedAtMs: number;
  /** Whether the request proved that it holds a key. */
  readonly proved: boolean;
  /** Whether a token that is not bound to that key is refused. */
  readonly mustBeBound: boolean;
}

/** Tokens, or why there are none. `reason` quotes nothing of the answer. */
export type TokenReading =
  | { readonly kind: "tokens"; readonly tokens: TokenFacts }
  | { readonly kind: "not-bound" }
  | { readonly kind: "odd"; readonly reason: string };

/** What a header can carry: RFC 6750 §2.1 allows less, and some servers send more. */
const SENDABLE = /^[\x21-\x7E]+$/;
/** Characters. Servers take headers of 8 to 32 KiB; what is kept is written with every renewal. */
const MAX_TOKEN = 64 * 1024;
/** Who says that a token lives for longer gives a time of day, or no limit: then a refusal tells when it has ended. */
const LONGEST_MS = 100 * 365 * 24 * 3600 * 1000;

/** Reads the tokens of an answer (RFC 6749 §5.1). An ID token is not looked at: nobody here relies on one. */
export function readTokens(fields: JsonObject, circumstances: TokenCircumstances): TokenReading {
  const access = fields["access_token"];
  if (typeof access !== "string" || access === "") return odd("it has no access token");
  if (access.length > MAX_TOKEN) return odd("the access token is longer than any header");
  if (!SENDABLE.test(access)) return odd("the access token has characters that no header can carry");
  const type = readType(fields["token_type"]);
  if (type === undefined) return odd("its “token_type” is neither Bearer nor DPoP");
  if (type === "dpop" && !circumstances.proved)
    return odd("it is bound to a key that this client does not have");
  if (type === "bearer" && circumstances.mustBeBound) return { kind: "not-bound" };
  return readRest({ access, type, obtainedAtMs: circumstances.askedAtMs }, fields);
}

/** What is optional: the refresh token, the lifetime, the scopes. */
function readRest(
  token: Pick<TokenFacts, "access" | "type" | "obtainedAtMs">,
  fields: JsonObject,
): TokenReading {
  const refresh = fields["refresh_token"] ?? "";
  if (typeof refresh !== "string") return odd("its “refresh_token” is not a text");
  if (refresh.length > MAX_TOKEN) return odd("its “refresh_token” is too long");
  const lifetime = readLifetime(fields["expires_in"]);
  if (lifetime === "odd") return odd("its “expires_in” is not a number of seconds");
  const scopes = readScopes(fields["scope"]);
  if (scopes === "odd") return odd("its “scope” is not a list of scopes");
  return {
    kind: "tokens",
    tokens: {
      ...token,
      ...(lifetime === undefined ? {} : { expiresAtMs: token.obtainedAtMs + lifetime }),
      ...(refresh === "" ? {} : { refresh }),
      ...(scopes === undefined ? {} : { scopes }),
    },
  };
}

function odd(reason: string): TokenReading {
  return { kind: "odd", reason };
}

function readType(value: JsonValue | undefined): TokenFacts["type"] | undefined {
  const type = typeof value === "string" ? value.trim().toLowerCase() : undefined;
  return type === "bearer" || type === "dpop" ? type : undefined;
}

/**
 * Milliseconds; undefined when the answer does not say. Zero does not say either: servers write it for tokens without
 * an end, and one that ends as it is given is of no use.
 */
function readLifetime(value: JsonValue | undefined): number | undefined | "odd" {
  if (value === undefined || value === "") return undefined;
  const isWritten = typeof value === "string" && /^\s*\d+(?:\.\d+)?\s*$/.test(value);
  if (!isWritten && typeof value !== "number" && typeof value !== "bigint") return "odd";
  const lifetimeMs = Math.floor(Number(value) * 1000);
  if (!(lifetimeMs >= 0)) return "odd";
  return lifetimeMs === 0 || lifetimeMs > LONGEST_MS ? undefined : lifetimeMs;
}

/**
 * Undefined when the answer does not say, which an empty one does not. A list of texts, and a text with commas in place
 * of spaces, are read as what they are meant to be; what cannot be a scope is left out.
 */
function readScopes(value: JsonValue | undefined): readonly string[] | undefined | "odd" {
  if (value === undefined) return undefined;
  if (typeof value !== "string" && !Array.isArray(value)) return "odd";
  const items: readonly unknown[] = typeof value === "string" ? splitScopes(value.trim()) : value;
  const scopes = items.filter((item): item is string => typeof item === "string" && isScopeToken(item));
  return scopes.length === 0 ? undefined : capScopes(scopes);
}

function splitScopes(text: string): readonly string[] {
  return text.split(/\s/.test(text) ? /\s+/ : ",");
}
