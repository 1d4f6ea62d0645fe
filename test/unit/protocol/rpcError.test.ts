import assert from "node:assert/strict";
import { EngineError } from "../../../src/protocol/engineError.ts";
import { RPC_CODES, RpcError } from "../../../src/protocol/rpcError.ts";

describe("errors of a server and of the engine", () => {
  // Duty: 1.4.14, 15.13
  it("are told apart, and no number is invented", () => {
    const own = new EngineError("timeout", { server: "s", method: "tools/call", seconds: 1 });
    const theirs = new RpcError("tools/call", { code: -32603, message: "no" });
    assert.ok(!("rpcCode" in own) && typeof own.code === "string");
    assert.ok(!("code" in theirs) && theirs.rpcCode === -32603);
    const reserved = Object.values(RPC_CODES).filter((code) => code <= -32000 && code >= -32099);
    assert.deepEqual(
      reserved.sort((a, b) => b - a),
      [-32002, -32020, -32021, -32022, -32042],
    );
  });
});
