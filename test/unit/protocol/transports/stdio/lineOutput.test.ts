import assert from "node:assert/strict";
import { Writable } from "node:stream";

import { LineOutput } from "../../../../../src/protocol/transports/stdio/lineOutput.ts";

/** A pipe that remembers each write, and fails them once it is told to. */
class Pipe extends Writable {
  readonly writes: string[] = [];
  failure: Error | undefined;

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.writes.push(chunk.toString());
    done(this.failure);
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("LineOutput", () => {
  let pipe: Pipe;
  let output: LineOutput;

  beforeEach(() => {
    pipe = new Pipe();
    output = new LineOutput(pipe);
  });

  it("writes the lines of one turn together and in order", async () => {
    for (const line of ["a\n", "b\n", "c\n"]) output.write(line);
    assert.equal(output.waiting, 6);
    await nextTurn();
    output.write("d\n");
    await nextTurn();
    assert.deepEqual(pipe.writes, ["a\nb\nc\n", "d\n"]);
    assert.equal(output.waiting, 0);
  });

  it("does not copy a long line, and keeps the order around it", async () => {
    const long = `${"x".repeat(100_000)}\n`;
    for (const line of ["a\n", long, "b\n"]) output.write(line);
    await nextTurn();
    assert.deepEqual(pipe.writes, ["a\n", long, "b\n"]);
  });

  it("tells everybody who asked when the lines were taken, or why they were not", async () => {
    const told: (string | undefined)[] = [];
    pipe.on("error", () => undefined);
    output.write("a\n", (error) => told.push(error?.message));
    await nextTurn();
    pipe.failure = new Error("broken");
    output.write("b\n", (error) => told.push(error?.message));
    output.write("c\n", (error) => told.push(error?.message));
    await nextTurn();
    assert.deepEqual(told, [undefined, "broken", "broken"]);
  });

  it("closes the pipe behind the last line", async () => {
    output.write("a\n");
    output.end();
    await nextTurn();
    assert.deepEqual(pipe.writes, ["a\n"]);
    assert.equal(pipe.writableFinished, true);
  });
});
