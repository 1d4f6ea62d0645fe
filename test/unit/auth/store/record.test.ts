import assert from "node:assert/strict";

import type { AuthSettings } from "../../../../src/auth/model/authSettings.ts";
import { configDigest } from "../../../../src/auth/store/configDigest.ts";
import type { Credential } from "../../../../src/auth/store/credential.ts";
import { decodeRecord, encodeRecord } from "../../../../src/auth/store/record.ts";
import { type RecordBinding, recordKey } from "../../../../src/auth/store/recordBinding.ts";
import { BINDING, CREDENTIAL, FACTS, SETTINGS } from "../../../support/credentialFixtures.ts";

type LooseRecord = Record<string, unknown> &
  Record<"binding" | "issuer" | "resource" | "client" | "tokens", Record<string, unknown>>;

const UNUSABLE = { kind: "unusable", why: "record-unusable" };
const CHANGED = { kind: "unusable", why: "settings-changed" };

describe("the record of a credential", () => {
  it("comes back as it was put in", () => {
    assert.deepEqual(decodeRecord(encodeRecord(CREDENTIAL, BINDING), BINDING), {
      kind: "usable",
      credential: CREDENTIAL,
    });
  });

  it("comes back without tokens when it had none", () => {
    const { tokens: _tokens, ...rest } = CREDENTIAL;
    assert.deepEqual(decodeRecord(encodeRecord(rest, BINDING), BINDING), {
      kind: "usable",
      credential: rest,
    });
  });

  it("keeps the secret of the settings in the settings", () => {
    const client = { ...FACTS.client, kind: "preregistered" as const, secret: "from-settings" };
    const binding = withSettings({ clientId: "client-1", clientSecret: "from-settings" });
    const credential: Credential = { ...CREDENTIAL, facts: { ...FACTS, client } };
    const text = encodeRecord(credential, binding);
    assert.equal(text.includes("from-settings"), false);
    assert.deepEqual(decodeRecord(text, binding), { kind: "usable", credential });
  });

  // Attack: 52
  it("is nothing when anything in it was changed", () => {
    const changes: Record<string, (record: LooseRecord) => void> = {
      "another version": (record) => (record["v"] = 2),
      "no version": (record) => delete record["v"],
      "an unknown field": (record) => (record["more"] = 1),
      "an unknown field inside": (record) => (record["issuer"]["more"] = 1),
      "a field less": (record) => delete record["zone"],
      "a field less inside": (record) => delete record["client"]["authMethod"],
      "an issuer of the binding": (record) => (record["binding"]["issuer"] = "https://evil.example"),
      "an issuer": (record) => (record["issuer"]["issuer"] = "https://evil.example"),
      "a token endpoint": (record) => (record["issuer"]["tokenEndpoint"] = "https://evil.example/token"),
      "a resource": (record) => (record["resource"]["resource"] = "https://evil.example"),
      "a zone": (record) => (record["zone"] = "loopback"),
      "an access token": (record) => (record["tokens"]["access"] = "another"),
      "an end": (record) => (record["tokens"]["expiresAtMs"] = 9e9),
      "a revision": (record) => (record["rev"] = 4),
      "a text for a number": (record) => (record["rev"] = "3"),
      "no seal": (record) => delete record["seal"],
      "an empty seal": (record) => (record["seal"] = ""),
      "another salt": (record) => (record["salt"] = "AAAAAAAAAAAAAAAAAAAAAA"),
    };
    for (const [what, change] of Object.entries(changes)) {
      const record = JSON.parse(encodeRecord(CREDENTIAL, BINDING)) as LooseRecord;
      change(record);
      assert.deepEqual(decodeRecord(JSON.stringify(record), BINDING), UNUSABLE, what);
    }
  });

  // Attack: 52
  it("is nothing when it is no record", () => {
    const whole = encodeRecord(CREDENTIAL, BINDING);
    const texts = [
      "",
      "null",
      "[]",
      "{}",
      "1e999",
      '"x"',
      "{",
      whole.slice(0, -1),
      `${whole}}`,
      "[".repeat(99_999),
    ];
    for (const text of texts) assert.deepEqual(decodeRecord(text, BINDING), UNUSABLE, text.slice(0, 40));
    assert.deepEqual(decodeRecord(" ".repeat(600_000) + whole, BINDING), UNUSABLE, "too long");
  });

  // Duty: 16.4.7
  it("is nothing elsewhere", () => {
    const text = encodeRecord(CREDENTIAL, BINDING);
    assert.deepEqual(decodeRecord(text, { ...BINDING, installationId: "another" }), UNUSABLE);
    assert.deepEqual(decodeRecord(text, { ...BINDING, scope: "folder" }), UNUSABLE);
    assert.deepEqual(decodeRecord(text, withSettings({ serverName: "Other" })), UNUSABLE);
  });

  // Attack: 53
  it("is not used once the settings of the server are others", () => {
    const text = encodeRecord(CREDENTIAL, BINDING);
    for (const [what, change] of Object.entries(CHANGES))
      assert.deepEqual(decodeRecord(text, withSettings(change)), CHANGED, what);
  });

  it("is the same whatever the fragment of the address and the order of the settings", () => {
    const text = encodeRecord(CREDENTIAL, BINDING);
    const { serverName, ...rest } = SETTINGS;
    const endpoint = new URL("https://mcp.example/v1/mcp#here");
    assert.equal(
      decodeRecord(text, { ...BINDING, settings: { ...rest, endpoint, serverName } }).kind,
      "usable",
    );
  });
});

describe("the digest of the settings", () => {
  it("tells nothing of a secret, and changes with it", () => {
    const secrets: Partial<AuthSettings>[] = [
      { clientSecret: "one" },
      { clientSecret: "two" },
      { clientKey: "one" },
      { grant: { kind: "workload", assertion: "one" } },
      { grant: { kind: "workload", assertion: "two" } },
      { grant: enterprise("one", "id") },
      { grant: enterprise("two", "id") },
      { grant: enterprise("one", "other") },
    ];
    const digests = secrets.map((change) => configDigest({ ...SETTINGS, ...change }, "key"));
    assert.equal(new Set(digests).size, secrets.length);
    assert.match(digests[0] ?? "", /^[\w-]{43}$/);
  });

  it("is another under another key", () => {
    assert.notEqual(configDigest(SETTINGS, "a"), configDigest(SETTINGS, "b"));
  });

  // With another one, and with another key of the record, an update of the extension would sign everybody out.
  it("stays what it is for settings that are as they are, as does the key of the record", () => {
    const settings: AuthSettings = {
      serverName: "files",
      endpoint: new URL("https://mcp.example/mcp"),
      grant: { kind: "authorization_code" },
      registration: "auto",
      useServerScopes: false,
      redirectHost: "127.0.0.1",
      dpop: "off",
      overrides: { assumePkceS256: false, fakeIpRanges: [] },
    };
    const digest = "KdmGpbKLX9XB27AdOYMgrxMCQzxGu-jaRRoHpVV9h2k";
    assert.equal(configDigest(settings, "key"), digest);
    const withUnset = { ...settings, clientId: undefined, something: undefined };
    assert.equal(configDigest(withUnset as unknown as AuthSettings, "key"), digest);
    assert.equal(
      recordKey({ installationId: "i", scope: "user", settings }),
      "oauth.v1/lte2_I6_leyc6WJ-ib4OjdlyxAdHkdgvMWMGbO90rso",
    );
  });
});

describe("the key of a record", () => {
  // Attack: 54
  it("is another for another installation, place of definition and name, and the same for another address", () => {
    const keys = [
      BINDING,
      { ...BINDING, installationId: "another" },
      { ...BINDING, scope: "folder" },
      withSettings({ serverName: "Other" }),
    ].map(recordKey);
    assert.equal(new Set(keys).size, keys.length);
    assert.equal(recordKey(withSettings({ endpoint: new URL("https://else.example/") })), keys[0]);
    assert.equal(keys.join().includes("Files"), false);
  });
});

const CHANGES: Record<string, Partial<AuthSettings>> = {
  "another host": { endpoint: new URL("https://other.example/v1/mcp") },
  "another path": { endpoint: new URL("https://mcp.example/v2/mcp") },
  "another query": { endpoint: new URL("https://mcp.example/v1/mcp?tenant=b") },
  "another grant": { grant: { kind: "client_credentials" } },
  "another registration": { registration: "dcr" },
  "a client": { clientId: "mine" },
  "a secret": { clientSecret: "s" },
  "a key": { clientKey: "k" },
  "a method": { clientAuthMethod: "none" },
  "a metadata document": { clientMetadataUrl: "https://client.example/id" },
  scopes: { scopes: ["a"] },
  "no scopes on purpose": { scopes: [] },
  "the server's scopes": { useServerScopes: true },
  "the redirect host": { redirectHost: "localhost" },
  "the redirect port": { redirectPort: 7777 },
  "binding to a key": { dpop: "required" },
  "an issuer": { overrides: { ...SETTINGS.overrides, issuer: "https://as.example" } },
  "a resource": { overrides: { ...SETTINGS.overrides, resource: "https://mcp.example" } },
  "a token endpoint": { overrides: { ...SETTINGS.overrides, tokenEndpoint: "https://as.example/t" } },
  "PKCE taken for granted": { overrides: { ...SETTINGS.overrides, assumePkceS256: true } },
  "fake addresses": { overrides: { ...SETTINGS.overrides, fakeIpRanges: ["198.18.0.0/15"] } },
};

function withSettings(change: Partial<AuthSettings>): RecordBinding {
  return { ...BINDING, settings: { ...SETTINGS, ...change } };
}

function enterprise(idToken: string, idpClientId: string): AuthSettings["grant"] {
  return { kind: "enterprise", idpIssuer: "https://idp.example", idpClientId, idToken };
}
