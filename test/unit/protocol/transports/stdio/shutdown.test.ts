import assert from "node:assert/strict";

import type { Clock, Timer } from "../../../../../src/base/clock.ts";
import { shutDown, type Stoppable } from "../../../../../src/protocol/transports/stdio/shutdown.ts";

/** A clock that jumps to the next timer as soon as everything waits. */
class JumpingClock implements Clock {
  time = 0;

  now(): number {
    return this.time;
  }

  after(delayMs: number, run: () => void): Timer {
    const at = this.time + delayMs;
    const timer = setImmediate(() => {
      this.time = Math.max(this.time, at);
      run();
    });
    return { restart: () => undefined, dispose: () => clearImmediate(timer) };
  }
}

/** A process that goes away at the given step. */
class FakeTree implements Stoppable {
  isAlive = true;
  hasExited = false;
  readonly steps: string[] = [];
  readonly #endsAt: string;
  readonly #clock: JumpingClock;
  #exit: () => void = () => undefined;
  readonly exited: Promise<void> = new Promise((resolve) => {
    this.#exit = resolve;
  });

  constructor(endsAt: string, clock: JumpingClock) {
    this.#endsAt = endsAt;
    this.#clock = clock;
  }

  step(name: string): void {
    this.steps.push(`${name} at ${this.#clock.time}`);
    if (name !== this.#endsAt) return;
    this.isAlive = false;
    this.#exit();
  }

  terminate(): void {
    this.step("term");
  }

  kill(): void {
    this.step("kill");
  }
}

async function run(
  endsAt: string,
  hurryFrom?: string,
  hasExited = false,
): Promise<{ steps: string[]; gone: boolean }> {
  const clock = new JumpingClock();
  const hurry = new AbortController();
  const tree = new FakeTree(endsAt, clock);
  tree.hasExited = hasExited;
  const gone = await shutDown(
    tree,
    () => {
      tree.step("end");
      if (hurryFrom === "end") hurry.abort();
    },
    clock,
    hurry.signal,
  );
  return { steps: tree.steps, gone };
}

describe("shutDown", () => {
  // Duty: 3.9
  it("is content when the end of the input is enough", async () => {
    assert.deepEqual(await run("end"), { steps: ["end at 0"], gone: true });
  });

  // Duty: 3.9
  it("asks after two seconds", async () => {
    assert.deepEqual(await run("term"), { steps: ["end at 0", "term at 2000"], gone: true });
  });

  // Duty: 3.9
  it("kills after two more", async () => {
    assert.deepEqual(await run("kill"), { steps: ["end at 0", "term at 2000", "kill at 4000"], gone: true });
  });

  it("does not wait for the leftovers of a process that exited on its own", async () => {
    assert.deepEqual(await run("term", undefined, true), { steps: ["end at 0", "term at 0"], gone: true });
  });

  it("gives up in the end", async () => {
    assert.equal((await run("never")).gone, false);
  });

  it("kills at once when hurried", async () => {
    assert.deepEqual(await run("kill", "end"), { steps: ["end at 0", "kill at 0"], gone: true });
  });
});
