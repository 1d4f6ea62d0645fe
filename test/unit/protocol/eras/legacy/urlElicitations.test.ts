import assert from "node:assert/strict";
import { CallScope } from "../../../../../src/base/callScope.ts";
import { EngineError } from "../../../../../src/protocol/engineError.ts";
import { UrlElicitations } from "../../../../../src/protocol/eras/legacy/urlElicitations.ts";
import { NO_FEATURES } from "../../../../../src/protocol/mrtr/clientFeatures.ts";
import { FeatureUse } from "../../../../../src/protocol/mrtr/featureUse.ts";
import { InputAsker } from "../../../../../src/protocol/mrtr/inputAsker.ts";
import { RpcError } from "../../../../../src/protocol/rpcError.ts";
import { CollectingLog } from "../../../../support/collectingListener.ts";
import { FakeClock } from "../../../../support/fakeClock.ts";
import { settle } from "../../../../support/fakeTransport.ts";

const REQUEST = {
  kind: "url",
  key: "0",
  message: "Pay",
  url: "https://pay.example",
  elicitationId: "e-1",
} as const;

/** Somebody who accepts everything and cannot be asked whether to go on. */
function accepting(clock: FakeClock, scope: CallScope): InputAsker {
  const log = new CollectingLog();
  return new InputAsker({
    handler: {
      modes: { form: true, url: true },
      handle: ({ requests }) =>
        Promise.resolve(new Map(requests.map(({ key }) => [key, { action: "accept" }]))),
    },
    use: new FeatureUse({ features: NO_FEATURES, serverName: "s", clock, log }),
    scope,
    callId: "c",
    serverName: "s",
    method: "tools/call",
    target: "t",
    maxRounds: 10,
  });
}

describe("what a server wants to be done in the browser", () => {
  let clock: FakeClock;
  let scope: CallScope;
  let urls: UrlElicitations;

  beforeEach(() => {
    clock = new FakeClock();
    scope = new CallScope({ clock, idleMs: 1_000, timeoutError: () => new Error("timeout") });
    urls = new UrlElicitations({ serverName: "s", inputBytes: 1_000, clock, log: new CollectingLog() });
  });

  afterEach(() => {
    scope.dispose();
  });

  // Duty: 10.3.6
  it("is waited for no longer than five minutes where nobody can be asked to go on", async () => {
    let settled = false;
    const waiting = urls.settle([REQUEST], accepting(clock, scope)).then(() => {
      settled = true;
    });
    await settle();
    clock.advance(299_000);
    await settle();
    assert.equal(settled, false);
    clock.advance(1_000);
    await waiting;
    assert.equal(scope.signal.aborted, false, "the call's own limit did not run meanwhile");
  });

  it("ends with its call", async () => {
    const waiting = urls.settle([REQUEST], accepting(clock, scope));
    await settle();
    scope.abort(new Error("cancelled"));
    await assert.rejects(waiting, /cancelled/);
    assert.equal(clock.pending, 0);
  });

  it("is not waited for when it was done before the person answered", async () => {
    assert.equal(urls.complete("e-1"), false, "nobody was asked for it yet");
    await urls.settle([REQUEST], accepting(clock, scope));
    urls.begin("e-2");
    assert.deepEqual([urls.complete("e-2"), urls.complete("e-2")], [true, false]);
  });

  it("is not remembered under an id that nobody could mean, however often one comes", async () => {
    const id = "x".repeat(100_000);
    assert.equal(urls.complete(id), false);
    urls.begin(id);
    assert.equal(urls.complete(id), false, "it was not kept");
    let settled = false;
    const waiting = urls.settle([{ ...REQUEST, elicitationId: id }], accepting(clock, scope)).then(() => {
      settled = true;
    });
    await settle();
    assert.equal(settled, false, "nobody can say that it is done");
    clock.advance(300_000);
    await waiting;
  });

  it("is not read when it is larger than a person can be asked", () => {
    const error = new RpcError("tools/call", {
      code: -32042,
      message: "",
      data: { elicitations: [{ mode: "url", url: "x".repeat(2_000) }] },
    });
    assert.throws(
      () => urls.read(error, accepting(clock, scope)),
      (thrown) => thrown instanceof EngineError && thrown.code === "input-too-large",
    );
  });
});
