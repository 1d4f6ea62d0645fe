import assert from "node:assert/strict";
import { fillTemplate } from "../../../../src/base/errors.ts";
import { planImport } from "../../../../src/host/commands/planImport.ts";

const t = (text: string, args = {}): string => fillTemplate(text, args);
const nothingTaken = { isServer: () => false, secrets: [] };

describe("a pasted text", () => {
  it("becomes entries, with secrets taken out of them", () => {
    const json =
      '{ "mcpServers": { "git": { "command": "npx", "args": ["-y", "g"], "env": { "GITHUB_TOKEN": "ghp_0123456789abcdef" } } } }';
    const result = planImport(json, nothingTaken, t);
    assert.equal(result.kind, "plan");
    assert.deepEqual(Object.keys(result.plan.entries), ["git"]);
    assert.ok(!JSON.stringify(result.plan.entries).includes("ghp_"));
    assert.deepEqual(Object.values(result.plan.secrets), ["ghp_0123456789abcdef"]);
  });

  it("gets another name when its own is taken", () => {
    const result = planImport(
      '{ "mcpServers": { "git": { "command": "x" } } }',
      { isServer: (name) => name === "git", secrets: [] },
      t,
    );
    assert.deepEqual(result.kind === "plan" ? Object.keys(result.plan.entries) : [], ["git-2"]);
  });

  it("leaves a secret open for which it only has a stand-in", () => {
    const json = '{ "mcpServers": { "a": { "command": "x", "env": { "API_KEY": "YOUR_API_KEY" } } } }';
    const result = planImport(json, nothingTaken, t);
    assert.equal(result.kind === "plan" ? result.plan.missingSecrets?.length : undefined, 1);
  });

  it("says what is wrong with it", () => {
    for (const text of ["", "{ broken", "hello there", "{}"]) {
      const result = planImport(text, nothingTaken, t);
      assert.ok(result.kind === "problem" && result.problem !== "", text);
    }
  });
});
