import assert from "node:assert/strict";
import { createHash, createPublicKey, verify } from "node:crypto";
import { calculateJwkThumbprint, decodeProtectedHeader, EmbeddedJWK, type JWK, jwtVerify } from "jose";
import { createDpopProver } from "../../../../src/auth/dpop/createDpopProver.ts";
import type { DpopProver } from "../../../../src/auth/dpop/dpopProver.ts";
import { newDpopKey } from "../../../../src/auth/dpop/newDpopKey.ts";
import { wantsDpop } from "../../../../src/auth/dpop/wantsDpop.ts";
import type { DpopKey } from "../../../../src/auth/model/facts.ts";
import { FakeClock } from "../../../support/fakeClock.ts";

const NOW = 1_700_000_000_999;

function clockAt(now: number): FakeClock {
  const clock = new FakeClock();
  clock.advance(now);
  return clock;
}

/** The claims of a proof whose signature is good. */
async function claimsOf(proof: string): Promise<Record<string, unknown>> {
  const { payload } = await jwtVerify(proof, EmbeddedJWK, { typ: "dpop+jwt", algorithms: ["ES256"] });
  return payload;
}

const nonceIn = async (prover: DpopProver, url: string): Promise<unknown> =>
  (await claimsOf(await prover.proof({ method: "POST", url })))["nonce"];

describe("createDpopProver", () => {
  let key: DpopKey;
  let prover: DpopProver;
  beforeEach(async () => {
    key = await newDpopKey();
    prover = createDpopProver(key, clockAt(NOW));
  });

  it("proves one request, and shows the public key alone", async () => {
    const proof = await prover.proof({ method: "POST", url: "https://AS.test:443/token?x=1#y" });
    const { jti, ...claims } = await claimsOf(proof);
    assert.deepEqual(claims, { htm: "POST", htu: "https://as.test/token", iat: 1_700_000_000 });
    assert.match(String(jti), /^[\da-f-]{36}$/);
    const header = decodeProtectedHeader(proof);
    assert.deepEqual(Object.keys(header).sort(), ["alg", "jwk", "typ"]);
    assert.deepEqual(Object.keys(header.jwk ?? {}).sort(), ["crv", "kty", "x", "y"]);
  });

  it("is signed in the way that others check it", async () => {
    const proof = await prover.proof({ method: "GET", url: "https://mcp.test/mcp" });
    const [header, payload, signature = ""] = proof.split(".");
    const { x, y, crv, kty } = key.jwk as Record<string, string>;
    const publicKey = createPublicKey({ key: { x, y, crv, kty } as Record<string, string>, format: "jwk" });
    const signed = Buffer.from(`${header}.${payload}`);
    const how = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
    assert.ok(verify("sha256", signed, how, Buffer.from(signature, "base64url")));
  });

  it("names the token that it goes with, and is new each time", async () => {
    const request = { method: "POST", url: new URL("https://mcp.test/mcp"), accessToken: "token-1" };
    const [one, two] = [await prover.proof(request), await prover.proof(request)];
    const hash = createHash("sha256").update("token-1").digest("base64url");
    assert.equal((await claimsOf(one))["ath"], hash);
    assert.notEqual((await claimsOf(one))["jti"], (await claimsOf(two))["jti"]);
  });

  it("has the thumbprint of its key", async () => {
    assert.equal(await prover.thumbprint(), await calculateJwkThumbprint(key.jwk as JWK));
  });

  it("proves the same with a key that was stored", async () => {
    const stored = JSON.parse(JSON.stringify(key)) as DpopKey;
    assert.equal(await createDpopProver(stored, clockAt(NOW)).thumbprint(), await prover.thumbprint());
  });

  it("puts the nonce of an origin into proofs for that origin alone", async () => {
    assert.equal(prover.heardNonce("https://as.test/token", { "dpop-nonce": "n1" }), true);
    assert.equal(await nonceIn(prover, "https://as.test/other"), "n1");
    assert.equal(await nonceIn(prover, "https://as.test:8443/other"), undefined);
    assert.equal(await nonceIn(prover, "http://as.test/other"), undefined);
    assert.equal(prover.heardNonce("https://as.test/token", { "dpop-nonce": "n2" }), true);
    assert.equal(await nonceIn(prover, "https://as.test/token"), "n2");
  });

  it("sees nothing new in the nonce that it has", () => {
    prover.heardNonce("https://as.test/", { "dpop-nonce": "n1" });
    assert.equal(prover.heardNonce("https://as.test/", { "dpop-nonce": "n1" }), false);
    assert.equal(prover.heardNonce("https://as.test/", {}), false);
  });

  it("sees what is new for each of several requests that were under way at once", async () => {
    const url = "https://mcp.test/mcp";
    const proofs = [await prover.proof({ method: "POST", url }), await prover.proof({ method: "POST", url })];
    for (const proof of proofs) assert.equal(prover.heardNonce(url, { "dpop-nonce": "n1" }, proof), true);
    const proof = await prover.proof({ method: "POST", url });
    assert.equal(prover.heardNonce(url, { "dpop-nonce": "n1" }, proof), false);
    assert.equal(prover.heardNonce(url, { "dpop-nonce": "n2" }, "no proof"), true);
  });

  const noNonces: readonly (string | string[])[] = [
    "",
    "a b",
    'a"b',
    "a\nb",
    "é",
    "x".repeat(2_001),
    ["a", "b"],
  ];
  for (const nonce of noNonces) {
    it(`takes ${JSON.stringify(nonce).slice(0, 20)} for no nonce`, async () => {
      assert.equal(prover.heardNonce("https://as.test/", { "dpop-nonce": nonce }), false);
      assert.equal(await nonceIn(prover, "https://as.test/"), undefined);
    });
  }

  it("forgets the nonces that it heard first when there are too many", async () => {
    for (let index = 0; index < 40; index += 1)
      prover.heardNonce(`https://as${index}.test/`, { "dpop-nonce": `n${index}` });
    assert.equal(await nonceIn(prover, "https://as0.test/"), undefined);
    assert.equal(await nonceIn(prover, "https://as39.test/"), "n39");
  });

  const broken: readonly [name: string, jwk: Record<string, unknown>][] = [
    ["nothing", {}],
    ["a public key", { kty: "EC", crv: "P-256", x: "s3cret", y: "s3cret" }],
    ["a broken key", { kty: "EC", crv: "P-256", x: "s3cret", y: "s3cret", d: "s3cret" }],
    ["a symmetric key", { kty: "oct", k: "s3cret" }],
    ["another curve", { kty: "EC", crv: "P-384", x: "s3cret", y: "s3cret", d: "s3cret" }],
  ];
  for (const [name, jwk] of broken) {
    it(`cannot use ${name}, and does not show it`, async () => {
      const failing = createDpopProver({ algorithm: "ES256", jwk }, clockAt(NOW));
      await assert.rejects(failing.proof({ method: "POST", url: "https://as.test/" }), (error: Error) => {
        assert.equal((error as Error & { code: string }).code, "bad-dpop-key");
        assert.doesNotMatch(`${error.stack ?? ""}${String(error.cause)}`, /s3cret/);
        return true;
      });
    });
  }
});

describe("wantsDpop", () => {
  type Facts = Parameters<typeof wantsDpop>[0];
  const facts = (
    dpop: Facts["settings"]["dpop"],
    scheme: "bearer" | "dpop" | undefined,
    dpopRequired: boolean,
    dpopAlgorithms?: readonly string[],
  ): Facts => ({
    settings: { dpop },
    challenge: scheme && { scheme },
    resource: { dpopRequired },
    issuer: dpopAlgorithms === undefined ? {} : { dpopAlgorithms },
  });
  const rows: readonly [wanted: boolean, facts: Facts][] = [
    [false, facts("off", "dpop", true, ["ES256"])],
    [true, facts("required", undefined, false)],
    [true, facts("required", "bearer", false, ["RS256"])],
    [false, facts("auto", undefined, false, ["ES256"])],
    [false, facts("auto", "bearer", false, ["ES256"])],
    [true, facts("auto", "dpop", false, ["ES256"])],
    [true, facts("auto", "dpop", false)],
    [true, facts("auto", "bearer", true)],
    [false, facts("auto", "dpop", true, ["RS256"])],
  ];
  for (const [wanted, one] of rows) {
    it(`${wanted} for ${JSON.stringify(one)}`, () => {
      assert.equal(wantsDpop(one), wanted);
    });
  }
});
