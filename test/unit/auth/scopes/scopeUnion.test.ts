import assert from "node:assert/strict";
import { planStepUp, type StepUpPlan } from "../../../../src/auth/scopes/scopeUnion.ts";

const plan = (
  challenge: readonly string[] | undefined,
  requested: readonly string[] = [],
  granted: readonly string[] = requested,
): StepUpPlan =>
  planStepUp({
    challenge: challenge === undefined ? undefined : { scheme: "bearer", scopes: challenge },
    requested,
    granted,
  });

describe("planStepUp", () => {
  // Duty: 16.5.2
  it("asks for what was requested, what was granted and what is wanted, each once", () => {
    assert.deepEqual(plan(["w", "r"], ["r", "x"], ["r", "g"]), {
      kind: "ask",
      scopes: ["r", "x", "g", "w"],
      added: ["w"],
      required: ["w", "r"],
    });
  });

  it("asks again for what was requested and not granted", () => {
    assert.deepEqual(plan(["w"], ["r", "w"], ["r"]), {
      kind: "ask",
      scopes: ["r", "w"],
      added: ["w"],
      required: ["w"],
    });
  });

  // Attack: 68
  it("asks for nothing when everything is granted, or nothing is named", () => {
    assert.deepEqual(plan(["r"], ["r"]), { kind: "already-granted", required: ["r"] });
    assert.deepEqual(plan(["r"], [], ["x", "r"]), { kind: "already-granted", required: ["r"] });
    assert.deepEqual(plan([], ["r"]), { kind: "unnamed" });
    assert.deepEqual(plan(undefined, ["r"]), { kind: "unnamed" });
    assert.deepEqual(planStepUp({ challenge: undefined, requested: [], granted: [] }), { kind: "unnamed" });
  });

  // Attack: 63
  it("leaves it to others whether to ask for a refresh token", () => {
    const planned = plan(["w", "offline_access"], ["r"]);
    assert.ok(planned.kind === "ask");
    assert.deepEqual([planned.scopes, planned.added, planned.required], [["r", "w"], ["w"], ["w"]]);
    assert.deepEqual(plan(["r", "offline_access"], ["r"]), { kind: "already-granted", required: ["r"] });
    assert.deepEqual(plan(["offline_access"], ["r"]), { kind: "unnamed" });
    const kept = plan(["w"], ["r", "offline_access"], ["r"]);
    assert.ok(kept.kind === "ask");
    assert.deepEqual(kept.scopes, ["r", "offline_access", "w"]);
  });

  // Attack: 68
  it("keeps the number of scopes within bounds, and those of before in any case", () => {
    const before = Array.from({ length: 150 }, (_, at) => `old:${at}`);
    const wanted = Array.from({ length: 2_000 }, (_, at) => `new:${at}`);
    const planned = plan(wanted, before);
    assert.ok(planned.kind === "ask");
    assert.deepEqual(planned.scopes, [...before, ...wanted.slice(0, 50)]);
    assert.deepEqual(planned.added, wanted.slice(0, 50));
    assert.equal(planned.required.length, 100);
  });
});
