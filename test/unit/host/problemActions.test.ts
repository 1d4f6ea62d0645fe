import assert from "node:assert/strict";
import { ClientError } from "../../../src/client/clientError.ts";
import { CLIENT_ERRORS } from "../../../src/client/clientError.ts";
import { actionsFor } from "../../../src/host/problemActions.ts";
import { ENGINE_ERRORS, EngineError, type EngineErrorCode } from "../../../src/protocol/engineError.ts";
import { RpcError } from "../../../src/protocol/rpcError.ts";

describe("what is offered against a problem", () => {
  it("is a restart when the process has ended, and its log", () => {
    const problem = new EngineError("process-exited", { server: "s", exit: "code 1" });
    assert.deepEqual(actionsFor(problem), ["signalbox.restart", "signalbox.showServerLog"]);
  });

  it("is setting the secret only when a secret is what is missing", () => {
    const missing = (placeholder: string): readonly string[] =>
      actionsFor(new ClientError("unset-variable", { server: "s", placeholder, hint: "" }));
    assert.deepEqual(missing("${secret:TOKEN}"), ["signalbox.setSecret", "signalbox.editServer"]);
    assert.deepEqual(missing("${input:team}"), ["signalbox.connect", "signalbox.editServer"]);
    assert.deepEqual(missing("${env:TOKEN}"), ["signalbox.editServer"]);
  });

  it("is the log when the server itself refused, or nobody knows better", () => {
    assert.deepEqual(actionsFor(new RpcError("tools/call", { code: -32603, message: "no" })), [
      "signalbox.showServerLog",
    ]);
    assert.deepEqual(actionsFor(new Error("what")), ["signalbox.showServerLog"]);
  });

  it("is never more than fits beside a message", () => {
    const problems = [
      ...Object.keys(ENGINE_ERRORS).map((code) => new EngineError(code as EngineErrorCode, {})),
      ...Object.keys(CLIENT_ERRORS).map((code) => new ClientError(code as keyof typeof CLIENT_ERRORS, {})),
    ];
    for (const problem of problems) assert.ok(actionsFor(problem).length <= 2, problem.code);
  });
});
