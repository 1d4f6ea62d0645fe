import assert from "node:assert/strict";
import { DisposableStore } from "../../../../src/base/disposable.ts";
import { errorText } from "../../../../src/base/errors.ts";
import type { CallOptions } from "../../../../src/client/serverPool.ts";
import { ToolRunSession } from "../../../../src/host/panels/toolRunSession.ts";
import type { Task } from "../../../../src/protocol/model/task.ts";
import type { ToolResult } from "../../../../src/protocol/model/tool.ts";
import { TaskLeft } from "../../../../src/protocol/tasks/taskLeft.ts";
import { deferred } from "../../../../src/base/deferred.ts";
import { FakeClock } from "../../../support/fakeClock.ts";
import { connected, fakeEntry, FakePool, fakeTool, textResult } from "../fakePool.ts";
import { english } from "./english.ts";

let own: DisposableStore;

/** A panel whose only call, or wait, the test ends. */
function open() {
  const result = deferred<ToolResult>();
  const made: { what: string; options: CallOptions }[] = [];
  const pool = own.add(
    new FakePool([fakeEntry("db", connected([fakeTool("dig")]))], (_id, what, _args, options) => {
      made.push({ what, options });
      return new Promise((resolve, reject) => {
        result.promise.then(resolve, reject);
        options.signal?.addEventListener("abort", () => {
          reject(options.signal?.reason as Error);
        });
      });
    }),
  );
  const clock = new FakeClock();
  const session = own.add(
    new ToolRunSession(
      { serverId: "db", toolName: "dig", initialArguments: {} },
      {
        pool: pool.pool,
        inputHandler: { modes: { form: true, url: true }, handle: () => Promise.resolve(new Map()) },
        modelRequests: { waitsIn: () => false, onDidChangePending: () => ({ dispose: () => undefined }) },
        clock,
        t: english,
        describe: (problem) => ({ message: errorText(problem) }),
        cures: () => [],
      },
    ),
  );
  return { session, pool, clock, made, result };
}

function tell(options: CallOptions | undefined, statusMessage: string | undefined): void {
  const task: Task = {
    taskId: "t-1",
    status: "working",
    statusMessage,
    createdAt: undefined,
    updatedAt: undefined,
    ttlMs: null,
    pollIntervalMs: undefined,
    inputRequests: undefined,
    outcome: undefined,
  };
  options?.onTask?.({ taskId: "t-1", begunMs: 0, answered: [], task });
}

describe("the panel of a tool whose call is a task", () => {
  beforeEach(() => {
    own = new DisposableStore();
  });
  afterEach(() => {
    own.dispose();
  });

  it("shows that it is one, and what the server says of it, not drawn too often", async () => {
    const { session, clock, made, result } = open();
    let drawn = 0;
    own.add(session.onDidChange(() => (drawn += 1)));
    const done = session.start({}, false);
    drawn = 0;
    tell(made[0]?.options, "a third");
    tell(made[0]?.options, "half");
    assert.equal(drawn, 0);
    clock.advance(100);
    assert.equal(drawn, 1);
    const { run } = session.view();
    assert.deepEqual(run.kind === "running" && run.task, { message: "half" });
    result.resolve(textResult("dug"));
    await done;
    assert.equal(session.view().run.kind, "done");
  });

  it("leaves the task at work when it is closed", async () => {
    const { session, made } = open();
    const done = session.start({}, false);
    tell(made[0]?.options, undefined);
    session.dispose();
    await done;
    assert.ok(made[0]?.options.signal?.reason instanceof TaskLeft);
  });

  it("cancels a call that is no task when it is closed", async () => {
    const { session, made } = open();
    const done = session.start({}, false);
    session.dispose();
    await done;
    assert.ok(made[0]?.options.signal?.aborted);
    assert.ok(!(made[0].options.signal.reason instanceof TaskLeft));
  });

  it("waits for a task of an earlier run and shows its result", async () => {
    const { session, made, result } = open();
    const done = session.resume("t-1");
    assert.deepEqual(
      made.map(({ what }) => what),
      ["t-1"],
    );
    const { run } = session.view();
    assert.ok(run.kind === "running" && run.task !== undefined);
    result.resolve(textResult("dug"));
    await done;
    const after = session.view().run;
    assert.ok(after.kind === "done");
    assert.deepEqual(after.result.blocks, [{ type: "text", text: "dug" }]);
  });

  it("asks the server to cancel such a task when the person cancels, and not when it is closed", async () => {
    const one = open();
    const first = one.session.resume("t-1");
    one.session.cancel();
    await first;
    assert.deepEqual(one.pool.cancelled, [{ id: "db", taskId: "t-1" }]);
    assert.equal(one.session.view().run.kind, "cancelled");
    const two = open();
    const second = two.session.resume("t-1");
    two.session.dispose();
    await second;
    assert.deepEqual(two.pool.cancelled, []);
  });
});
