import assert from "node:assert/strict";
import { chooseModel } from "../../../../src/host/sampling/chooseModel.ts";

const models = [
  { id: "gpt-x", name: "GPT X", vendor: "copilot", family: "gpt" },
  { id: "claude-sonnet-9", name: "Claude Sonnet 9", vendor: "copilot", family: "claude" },
];

describe("the model to begin with", () => {
  const chosen = (hints: readonly string[], remembered?: string): unknown => {
    const choice = chooseModel(models, hints, remembered);
    return choice && [choice.model.id, choice.reason];
  };

  // Duty: 11.1.4
  it("is the first hint in the server's order that is part of a name", () => {
    assert.deepEqual(chosen(["gemini", "SONNET", "gpt"]), ["claude-sonnet-9", "hint"]);
    assert.deepEqual(chosen(["copilot/gpt"]), ["gpt-x", "hint"]);
    assert.deepEqual(chosen(["gemini"]), ["gpt-x", "first"]);
  });

  it("is the one that the person took before, whatever the server suggests, while it is there", () => {
    assert.deepEqual(chosen(["sonnet"], "gpt-x"), ["gpt-x", "remembered"]);
    assert.deepEqual(chosen(["sonnet"], "gone"), ["claude-sonnet-9", "hint"]);
    assert.equal(chooseModel([], ["sonnet"], "gone"), undefined);
  });
});
