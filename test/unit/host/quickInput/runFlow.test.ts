import assert from "node:assert/strict";
import { BACK, type FlowStep, runFlow, SKIP } from "../../../../src/host/quickInput/runFlow.ts";

type State = readonly string[];

/** A step that answers what the script says, one answer per time it is asked, and notes what it saw. */
function scripted(
  name: string,
  answers: readonly (typeof BACK | typeof SKIP | undefined | "answer")[],
  log: string[],
): FlowStep<State> {
  const left = [...answers];
  return async (state, canGoBack) => {
    log.push(`${name}(${state.join()})${canGoBack ? "←" : ""}`);
    const answer = left.shift();
    return answer === "answer" ? [...state, name] : answer;
  };
}

describe("a flow of questions", () => {
  it("asks one after the other and keeps the answers", async () => {
    const log: string[] = [];
    const steps = [scripted("a", ["answer"], log), scripted("b", ["answer"], log)];
    assert.deepEqual(await runFlow(steps, []), ["a", "b"]);
    assert.deepEqual(log, ["a()", "b(a)←"]);
  });

  it("ends without an answer when Escape is pressed anywhere", async () => {
    const log: string[] = [];
    const steps = [
      scripted("a", ["answer"], log),
      scripted("b", [undefined], log),
      scripted("c", ["answer"], log),
    ];
    assert.equal(await runFlow(steps, []), undefined);
    assert.deepEqual(log, ["a()", "b(a)←"]);
  });

  it("goes back over skipped questions and forgets the answer", async () => {
    const log: string[] = [];
    const steps = [
      scripted("a", ["answer", "answer"], log),
      scripted("b", [SKIP, SKIP], log),
      scripted("c", [BACK, "answer"], log),
    ];
    assert.deepEqual(await runFlow(steps, []), ["a", "c"]);
    assert.deepEqual(log, ["a()", "b(a)←", "c(a)←", "a()", "b(a)←", "c(a)←"]);
  });

  it("cannot go back before the first question", async () => {
    const log: string[] = [];
    assert.equal(await runFlow([scripted("a", [SKIP], log), scripted("b", [BACK], log)], []), undefined);
    assert.deepEqual(log, ["a()", "b()"]);
  });
});
