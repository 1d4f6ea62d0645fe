import assert from "node:assert/strict";
import type { ServerState } from "../../../src/client/serverState.ts";
import type { Progress } from "../../../src/protocol/model/tool.ts";
import { eraOf } from "../../../src/protocol/model/revision.ts";
import type { ElicitationRequest, InputResponse } from "../../../src/protocol/mrtr/inputRequired.ts";
import { expandUriTemplate } from "../../../src/protocol/resources/uriTemplate.ts";
import { COUNTER_URI, ITEM_TEMPLATE, PAGE, PICTURE, PICTURE_URI } from "../fixtures/fixtureState.ts";
import { SERVER_ID, textOf } from "../peerPool.ts";
import { nextNotice, ROOT, type CellRun, type Check } from "./cellRun.ts";
import type { Asking } from "./cells.ts";

const HOW = { origin: "api" } as const;
/** Enough for a question that is lost to be given up. */
const SHORT_MS = 300;
const TOOLS =
  "echo measure fail throw touch grow log count hang await_begun await_cancelled poll ask_form ask_url ask_model ask_roots browser_first"
    .split(" ")
    .sort();

const answered: InputResponse = { action: "accept", content: { fruit: "apricot", count: 3, ripe: false } };

/** What became of a tool that asks, where the server can ask at all; elsewhere says what happens instead. */
async function ask(
  run: CellRun,
  tool: string,
  what: Asking,
  answer: () => InputResponse = () => ({ action: "cancel" }),
): Promise<unknown> {
  run.answer = answer;
  if (what === "lost") {
    await assert.rejects(run.peer.pool.callTool(SERVER_ID, tool, {}, { ...HOW, timeoutMs: SHORT_MS }), {
      code: "timeout",
    });
    return undefined;
  }
  const outcome = await run.peer.call(tool);
  if (what === "refused") {
    assert.equal(outcome.result.isError, true);
    assert.match(textOf(outcome), /does not support|not declare/i);
    return undefined;
  }
  assert.equal(outcome.result.isError, false, textOf(outcome));
  return JSON.parse(textOf(outcome)) as unknown;
}

const isListed = (name: string) => (state: ServerState) => {
  if (state.kind !== "connected") return false;
  const { prompts, resources } = state.lists;
  return (
    state.catalog.tools.some((tool) => tool.name === name) &&
    prompts.kind === "listed" &&
    prompts.items.some((prompt) => prompt.name === name) &&
    resources.kind === "listed" &&
    resources.items.some((resource) => resource.name === name)
  );
};

async function negotiates({ cell, connected }: CellRun): Promise<void> {
  const { negotiation } = connected;
  assert.equal(negotiation.revision, cell.revision);
  assert.equal(negotiation.era, eraOf(cell.revision));
  assert.equal(negotiation.server?.name, `generation-${cell.generation}`);
  assert.equal(negotiation.instructions, "A fixture.");
}

async function listsEverything({ peer, connected }: CellRun): Promise<void> {
  assert.deepEqual(connected.catalog.tools.map(({ name }) => name).sort(), TOOLS);
  assert.deepEqual(connected.catalog.rejectedTools, []);
  assert.equal(connected.catalog.tools[0]?.displayName, "Echo");
  await peer.until(
    (state) =>
      state.kind === "connected" && Object.values(state.lists).every(({ kind }) => kind !== "unread"),
  );
  const state = peer.state();
  assert.ok(state?.kind === "connected");
  const { prompts, resources, templates } = state.lists;
  assert.ok(prompts.kind === "listed" && resources.kind === "listed" && templates.kind === "listed");
  assert.deepEqual(
    prompts.items.map(({ name, arguments: args }) => [name, args.map((arg) => [arg.name, arg.required])]),
    [
      [
        "praise",
        [
          ["fruit", true],
          ["tone", false],
        ],
      ],
    ],
  );
  assert.deepEqual(
    resources.items.map(({ uri }) => uri),
    [COUNTER_URI, PICTURE_URI],
  );
  assert.deepEqual(
    templates.items.map(({ uriTemplate }) => uriTemplate),
    [ITEM_TEMPLATE],
  );
}

async function callsTools({ peer }: CellRun): Promise<void> {
  const text = "déjà vu \u2028 读 🎉";
  assert.equal(textOf(await peer.call("echo", { text })), text);
  const { result } = await peer.call("measure", { place: "Bern" });
  assert.equal(result.structuredCheck.kind, "valid");
  assert.deepEqual(result.structuredContent, { place: "Bern", celsius: 21.5 });
  const all = Array.from({ length: 20 }, (_, index) => String(index));
  const outcomes = await Promise.all(all.map((each) => peer.call("echo", { text: each })));
  assert.deepEqual(outcomes.map(textOf), all);
}

async function showsFailures({ peer }: CellRun): Promise<void> {
  const failed = await peer.call("fail");
  assert.equal(failed.result.isError, true);
  assert.equal(textOf(failed), "It did not work.");
  const thrown = await peer.call("throw");
  assert.equal(thrown.result.isError, true);
  assert.match(textOf(thrown), /Something broke inside/);
  const wrong = await peer.call("echo", { text: 5 });
  assert.equal(wrong.result.isError, true);
  assert.match(textOf(wrong), /text/);
}

async function reportsProgress({ cell, peer }: CellRun): Promise<void> {
  const seen: Progress[] = [];
  const onProgress = (progress: Progress): void => void seen.push(progress);
  const outcome = await peer.call("count", { steps: 5 }, { onProgress });
  assert.equal(textOf(outcome), "counted to 5");
  assert.deepEqual(
    seen.map(({ progress, total, message }) => [progress, total, message]),
    cell.traits.progress ? [1, 2, 3, 4, 5].map((step) => [step, 5, `Step ${String(step)}`]) : [],
  );
}

async function cancels({ cell, peer }: CellRun): Promise<void> {
  const controller = new AbortController();
  const onProgress = (): void => {
    controller.abort();
  };
  const call = peer.call("hang", {}, { onProgress, signal: controller.signal });
  // Without progress nothing of the call itself tells that it has begun.
  if (!cell.traits.progress) {
    await peer.call("await_begun");
    controller.abort();
  }
  await assert.rejects(call, { name: "AbortError" });
  if (cell.traits.hearsCancel) assert.equal(textOf(await peer.call("await_cancelled")), "1");
  assert.equal(textOf(await peer.call("echo", { text: "still there" })), "still there");
}

async function asksWithForms(run: CellRun): Promise<void> {
  const { questions } = run.cell.traits;
  const accepted = await ask(run, "ask_form", questions, () => answered);
  if (questions !== "answered") return;
  assert.deepEqual(accepted, answered);
  const [round] = run.person.rounds;
  assert.ok(round?.serverId === SERVER_ID && round.target === "ask_form");
  const [request] = round.requests as [ElicitationRequest];
  assert.ok(request.kind === "form" && request.message === "Which fruit, and how many?");
  assert.deepEqual(
    request.form.fields.map(({ name, kind, required, default: value }) => [name, kind, required, value]),
    [
      ["fruit", "choice", true, undefined],
      ["count", "number", false, 2],
      ["ripe", "boolean", false, true],
    ],
  );
  for (const action of ["decline", "cancel"] as const) {
    assert.deepEqual(await ask(run, "ask_form", questions, () => ({ action })), { action });
  }
}

async function asksToOpenPages(run: CellRun): Promise<void> {
  const { cell, person, peer } = run;
  const { questions } = cell.traits;
  if (cell.revision === "2025-06-18") {
    // The server was told of no mode but forms, if it knows what it was told.
    if (questions !== "lost") assert.equal((await peer.call("ask_url")).result.isError, true);
    assert.equal(person.rounds.length, 0);
    return;
  }
  const accepted = await ask(run, "ask_url", questions, () => ({ action: "accept" }));
  if (questions !== "answered") return;
  assert.deepEqual(accepted, { action: "accept" });
  const request = person.rounds[0]?.requests[0];
  assert.ok(request?.kind === "url" && request.url === PAGE && request.message === "Please agree.");
}

async function goesOnAfterTheBrowser(run: CellRun): Promise<void> {
  const { cell, person, peer } = run;
  if (cell.revision !== "2025-11-25") return;
  run.answer = () => ({ action: "accept" });
  const outcome = await peer.call("browser_first");
  assert.equal(textOf(outcome), "done after the browser");
  assert.equal(outcome.rounds, 1);
  const request = person.rounds[0]?.requests[0];
  assert.ok(request?.kind === "url" && request.message === "Please sign in.");
}

async function usesModels(run: CellRun): Promise<void> {
  const { features } = run.cell.traits;
  const message = await ask(run, "ask_model", features);
  if (features !== "answered") return;
  const content = { type: "text", text: "hello" };
  assert.deepEqual(message, { role: "assistant", content, model: "m-1", stopReason: "endTurn" });
  const [asked] = run.asks;
  assert.equal(asked?.target, "ask_model");
  assert.equal(asked.request.maxTokens, 20);
  assert.equal(asked.request.systemPrompt, "Be brief.");
  assert.deepEqual(asked.request.messages[0]?.content, [{ type: "text", text: "Say hello." }]);
}

async function learnsOfFolders(run: CellRun): Promise<void> {
  const { features } = run.cell.traits;
  const roots = await ask(run, "ask_roots", features);
  if (features === "answered") assert.deepEqual(roots, { roots: [ROOT] });
}

async function readsResources({ peer: { pool } }: CellRun): Promise<void> {
  const [counter] = (await pool.readResource(SERVER_ID, COUNTER_URI, HOW)).result.contents;
  assert.equal(counter?.text, "touched 0 times");
  const [picture] = (await pool.readResource(SERVER_ID, PICTURE_URI, HOW)).result.contents;
  assert.deepEqual([picture?.blob, picture?.mimeType, picture?.problem], [PICTURE, "image/png", undefined]);
  const uri = expandUriTemplate(SERVER_ID, ITEM_TEMPLATE, { name: "banana" });
  const [item] = (await pool.readResource(SERVER_ID, uri, HOW)).result.contents;
  assert.deepEqual([item?.uri, item?.text], ["peer://items/banana", "one banana"]);
  for (const missing of ["peer://items/stone", "peer://nothing"]) {
    await assert.rejects(pool.readResource(SERVER_ID, missing, HOW), { code: "no-such-resource" });
  }
}

async function getsPrompts({ peer: { pool } }: CellRun): Promise<void> {
  const args = { fruit: "apple", tone: "warmly" };
  const { description, messages } = (await pool.getPrompt(SERVER_ID, "praise", args, HOW)).result;
  assert.equal(description, "Praise");
  const [first, second] = messages;
  assert.ok(first?.content.type === "text" && first.content.text === "Praise the apple, warmly.");
  assert.ok(
    second?.role === "assistant" && second.content.type === "image" && second.content.data === PICTURE,
  );
  await assert.rejects(pool.getPrompt(SERVER_ID, "praise", {}, HOW), { code: "missing-argument" });
}

async function completes({ peer: { pool } }: CellRun): Promise<void> {
  const prompt = { kind: "prompt", name: "praise" } as const;
  const found = await pool.complete(SERVER_ID, prompt, { name: "fruit", value: "ap" }, {});
  assert.deepEqual(found, { values: ["apple", "apricot"], total: 2, hasMore: false });
  const template = { kind: "resource", uri: ITEM_TEMPLATE } as const;
  const items = await pool.complete(SERVER_ID, template, { name: "name", value: "b" }, {});
  assert.deepEqual(items.values, ["banana"]);
}

async function watchesResources(run: CellRun): Promise<void> {
  const { cell, peer } = run;
  if (!cell.traits.changes) {
    await assert.rejects(peer.pool.watchResource(SERVER_ID, COUNTER_URI), { code: "not-watched" });
    return;
  }
  const honours = (count: number) => (state: ServerState) =>
    state.kind === "connected" && state.subscriptions.honoured.resources.length === count;
  const watch = await peer.pool.watchResource(SERVER_ID, COUNTER_URI);
  await peer.until(honours(1));
  const updated = nextNotice(run, "resource-updated");
  await peer.call("touch");
  assert.equal((await updated.arrived).uri, COUNTER_URI);
  updated.dispose();
  const [counter] = (await peer.pool.readResource(SERVER_ID, COUNTER_URI, HOW)).result.contents;
  assert.equal(counter?.text, "touched 1 times");
  watch.dispose();
  await peer.until(honours(0));
}

async function hearsOfNewThings({ cell, peer }: CellRun): Promise<void> {
  const { changes } = cell.traits;
  if (changes)
    await peer.until(
      (state) => state.kind === "connected" && state.subscriptions.honoured.lists.length === 3,
    );
  await peer.call("grow");
  if (!changes) await peer.pool.refresh(SERVER_ID);
  await peer.until(isListed("grown"));
  assert.equal(textOf(await peer.call("grown")), "here now");
}

async function keepsTheLog({ cell, peer }: CellRun): Promise<void> {
  const { log } = cell.traits;
  await peer.call("log");
  const has = (level: string) => peer.log.some((line) => line.includes(`a ${level} of ${cell.generation}`));
  if (log === "none") assert.ok(!has("warning"));
  else await peer.untilLogged(new RegExp(`a warning of ${cell.generation}`));
  assert.equal(has("debug"), log === "everything");
}

async function comesBackToStreams({ cell, peer }: CellRun): Promise<void> {
  const { polls } = cell.traits;
  assert.equal(textOf(await peer.call("poll")), polls ? "came back" : "no stream to close");
}

/** What every cell is asked to do, in this order over one connection. */
export const CHECKS: Readonly<Record<string, Check>> = {
  "negotiates its revision": negotiates,
  "lists tools, prompts, resources and templates": listsEverything,
  "calls tools, twenty at once, with structured results": callsTools,
  "shows failures of tools as results": showsFailures,
  "reports progress in order": reportsProgress,
  "cancels a call": cancels,
  // Before anything asks: over JSON the session's own stream has to be there, which this waits for.
  "hears of new tools, prompts and resources": hearsOfNewThings,
  "answers forms": asksWithForms,
  "answers questions that open a page": asksToOpenPages,
  "goes on after what has to be done in the browser first": goesOnAfterTheBrowser,
  "lets the server use a model": usesModels,
  "tells the server of folders": learnsOfFolders,
  "reads resources by address and by template": readsResources,
  "gets prompts": getsPrompts,
  "completes arguments": completes,
  "watches a resource": watchesResources,
  "keeps the server's log": keepsTheLog,
  "comes back to a stream that the server closed": comesBackToStreams,
};
