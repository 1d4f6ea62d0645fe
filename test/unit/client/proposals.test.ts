import assert from "node:assert/strict";
import { type Deferred, deferred } from "../../../src/base/deferred.ts";
import { Proposals } from "../../../src/client/proposals.ts";
import type { Completion } from "../../../src/protocol/model/completion.ts";
import { FakeClock } from "../../support/fakeClock.ts";

const found = (...values: readonly string[]): Completion => ({ values, hasMore: false });

/** A field with a server whose answers the test gives. */
class Field {
  readonly clock = new FakeClock();
  readonly asked: {
    readonly value: string;
    readonly signal: AbortSignal;
    readonly answer: Deferred<Completion>;
  }[] = [];
  readonly shown: [value: string, values: string][] = [];
  readonly proposals = new Proposals({
    clock: this.clock,
    propose: (value, signal) => {
      const answer = deferred<Completion>();
      this.asked.push({ value, signal, answer });
      return answer.promise;
    },
    onChange: (value, completion) => this.shown.push([value, completion?.values.join() ?? "…"]),
  });

  get values(): string[] {
    return this.asked.map(({ value }) => value);
  }

  [Symbol.dispose](): void {
    this.proposals.dispose();
  }
}

/** Lets promises that are settled run on. */
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

// Duty: 8.3.2
describe("Proposals", () => {
  it("ask once for a text that is typed fast", () => {
    using field = new Field();
    for (const value of ["d", "dr", "dry"]) {
      field.proposals.type(value);
      field.clock.advance(100);
    }
    assert.deepEqual(field.values, []);
    field.clock.advance(50);
    assert.deepEqual(field.values, ["dry"]);
  });

  it("cancel the older question, and never show its answer", async () => {
    using field = new Field();
    field.proposals.type("a");
    field.clock.advance(150);
    field.proposals.type("ab");
    assert.equal(field.asked[0]?.signal.aborted, true);
    field.clock.advance(150);
    field.asked[1]?.answer.resolve(found("abc"));
    await settle();
    field.asked[0]?.answer.resolve(found("aaa"));
    await settle();
    assert.deepEqual(field.shown, [
      ["a", "…"],
      ["ab", "…"],
      ["ab", "abc"],
    ]);
  });

  it("do not ask again for what they know", async () => {
    using field = new Field();
    field.proposals.type("a");
    field.clock.advance(150);
    field.asked[0]?.answer.resolve(found("apple"));
    await settle();
    field.proposals.type("ab");
    field.proposals.type("a");
    field.clock.advance(1_000);
    assert.deepEqual(field.values, ["a"]);
    assert.deepEqual(field.shown.at(-1), ["a", "apple"]);
  });

  it("are none when the server fails", async () => {
    using field = new Field();
    field.proposals.type("a");
    field.clock.advance(150);
    field.asked[0]?.answer.reject(new Error("down"));
    await settle();
    assert.deepEqual(field.shown.at(-1), ["a", ""]);
  });

  it("end with the field", () => {
    const field = new Field();
    field.proposals.type("a");
    field.clock.advance(150);
    field.proposals.type("ab");
    field.proposals.dispose();
    field.proposals.type("abc");
    field.clock.advance(1_000);
    assert.deepEqual(field.values, ["a"]);
    assert.equal(field.clock.pending, 0);
  });
});
