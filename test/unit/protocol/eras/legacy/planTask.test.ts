import assert from "node:assert/strict";
import type { JsonObject } from "../../../../../src/base/json.ts";
import { planTask, type TaskPlan } from "../../../../../src/protocol/eras/legacy/legacyTasks.ts";

const TAKES = { tasks: { requests: { tools: { call: {} } } } };
const LISTS_ONLY = { tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} } } } };

// Duty: 17.9.2, 17.9.3
describe("whether a tool of 2025-11-25 is called as a task", () => {
  const cases: readonly (readonly [string | undefined, JsonObject, boolean, TaskPlan])[] = [
    [undefined, TAKES, true, "plain"],
    ["forbidden", TAKES, true, "plain"],
    ["sometimes", TAKES, true, "plain"],
    ["optional", TAKES, false, "plain"],
    ["optional", TAKES, true, "task"],
    ["required", TAKES, false, "task"],
    ["required", TAKES, true, "task"],
    ["optional", {}, true, "plain"],
    ["required", {}, true, "impossible"],
    ["optional", LISTS_ONLY, true, "plain"],
    ["required", LISTS_ONLY, true, "impossible"],
  ];
  for (const [support, capabilities, isWanted, plan] of cases) {
    const server = JSON.stringify(capabilities);
    it(`is ${plan} for ${support ?? "nothing"} on ${server}${isWanted ? ", wanted" : ""}`, () => {
      const tool = { raw: support === undefined ? {} : { execution: { taskSupport: support } } };
      assert.equal(planTask(tool, { revision: "2025-11-25", capabilities }, isWanted), plan);
    });
  }

  it("never is before 2025-11-25, whatever is said", () => {
    const tool = { raw: { execution: { taskSupport: "required" } } };
    assert.equal(planTask(tool, { revision: "2025-06-18", capabilities: TAKES }, true), "plain");
  });

  it("is not for a tool that is not listed", () => {
    assert.equal(planTask(undefined, { revision: "2025-11-25", capabilities: TAKES }, true), "plain");
  });
});
