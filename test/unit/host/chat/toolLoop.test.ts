import assert from "node:assert/strict";
import {
  type LoopMessage,
  type LoopPorts,
  type ModelOutput,
  runToolLoop,
} from "../../../../src/host/chat/toolLoop.ts";

const LIMITS = { rounds: 3, callsPerRound: 2 };
const FIRST: readonly LoopMessage[] = [{ role: "user", text: "do it" }];

const say = (text: string): ModelOutput => ({ kind: "text", text });
const call = (name: string, callId = name): ModelOutput => ({
  kind: "call",
  call: { callId, name, input: { of: name } },
});

/** A model that gives one scripted answer after another, and remembers what it was sent. */
function script(...answers: readonly (readonly ModelOutput[])[]) {
  const sent: (readonly LoopMessage[])[] = [];
  const written: string[] = [];
  const called: string[] = [];
  const ports: LoopPorts = {
    send: async function* (messages) {
      sent.push([...messages]);
      yield* answers[sent.length - 1] ?? [];
    },
    write: (text) => written.push(text),
    call: async ({ name }) => {
      called.push(name);
      return [{ kind: "text", text: `result of ${name}` }];
    },
  };
  return { ports, sent, written, called };
}

const never = new AbortController().signal;

describe("runToolLoop", () => {
  it("streams an answer without calls and is done", async () => {
    const { ports, sent, written } = script([say("Hel"), say("lo")]);
    assert.equal(await runToolLoop(FIRST, ports, LIMITS, never), "done");
    assert.deepEqual(written, ["Hel", "lo"]);
    assert.deepEqual(sent, [FIRST]);
  });

  it("gives results back with the calls they answer, in the model's order", async () => {
    const { ports, sent, called, written } = script([say("Looking."), call("a"), call("b")], [say("Done.")]);
    assert.equal(await runToolLoop(FIRST, ports, LIMITS, never), "done");
    assert.deepEqual(called, ["a", "b"]);
    assert.deepEqual(written, ["Looking.", "Done."]);
    assert.deepEqual(sent[1], [
      ...FIRST,
      {
        role: "assistant",
        text: "Looking.",
        calls: [
          { callId: "a", name: "a", input: { of: "a" } },
          { callId: "b", name: "b", input: { of: "b" } },
        ],
      },
      {
        role: "results",
        answers: [
          { callId: "a", parts: [{ kind: "text", text: "result of a" }] },
          { callId: "b", parts: [{ kind: "text", text: "result of b" }] },
        ],
      },
    ]);
  });

  it("stops when the model never does", async () => {
    const { ports, called } = script(...Array.from({ length: 10 }, () => [call("again")]));
    assert.equal(await runToolLoop(FIRST, ports, LIMITS, never), "too-many-rounds");
    assert.equal(called.length, LIMITS.rounds);
  });

  it("answers every call, but carries out only so many at a time", async () => {
    const { ports, sent, called } = script([call("a"), call("b"), call("c")], []);
    await runToolLoop(FIRST, ports, LIMITS, never);
    assert.deepEqual(called, ["a", "b"]);
    const results = sent[1]?.at(-1);
    assert.ok(results?.role === "results");
    assert.deepEqual(
      results.answers.map(({ callId }) => callId),
      ["a", "b", "c"],
    );
    assert.match(JSON.stringify(results.answers[2]), /Not called/);
  });

  it("ends at once when cancelled during a call, and does not call what comes after", async () => {
    const controller = new AbortController();
    const { ports, sent, called } = script([call("a"), call("b")], []);
    const cancelling: LoopPorts = {
      ...ports,
      call: async (one, signal) => {
        called.push(one.name);
        controller.abort(new Error("stop"));
        signal.throwIfAborted();
        return [];
      },
    };
    await assert.rejects(runToolLoop(FIRST, cancelling, LIMITS, controller.signal), /stop/);
    assert.deepEqual(called, ["a"]);
    assert.equal(sent.length, 1);
  });

  it("ends while the model streams when cancelled", async () => {
    const controller = new AbortController();
    const { ports, written } = script([say("one"), say("two")]);
    const cancelling: LoopPorts = {
      ...ports,
      write: (text) => {
        written.push(text);
        controller.abort(new Error("stop"));
      },
    };
    await assert.rejects(runToolLoop(FIRST, cancelling, LIMITS, controller.signal), /stop/);
    assert.deepEqual(written, ["one"]);
  });

  it("asks no model when it is cancelled already", async () => {
    const { ports, sent } = script([say("x")]);
    await assert.rejects(runToolLoop(FIRST, ports, LIMITS, AbortSignal.abort(new Error("over"))), /over/);
    assert.equal(sent.length, 0);
  });

  it("passes a failure of the model on", async () => {
    const { ports } = script();
    const failing: LoopPorts = {
      ...ports,
      send: async function* () {
        throw new Error("quota");
      },
    };
    await assert.rejects(runToolLoop(FIRST, failing, LIMITS, never), /quota/);
  });
});
