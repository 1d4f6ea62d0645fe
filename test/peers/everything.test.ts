import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import type { Progress } from "../../src/protocol/model/tool.ts";
import { expandUriTemplate } from "../../src/protocol/resources/uriTemplate.ts";
import type { FormValue, ElicitationRequest, InputResponse } from "../../src/protocol/mrtr/inputRequired.ts";
import {
  createPeerPool,
  createPerson,
  httpPeer,
  peerScript,
  SERVER_ID,
  stdioPeer,
  textOf,
  type PeerPool,
  type ScriptedPerson,
} from "./peerPool.ts";

const SCRIPT = peerScript("mcp-server-everything");
/** Offered only after the handshake, to clients that can be asked: told by a list-changed notification. */
const LATE_TOOL = "trigger-elicitation-request";

/** Fills in every field: its default, or something that fits. */
function fillForm(request: ElicitationRequest): InputResponse {
  if (request.kind === "url") return { action: "accept" };
  const content: Record<string, FormValue> = {};
  for (const field of request.form.fields) {
    if (field.default !== undefined) content[field.name] = field.default;
    else if (field.kind === "boolean") content[field.name] = true;
    else if (field.kind === "text") content[field.name] = SAMPLES[field.format ?? "none"];
    else if (field.kind === "choice") content[field.name] = field.options[0]?.value ?? "";
  }
  return { action: "accept", content };
}

const SAMPLES = {
  none: "Ada Lovelace",
  email: "ada@example.com",
  uri: "https://example.com/",
  date: "1815-12-10",
  "date-time": "1815-12-10T12:00:00Z",
} as const;

function registerChecks(peer: () => PeerPool, person: ScriptedPerson): void {
  it("speaks 2025-11-25 and offers its late tools too", async () => {
    const { connect, until } = peer();
    const { negotiation } = await connect();
    assert.equal(negotiation.era, "legacy");
    assert.equal(negotiation.revision, "2025-11-25");
    await until(
      (state) => state.kind === "connected" && state.catalog.tools.some(({ name }) => name === LATE_TOOL),
    );
  });

  // Duty: 10.2.2
  it("gets a form of every kind of field answered", async () => {
    const { connect, until, call } = peer();
    await connect();
    await until(
      (state) => state.kind === "connected" && state.catalog.tools.some(({ name }) => name === LATE_TOOL),
    );
    person.rounds.length = 0;
    const outcome = await call(LATE_TOOL, {}, { input: person });
    const [request] = person.rounds[0]?.requests ?? [];
    assert.ok(request?.kind === "form");
    const kinds = new Set(request.form.fields.map(({ kind }) => kind));
    assert.deepEqual([...kinds].sort(), ["boolean", "choice", "choices", "number", "text"]);
    assert.match(textOf(outcome), /Ada Lovelace/);
    assert.match(textOf(outcome), /Superman|hero-1/);
  });

  it("is told when the person declines or cancels", async () => {
    const { connect, until, call } = peer();
    await connect();
    await until(
      (state) => state.kind === "connected" && state.catalog.tools.some(({ name }) => name === LATE_TOOL),
    );
    const declined = await call(LATE_TOOL, {}, { input: createPerson(() => ({ action: "decline" })) });
    assert.match(textOf(declined), /declined/i);
    const cancelled = await call(LATE_TOOL, {}, { input: createPerson(() => ({ action: "cancel" })) });
    assert.match(textOf(cancelled), /cancel/i);
  });

  it("sends notices that belong to no request", async () => {
    const { connect, call, untilLogged } = peer();
    await connect();
    await call("toggle-simulated-logging");
    await untilLogged(/\[server\] \w+[- ]level[- ]message/);
  });

  it("reports progress and can be cancelled", async () => {
    const { connect, call } = peer();
    await connect();
    const seen: Progress[] = [];
    const onProgress = (progress: Progress): void => void seen.push(progress);
    await call("trigger-long-running-operation", { duration: 1, steps: 4 }, { onProgress });
    assert.deepEqual(
      seen.map(({ progress, total }) => [progress, total]),
      [
        [1, 4],
        [2, 4],
        [3, 4],
        [4, 4],
      ],
    );
    const controller = new AbortController();
    const long = call(
      "trigger-long-running-operation",
      { duration: 60, steps: 600 },
      {
        onProgress: () => {
          controller.abort();
        },
        signal: controller.signal,
      },
    );
    await assert.rejects(long);
    assert.equal(textOf(await call("echo", { message: "still there" })), "Echo: still there");
  });

  // Duty: 17.9.2, 17.9.4, 17.9.5
  it("runs a tool that needs a task, and gets its question answered inside the task", async () => {
    const { connect, call, state } = peer();
    await connect();
    person.rounds.length = 0;
    const states: string[] = [];
    const outcome = await call(
      "simulate-research-query",
      { topic: "python", ambiguous: true },
      { input: person, onTask: ({ task }) => states.push(task.statusMessage ?? task.status) },
    );
    assert.match(textOf(outcome), /Research Report: python \(programming\)/);
    assert.match(textOf(outcome), /Generating report/);
    assert.deepEqual(
      person.rounds.map(({ target, requests }) => [target, requests.length]),
      [["simulate-research-query", 1]],
    );
    assert.ok(states.some((words) => words.startsWith("Gathering")));
    assert.ok(states.some((words) => words.startsWith("Found multiple")));
    const now = state();
    assert.deepEqual(now?.kind === "connected" && now.tasks.map(({ tool, isAwaited }) => [tool, isAwaited]), [
      ["simulate-research-query", false],
    ]);
  });

  // Duty: 14.2.4
  it("cancels a task with its call", async () => {
    const { connect, call, until } = peer();
    await connect();
    const controller = new AbortController();
    const long = call(
      "simulate-research-query",
      { topic: "snakes" },
      {
        signal: controller.signal,
        onTask: () => {
          controller.abort();
        },
      },
    );
    await assert.rejects(long);
    await until((state) => state.kind === "connected" && state.tasks[0]?.status === "cancelled");
  });

  // Duty: 7.3.1
  it("returns images, links, embedded resources and structured content", async () => {
    const { connect, call } = peer();
    await connect();
    const image = (await call("get-tiny-image")).result.content.find(({ type }) => type === "image");
    assert.ok(image?.type === "image" && image.mimeType === "image/png" && image.data.length > 100);
    const links = (await call("get-resource-links", { count: 3 })).result.content;
    assert.equal(links.filter(({ type }) => type === "resource_link").length, 3);
    const reference = await call("get-resource-reference", { resourceType: "Text", resourceId: 1 });
    assert.ok(reference.result.content.some(({ type }) => type === "resource"));
    const weather = await call("get-structured-content", { location: "Chicago" });
    assert.equal(weather.result.structuredCheck.kind, "valid");
    assert.ok(weather.result.structuredContent !== undefined);
    const wrong = await call("get-sum", { a: "one", b: 2 });
    assert.equal(wrong.result.isError, true);
  });

  it("has its resources read, its prompts got and their arguments completed", async () => {
    const { connect, pool } = peer();
    await connect();
    await pool.refresh(SERVER_ID);
    const state = pool.get(SERVER_ID)?.state;
    assert.ok(state?.kind === "connected");
    const { templates, prompts } = state.lists;
    assert.ok(templates.kind === "listed" && prompts.kind === "listed");
    const template = templates.items
      .map(({ uriTemplate }) => uriTemplate)
      .find((text) => text.includes("/blob/"));
    assert.ok(template !== undefined);
    const how = { origin: "api" } as const;
    const uri = expandUriTemplate(SERVER_ID, template, { resourceId: "7" });
    const [part] = (await pool.readResource(SERVER_ID, uri, how)).result.contents;
    assert.match(Buffer.from(part?.blob ?? "", "base64").toString(), /Resource 7/);
    await assert.rejects(pool.readResource(SERVER_ID, "demo://nothing", how), { code: "no-such-resource" });
    await assert.rejects(pool.getPrompt(SERVER_ID, "args-prompt", {}, how), { code: "missing-argument" });
    const { messages } = (await pool.getPrompt(SERVER_ID, "args-prompt", { city: "Bern" }, how)).result;
    assert.ok(messages[0]?.content.type === "text" && messages[0].content.text.includes("Bern"));
    const prompt = { kind: "prompt", name: "completable-prompt" } as const;
    const argument = { name: "name", value: "A" };
    const known = { department: "Engineering" };
    assert.deepEqual((await pool.complete(SERVER_ID, prompt, argument, known)).values, ["Alice"]);
  });
}

describe("server-everything over stdio", function () {
  this.timeout(60_000);
  const person = createPerson(fillForm);
  let peer: PeerPool;

  beforeEach(() => {
    peer = createPeerPool(stdioPeer([SCRIPT, "stdio"]), person);
  });

  afterEach(async () => {
    await peer.pool.close();
  });

  registerChecks(() => peer, person);
});

describe("server-everything over Streamable HTTP", function () {
  this.timeout(60_000);
  const person = createPerson(fillForm);
  let server: ChildProcess;
  let output = "";
  let url = "";
  let peer: PeerPool;

  before(async () => {
    const port = await findFreePort();
    url = `http://127.0.0.1:${String(port)}/mcp`;
    const spawned = spawn(process.execPath, [SCRIPT, "streamableHttp"], {
      env: { ...process.env, PORT: String(port) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    server = spawned;
    await new Promise<void>((resolve, reject) => {
      const collect = (text: string): void => {
        output += text;
        if (output.includes("listening")) resolve();
      };
      spawned.stdout.setEncoding("utf8").on("data", collect);
      spawned.stderr.setEncoding("utf8").on("data", collect);
      spawned.once("exit", () => {
        reject(new Error(`server-everything ended: ${output}`));
      });
    });
  });

  beforeEach(() => {
    peer = createPeerPool(httpPeer(url), person);
  });

  afterEach(async () => {
    await peer.pool.close();
  });

  after(async () => {
    const gone = once(server, "exit");
    server.kill("SIGKILL");
    await gone;
  });

  registerChecks(() => peer, person);

  it("opens a session and ends it", async () => {
    output = "";
    await peer.connect();
    await peer.pool.close();
    assert.match(output, /Session initialized/i);
    assert.match(output, /Received session termination request|termination/i);
  });
});

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
