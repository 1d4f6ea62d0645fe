import assert from "node:assert/strict";
import { DisposableStore } from "../../../../src/base/disposable.ts";
import { silentLog } from "../../../../src/base/log.ts";
import { PageChannel, type MessagePort } from "../../../../src/host/panels/pageChannel.ts";
import { inputToHost } from "../../../../src/host/panels/pageMessages.ts";
import { FakeClock } from "../../../support/fakeClock.ts";
import type { InputToHost } from "../../../../src/shared/inputMessages.ts";

interface Out {
  readonly type: string;
  readonly n: number;
}

let own: DisposableStore;

function open() {
  const sent: unknown[] = [];
  const received: InputToHost[] = [];
  const loads = { count: 0 };
  const clock = new FakeClock();
  let listener: ((message: unknown) => void) | undefined;
  const webview = {
    postMessage: (message: unknown) => {
      sent.push(message);
      return Promise.resolve(true);
    },
    onDidReceiveMessage: (next: (message: unknown) => void) => {
      listener = next;
      return { dispose: () => (listener = undefined) };
    },
  } as unknown as MessagePort;
  const channel = own.add(
    new PageChannel<Out, InputToHost>({
      webview,
      incoming: inputToHost,
      log: silentLog,
      onMessage: (message) => received.push(message),
      load: () => (loads.count += 1),
      clock,
    }),
  );
  return {
    channel,
    sent,
    received,
    loads,
    clock,
    say: (message: unknown) => listener?.(message),
    listening: () => listener !== undefined,
  };
}

describe("PageChannel", () => {
  beforeEach(() => {
    own = new DisposableStore();
  });
  afterEach(() => own.dispose());

  it("keeps the last message of each type until the page is ready, in the order of posting", () => {
    const { channel, sent, say } = open();
    channel.post({ type: "view", n: 1 });
    channel.post({ type: "problems", n: 2 });
    channel.post({ type: "view", n: 3 });
    assert.deepEqual(sent, []);
    say({ type: "ready" });
    assert.deepEqual(sent, [
      { type: "problems", n: 2 },
      { type: "view", n: 3 },
    ]);
  });

  it("sends at once when the page is ready, and waits again when it is gone", () => {
    const { channel, sent, say } = open();
    say({ type: "ready" });
    channel.post({ type: "view", n: 1 });
    assert.equal(sent.length, 1);
    channel.visibilityChanged(false);
    channel.post({ type: "view", n: 2 });
    assert.equal(sent.length, 1);
    say({ type: "ready" });
    assert.deepEqual(sent[1], { type: "view", n: 2 });
  });

  it("loads a page again that does not come up, and gives up in the end", () => {
    const { channel, sent, say, loads, clock } = open();
    channel.load();
    channel.post({ type: "view", n: 1 });
    clock.advance(7_999);
    assert.equal(loads.count, 1);
    clock.advance(1);
    assert.equal(loads.count, 2);
    say({ type: "ready" });
    assert.deepEqual(sent, [{ type: "view", n: 1 }]);
    clock.advance(60_000);
    assert.equal(loads.count, 2);
    channel.visibilityChanged(false);
    channel.visibilityChanged(true);
    clock.advance(60_000);
    assert.equal(loads.count, 5);
    assert.equal(clock.pending, 0);
  });

  it("does not load a hidden page, nor one that is closed", () => {
    const { channel, loads, clock } = open();
    channel.load();
    channel.visibilityChanged(false);
    clock.advance(60_000);
    assert.equal(loads.count, 1);
    channel.visibilityChanged(true);
    channel.dispose();
    clock.advance(60_000);
    assert.equal(loads.count, 1);
  });

  const foreign: readonly [string, unknown][] = [
    ["nothing", undefined],
    ["a text", "ready"],
    ["an unknown type", { type: "evil" }],
    ["a surplus property", { type: "ready", more: 1 }],
    [
      "a wrong value",
      { type: "answer", roundId: "r", answers: [{ key: "k", action: "accept", content: { a: { b: 1 } } }] },
    ],
    ["an unknown action", { type: "answer", roundId: "r", answers: [{ key: "k", action: "obey" }] }],
  ];
  for (const [name, message] of foreign) {
    it(`ignores ${name}`, () => {
      const { received, say } = open();
      say(message);
      assert.deepEqual(received, []);
    });
  }

  it("passes on what the contract names", () => {
    const { received, say } = open();
    const message = {
      type: "answer",
      roundId: "r",
      answers: [
        { key: "a", action: "accept", content: { text: "x", number: 1, boolean: true, choices: ["y"] } },
        { key: "b", action: "open" },
        { key: "c", action: "decline" },
      ],
    };
    say(message);
    assert.deepEqual(received, [message]);
  });

  it("carries integers that the editor's JSON cannot, and leaves other messages as they are", () => {
    const { channel, sent, received, say } = open();
    say({ type: "ready" });
    const plain = { type: "a", n: 1 };
    channel.post(plain);
    channel.post({ type: "b", n: 9007199254740993n as unknown as number });
    assert.equal(sent[0], plain);
    assert.equal(sent[1], '{"type":"b","n":9007199254740993}');
    const answer = { key: "q", action: "accept" as const, content: { n: 9007199254740993n } };
    say(
      '{"type":"answer","roundId":"r","answers":[{"key":"q","action":"accept","content":{"n":9007199254740993}}]}',
    );
    say("{");
    assert.deepEqual(received.slice(1), [{ type: "answer", roundId: "r", answers: [answer] }]);
  });

  it("stops listening and sending when disposed", () => {
    const { channel, sent, listening } = open();
    channel.dispose();
    channel.post({ type: "view", n: 1 });
    assert.deepEqual(sent, []);
    assert.equal(listening(), false);
  });
});
