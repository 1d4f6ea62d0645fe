import assert from "node:assert/strict";
import { type CallEnd, callLine } from "../../../src/client/callLine.ts";
import { EngineError } from "../../../src/protocol/engineError.ts";
import { RpcError } from "../../../src/protocol/rpcError.ts";

const ended = AbortSignal.abort(new Error("no more of this"));

// Duty: 7.2.7
describe("what the log says of a call", () => {
  const rows: readonly (readonly [CallEnd, AbortSignal | undefined, string])[] = [
    [{ result: { isError: false } }, undefined, "done"],
    [{ result: { isError: true } }, undefined, "the tool reports an error"],
    [{ error: ended.reason }, ended, "cancelled"],
    [{ error: new EngineError("closed", { server: "s" }) }, undefined, "failed, closed"],
    [
      { error: new RpcError("tools/call", { code: -32602, message: "no secret 7" }) },
      undefined,
      "failed, error -32602",
    ],
    [{ error: new Error("odd") }, undefined, "failed"],
  ];
  for (const [end, signal, expected] of rows) {
    it(`is ${expected}`, () => {
      const line = callLine("wipe", { origin: "chat", ...(signal && { signal }) }, end, 12.4);
      assert.equal(line, `tools/call "wipe" (chat): ${expected}, 12 ms`);
    });
  }

  it("is one line, however a tool is called", () => {
    const name = `a\nb${"c".repeat(5_000)}`;
    const line = callLine(name, { origin: "api" }, { result: { isError: false } }, 1);
    assert.ok(line.length < 400 && !line.includes("\n"), line);
  });
});
