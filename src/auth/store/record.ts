import { randomBytes, timingSafeEqual } from "node:crypto";
import { canonicalJson, type JsonValue, parseJson, stringifyJson } from "../../base/json.ts";
import type { ClientFacts } from "../model/facts.ts";
import { authTag, configDigest } from "./configDigest.ts";
import type { Credential } from "./credential.ts";
import { endpointIdentity, type RecordBinding } from "./recordBinding.ts";
import { recordSchema, type StoredRecord } from "./recordSchema.ts";

/** What a stored text turned out to be: nothing of an unusable one is used. */
export type DecodedRecord =
  | { readonly kind: "usable"; readonly credential: Credential }
  | { readonly kind: "unusable"; readonly why: "settings-changed" | "record-unusable" };

/** Longer texts are no records of ours: lists of metadata are bounded where they are read. */
const MAX_CHARACTERS = 512 * 1024;

const UNUSABLE: DecodedRecord = { kind: "unusable", why: "record-unusable" };

/** A credential as the text that is stored: JSON, secret. */
export function encodeRecord(credential: Credential, binding: RecordBinding): string {
  const { facts, ...rest } = credential;
  const { resource, issuer, client } = facts;
  const salt = randomBytes(16).toString("base64url");
  const key = sealKey(binding, salt);
  const body: Omit<StoredRecord, "seal"> = {
    v: 1,
    ...rest,
    ...facts,
    // Values from elsewhere may share lists with what is still being changed; the record has its own.
    granted: [...facts.granted],
    client: withoutSettingsSecret(client),
    binding: {
      ...ownerOf(binding),
      resource: resource.resource,
      issuer: issuer.issuer,
      clientId: client.id,
      configDigest: configDigest(binding.settings, key),
    },
    salt,
  };
  return stringifyJson({ ...body, seal: sealOf(body, key) });
}

/** Reads a stored text for one binding. Pure; whatever is wrong with the text, it only makes it unusable. */
export function decodeRecord(text: string, binding: RecordBinding): DecodedRecord {
  const record = readRecord(text);
  if (record === undefined) return UNUSABLE;
  const { seal, ...body } = record;
  const key = sealKey(binding, record.salt);
  if (!isSame(seal, sealOf(body, key))) return UNUSABLE;
  const { endpoint, installation, scope, serverName } = ownerOf(binding);
  const kept = record.binding;
  if (kept.installation !== installation || kept.scope !== scope || kept.serverName !== serverName)
    return UNUSABLE;
  if (kept.endpoint !== endpoint || !isSame(kept.configDigest, configDigest(binding.settings, key)))
    return { kind: "unusable", why: "settings-changed" };
  if (!isConsistent(record)) return UNUSABLE;
  return { kind: "usable", credential: toCredential(record, binding) };
}

function readRecord(text: string): StoredRecord | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  try {
    return recordSchema.safeParse(parseJson(text)).data;
  } catch {
    return undefined;
  }
}

function toCredential(record: StoredRecord, { settings }: RecordBinding): Credential {
  const { resource, issuer, client, requested, granted, zone, proxy, dpop, tokens } = record;
  return {
    account: record.account,
    rev: record.rev,
    writer: record.writer,
    facts: {
      resource,
      issuer,
      client: withSettingsSecret(client, settings.clientSecret),
      requested,
      granted,
      zone,
      ...(dpop === undefined ? {} : { dpop }),
      ...(proxy === undefined ? {} : { proxy }),
    },
    ...(tokens === undefined ? {} : { tokens }),
    signedInAtMs: record.signedInAtMs,
    refreshedAtMs: record.refreshedAtMs,
  };
}

/** The names that the record is bound to stand in it twice; both have to say the same. */
function isConsistent({ binding, resource, issuer, client }: StoredRecord): boolean {
  return (
    binding.resource === resource.resource &&
    binding.issuer === issuer.issuer &&
    binding.clientId === client.id
  );
}

function ownerOf({ installationId, scope, settings }: RecordBinding): {
  installation: string;
  scope: string;
  serverName: string;
  endpoint: string;
} {
  const { serverName, endpoint } = settings;
  const installation = authTag(installationId, "installation", "");
  return { installation, scope, serverName, endpoint: endpointIdentity(endpoint) };
}

/** The secret of a pre-registered client has its place in the settings, and only there. */
function withoutSettingsSecret(client: ClientFacts): ClientFacts {
  if (client.kind !== "preregistered") return client;
  const { secret: _secret, ...rest } = client;
  return rest;
}

function withSettingsSecret(client: ClientFacts, secret: string | undefined): ClientFacts {
  return client.kind === "preregistered" && secret !== undefined ? { ...client, secret } : client;
}

/** The installation's id itself is not stored with the records: one that was made elsewhere has another seal. */
function sealKey({ installationId }: RecordBinding, salt: string): string {
  return `${installationId}\0${salt}`;
}

function sealOf(body: Omit<StoredRecord, "seal">, key: string): string {
  return authTag(key, "record", canonicalJson(body as unknown as JsonValue));
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
