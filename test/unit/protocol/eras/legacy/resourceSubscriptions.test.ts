import assert from "node:assert/strict";
import { deferred } from "../../../../../src/base/deferred.ts";
import { ResourceSubscriptions } from "../../../../../src/protocol/eras/legacy/resourceSubscriptions.ts";
import { CollectingLog } from "../../../../support/collectingListener.ts";
import { settle } from "../../../../support/fakeTransport.ts";
import { never } from "../../../../support/transportHelpers.ts";

describe("the subscriptions of a legacy session", () => {
  // Duty: 14.3.1
  it("let whoever gives up go although an earlier one is not answered, and do not ask for theirs", async () => {
    const answer = deferred();
    const sent: string[] = [];
    const subscriptions = new ResourceSubscriptions({
      send: async (method, uri) => {
        sent.push(`${method} ${uri}`);
        await answer.promise;
      },
      onDidChange: () => undefined,
      log: new CollectingLog(),
    });
    const first = subscriptions.watch("x:1", never);
    const stop = new AbortController();
    const outcomes: unknown[] = [];
    subscriptions.watch("x:2", stop.signal).catch((error: unknown) => outcomes.push(error));
    await settle();
    stop.abort(new Error("enough"));
    await settle();
    assert.deepEqual(outcomes.map(String), ["Error: enough"]);
    subscriptions.unwatch("x:2");
    answer.resolve(undefined);
    await first;
    await settle();
    assert.deepEqual(sent, ["resources/subscribe x:1"]);
    assert.deepEqual(subscriptions.honoured, ["x:1"]);
  });
});
