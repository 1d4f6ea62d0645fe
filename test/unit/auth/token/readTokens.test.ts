import assert from "node:assert/strict";
import { readTokens, type TokenCircumstances } from "../../../../src/auth/token/readTokens.ts";
import type { JsonObject } from "../../../../src/base/json.ts";

const plain: TokenCircumstances = { askedAtMs: 1_000, proved: false, mustBeBound: false };
const bearer = { access_token: "t", token_type: "Bearer" };
const read = { access: "t", type: "bearer", obtainedAtMs: 1_000 };

describe("readTokens", () => {
  const good: readonly [
    name: string,
    fields: JsonObject,
    tokens: object,
    circumstances?: TokenCircumstances,
  ][] = [
    ["a bearer token", bearer, read],
    ["its type in any case", { ...bearer, token_type: "bEARER" }, read],
    ["a lifetime", { ...bearer, expires_in: 60 }, { ...read, expiresAtMs: 61_000 }],
    ["a lifetime as a text", { ...bearer, expires_in: " 3600 " }, { ...read, expiresAtMs: 3_601_000 }],
    ["a lifetime with a fraction", { ...bearer, expires_in: "1.5" }, { ...read, expiresAtMs: 2_500 }],
    ["no lifetime where it says nothing", { ...bearer, expires_in: "" }, read],
    ["no lifetime where it is zero", { ...bearer, expires_in: 0 }, read],
    ["no lifetime where it outlives everybody", { ...bearer, expires_in: 1e12 }, read],
    ["no lifetime where it is a huge integer", { ...bearer, expires_in: 10n ** 30n }, read],
    ["a refresh token", { ...bearer, refresh_token: "r" }, { ...read, refresh: "r" }],
    ["no refresh token where it is empty", { ...bearer, refresh_token: "" }, read],
    ["scopes", { ...bearer, scope: "a  b a" }, { ...read, scopes: ["a", "b"] }],
    ["scopes as a list", { ...bearer, scope: ["a", "b", 3, "c d"] }, { ...read, scopes: ["a", "b"] }],
    ["scopes with commas", { ...bearer, scope: "repo,gist" }, { ...read, scopes: ["repo", "gist"] }],
    ["a comma in one of several scopes", { ...bearer, scope: "a,b c" }, { ...read, scopes: ["a,b", "c"] }],
    ["no scopes where it is empty", { ...bearer, scope: "" }, read],
    ["only what can be a scope", { ...bearer, scope: 'ok "no" no\u0007' }, { ...read, scopes: ["ok"] }],
    [
      "a bound token",
      { ...bearer, token_type: "dpop" },
      { ...read, type: "dpop" },
      { ...plain, proved: true, mustBeBound: true },
    ],
    ["a bearer token that may be unbound", bearer, read, { ...plain, proved: true }],
  ];
  for (const [name, fields, tokens, circumstances = plain] of good) {
    it(`reads ${name}`, () => {
      assert.deepEqual(readTokens(fields, circumstances), { kind: "tokens", tokens });
    });
  }

  // Attack: 44
  it("ignores an ID token, whatever it is", () => {
    for (const id_token of ["not.a.jwt", "", 5, { iss: "https://evil.test" }, "eyJhbGciOiJub25lIn0.e30."]) {
      assert.deepEqual(readTokens({ ...bearer, id_token }, plain), { kind: "tokens", tokens: read });
    }
  });

  it("keeps no more scopes than it can show", () => {
    const scope = Array.from({ length: 2_000 }, (_, index) => `s${index}`).join(" ");
    const reading = readTokens({ ...bearer, scope }, plain);
    assert.ok(reading.kind === "tokens");
    assert.equal(reading.tokens.scopes?.length, 100);
  });

  const bad: readonly [name: string, fields: JsonObject, reason: RegExp][] = [
    ["nothing", {}, /no access token/],
    ["an empty token", { ...bearer, access_token: "" }, /no access token/],
    ["a number as a token", { ...bearer, access_token: 5 }, /no access token/],
    ["a token with a line break", { ...bearer, access_token: "s3cret\r\nx: y" }, /no header can carry/],
    ["a token beyond ASCII", { ...bearer, access_token: "s3crét" }, /no header can carry/],
    ["a token of a megabyte", { ...bearer, access_token: "x".repeat(1_000_000) }, /longer than any header/],
    ["a refresh token of a megabyte", { ...bearer, refresh_token: "x".repeat(1_000_000) }, /too long/],
    ["no type", { access_token: "s3cret" }, /“token_type”/],
    ["another type", { ...bearer, token_type: "mac" }, /“token_type”/],
    ["a type that is no text", { ...bearer, token_type: ["Bearer"] }, /“token_type”/],
    ["a bound token that nobody asked for", { ...bearer, token_type: "DPoP" }, /a key that/],
    ["a lifetime in words", { ...bearer, expires_in: "abc" }, /“expires_in”/],
    ["a negative lifetime", { ...bearer, expires_in: -1 }, /“expires_in”/],
    ["a negative lifetime as a text", { ...bearer, expires_in: "-1" }, /“expires_in”/],
    ["a lifetime that is a list", { ...bearer, expires_in: [60] }, /“expires_in”/],
    ["a refresh token that is a number", { ...bearer, refresh_token: 5 }, /“refresh_token”/],
    ["scopes that are a number", { ...bearer, scope: 5 }, /“scope”/],
  ];
  for (const [name, fields, reason] of bad) {
    it(`refuses ${name}`, () => {
      const reading = readTokens(fields, plain);
      assert.ok(reading.kind === "odd");
      assert.match(reading.reason, reason);
      assert.doesNotMatch(reading.reason, /s3cr/);
    });
  }

  it("refuses a token that should be bound and is not", () => {
    assert.deepEqual(readTokens(bearer, { ...plain, proved: true, mustBeBound: true }), {
      kind: "not-bound",
    });
  });
});
