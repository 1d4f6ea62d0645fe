import assert from "node:assert/strict";
import { calculateJwkThumbprint, EmbeddedJWK, type JWTPayload, jwtVerify } from "jose";
import { createDpopProver } from "../../../src/auth/dpop/createDpopProver.ts";
import type { DpopProver } from "../../../src/auth/dpop/dpopProver.ts";
import { newDpopKey } from "../../../src/auth/dpop/newDpopKey.ts";
import type { AuthSettings } from "../../../src/auth/model/authSettings.ts";
import { createTokenClient } from "../../../src/auth/token/createTokenClient.ts";
import type { TokenClient } from "../../../src/auth/token/tokenClient.ts";
import { makeContext, makeIssuer, makeSettings } from "../../support/authFixtures.ts";
import { failsWith } from "../../support/failsWith.ts";
import { pinnedNetwork } from "../../support/pinnedHelpers.ts";
import { json, type ReceivedForm, startTokenServer, type TokenServer } from "../../support/tokenServer.ts";

const REFRESH = { refresh: "r1", resource: "https://mcp.test/mcp" };
const bound = { access_token: "a1", token_type: "DPoP", expires_in: 60 };
const wantsNonce = (nonce: string) =>
  json(400, { error: "use_dpop_nonce", error_description: "a nonce is needed" }, { "dpop-nonce": nonce });

/** The claims of the proof that came with a request, after its signature was found good. */
async function proofOf({ headers }: ReceivedForm): Promise<JWTPayload & { readonly jkt: string }> {
  const { payload, protectedHeader } = await jwtVerify(String(headers["dpop"]), EmbeddedJWK, {
    typ: "dpop+jwt",
    algorithms: ["ES256"],
  });
  assert.ok(protectedHeader.jwk);
  assert.equal("d" in protectedHeader.jwk, false);
  return { ...payload, jkt: await calculateJwkThumbprint(protectedHeader.jwk) };
}

describe("tokens that are bound to a key", () => {
  let server: TokenServer;
  let prover: DpopProver;
  beforeEach(async () => {
    server = await startTokenServer();
  });
  afterEach(() => server.close());

  async function connect(dpop: AuthSettings["dpop"], withKey = true): Promise<TokenClient> {
    const { origin } = server;
    const context = makeContext(pinnedNetwork(), makeSettings({ dpop }), "loopback");
    prover = createDpopProver(await newDpopKey(), context.clock);
    const urls = { tokenEndpoint: `${origin}/token?tenant=1`, parEndpoint: `${origin}/par` };
    const issuer = makeIssuer({ issuer: origin, ...urls });
    const client = { kind: "dcr", id: "me", authMethod: "none" } as const;
    return createTokenClient(context, issuer, client, withKey ? prover : undefined);
  }

  // Duty: 16.9.3
  it("are asked for with a proof, of each request", async () => {
    server.replies.push(json(200, bound), json(200, bound), json(201, { request_uri: "urn:x" }));
    const client = await connect("required");
    const tokens = await client.refresh(REFRESH);
    assert.equal(tokens.type, "dpop");
    await client.refresh(REFRESH);
    await client.push(new URLSearchParams({ response_type: "code" }));
    const proofs = await Promise.all(server.received.map(proofOf));
    for (const proof of proofs) {
      assert.equal(proof["htm"], "POST");
      assert.equal(proof.jkt, await prover.thumbprint());
      assert.equal("ath" in proof, false);
    }
    assert.deepEqual(
      proofs.map(({ htu }) => htu),
      [`${server.origin}/token`, `${server.origin}/token`, `${server.origin}/par`],
    );
    assert.equal(new Set(proofs.map(({ jti }) => jti)).size, 3);
  });

  it("are asked for once more with the nonce that the server wants, and the same code", async () => {
    server.replies.push(wantsNonce("n1"), json(200, bound));
    const client = await connect("required");
    const code = { code: "c", redirectUri: "http://127.0.0.1/cb", verifier: "v", resource: REFRESH.resource };
    assert.equal((await client.exchangeCode(code)).access, "a1");
    const [first, second] = server.received;
    assert.ok(first && second && server.received.length === 2);
    assert.equal(first.body, second.body);
    const proofs = [await proofOf(first), await proofOf(second)];
    assert.deepEqual(
      proofs.map(({ nonce }) => nonce),
      [undefined, "n1"],
    );
    assert.notEqual(proofs[0]?.jti, proofs[1]?.jti);
  });

  it("are asked for with the nonce of the answer before, without a detour", async () => {
    server.replies.push(json(200, bound, { "dpop-nonce": "n1" }), json(200, bound));
    const client = await connect("required");
    await client.refresh(REFRESH);
    await client.refresh(REFRESH);
    assert.equal(server.received.length, 2);
    assert.equal((await proofOf(server.last))["nonce"], "n1");
  });

  it("are not asked for a third time, nor again with a nonce that was sent already", async () => {
    server.replies.push(wantsNonce("n1"), wantsNonce("n2"));
    const client = await connect("required");
    const error = await failsWith("token-refused", () => client.refresh(REFRESH));
    assert.equal(error.args["error"], "use_dpop_nonce");
    assert.equal(server.received.length, 2);
    server.replies.push(wantsNonce("n2"));
    await failsWith("token-refused", () => client.refresh(REFRESH));
    assert.equal(server.received.length, 3);
  });

  it("are not asked for again when the server names no nonce, or no key is there", async () => {
    const client = await connect("required");
    server.replies.push(json(400, { error: "use_dpop_nonce" }));
    await failsWith("token-refused", () => client.refresh(REFRESH));
    const plain = await connect("off", false);
    server.replies.push(wantsNonce("n1"));
    await failsWith("token-refused", () => plain.refresh(REFRESH));
    assert.equal(server.received.length, 2);
    assert.equal(server.last.headers["dpop"], undefined);
  });

  // Attack: 42
  it("are nothing that a bearer token could stand in for where the settings require them", async () => {
    server.replies.push(json(200, { ...bound, token_type: "Bearer", refresh_token: "r2" }));
    const client = await connect("required");
    const error = await failsWith("token-not-bound", () => client.refresh(REFRESH));
    assert.match(error.message, /not bound to a key/);
  });

  it("may turn out to be bearer tokens where nobody requires them", async () => {
    server.replies.push(json(200, { ...bound, token_type: "bearer" }));
    assert.equal((await (await connect("auto")).refresh(REFRESH)).type, "bearer");
  });

  it("are of no use without the key", async () => {
    server.replies.push(json(200, bound));
    const client = await connect("off", false);
    await failsWith("bad-token-answer", () => client.refresh(REFRESH));
  });
});
