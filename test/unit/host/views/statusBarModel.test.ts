import assert from "node:assert/strict";
import { fillTemplate } from "../../../../src/base/errors.ts";
import type { ServerEntry } from "../../../../src/client/serverPool.ts";
import type { ServerState } from "../../../../src/client/serverState.ts";
import { EngineError } from "../../../../src/protocol/engineError.ts";
import { statusBarModel } from "../../../../src/host/views/statusBarModel.ts";

const t = (text: string, args = {}): string => fillTemplate(text, args);
const server = (id: string, state: ServerState): ServerEntry => ({
  id,
  config: undefined,
  problems: [],
  state,
});
const stopped = server("a", { kind: "stopped" });
const failed = server("b", { kind: "failed", problem: new EngineError("closed", { server: "b" }) });

describe("the status bar", () => {
  it("says nothing in a window without servers", () => {
    assert.equal(statusBarModel([], 0, t), undefined);
  });

  it("counts connected servers and leads to the view", () => {
    const model = statusBarModel([stopped], 0, t);
    assert.deepEqual([model?.text, model?.click, model?.isWarning], ["$(plug) 0/1", "showServers", false]);
  });

  it("marks a failure by more than colour", () => {
    const model = statusBarModel([stopped, failed], 0, t);
    assert.equal(model?.text, "$(warning) 0/2");
    assert.equal(model.label, "0 of 2 MCP servers connected, 1 failed");
  });

  it("is a warning while somebody is waited for, and leads there", () => {
    const model = statusBarModel([], 2, t);
    assert.deepEqual(
      [model?.text, model?.click, model?.isWarning],
      ["$(bell-dot) 2 waiting for your input", "showPendingInput", true],
    );
  });
});
