import assert from "node:assert/strict";
import { DisposableStore } from "../../../../src/base/disposable.ts";
import { Emitter } from "../../../../src/base/emitter.ts";
import { errorText } from "../../../../src/base/errors.ts";
import { ClientError } from "../../../../src/client/clientError.ts";
import type { CallOptions } from "../../../../src/client/serverPool.ts";
import { ToolRunSession } from "../../../../src/host/panels/toolRunSession.ts";
import type { Tool, ToolResult } from "../../../../src/protocol/model/tool.ts";
import type { InputHandler, InputResponse } from "../../../../src/protocol/mrtr/inputRequired.ts";
import type { ToolRunStatus } from "../../../../src/shared/toolRunMessages.ts";
import { FakeClock } from "../../../support/fakeClock.ts";
import { connected, fakeEntry, FakePool, fakeTool, textResult } from "../fakePool.ts";
import { english } from "./english.ts";

const TOOL = fakeTool("create", {
  displayName: "Create",
  inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  annotations: { destructiveHint: true },
});

let own: DisposableStore;

/** A call that a test ends, with what the pool was given. */
class OpenCall {
  options: CallOptions | undefined;
  #resolve: ((result: ToolResult) => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;

  readonly run = (_id: string, _tool: string, _args: unknown, options: CallOptions): Promise<ToolResult> => {
    this.options = options;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      options.signal?.addEventListener("abort", () => reject(options.signal?.reason as Error));
    });
  };

  finish(text: string): void {
    this.#resolve?.(textResult(text));
  }

  fail(error: unknown): void {
    this.#reject?.(error);
  }
}

const silentHandler: InputHandler = {
  modes: { form: true, url: true },
  handle: () => Promise.resolve(new Map()),
};

function open(inputHandler: InputHandler = silentHandler, tool: Tool = TOOL) {
  const call = new OpenCall();
  const pool = own.add(new FakePool([fakeEntry("db", connected([tool]))], call.run));
  const clock = new FakeClock();
  const waitingIn = new Set<string>();
  const pending = own.add(new Emitter<void>());
  const modelRequests = {
    waitsIn: (callId: string) => waitingIn.has(callId),
    onDidChangePending: pending.event,
  };
  const session = own.add(
    new ToolRunSession(
      { serverId: "db", toolName: "create", initialArguments: { name: "start" } },
      {
        pool: pool.pool,
        inputHandler,
        modelRequests,
        clock,
        t: english,
        describe: (problem) => ({ message: errorText(problem) }),
        cures: (problem) =>
          problem instanceof ClientError ? [{ command: `cure.${problem.code}`, label: "Cure" }] : [],
      },
    ),
  );
  const seen: ToolRunStatus["kind"][] = [];
  let redraws = 0;
  own.add(
    session.onDidChange(() => {
      redraws += 1;
      const { kind } = session.view().run;
      if (seen.at(-1) !== kind) seen.push(kind);
    }),
  );
  const setModelWaiting = (callId: string, isWaiting: boolean): void => {
    if (isWaiting) waitingIn.add(callId);
    else waitingIn.delete(callId);
    pending.fire();
  };
  return { call, pool, clock, session, seen, redraws: () => redraws, setModelWaiting };
}

describe("ToolRunSession", () => {
  beforeEach(() => {
    own = new DisposableStore();
  });
  afterEach(() => own.dispose());

  // Duty: 7.2.6
  it("shows the tool, its server and the server's claims", () => {
    const view = open().session.view();
    assert.equal(view.protocol, "Modern 2026-07-28");
    assert.equal(view.tool.displayName, "Create");
    assert.deepEqual(view.tool.claims, ["says it may destroy data"]);
    assert.deepEqual(view.initialArguments, { name: "start" });
    assert.equal(view.canRun, true);
  });

  it("says why arguments are not checked when the schema cannot be used", () => {
    assert.equal(open().session.view().tool.uncheckedReason, undefined);
    const inputSchema = { type: "object", properties: { a: { $ref: "https://schemas.invalid/a.json" } } };
    const { session } = open(silentHandler, { ...TOOL, inputSchema });
    assert.equal(
      session.view().tool.uncheckedReason,
      'The schema refers to "https://schemas.invalid/a.json", which it does not contain. Nothing was fetched.',
    );
  });

  it("runs with origin panel and shows the result", async () => {
    const { call, pool, session, seen } = open();
    const done = session.start({ name: "x" }, false);
    assert.equal(call.options?.origin, "panel");
    call.finish("made");
    assert.deepEqual(await done, []);
    assert.deepEqual(pool.made, [{ id: "db", tool: "create", args: { name: "x" } }]);
    assert.deepEqual(seen, ["running", "done"]);
    const { run } = session.view();
    assert.ok(run.kind === "done");
    assert.deepEqual(run.result.blocks, [{ type: "text", text: "made" }]);
  });

  it("answers arguments that do not fit with the problems and sends nothing", async () => {
    const { pool, session } = open();
    const problems = await session.start({}, true);
    assert.deepEqual(problems, [{ path: "/name", message: "is required" }]);
    assert.deepEqual(pool.made, []);
    assert.equal(session.view().run.kind, "idle");
  });

  it("sends them anyway when it is told not to check", async () => {
    const { call, pool, session } = open();
    const done = session.start({}, false);
    call.finish("");
    await done;
    assert.equal(pool.made.length, 1);
  });

  it("does not run twice at once", async () => {
    const { call, pool, session } = open();
    const done = session.start({ name: "a" }, false);
    await session.start({ name: "b" }, false);
    call.finish("");
    await done;
    assert.equal(pool.made.length, 1);
    assert.deepEqual(session.lastArguments, { name: "a" });
  });

  it("cancels", async () => {
    const { session, seen } = open();
    const done = session.start({ name: "a" }, false);
    session.cancel();
    await done;
    assert.deepEqual(seen, ["running", "cancelled"]);
  });

  it("shows why a call failed", async () => {
    const { call, session } = open();
    const done = session.start({ name: "a" }, false);
    call.fail(new ClientError("not-connected", { server: "db" }));
    await done;
    const { run } = session.view();
    assert.ok(run.kind === "failed");
    assert.equal(run.problem.message, "“db” is not connected.");
  });

  // Duty: 14.1.2
  it("redraws for progress no more than ten times a second, and shows the last of it", async () => {
    const { call, clock, session, redraws } = open();
    const done = session.start({ name: "a" }, false);
    const before = redraws();
    for (let progress = 1; progress <= 50; progress += 1) call.options?.onProgress?.({ progress, total: 50 });
    assert.equal(redraws(), before);
    clock.advance(100);
    assert.equal(redraws(), before + 1);
    const { run } = session.view();
    assert.ok(run.kind === "running");
    assert.deepEqual(run.progress, { progress: 50, total: 50 });
    call.finish("");
    await done;
    assert.equal(clock.pending, 0);
  });

  it("says while a person is being asked", async () => {
    let answer: (value: ReadonlyMap<string, InputResponse>) => void = () => undefined;
    const { call, session } = open({
      modes: { form: true, url: false },
      handle: () => new Promise((resolve) => (answer = resolve)),
    });
    const done = session.start({ name: "a" }, false);
    const { input, signal } = call.options ?? {};
    assert.deepEqual(input?.modes, { form: true, url: false });
    const round = {
      callId: "c",
      serverId: "db",
      method: "tools/call",
      target: "create",
      round: 1,
      maxRounds: 10,
      requests: [],
    };
    const asked = input.handle(round, signal ?? new AbortController().signal);
    const waiting = session.view().run;
    assert.ok(waiting.kind === "running" && waiting.waitingFor === "input");
    answer(new Map());
    await asked;
    const after = session.view().run;
    assert.ok(after.kind === "running" && after.waitingFor === undefined);
    call.finish("");
    await done;
  });

  it("says that its own call waits for a person in a model request, and not another one", async () => {
    const { call, pool, session, redraws, setModelWaiting } = open();
    const waitingFor = (): string | undefined => {
      const { run } = session.view();
      return run.kind === "running" ? run.waitingFor : run.kind;
    };
    const done = session.start({ name: "a" }, false);
    const own = { serverId: "db", method: "tools/call", target: "create", sinceMs: 0 } as const;
    pool.active = [
      { ...own, callId: "panel", origin: "panel" },
      { ...own, callId: "chat", origin: "chat" },
    ];
    setModelWaiting("chat", true);
    assert.equal(waitingFor(), undefined);
    const before = redraws();
    setModelWaiting("panel", true);
    assert.equal(redraws(), before + 1);
    assert.equal(waitingFor(), "model");
    setModelWaiting("panel", false);
    assert.equal(waitingFor(), undefined);
    call.finish("");
    await done;
    assert.equal(waitingFor(), "done");
  });

  it("shows what the server wants and may not use", () => {
    const { pool, session } = open();
    assert.deepEqual(session.view().wanted, []);
    pool.change([fakeEntry("db", { ...connected([TOOL]), wanted: ["roots"] })]);
    assert.deepEqual(session.view().wanted, ["roots"]);
    pool.change([fakeEntry("db", { kind: "stopped" })]);
    assert.deepEqual(session.view().wanted, []);
  });

  it("cancels the call when it is disposed", async () => {
    const { call, session } = open();
    const done = session.start({ name: "a" }, false);
    session.dispose();
    assert.equal(call.options?.signal?.aborted, true);
    await done;
  });

  it("says why the tool cannot be run, and keeps what it knew of it", () => {
    const { pool, session } = open();
    session.view();
    const rows = [
      [fakeEntry("db", { kind: "stopped" }), /not connected/],
      [fakeEntry("db", { kind: "disabled" }), /disabled/],
      [fakeEntry("db", { kind: "connecting", step: "starting", sinceMs: 0 }), /connecting/],
      [
        fakeEntry("db", { kind: "failed", problem: new ClientError("untrusted", { server: "db" }) }),
        /not trusted/,
      ],
      [fakeEntry("db", connected([])), /does not list/],
    ] as const;
    for (const [entry, notice] of rows) {
      pool.change([entry], "db");
      const view = session.view();
      assert.equal(view.canRun, false);
      assert.match(view.notice ?? "", notice);
      assert.deepEqual(view.tool.inputSchema, TOOL.inputSchema);
    }
    pool.change([]);
    assert.match(session.view().notice ?? "", /no longer in the settings/);
  });

  it("starts no command but those that it offers at that moment", async () => {
    const { pool, session, call } = open();
    assert.equal(session.offersCure("cure.untrusted"), false);
    const done = session.start({ name: "a" }, false);
    call.fail(new ClientError("call-declined", { server: "db", tool: "create" }));
    await done;
    assert.equal(session.offersCure("cure.call-declined"), true);
    assert.equal(session.offersCure("workbench.action.terminal.new"), false);
    const problem = new ClientError("untrusted", { server: "db" });
    pool.change([fakeEntry("db", { kind: "blocked", problem })], "db");
    assert.deepEqual(session.view().noticeCures, [{ command: "cure.untrusted", label: "Cure" }]);
    assert.equal(session.offersCure("cure.untrusted"), true);
    pool.change([fakeEntry("db", { kind: "stopped" })], "db");
    assert.equal(session.offersCure("cure.untrusted"), false);
  });

  it("redraws only for its own server", () => {
    const { pool, redraws } = open();
    pool.change(pool.entries, "other");
    assert.equal(redraws(), 0);
    pool.change(pool.entries, "db");
    pool.change(pool.entries);
    assert.equal(redraws(), 2);
  });
});
