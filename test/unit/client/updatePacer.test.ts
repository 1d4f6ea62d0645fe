import assert from "node:assert/strict";
import { UpdatePacer } from "../../../src/client/updatePacer.ts";
import { FakeClock } from "../../support/fakeClock.ts";

describe("UpdatePacer", () => {
  let clock: FakeClock;
  let told: string[];
  let pacer: UpdatePacer;

  beforeEach(() => {
    clock = new FakeClock();
    told = [];
    pacer = new UpdatePacer(clock, (uri) => told.push(uri));
  });

  afterEach(() => {
    pacer.dispose();
    assert.equal(clock.pending, 0);
  });

  it("hands on the first word about each resource at once, and the last one of a burst", () => {
    for (const uri of ["x:a", "x:b", "x:a", "x:a"]) pacer.put(uri);
    assert.deepEqual(told, ["x:a", "x:b"]);
    clock.advance(1_000);
    assert.deepEqual(told, ["x:a", "x:b", "x:a"]);
    clock.advance(60_000);
    pacer.put("x:a");
    assert.deepEqual(told, ["x:a", "x:b", "x:a", "x:a"]);
  });

  it("keeps a server that announces a change with each reading from being read without end", () => {
    pacer.dispose();
    let reads = 0;
    pacer = new UpdatePacer(clock, () => {
      reads += 1;
      if (reads < 10_000) pacer.put("x:a");
    });
    pacer.put("x:a");
    clock.advance(60_000);
    assert.equal(reads, 61);
  });

  it("holds no more names than it can afford", () => {
    const name = "x:".padEnd(10_000, "long");
    for (let index = 0; index < 1_000; index += 1) pacer.put(`${name}${String(index)}`);
    pacer.put(`x:${"long".repeat(1_000_000)}`);
    assert.ok(told.length > 90 && told.length < 110, String(told.length));
    clock.advance(1_000);
    pacer.put("x:last");
    assert.equal(told.at(-1), "x:last");
  });
});
