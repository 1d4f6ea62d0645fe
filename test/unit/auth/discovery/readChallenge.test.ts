import assert from "node:assert/strict";
import { readChallenge } from "../../../../src/auth/discovery/readChallenge.ts";
import type { ChallengeFacts } from "../../../../src/auth/model/facts.ts";
import { parseAuthChallenges } from "../../../../src/net/authChallenges.ts";

const read = (value: string): ChallengeFacts | undefined => readChallenge(parseAuthChallenges(value));

describe("readChallenge", () => {
  const META = "https://mcp.test/meta";
  const rows: readonly [name: string, value: string, facts: ChallengeFacts | undefined][] = [
    ["nothing of no challenge", "", undefined],
    ["nothing of other schemes", 'Basic realm="x", Negotiate', undefined],
    ["a scheme alone", "Bearer", { scheme: "bearer" }],
    [
      "everything that is used",
      `Bearer realm="r", resource_metadata="${META}", scope="a b", error="invalid_token"`,
      {
        scheme: "bearer",
        resourceMetadata: META,
        scopes: ["a", "b"],
        error: "invalid_token",
      },
    ],
    ["a scheme in any case", "dPoP error=use_dpop_nonce", { scheme: "dpop", error: "use_dpop_nonce" }],
    [
      "bearer before dpop, wherever it stands",
      'DPoP scope="d", Bearer scope="b"',
      { scheme: "bearer", scopes: ["b"] },
    ],
    [
      "a challenge behind others",
      'Basic realm="x", Bearer scope="good"',
      { scheme: "bearer", scopes: ["good"] },
    ],
    [
      "the one that says something",
      `Bearer realm="r", DPoP resource_metadata="${META}"`,
      { scheme: "dpop", resourceMetadata: META },
    ],
    ["scopes each once", 'Bearer scope="a  b a"', { scheme: "bearer", scopes: ["a", "b"] }],
    ["an empty scope as none", 'Bearer scope="", error="e"', { scheme: "bearer", error: "e" }],
    ["an empty address as none", 'Bearer resource_metadata="", error="e"', { scheme: "bearer", error: "e" }],
    ["no error code that is none", 'Bearer error="a\\"b", scope="s"', { scheme: "bearer", scopes: ["s"] }],
  ];
  for (const [name, value, facts] of rows) {
    it(`reads ${name}`, () => {
      assert.deepEqual(read(value), facts);
    });
  }

  // Attack: 14
  // Duty: 16.2.2
  it("takes no value out of another parameter, and none of an ambiguous challenge", () => {
    assert.deepEqual(read('Bearer xscope="evil", scope="good"')?.scopes, ["good"]);
    assert.deepEqual(read('Bearer error_description="scope=evil", scope="good"')?.scopes, ["good"]);
    assert.deepEqual(read('Bearer error_description="x, scope=\\"evil\\"", scope="good"')?.scopes, ["good"]);
    assert.equal(read('Bearer scope="a", scope="b"'), undefined);
    assert.deepEqual(read('Bearer scope="a", scope="b", DPoP scope="c"'), { scheme: "dpop", scopes: ["c"] });
    assert.deepEqual(read('Bearer scope="first", Bearer scope="second"')?.scopes, ["first"]);
  });

  // Attack: 14
  it("reads a header of 64 KiB at once, and takes no address of that length", () => {
    const filler = "x".repeat(64 * 1024);
    const started = performance.now();
    assert.equal(read(`Bearer resource_metadata="https://mcp.test/${filler}"`), undefined);
    assert.deepEqual(read(`Bearer error_description="${filler}", error="e"`), {
      scheme: "bearer",
      error: "e",
    });
    assert.ok(performance.now() - started < 100);
  });

  // Attack: 68
  it("takes the first hundred of thousands of scopes, and no scope at all beside a control character", () => {
    const many = Array.from({ length: 2_000 }, (_, at) => `scope:${at}`);
    assert.deepEqual(read(`Bearer scope="${many.join(" ")}"`)?.scopes, many.slice(0, 100));
    const long = Array.from({ length: 20 }, (_, at) => `${at}${"x".repeat(1_000)}`);
    assert.deepEqual(read(`Bearer scope="${long.join(" ")}"`)?.scopes, long.slice(0, 8));
    for (const bad of ["a \u0000", "a\tb", "a b\u007f", "a \\\\", 'a \\"', "a é", "a \u202e"])
      assert.deepEqual(read(`Bearer error="e", scope="${bad}"`), { scheme: "bearer", error: "e" });
  });
});
