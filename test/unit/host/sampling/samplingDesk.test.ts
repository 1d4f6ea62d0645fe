import assert from "node:assert/strict";
import { deferred } from "../../../../src/base/deferred.ts";
import type { SamplingDeskPorts } from "../../../../src/host/sampling/samplingDesk.ts";
import { type DeskModel, MAX_WAITING, SamplingDesk } from "../../../../src/host/sampling/samplingDesk.ts";
import type { SampledMessage, SamplingRequest } from "../../../../src/protocol/model/sampling.ts";
import type { SamplingAsk } from "../../../../src/protocol/mrtr/clientFeatures.ts";
import { SYSTEM_KEY } from "../../../../src/shared/samplingMessages.ts";
import { CollectingLog } from "../../../support/collectingListener.ts";
import { english } from "../panels/english.ts";

const request: SamplingRequest = {
  systemPrompt: "Be short",
  messages: [
    { role: "user", content: [{ type: "text", text: "Weather?" }] },
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "1", name: "look", input: { city: "Oslo" }, meta: { k: 1 } }],
    },
    { role: "user", content: [{ type: "tool_result", toolUseId: "1", content: [], isError: false }] },
  ],
  maxTokens: 100,
  stopSequences: [],
  modelHints: ["big", "small"],
  priorities: { cost: 0.5 },
  includeContext: "allServers",
  tools: [],
  toolChoice: "auto",
};

const ask: SamplingAsk = {
  callId: "c",
  serverId: "s",
  method: "tools/call",
  target: "t",
  round: 1,
  maxRounds: 10,
  request,
};

const sampled: SampledMessage = {
  content: [{ type: "text", text: "Rain" }],
  model: "small-1",
  stopReason: "endTurn",
};

type Run = DeskModel["run"];

const model = (id: string, run: Run = () => Promise.resolve(sampled)): DeskModel => ({
  id,
  name: id.toUpperCase(),
  vendor: "v",
  family: "f",
  run,
});

describe("the desk for model requests", () => {
  let desk: SamplingDesk;
  let remembered: Map<string, string>;
  let ran: SamplingRequest[];
  const never = new AbortController().signal;

  function open(run: Run, over: Partial<SamplingDeskPorts> = {}): void {
    remembered = new Map();
    ran = [];
    const watched: Run = (sent, how, signal) => {
      ran.push(sent);
      return run(sent, how, signal);
    };
    desk = new SamplingDesk({
      t: english,
      log: new CollectingLog(),
      models: () => Promise.resolve([model("other-1", watched), model("small-1", watched)]),
      rememberedModel: (serverId) => remembered.get(serverId),
      rememberModel: (serverId, modelId) => remembered.set(serverId, modelId),
      originOf: () => "panel",
      describe: (error) => (error as Error).message,
      ...over,
    });
  }

  const current = (): NonNullable<ReturnType<SamplingDesk["view"]>["current"]> => {
    const view = desk.view();
    assert.ok(view.current !== undefined);
    return view.current;
  };

  async function until(kind: string): Promise<void> {
    while (current().stage.kind !== kind) await new Promise(setImmediate);
  }

  /** Waits until a request is shown. */
  async function shown(): Promise<string> {
    while (desk.view().current === undefined) await new Promise(setImmediate);
    return current().taskId;
  }

  afterEach(() => {
    desk.dispose();
  });

  // Duty: 11.1.2
  it("shows the whole prompt first, and gives nothing to a model before the person says so", async () => {
    open(() => Promise.resolve(sampled));
    const outcome = desk.createMessage(ask, never);
    await shown();
    const { serverId, target, prompt, model: selected, modelReason, why, stage } = current();
    assert.deepEqual([serverId, target, stage.kind], ["s", "t", "prompt"]);
    assert.match(why, /You called “t” of “s”/);
    assert.equal(prompt.systemPrompt, "Be short");
    assert.deepEqual(
      prompt.messages.map(({ role, parts }) => [role, parts[0]?.kind]),
      [
        ["user", "text"],
        ["assistant", "data"],
        ["user", "data"],
      ],
    );
    assert.ok(JSON.stringify(prompt.messages).includes("Oslo"), "also what a tool was asked");
    assert.match(prompt.facts.map(({ value }) => value).join("; "), /100 tokens; big, small; low cost 0.5/);
    assert.match(prompt.warnings.join(), /Nothing is added/);
    assert.equal(selected, "small-1", "the first hint that any model meets");
    assert.match(modelReason ?? "", /“small”/);
    assert.deepEqual(ran, []);
    desk.receive({ type: "refuse", taskId: current().taskId });
    assert.deepEqual(await outcome, { kind: "refused" });
    assert.deepEqual(ran, []);
  });

  // Duty: 11.1.2, 11.1.9
  it("sends the prompt as the person changed it, and gives back the answer as the person changed it", async () => {
    open(() => Promise.resolve(sampled));
    const outcome = desk.createMessage(ask, never);
    const taskId = await shown();
    desk.receive({ type: "send", taskId, model: "other-1", texts: { "0.0": "Rain?", [SYSTEM_KEY]: " " } });
    await until("answer");
    const [sent] = ran;
    assert.ok(sent !== undefined && !("systemPrompt" in sent), "an emptied one is none");
    assert.deepEqual(sent.messages[0]?.content, [{ type: "text", text: "Rain?" }]);
    assert.deepEqual(sent.messages[1], request.messages[1], "with its metadata");
    assert.equal(remembered.get("s"), "other-1");
    desk.receive({ type: "sendBack", taskId, texts: { "0.0": "Rain, I think" } });
    const content = [{ type: "text", text: "Rain, I think" }];
    assert.deepEqual(await outcome, { kind: "answered", message: { ...sampled, content } });
    assert.equal(desk.pendingCount, 0);
  });

  it("selects the model that the person took before", async () => {
    open(() => Promise.resolve(sampled));
    remembered.set("s", "other-1");
    void desk.createMessage(ask, never);
    await shown();
    assert.equal(current().model, "other-1");
    assert.match(current().modelReason ?? "", /before/);
  });

  it("lets the person discard an answer", async () => {
    open(() => Promise.resolve(sampled));
    const outcome = desk.createMessage(ask, never);
    const taskId = await shown();
    desk.receive({ type: "send", taskId, model: "small-1", texts: {} });
    await until("answer");
    desk.receive({ type: "refuse", taskId });
    assert.deepEqual(await outcome, { kind: "refused" });
  });

  it("shows the prompt again when the model fails, so that another one can be tried", async () => {
    open(() => Promise.reject(new Error("quota used up")));
    void desk.createMessage(ask, never);
    const taskId = await shown();
    desk.receive({ type: "send", taskId, model: "small-1", texts: {} });
    await until("prompt");
    const { stage } = current();
    assert.ok(stage.kind === "prompt");
    assert.equal(stage.problem, "quota used up");
  });

  it("stops a model, and tells of what it has so far", async () => {
    const stopped = deferred();
    open((_request, { onText }, signal) => {
      onText("Ra");
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          stopped.resolve(undefined);
          reject(signal.reason as Error);
        });
      });
    });
    const progress: string[] = [];
    const heard = desk.onDidProgress(({ text }) => progress.push(text));
    void desk.createMessage(ask, never);
    const taskId = await shown();
    desk.receive({ type: "send", taskId, model: "small-1", texts: {} });
    await until("running");
    assert.deepEqual(progress, ["Ra"]);
    heard.dispose();
    desk.receive({ type: "stop", taskId });
    await stopped.promise;
    await until("prompt");
    const { stage } = current();
    assert.equal(stage.kind === "prompt" && stage.problem, undefined, "that is no failure");
  });

  // Duty: 14.2.3
  it("goes away, and stops the model, when nobody wants the answer any more", async () => {
    const stopped = deferred();
    const call = new AbortController();
    open((_request, _how, signal) => {
      signal.addEventListener("abort", () => stopped.resolve(undefined));
      return new Promise(() => undefined);
    });
    const outcome = desk.createMessage(ask, call.signal);
    const taskId = await shown();
    desk.receive({ type: "send", taskId, model: "small-1", texts: {} });
    await until("running");
    call.abort(new Error("withdrawn"));
    await assert.rejects(outcome, /withdrawn/);
    await stopped.promise;
    assert.deepEqual(desk.view(), { waiting: 0, current: undefined });
  });

  it("says so when there is no model", async () => {
    open(() => Promise.resolve(sampled), { models: () => Promise.resolve([]) });
    await assert.rejects(desk.createMessage(ask, never), { code: "no-model" });
  });

  it("shows one request after another, refuses only the one whose panel is closed, and bounds the queue", async () => {
    open(() => Promise.resolve(sampled));
    const outcomes = Array.from({ length: MAX_WAITING }, () => desk.createMessage(ask, never));
    const first = await shown();
    while (desk.pendingCount < MAX_WAITING) await new Promise(setImmediate);
    assert.deepEqual(await desk.createMessage(ask, never), { kind: "refused" });
    desk.dismissCurrent();
    assert.deepEqual(await outcomes[0], { kind: "refused" });
    assert.equal(desk.view().waiting, MAX_WAITING - 1);
    assert.notEqual(current().taskId, first);
    desk.receive({ type: "refuse", taskId: first });
    assert.equal(desk.view().waiting, MAX_WAITING - 1, "what is about another request came too late");
    desk.dispose();
    assert.ok((await Promise.all(outcomes)).every(({ kind }) => kind === "refused"));
  });
});
