import assert from "node:assert/strict";
import { parseAuthChallenges } from "../../../src/net/authChallenges.ts";

/** Each challenge as `[scheme, token68 or undefined, parameters]`. */
function read(value: string): unknown[] {
  return parseAuthChallenges(value).map(({ scheme, token68, params }) => [
    scheme,
    token68,
    Object.fromEntries(params),
  ]);
}

describe("parseAuthChallenges", () => {
  const rows: readonly [name: string, value: string, challenges: unknown[]][] = [
    ["nothing", "", []],
    ["a scheme alone", "Bearer", [["bearer", undefined, {}]]],
    [
      "parameters, quoted and not, whatever their case",
      'Bearer Realm="a \\"b\\", c", ERROR=invalid_token , scope = "x y"',
      [["bearer", undefined, { realm: 'a "b", c', error: "invalid_token", scope: "x y" }]],
    ],
    [
      "several challenges in one value",
      'Basic realm="x", Bearer scope="a", error="b", Negotiate',
      [
        ["basic", undefined, { realm: "x" }],
        ["bearer", undefined, { scope: "a", error: "b" }],
        ["negotiate", undefined, {}],
      ],
    ],
    [
      "a token in place of parameters",
      "Negotiate YWJj==, Basic realm=x",
      [
        ["negotiate", "YWJj==", {}],
        ["basic", undefined, { realm: "x" }],
      ],
    ],
    [
      "empty elements of the list",
      ', ,Bearer realm="x",, error=e,',
      [["bearer", undefined, { realm: "x", error: "e" }]],
    ],
    [
      "nothing of a challenge with a parameter twice",
      'Bearer realm="x", realm="y", Basic',
      [["basic", undefined, {}]],
    ],
    [
      "nothing after what cannot be read",
      'Basic realm="x", Bearer realm="open',
      [["basic", undefined, { realm: "x" }]],
    ],
    ["nothing of what is no list", '"Bearer" realm=x', []],
  ];
  for (const [name, value, challenges] of rows) {
    it(`reads ${name}`, () => {
      assert.deepEqual(read(value), challenges);
    });
  }
});
