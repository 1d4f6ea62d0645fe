import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { parseEnvFile } from "../../../src/client/envFile.ts";

describe("parseEnvFile", () => {
  const cases: readonly (readonly [source: string, variables: Record<string, string>])[] = [
    ["A=1\nB = two words \n", { A: "1", B: "two words" }],
    ["\uFEFFA=1\r\nB=2\rC=3", { A: "1", B: "2", C: "3" }],
    ["# comment\n\n  export A=1 # why\nB=a#b\nC=#x", { A: "1", B: "a#b", C: "" }],
    [`A="x # y" # z\nB='\${HOME} \\n'\nC=\`it's "it"\``, { A: "x # y", B: "${HOME} \\n", C: `it's "it"` }],
    ['A="one\\ntwo\\t\\"q\\" \\\\ \\$ \\x"', { A: 'one\ntwo\t"q" \\ $ \\x' }],
    ['A="-----BEGIN\nline\n-----END"\nB=after', { A: "-----BEGIN\nline\n-----END", B: "after" }],
    ["A=", { A: "" }],
    ["A=''\nA=last", { A: "last" }],
    ["a.b-c=1", { "a.b-c": "1" }],
    ['A="open\nB=2', { A: '"open', B: "2" }],
    ["A=it's", { A: "it's" }],
    ["A=x=y==", { A: "x=y==" }],
  ];
  for (const [source, variables] of cases) {
    it(`reads ${JSON.stringify(source)}`, () => {
      assert.deepEqual(parseEnvFile(source), { variables, badLines: [] });
    });
  }

  it("names the lines that are no assignments and reads the others", () => {
    assert.deepEqual(parseEnvFile('A=1\nnonsense\nB="x\ny"\n=4\nC=3'), {
      variables: { A: "1", B: "x\ny", C: "3" },
      badLines: [2, 5],
    });
  });

  it("reads a long file quickly", () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `V${String(index)}="x`).join("\n");
    assert.equal(Object.keys(parseEnvFile(lines).variables).length > 0, true);
  });
});
