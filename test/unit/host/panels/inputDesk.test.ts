import assert from "node:assert/strict";
import { DisposableStore } from "../../../../src/base/disposable.ts";
import { silentLog } from "../../../../src/base/log.ts";
import { InputDesk } from "../../../../src/host/panels/inputDesk.ts";
import type {
  FormField,
  ElicitationRequest,
  InputResponse,
  InputRound,
} from "../../../../src/protocol/mrtr/inputRequired.ts";
import type { InputAnswer, InputProblem } from "../../../../src/shared/inputMessages.ts";
import { english } from "./english.ts";

const REGION: FormField = {
  name: "region",
  title: "Region",
  required: true,
  kind: "choice",
  options: [
    { value: "eu-1", title: "Europe" },
    { value: "us-1", title: "America" },
  ],
};
const COUNT: FormField = {
  name: "count",
  title: "Count",
  required: false,
  kind: "number",
  integer: true,
  maximum: 9,
};
const PASSWORD: FormField = { name: "password", title: "Password", required: false, kind: "text" };

function form(key = "q", fields: readonly FormField[] = [REGION]): ElicitationRequest {
  return { kind: "form", key, message: `Message of ${key}`, form: { fields, schema: { type: "object" } } };
}

function link(key: string, url: string): ElicitationRequest {
  return { kind: "url", key, message: "Pay here", url };
}

function round(callId: string, requests: readonly ElicitationRequest[] = [form()], number = 1): InputRound {
  return {
    callId,
    serverId: "db",
    method: "tools/call",
    target: "create",
    round: number,
    maxRounds: 10,
    requests,
  };
}

let own: DisposableStore;

function open(opens: boolean | Error = true) {
  const opened: string[] = [];
  const problems: InputProblem[] = [];
  const desk = own.add(
    new InputDesk({
      t: english,
      log: silentLog,
      openExternal: (url) => {
        opened.push(url);
        return opens instanceof Error ? Promise.reject(opens) : Promise.resolve(opens);
      },
      originOf: () => "panel",
    }),
  );
  own.add(desk.onProblems((refused) => problems.push(...refused.problems)));
  const ask = (next: InputRound, signal = new AbortController().signal) => desk.handle(next, signal);
  const shown = () => desk.view().current?.roundId ?? "";
  const answer = (...answers: InputAnswer[]) => desk.receive({ type: "answer", roundId: shown(), answers });
  return { desk, opened, problems, ask, shown, answer };
}

const plain = (responses: ReadonlyMap<string, InputResponse>) => Object.fromEntries(responses);

describe("InputDesk", () => {
  beforeEach(() => {
    own = new DisposableStore();
  });
  afterEach(() => own.dispose());

  it("accepts with content of the right types", async () => {
    const { desk, ask, answer } = open();
    const asked = ask(round("1", [form("q", [REGION, COUNT])]));
    assert.equal(desk.pendingCount, 1);
    await answer({ key: "q", action: "accept", content: { region: "eu-1", count: "3", stranger: "x" } });
    assert.deepEqual(plain(await asked), { q: { action: "accept", content: { region: "eu-1", count: 3 } } });
    assert.equal(desk.pendingCount, 0);
  });

  it("accepts a form without fields with empty content", async () => {
    const { ask, answer } = open();
    const asked = ask(round("1", [form("q", [])]));
    await answer({ key: "q", action: "accept", content: {} });
    assert.deepEqual(plain(await asked), { q: { action: "accept", content: {} } });
  });

  // Duty: 10.2.5
  it("refuses an answer that does not fit, whatever the page let through, and keeps waiting", async () => {
    const { desk, ask, answer, problems } = open();
    void ask(round("1", [form("q", [REGION, COUNT])]));
    await answer({ key: "q", action: "accept", content: { region: "moon", count: 10 } });
    assert.deepEqual(
      problems.map(({ key, field }) => [key, field]),
      [
        ["q", "region"],
        ["q", "count"],
      ],
    );
    assert.equal(desk.pendingCount, 1);
  });

  // Duty: 9.3
  it("refuses an answer that leaves a request out or answers it as another kind", async () => {
    const { desk, ask, answer, problems } = open();
    void ask(round("1", [form("a"), link("b", "https://example.com/")]));
    await answer({ key: "a", action: "accept", content: { region: "eu-1" } });
    await answer({ key: "a", action: "open" }, { key: "b", action: "accept", content: {} });
    assert.deepEqual(
      problems.map((problem) => problem.key),
      ["b", "a", "b"],
    );
    assert.equal(desk.pendingCount, 1);
  });

  // Duty: 10.1.4, 10.1.6
  it("tells declining from cancelling, for every request of the round", async () => {
    for (const type of ["decline", "cancel"] as const) {
      const { desk, ask, shown } = open();
      const asked = ask(round("1", [form("a"), form("b")]));
      await desk.receive({ type, roundId: shown() });
      assert.deepEqual(plain(await asked), { a: { action: type }, b: { action: type } });
    }
  });

  it("lets one request be declined and another accepted", async () => {
    const { ask, answer } = open();
    const asked = ask(round("1", [form("a"), form("b")]));
    await answer(
      { key: "a", action: "decline" },
      { key: "b", action: "accept", content: { region: "us-1" } },
    );
    assert.deepEqual(plain(await asked), {
      a: { action: "decline" },
      b: { action: "accept", content: { region: "us-1" } },
    });
  });

  it("cancels only the shown round when the panel is closed", async () => {
    const { desk, ask } = open();
    const first = ask(round("1"));
    void ask(round("2"));
    desk.dismissCurrent();
    assert.deepEqual(plain(await first), { q: { action: "cancel" } });
    assert.equal(desk.pendingCount, 1);
    assert.equal(desk.view().waiting, 1);
  });

  it("takes an aborted round away at once and rejects with the reason", async () => {
    const { desk, ask, shown } = open();
    const controller = new AbortController();
    const first = ask(round("1"), controller.signal);
    void ask(round("2"));
    const before = shown();
    controller.abort(new Error("gone"));
    await assert.rejects(first, /gone/);
    assert.equal(desk.pendingCount, 1);
    assert.notEqual(shown(), before);
  });

  it("asks nobody for a call that is over already", async () => {
    const { desk, ask } = open();
    await assert.rejects(ask(round("1"), AbortSignal.abort(new Error("over"))), /over/);
    assert.equal(desk.pendingCount, 0);
  });

  it("ignores an answer that comes for another round than the shown one", async () => {
    const { desk, ask, shown } = open();
    const first = ask(round("1"));
    const old = shown();
    await desk.receive({ type: "decline", roundId: old });
    await first;
    const second = ask(round("1", [form()], 2));
    await desk.receive({ type: "decline", roundId: old });
    assert.equal(desk.pendingCount, 1);
    await desk.receive({ type: "cancel", roundId: shown() });
    assert.deepEqual(plain(await second), { q: { action: "cancel" } });
  });

  // Duty: 10.1.5
  it("tells the server “cancel” when too many wait, and shows nothing more", async () => {
    const { desk, ask } = open();
    for (let index = 0; index < 32; index += 1) void ask(round(String(index)));
    assert.deepEqual(plain(await ask(round("more"))), { q: { action: "cancel" } });
    assert.equal(desk.pendingCount, 32);
  });

  // Duty: 10.3.2, 10.3.3, 10.3.5
  it("opens an address after consent, exactly as shown, and accepts without content", async () => {
    const { desk, ask, answer, opened } = open();
    const asked = ask(round("1", [link("u", "https://example.com/pay?sig=a%2Bb==&x=1")]));
    const request = desk.view().current?.requests[0];
    assert.ok(request?.kind === "url");
    assert.deepEqual(opened, []);
    await answer({ key: "u", action: "open" });
    assert.deepEqual(plain(await asked), { u: { action: "accept" } });
    assert.deepEqual(opened, [`${request.url.before}${request.url.host}${request.url.after}`]);
    assert.deepEqual(opened, ["https://example.com/pay?sig=a%2Bb==&x=1"]);
  });

  for (const [name, opens] of [
    ["does not open", false],
    ["fails", new Error("no browser")],
  ] as const) {
    // Duty: 10.1.6
    it(`cancels when the browser ${name}`, async () => {
      const { ask, answer } = open(opens);
      const asked = ask(round("1", [link("u", "https://example.com/")]));
      await answer({ key: "u", action: "open" });
      assert.deepEqual(plain(await asked), { u: { action: "cancel" } });
    });
  }

  // Duty: 10.3.9
  it("never opens an address that may not be opened, even when the page asks for it", async () => {
    const { desk, ask, answer, opened, problems } = open();
    void ask(round("1", [link("u", "http://example.com/")]));
    await answer({ key: "u", action: "open" });
    assert.deepEqual(opened, []);
    assert.equal(problems.length, 1);
    assert.equal(desk.pendingCount, 1);
  });

  it("opens only once when the answer comes twice", async () => {
    const { ask, opened, shown, desk } = open();
    const asked = ask(round("1", [link("u", "https://example.com/")]));
    const message = { type: "answer", roundId: shown(), answers: [{ key: "u", action: "open" }] } as const;
    await Promise.all([desk.receive(message), desk.receive(message)]);
    await asked;
    assert.equal(opened.length, 1);
  });

  it("shows the rounds of one call as a conversation, and forgets it when the call ends", async () => {
    const { desk, ask, answer } = open();
    const first = ask(round("call", [form("q", [REGION, PASSWORD])]));
    await answer({ key: "q", action: "accept", content: { region: "eu-1", password: "hunter2" } });
    await first;
    assert.equal(desk.expectsMore, true);
    void ask(round("call", [form()], 2));
    assert.deepEqual(desk.view().current?.history, [
      {
        round: 1,
        message: "Message of q",
        action: "accept",
        values: [
          { title: "Region", value: "Europe" },
          { title: "Password", value: "•••" },
        ],
      },
    ]);
    void ask(round("other"));
    desk.callsChanged(new Set(["call"]));
    assert.equal(desk.view().current?.history.length, 1);
    desk.dismissCurrent();
    desk.callsChanged(new Set());
    void ask(round("call", [form()], 3));
    desk.dismissCurrent();
    assert.deepEqual(desk.view().current?.history, []);
  });

  it("expects nothing more after a refusal or the end of the call", async () => {
    const { desk, ask, answer, shown } = open();
    const first = ask(round("1"));
    await answer({ key: "q", action: "accept", content: { region: "eu-1" } });
    await first;
    assert.equal(desk.expectsMore, true);
    desk.callsChanged(new Set());
    assert.equal(desk.expectsMore, false);
    const second = ask(round("2"));
    await desk.receive({ type: "decline", roundId: shown() });
    await second;
    assert.equal(desk.expectsMore, false);
  });

  // Duty: 10.2.7
  it("warns of fields that look like secrets and says why somebody is asked", () => {
    const { desk, ask } = open();
    void ask(round("1", [form("q", [PASSWORD])]));
    const view = desk.view().current;
    assert.equal(view?.why, "You ran the tool “create” of “db”, and it needs more information to go on.");
    assert.match(view.requests[0]?.warnings.join() ?? "", /“Password” looks like/);
  });

  // Duty: 8.1.6, 8.2.3
  it("says that a resource or a prompt needs more, and does not call it a tool", () => {
    const { desk, ask } = open();
    void ask({ ...round("1"), method: "resources/read", target: "a:1" });
    const read = desk.view().current;
    assert.equal(read?.targetKind, "resource");
    assert.equal(read.why, "Reading the resource “a:1” of “db” needs more information to go on.");
    const other = open();
    void other.ask({ ...round("2"), method: "prompts/get", target: "plan" });
    const got = other.desk.view().current;
    assert.equal(got?.targetKind, "prompt");
    assert.equal(got.why, "Getting the prompt “plan” of “db” needs more information to go on.");
  });

  // Duty: 10.3.5, 10.3.6
  it("offers to go on by hand while something is done in the browser, and takes the offer back", async () => {
    const { desk, answer, shown } = open();
    const round1 = round("1", [link("pay", "https://pay.example")]);
    const finished = new AbortController();
    const waiting = desk.waitElsewhere(round1, finished.signal);
    const view = desk.view().current;
    assert.equal(view?.isElsewhere, true);
    assert.match(view.why, /^You opened in the browser what “db” asked for/);
    const [question] = view.requests;
    await answer({ key: question?.key ?? "", action: "accept", content: {} });
    assert.equal(await waiting, true);
    assert.deepEqual(desk.view(), { waiting: 0, current: undefined });

    const givenUp = desk.waitElsewhere(round1, finished.signal);
    await desk.receive({ type: "cancel", roundId: shown() });
    assert.equal(await givenUp, false);

    const overtaken = desk.waitElsewhere(round1, finished.signal);
    finished.abort(new Error("done"));
    await assert.rejects(overtaken, /done/);
    assert.equal(desk.pendingCount, 0);
    void desk.handle(round1, new AbortController().signal);
    assert.deepEqual(desk.view().current?.history, [], "going on is no answer to the server");
  });

  it("cancels everything when it is disposed", async () => {
    const { desk, ask } = open();
    const asked = [ask(round("1")), ask(round("2"))];
    desk.dispose();
    for (const one of await Promise.all(asked)) assert.deepEqual(plain(one), { q: { action: "cancel" } });
    assert.deepEqual(plain(await ask(round("3"))), { q: { action: "cancel" } });
  });
});
