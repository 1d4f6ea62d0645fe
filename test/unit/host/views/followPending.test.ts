import assert from "node:assert/strict";
import { Emitter } from "../../../../src/base/emitter.ts";
import type { HostServices } from "../../../../src/host/services.ts";
import { followPending } from "../../../../src/host/views/followPending.ts";

/** A panel whose count a test sets. */
function fakePanel() {
  const changed = new Emitter<void>();
  const panel = { pendingCount: 0, onDidChangePending: changed.event };
  const set = (count: number): void => {
    panel.pendingCount = count;
    changed.fire();
  };
  return { panel, set, dispose: () => changed.dispose() };
}

describe("what waits for a person", () => {
  it("is counted over input requests and model requests, until nobody follows", () => {
    const [input, model] = [fakePanel(), fakePanel()];
    const services = { inputHandler: input.panel, samplingPanel: model.panel } as unknown as HostServices;
    const told: number[] = [];
    const following = followPending(services, (count) => told.push(count));
    input.set(1);
    model.set(2);
    input.set(0);
    following.dispose();
    model.set(0);
    assert.deepEqual(told, [0, 1, 3, 2]);
    input.dispose();
    model.dispose();
  });
});
