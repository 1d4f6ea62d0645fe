import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { decodeProtectedHeader, jwtVerify } from "jose";
import type { AuthSettings } from "../../../../src/auth/model/authSettings.ts";
import type { ClientFacts } from "../../../../src/auth/model/facts.ts";
import { clientAuthentication } from "../../../../src/auth/token/clientAuthentication.ts";
import { makeIssuer, makeSettings } from "../../../support/authFixtures.ts";
import { failsWith } from "../../../support/failsWith.ts";
import { FakeClock } from "../../../support/fakeClock.ts";

type Changes = Partial<Omit<AuthSettings, "overrides">>;

/** What a client puts into a request. */
async function proof(
  client: Partial<ClientFacts>,
  settings: Changes = {},
  algorithms?: readonly string[],
): Promise<{ body: Record<string, string>; authorization: string | null }> {
  const body = new URLSearchParams({ grant_type: "x" });
  const headers = new Headers();
  const clock = new FakeClock();
  clock.advance(1_700_000_000_500);
  await clientAuthentication({
    settings: makeSettings(settings),
    issuer: makeIssuer(algorithms === undefined ? {} : { tokenAuthAlgorithms: algorithms }),
    client: { kind: "preregistered", id: "me", authMethod: "none", ...client },
    clock,
  })(body, headers);
  body.delete("grant_type");
  return { body: Object.fromEntries(body), authorization: headers.get("authorization") };
}

describe("clientAuthentication", () => {
  it("names a client that proves nothing", async () => {
    assert.deepEqual(await proof({}, { clientSecret: "s3cret" }), {
      body: { client_id: "me" },
      authorization: null,
    });
  });

  it("names nobody where there is no client", async () => {
    assert.deepEqual(await proof({ id: "" }), { body: {}, authorization: null });
  });

  it("puts a secret into the body", async () => {
    const made = await proof({ authMethod: "client_secret_post", secret: "s:%+ /~" });
    assert.deepEqual(made, { body: { client_id: "me", client_secret: "s:%+ /~" }, authorization: null });
  });

  // Attack: 90
  it("form-encodes both parts for Basic, so that a server gets them back", async () => {
    const id = "https://client.test/a?b=c&d";
    const secret = "s:%+ /~=é".replace("é", "e");
    const { body, authorization } = await proof({ authMethod: "client_secret_basic", id, secret });
    assert.deepEqual(body, {});
    const [scheme, value] = (authorization ?? "").split(" ");
    assert.equal(scheme, "Basic");
    const [first = "", second = "", ...rest] = Buffer.from(value ?? "", "base64")
      .toString("ascii")
      .split(":");
    assert.deepEqual(rest, []);
    const decode = (text: string): string => decodeURIComponent(text.replaceAll("+", " "));
    assert.deepEqual([decode(first), decode(second)], [id, secret]);
  });

  it("leaves ordinary ids and secrets as they are, for servers that forget to decode", async () => {
    const client = { authMethod: "client_secret_basic", id: "my-client_id.x", secret: "s3cret-._*" } as const;
    const { authorization } = await proof(client);
    assert.equal(authorization, `Basic ${Buffer.from("my-client_id.x:s3cret-._*").toString("base64")}`);
  });

  for (const authMethod of ["client_secret_basic", "client_secret_post"] as const) {
    // Attack: 90
    it(`refuses a secret that is not ASCII with ${authMethod}, and does not show it`, async () => {
      for (const secret of ["s3crét", "s3cret\n", "s3cret\u0000"]) {
        const error = await failsWith("bad-settings", () => proof({ authMethod, secret }));
        assert.match(error.message, /client secret has characters that it cannot have/);
        assert.doesNotMatch(error.message, /s3cr/);
      }
    });
  }

  it("takes the secret of a client of the settings from there, and of no other", async () => {
    const method = { authMethod: "client_secret_post" } as const;
    const { body } = await proof(method, { clientSecret: "s3cret" });
    assert.equal(body["client_secret"], "s3cret");
    await failsWith("bad-settings", () => proof({ ...method, kind: "dcr" }, { clientSecret: "s3cret" }));
  });

  it("says that a secret or a key is missing", async () => {
    const withoutSecret = await failsWith("bad-settings", () => proof({ authMethod: "client_secret_basic" }));
    assert.match(withoutSecret.message, /“oauth.clientSecret” is missing/);
    const withoutKey = await failsWith("bad-settings", () => proof({ authMethod: "private_key_jwt" }));
    assert.match(withoutKey.message, /“oauth.clientKey” is missing/);
  });

  it("signs an assertion for the issuer alone, short-lived and new each time", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const clientKey = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const client = { authMethod: "private_key_jwt" } as const;
    const [one, two] = [await proof(client, { clientKey }), await proof(client, { clientKey })];
    assert.equal(one.authorization, null);
    assert.equal(one.body["client_id"], "me");
    assert.equal(one.body["client_assertion_type"], "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    const jwt = one.body["client_assertion"] ?? "";
    assert.deepEqual(decodeProtectedHeader(jwt), { alg: "ES256", typ: "JWT" });
    const { payload } = await jwtVerify(jwt, publicKey, {
      issuer: "me",
      subject: "me",
      audience: "https://as.test",
      currentDate: new Date(1_700_000_000_500),
    });
    assert.equal(payload.aud, "https://as.test");
    assert.equal(payload.iat, 1_700_000_000);
    assert.equal(payload.exp, 1_700_000_120);
    assert.match(payload.jti ?? "", /^[\da-f-]{36}$/);
    assert.notEqual(jwt, two.body["client_assertion"]);
  });

  it("tells of a key that cannot be used, and does not show it", async () => {
    const error = await failsWith("bad-client-key", () =>
      proof({ authMethod: "private_key_jwt" }, { clientKey: "s3cret" }),
    );
    assert.match(error.message, /neither a private key in PEM form nor a JWK/);
    assert.doesNotMatch(`${error.message}${error.stack ?? ""}${String(error.cause)}`, /s3cret/);
  });
});
