import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, webcrypto } from "node:crypto";
import { compactVerify, SignJWT } from "jose";
import { importClientKey } from "../../../../src/auth/token/importClientKey.ts";
import { failsWith } from "../../../support/failsWith.ts";

const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ec384 = generateKeyPairSync("ec", { namedCurve: "P-384" });
const ec521 = generateKeyPairSync("ec", { namedCurve: "P-521" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ed = generateKeyPairSync("ed25519");

type Pair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject };

function pem({ privateKey }: Pair, type: "pkcs8" | "sec1" | "pkcs1" = "pkcs8"): string {
  return privateKey.export({ type, format: "pem" }).toString();
}

function jwk({ privateKey }: Pair, more: object = {}): string {
  return JSON.stringify({ ...privateKey.export({ format: "jwk" }), ...more });
}

describe("importClientKey", () => {
  const good: readonly [
    name: string,
    text: string,
    pair: Pair,
    algorithm: string,
    wanted?: string | undefined,
    taken?: readonly string[],
  ][] = [
    ["P-256", pem(ec), ec, "ES256"],
    ["P-384", pem(ec384), ec384, "ES384"],
    ["P-521", pem(ec521), ec521, "ES512"],
    ["the older PEM form of elliptic curves", pem(ec, "sec1"), ec, "ES256"],
    ["the older PEM form of RSA", pem(rsa, "pkcs1"), rsa, "RS256"],
    ["RSA with what is wanted", pem(rsa), rsa, "PS384", "PS384"],
    ["RSA with what the server takes", pem(rsa), rsa, "PS256", undefined, ["ES256", "PS256"]],
    ["RSA with what is wanted, whatever the server says", pem(rsa), rsa, "RS512", "RS512", ["PS256"]],
    ["Ed25519", pem(ed), ed, "EdDSA"],
    ["Ed25519 by its newer name", pem(ed), ed, "Ed25519", undefined, ["Ed25519"]],
    ["a PEM text with line breaks written out", pem(ec).replaceAll("\n", "\\n"), ec, "ES256"],
    ["a PEM text with spaces around it", `\n  ${pem(ec)}  \n`, ec, "ES256"],
    ["a JWK", jwk(ec), ec, "ES256"],
    ["a JWK that names its algorithm", jwk(rsa, { alg: "PS512" }), rsa, "PS512"],
    ["a JWK with uses that do not matter", jwk(ec, { use: "sig", ext: true }), ec, "ES256"],
  ];
  for (const [name, text, { publicKey }, algorithm, wanted, taken] of good) {
    it(`imports ${name}`, async () => {
      const key = await importClientKey("demo", { text, wanted, taken });
      assert.equal(key.algorithm, algorithm);
      const jwt = await new SignJWT({ a: 1 }).setProtectedHeader({ alg: key.algorithm }).sign(key.key);
      await compactVerify(jwt, publicKey);
      await assert.rejects(webcrypto.subtle.exportKey("pkcs8", key.key));
    });
  }

  it("knows the id of a JWK", async () => {
    assert.equal((await importClientKey("demo", { text: jwk(ec, { kid: "k1" }) })).id, "k1");
    assert.equal((await importClientKey("demo", { text: pem(ec) })).id, undefined);
  });

  const small = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const koblitz = generateKeyPairSync("ec", { namedCurve: "secp256k1" });
  const locked = ec.privateKey.export({
    type: "pkcs8",
    format: "pem",
    cipher: "aes-256-cbc",
    passphrase: "x",
  });
  const bad: readonly [
    name: string,
    text: string,
    reason: RegExp,
    wanted?: string | undefined,
    taken?: readonly string[],
  ][] = [
    ["nothing", "", /neither/],
    ["a text", "s3cret", /neither/],
    ["a public key", ec.publicKey.export({ type: "spki", format: "pem" }).toString(), /neither/],
    ["a broken PEM text", pem(ec).replace(/\n.{20}/, "\ns3cret"), /PEM form cannot be read/],
    ["a locked key", locked.toString(), /passphrase/],
    ["broken JSON", "{s3cret", /JSON cannot be read/],
    ["a public JWK", JSON.stringify(ec.publicKey.export({ format: "jwk" })), /without a private part/],
    ["a set of JWKs", JSON.stringify({ keys: [ec.privateKey.export({ format: "jwk" })] }), /not a single/],
    ["a JWK without a point", '{"kty":"EC","crv":"P-256","d":"s3cret"}', /JWK cannot be read/],
    ["a symmetric JWK", '{"kty":"oct","k":"s3cret","d":"x"}', /JWK cannot be read/],
    ["a short RSA key", pem(small), /2048 bits/],
    ["a curve that nobody uses here", pem(koblitz), /keys of its kind/],
    ["an algorithm that is not its own", pem(ec), /cannot sign with RS256/, "RS256"],
    ["no signature at all", pem(ec), /cannot sign with none/, "none"],
    ["a secret key's algorithm", pem(rsa), /cannot sign with HS256/, "HS256"],
    ["what the server does not take", pem(ec), /takes none/, undefined, ["RS256"]],
  ];
  for (const [name, text, reason, wanted, taken] of bad) {
    it(`refuses ${name}`, async () => {
      const error = await failsWith("bad-client-key", () => importClientKey("demo", { text, wanted, taken }));
      assert.match(String(error.args["reason"]), reason);
      assert.doesNotMatch(`${error.stack ?? ""}${String(error.cause)}`, /s3cret/);
    });
  }
});
