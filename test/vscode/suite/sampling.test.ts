import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { JsonObject } from "../../../src/base/json.ts";
import type { SignalboxApi } from "../../../src/host/api.ts";
import type {
  SamplingTaskView,
  SamplingToHost,
  SamplingToPage,
} from "../../../src/shared/samplingMessages.ts";
import { askingStdio, type Question } from "../../support/askingServer.ts";
import type { ScriptedModel } from "../fixtures/scripted-model/extension.ts";
import type { Script } from "../fixtures/scripted-model/script.ts";
import { activated, answerDialogs, run } from "./hostSupport.ts";
import { PanelWatcher } from "./panelPerson.ts";

const SERVER = "sampling-server";
const NODE = "${nodePath}";

const text = (words: string): JsonObject => ({ type: "text", text: words });
const params: JsonObject = {
  systemPrompt: "Be short",
  messages: [{ role: "user", content: text("Say hello") }],
  maxTokens: 30,
  modelPreferences: { hints: [{ name: "scripted" }] },
};
const tools = [{ name: "look.up", description: "Looks", inputSchema: { type: "object" } }];

describe("host: sampling and roots", function () {
  this.timeout(60_000);
  let api: SignalboxApi;
  let model: ScriptedModel;
  let watcher: PanelWatcher<SamplingToPage, SamplingToHost>;
  let dialogs: readonly { restore(): void }[];

  before(async () => {
    api = await activated();
    const extension = vscode.extensions.getExtension<ScriptedModel>("signalbox-tests.scripted-model");
    assert.ok(extension !== undefined, "the scripted model is installed");
    model = await extension.activate();
  });

  beforeEach(() => {
    watcher = new PanelWatcher("signalbox.sampling");
    dialogs = [
      answerDialogs("showWarningMessage", () => "Allow Once"),
      answerDialogs("showInformationMessage", () => undefined),
    ];
  });

  afterEach(async () => {
    await run("removeServer", SERVER, { force: true });
    await watcher.until(() => watcher.panels.every(({ isClosed }) => isClosed), "all panels are closed");
    for (const dialog of dialogs) dialog.restore();
    watcher.dispose();
  });

  async function serve(question: Question, keys: JsonObject): Promise<void> {
    const { args } = askingStdio(question);
    const definition = { type: "stdio", command: NODE, args: args ?? [], ...keys };
    await run("addServer", { name: SERVER, definition });
    await run("connect", SERVER);
  }

  const call = (signal?: AbortSignal): Promise<JsonObject> =>
    api.callTool(SERVER, "t", {}, { caller: "suite", ...(signal !== undefined && { signal }) });

  async function answer(outcome: Promise<JsonObject>): Promise<JsonObject> {
    const { content } = await outcome;
    const [block] = content as readonly { readonly text: string }[];
    return (JSON.parse(block?.text ?? "{}") as { answer: JsonObject }).answer;
  }

  function shown(): SamplingTaskView | undefined {
    const last = watcher.last?.sent.findLast((message) => message.type === "view");
    return last?.type === "view" ? last.view.current : undefined;
  }

  /** What is shown, once it is of a stage. */
  async function stage(kind: SamplingTaskView["stage"]["kind"]): Promise<SamplingTaskView> {
    await watcher.until(() => shown()?.stage.kind === kind, `the stage ${kind} is shown`);
    const task = shown();
    assert.ok(task !== undefined);
    return task;
  }

  const say = (message: SamplingToHost): void => watcher.last?.say(message);
  const play = (script: Script): void => model.play(script);

  for (const revision of ["2026-07-28", "2025-11-25"] as const) {
    it(`lets a person read and change what goes to a model and what comes back: ${revision}`, async () => {
      play([[{ text: "Hello there" }]]);
      await serve({ revision, method: "sampling/createMessage", params }, { sampling: "ask" });
      const outcome = call();
      const task = await stage("prompt");
      assert.equal(task.serverId, SERVER);
      assert.match(task.why, /Another extension called “t”/);
      assert.equal(model.requests.length, 0, "nothing went to a model yet");
      const chosen = task.models.find(({ label }) => label.startsWith("Scripted Model"));
      assert.equal(task.model, chosen?.id, "the server's hint");
      say({ type: "send", taskId: task.taskId, model: task.model, texts: { "0.0": "Say goodbye" } });
      const reviewed = await stage("answer");
      assert.deepEqual(model.requests[0]?.messages, ["Be short", "Say goodbye"]);
      assert.ok(reviewed.stage.kind === "answer");
      assert.deepEqual(reviewed.stage.answer.parts, [{ kind: "text", key: "0.0", text: "Hello there" }]);
      say({ type: "sendBack", taskId: task.taskId, texts: { "0.0": "Goodbye" } });
      assert.deepEqual(await answer(outcome), {
        role: "assistant",
        content: text("Goodbye"),
        model: task.model,
        stopReason: "endTurn",
      });
    });
  }

  it("cuts an answer that is longer than the server allows", async () => {
    play([[{ text: "x".repeat(100) }]]);
    await serve({ revision: "2026-07-28", method: "sampling/createMessage", params }, { sampling: "ask" });
    const outcome = call();
    const { taskId, model: chosen } = await stage("prompt");
    say({ type: "send", taskId, model: chosen, texts: {} });
    await stage("answer");
    say({ type: "sendBack", taskId, texts: {} });
    const { content, stopReason } = await answer(outcome);
    assert.deepEqual([content, stopReason], [text("x".repeat(30)), "maxTokens"]);
  });

  it("offers the server's tools to the model and gives back what it wants to use", async () => {
    play([[{ call: { tool: "look_up", input: { city: "Oslo" } } }]]);
    const question = {
      revision: "2026-07-28",
      method: "sampling/createMessage",
      params: { ...params, tools },
    } as const;
    await serve(question, { sampling: "ask" });
    const outcome = call();
    const { taskId, model: chosen } = await stage("prompt");
    say({ type: "send", taskId, model: chosen, texts: {} });
    await stage("answer");
    say({ type: "sendBack", taskId, texts: {} });
    const { content, stopReason } = await answer(outcome);
    const { id: _, ...use } = content as JsonObject;
    assert.deepEqual(use, { type: "tool_use", name: "look.up", input: { city: "Oslo" } });
    assert.equal(stopReason, "toolUse");
  });

  it("refuses when the person closes the panel, and the call says so", async () => {
    await serve({ revision: "2026-07-28", method: "sampling/createMessage", params }, { sampling: "ask" });
    const outcome = call();
    await stage("prompt");
    watcher.last?.panel.dispose();
    await assert.rejects(outcome, /You did not let “sampling-server” use a language model/);
  });

  it("goes away when the call is cancelled, and stops the model", async () => {
    play([[{ text: "wait" }, { wait: true }]]);
    const cancel = new AbortController();
    await serve({ revision: "2026-07-28", method: "sampling/createMessage", params }, { sampling: "ask" });
    const outcome = assert.rejects(call(cancel.signal));
    const { taskId, model: chosen } = await stage("prompt");
    say({ type: "send", taskId, model: chosen, texts: {} });
    await watcher.until(
      () => watcher.last?.sent.some((message) => message.type === "progress") === true,
      "the model writes",
    );
    cancel.abort(new Error("enough"));
    await outcome;
    await watcher.until(() => watcher.last?.isClosed === true, "the panel is closed");
  });

  it("is off until the person allows it, which one command does", async () => {
    await serve({ revision: "2026-07-28", method: "sampling/createMessage", params }, {});
    await assert.rejects(call(), /not allowed/);
    assert.equal(watcher.panels.length, 0);
    await run("allowSampling", SERVER);
    await run("connect", SERVER);
    const outcome = assert.rejects(call(), /You did not let/);
    const { taskId } = await stage("prompt");
    say({ type: "refuse", taskId });
    await outcome;
    await run("forbidSampling", SERVER);
    await run("connect", SERVER);
    await assert.rejects(call(), /not allowed/);
  });

  it("tells a server of the folders that the person chose, and of none before", async () => {
    await serve({ revision: "2026-07-28", method: "roots/list" }, {});
    await assert.rejects(call(), /your folders/);
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder !== undefined);
    assert.deepEqual(await run("chooseFolders", SERVER, [folder.name]), [folder.name]);
    assert.deepEqual(await answer(call()), { roots: [{ uri: folder.uri.toString(), name: folder.name }] });
    assert.deepEqual(await run("chooseFolders", SERVER, []), []);
    await assert.rejects(call(), /your folders/);
  });
});
