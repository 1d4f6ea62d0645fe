import assert from "node:assert/strict";

import { PLAIN, UnderWay } from "../../../../src/host/auth/underWay.ts";

const GIVEN_UP = new Error("given up");

/** A sign-in that ends with its signal alone. */
function waiting(signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

describe("sign-ins that commands have begun", () => {
  it("are joined by a second one in the same way, and by one that leaves the way open", async () => {
    const underWay = new UnderWay(() => GIVEN_UP);
    let begun = 0;
    const begin = (): Promise<void> => {
      begun += 1;
      return new Promise(() => undefined);
    };
    const first = await underWay.join("s", "new registration", begin);
    const again = await underWay.join("s", "new registration", begin);
    const plain = await underWay.join("s", PLAIN, begin);
    assert.deepEqual([first.isFirst, again.isFirst, plain.isFirst], [true, false, false]);
    assert.equal(again.run, first.run);
    const other = await underWay.join("t", PLAIN, begin);
    assert.deepEqual([other.isFirst, begun], [true, 2]);
  });

  it("are begun anew in the same way once they wait for a page, which may have been closed", async () => {
    const underWay = new UnderWay(() => GIVEN_UP);
    const first = await underWay.join("s", PLAIN, waiting);
    const second = underWay.join("s", PLAIN, waiting, true);
    const third = underWay.join("s", PLAIN, waiting, true);
    await assert.rejects(first.run, GIVEN_UP);
    assert.deepEqual([(await second).isFirst, (await third).isFirst], [true, false]);
  });

  it("make room for one in another way, which begins once they have ended", async () => {
    const underWay = new UnderWay(() => GIVEN_UP);
    const ends: string[] = [];
    const stuck = await underWay.join("s", PLAIN, async (signal) => {
      try {
        await waiting(signal);
      } finally {
        ends.push("stuck");
      }
    });
    const cure = await underWay.join("s", "new registration", () => {
      ends.push("cure");
      return Promise.resolve();
    });
    await assert.rejects(stuck.run, GIVEN_UP);
    await cure.run;
    assert.deepEqual(ends, ["stuck", "cure"]);
    assert.equal((await underWay.join("s", PLAIN, () => Promise.resolve())).isFirst, true);
  });
});
