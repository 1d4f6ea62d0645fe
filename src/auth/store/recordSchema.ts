import { z } from "zod";
import type {
  ClientFacts,
  DpopKey,
  IssuerFacts,
  ResourceFacts,
  ScopeChoice,
  TokenFacts,
} from "../model/facts.ts";

/** Takes a schema for exactly the values of a type: with a field or a value too many or too few it does not compile. */
function exactly<T>() {
  return <S extends z.ZodType<T>>(
    schema: [T, keyof T] extends [z.output<S>, keyof z.output<S>] ? S : never,
  ): z.ZodType<T> => schema;
}

const text = z.string();
const texts = z.array(text).readonly();
const timeMs = z.number();
const method = z.enum(["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]);

const resource = exactly<ResourceFacts>()(
  z.strictObject({
    resource: text,
    authorizationServers: texts,
    scopes: z.exactOptional(texts),
    dpopRequired: z.boolean(),
    metadataUrl: z.exactOptional(text),
    how: z.enum(["challenge", "path", "root", "settings", "guessed"]),
  }),
);

const issuer = exactly<IssuerFacts>()(
  z.strictObject({
    issuer: text,
    metadataUrl: text,
    authorizationEndpoint: z.exactOptional(text),
    tokenEndpoint: text,
    registrationEndpoint: z.exactOptional(text),
    revocationEndpoint: z.exactOptional(text),
    parEndpoint: z.exactOptional(text),
    requiresPar: z.boolean(),
    issInAnswers: z.boolean(),
    takesMetadataClients: z.boolean(),
    tokenAuthMethods: z.exactOptional(z.array(method).readonly()),
    tokenAuthAlgorithms: z.exactOptional(texts),
    scopes: z.exactOptional(texts),
    dpopAlgorithms: z.exactOptional(texts),
    pkce: z.enum(["announced", "assumed"]),
  }),
);

const client = exactly<ClientFacts>()(
  z.strictObject({
    kind: z.enum(["preregistered", "cimd", "dcr", "asked"]),
    id: text,
    authMethod: method,
    secret: z.exactOptional(text),
    secretExpiresAtMs: z.exactOptional(timeMs),
    redirectUri: z.exactOptional(text),
  }),
);

const requested = exactly<ScopeChoice>()(
  z.strictObject({
    scopes: texts,
    source: z.enum(["command", "settings", "challenge", "resource", "server", "none", "step-up"]),
    offline: z.boolean(),
  }),
);

const tokens = exactly<TokenFacts>()(
  z.strictObject({
    access: text.min(1),
    type: z.enum(["bearer", "dpop"]),
    obtainedAtMs: timeMs,
    expiresAtMs: z.exactOptional(timeMs),
    refresh: z.exactOptional(text),
    scopes: z.exactOptional(texts),
  }),
);

const dpop = exactly<DpopKey>()(
  z.strictObject({
    algorithm: z.literal("ES256"),
    jwk: z.record(text, z.unknown()),
  }),
);

/** Schema v1 of a stored credential. A field too many or too few makes it unusable. */
export const recordSchema = z.strictObject({
  v: z.literal(1),
  rev: z.int().min(1),
  writer: text.min(1),
  account: text.min(1),
  binding: z.strictObject({
    installation: text,
    scope: text,
    serverName: text,
    endpoint: text,
    resource: text,
    issuer: text,
    clientId: text,
    configDigest: text,
  }),
  resource,
  issuer,
  client,
  requested,
  granted: texts,
  tokens: z.exactOptional(tokens),
  dpop: z.exactOptional(dpop),
  zone: z.enum(["public", "private", "loopback", "link-local"]),
  proxy: z.exactOptional(text),
  signedInAtMs: timeMs,
  refreshedAtMs: timeMs,
  salt: text.min(16),
  seal: text,
});

/** A record as it is stored, of the right form; whether it belongs here is another question. */
export type StoredRecord = z.infer<typeof recordSchema>;
