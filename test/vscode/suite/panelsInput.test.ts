import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { JsonObject } from "../../../src/base/json.ts";
import type { SignalboxApi } from "../../../src/host/api.ts";
import type { InputRoundView, InputToHost, InputToPage } from "../../../src/shared/inputMessages.ts";
import { activated, answerDialogs, DEMO, run } from "./hostSupport.ts";
import { PanelWatcher } from "./panelPerson.ts";

const SERVER = "panels-demo";
let serial = 0;

describe("panels: input request", () => {
  let api: SignalboxApi;
  let watcher: PanelWatcher<InputToPage, InputToHost>;
  let dialogs: { restore(): void };
  const opened: string[] = [];
  let opens = true;
  const openExternal = vscode.env.openExternal;

  before(async function () {
    this.timeout(60_000);
    api = await activated();
    await run("addServer", { name: SERVER, definition: DEMO });
    await run("connect", SERVER);
    (vscode.env as { openExternal: unknown }).openExternal = (url: unknown) => {
      opened.push(String(url));
      return Promise.resolve(opens);
    };
  });

  after(async () => {
    (vscode.env as { openExternal: unknown }).openExternal = openExternal;
    await run("removeServer", SERVER, { force: true });
  });

  beforeEach(() => {
    watcher = new PanelWatcher("signalbox.input");
    dialogs = answerDialogs("showWarningMessage", () => "Allow Once");
  });

  afterEach(async () => {
    dialogs.restore();
    await watcher.until(() => watcher.panels.every(({ isClosed }) => isClosed), "all panels are closed");
    watcher.dispose();
  });

  function create(plan = "standard", signal?: AbortSignal): Promise<JsonObject> {
    serial += 1;
    const args = { name: `suite-${String(serial)}`, engine: "postgres", storageGb: 20, plan };
    return api.callTool(SERVER, "create_database", args, {
      caller: "suite",
      ...(signal === undefined ? {} : { signal }),
    });
  }

  /** The round that is shown, once it is not the one before. */
  async function nextRound(previous?: InputRoundView): Promise<InputRoundView> {
    await watcher.until(
      () => shown() !== undefined && shown()?.roundId !== previous?.roundId,
      "a round is shown",
    );
    const round = shown();
    assert.ok(round !== undefined);
    return round;
  }

  function shown(): InputRoundView | undefined {
    const last = watcher.last?.sent.findLast((message) => message.type === "view");
    return last?.type === "view" ? last.view.current : undefined;
  }

  function textOf(result: JsonObject): string {
    return JSON.stringify(result["content"]);
  }

  const region = (roundId: string): InputToHost => ({
    type: "answer",
    roundId,
    answers: [{ key: "region", action: "accept", content: { region: "eu-north" } }],
  });

  it("answers two rounds of a call as one conversation, in one panel", async () => {
    const call = create();
    const first = await nextRound();
    assert.equal(watcher.last?.isReady, true, "the real page loaded and is ready");
    assert.equal(first.serverId, SERVER);
    assert.equal(first.target, "create_database");
    assert.equal(first.round, 1);
    assert.match(first.why, /Another extension called the tool “create_database”/);
    watcher.last?.say(region(first.roundId));
    const second = await nextRound(first);
    assert.equal(second.round, 2);
    assert.deepEqual(second.history[0]?.values, [{ title: "Region", value: "Stockholm (eu-north)" }]);
    watcher.last?.say({
      type: "answer",
      roundId: second.roundId,
      answers: [{ key: "confirm", action: "accept", content: { confirm: true, monthlyLimit: 100 } }],
    });
    assert.match(textOf(await call), /Created: postgres database/);
    assert.equal(watcher.panels.length, 1);
  });

  it("refuses an answer that does not fit, and keeps the round", async () => {
    const call = create();
    const first = await nextRound();
    const wrong: InputToHost = {
      type: "answer",
      roundId: first.roundId,
      answers: [{ key: "region", action: "accept", content: { region: "moon" } }],
    };
    watcher.last?.say(wrong);
    await watcher.until(
      () => watcher.last?.sent.some((message) => message.type === "problems") === true,
      "the problems are shown",
    );
    watcher.last?.say({ type: "decline", roundId: first.roundId });
    assert.match(textOf(await call), /You declined\. Nothing was created/);
  });

  it("declines", async () => {
    const call = create();
    const { roundId } = await nextRound();
    watcher.last?.say({ type: "decline", roundId });
    assert.match(textOf(await call), /You declined\. Nothing was created/);
  });

  it("cancels", async () => {
    const call = create();
    const { roundId } = await nextRound();
    watcher.last?.say({ type: "cancel", roundId });
    assert.match(textOf(await call), /You cancelled\. Nothing was created/);
  });

  // Duty: 10.1.6
  it("takes a closed panel as cancel, never as decline", async () => {
    const call = create();
    await nextRound();
    watcher.last?.panel.dispose();
    assert.match(textOf(await call), /You cancelled\. Nothing was created/);
  });

  it("goes away at once when the call is cancelled", async () => {
    const controller = new AbortController();
    const call = create("standard", controller.signal);
    const failed = assert.rejects(call);
    await nextRound();
    controller.abort(new Error("enough"));
    await failed;
    await watcher.until(() => watcher.last?.isClosed === true, "the panel is closed");
  });

  it("goes away when the server is disconnected", async () => {
    const call = create();
    const failed = assert.rejects(call);
    await nextRound();
    await run("disconnect", SERVER);
    await failed;
    await watcher.until(() => watcher.last?.isClosed === true, "the panel is closed");
    await run("connect", SERVER);
  });

  it("shows several calls one after another, and goes on with the next when one is closed", async () => {
    const first = create();
    const one = await nextRound();
    const second = create();
    await watcher.until(() => {
      const last = watcher.last?.sent.at(-1);
      return last?.type === "view" && last.view.waiting === 2;
    }, "two wait");
    assert.equal(shown()?.roundId, one.roundId, "the order is kept");
    assert.equal(await run("showPendingInput"), 2);
    watcher.last?.panel.dispose();
    assert.match(textOf(await first), /You cancelled/);
    await watcher.until(() => watcher.panels.length === 2, "the panel is opened again");
    const two = await nextRound(one);
    watcher.last?.say({ type: "decline", roundId: two.roundId });
    assert.match(textOf(await second), /You declined/);
  });

  for (const [name, browser, expected] of [
    ["opens an address only after consent, exactly as it was shown", true, /Created: postgres database/],
    ["cancels when the browser does not open", false, /terms were not accepted\. Nothing was created/],
  ] as const) {
    it(name, async () => {
      opens = browser;
      opened.length = 0;
      const call = create("enterprise");
      const first = await nextRound();
      watcher.last?.say(region(first.roundId));
      const second = await nextRound(first);
      const terms = second.requests.find((request) => request.key === "terms");
      assert.ok(terms?.kind === "url");
      assert.equal(terms.url.host, "example.com");
      assert.deepEqual(opened, []);
      watcher.last?.say({
        type: "answer",
        roundId: second.roundId,
        answers: [
          { key: "confirm", action: "accept", content: { confirm: true, monthlyLimit: 10_000 } },
          { key: "terms", action: "open" },
        ],
      });
      assert.match(textOf(await call), expected);
      assert.deepEqual(opened, [`${terms.url.before}${terms.url.host}${terms.url.after}`]);
    });
  }
});
