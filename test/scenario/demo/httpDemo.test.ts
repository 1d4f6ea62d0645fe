import assert from "node:assert/strict";
import { callTool, post, send, textOf, type RawAnswer } from "./rawClient.ts";
import { childrenOf, isAlive, startHttpDemo, type HttpDemo } from "./demoProcess.ts";

const ORDERS = { name: "orders", engine: "postgres" };
const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const REGION = { region: { action: "accept", content: { region: "eu-north" } } };
const CONFIRM = { confirm: { action: "accept", content: { confirm: true } } };

function stateOf(answer: RawAnswer): string {
  assert.equal(answer.result?.resultType, "input_required", JSON.stringify(answer));
  const state = answer.result.requestState;
  assert.ok(state !== undefined);
  return state;
}

async function exists(url: string, name: string): Promise<boolean> {
  const answer = await callTool(url, "get_provision_status", { database: name });
  return answer.result?.isError !== true;
}

async function askRegion(url: string, args: object): Promise<string> {
  return stateOf(await callTool(url, "create_database", { ...args }));
}

async function askPrice(url: string, args: object): Promise<string> {
  const requestState = await askRegion(url, args);
  return stateOf(
    await callTool(url, "create_database", { ...args }, { requestState, inputResponses: REGION }),
  );
}

/** Waits until a process is gone; the test's own limit ends the wait. */
async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("demo over HTTP", function () {
  this.timeout(30_000);
  let demo: HttpDemo;
  let url: string;
  let args = ORDERS;
  let count = 0;

  before(async () => {
    demo = await startHttpDemo();
    ({ url } = demo);
  });

  beforeEach(() => {
    count += 1;
    args = { ...ORDERS, name: `orders-${String(count)}` };
  });

  after(() => {
    demo.dispose();
  });

  it("asks in two rounds on two replicas and creates once", async () => {
    const requestState = await askPrice(url, args);
    assert.equal(await exists(url, args.name), false);
    const created = await callTool(url, "create_database", args, { requestState, inputResponses: CONFIRM });
    assert.match(textOf(created), /^Created: .* for 38\.09 EUR a month\. Replicas: (A → B → B|B → A → A)\./);
    assert.equal(await exists(url, args.name), true);
  });

  it("takes turns with every request", async () => {
    const seen: unknown[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const { headers } = await callTool(url, "list_databases", {});
      seen.push(headers["x-demo-replica"]);
    }
    assert.match(seen.join(""), /^(ABAB|BABA)$/);
  });

  it("answers the same final step again without creating again", async () => {
    const requestState = await askPrice(url, args);
    const retry = { requestState, inputResponses: CONFIRM };
    const first = textOf(await callTool(url, "create_database", args, retry));
    const second = textOf(await callTool(url, "create_database", args, retry));
    const id = /db-[0-9a-f]+/.exec(first)?.[0] ?? "none";
    assert.match(second, new RegExp(`^Already created by this very request: .*${id}`));
    assert.equal(await exists(url, args.name), true);
  });

  it("refuses a used state that leads on, and one with other answers", async () => {
    const requestState = await askRegion(url, args);
    const retry = { requestState, inputResponses: REGION };
    const priced = stateOf(await callTool(url, "create_database", args, retry));
    const replayed = await callTool(url, "create_database", args, retry);
    assert.equal(replayed.result?.isError, true);
    assert.match(textOf(replayed), /answered before/);
    await callTool(url, "create_database", args, { requestState: priced, inputResponses: CONFIRM });
    const other = { confirm: { action: "accept", content: { confirm: true, monthlyLimit: 5000 } } };
    const changed = await callTool(url, "create_database", args, {
      requestState: priced,
      inputResponses: other,
    });
    assert.match(textOf(changed), /answered before/);
    assert.equal(await exists(url, args.name), true);
  });

  it("refuses a state for other arguments, another tool, another client and a changed one", async () => {
    const requestState = await askPrice(url, args);
    const retry = { requestState, inputResponses: CONFIRM };
    const bigger = await callTool(url, "create_database", { ...args, storageGb: 1000 }, retry);
    assert.match(textOf(bigger), /arguments changed/);
    const elsewhere = await callTool(url, "delete_database", { database: "x" }, retry);
    assert.match(textOf(elsewhere), /belongs to a call of create_database/);
    const stranger = await callTool(url, "create_database", args, retry, { clientName: "other" });
    assert.equal(stranger.error?.code, -32602);
    const [head = "", body = "", mac = ""] = requestState.split(".");
    const forged = { ...retry, requestState: [head, `${body}A`, mac].join(".") };
    assert.equal((await callTool(url, "create_database", args, forged)).error?.code, -32602);
    assert.equal(await exists(url, args.name), false);
    assert.match(textOf(await callTool(url, "create_database", args, retry)), /^Created/);
  });

  it("creates nothing when declined, cancelled, not confirmed or too dear", async () => {
    for (const action of ["decline", "cancel"]) {
      const answer = { requestState: await askRegion(url, args), inputResponses: { region: { action } } };
      assert.match(textOf(await callTool(url, "create_database", args, answer)), /Nothing was created/);
    }
    const answers = [
      { action: "decline" },
      { action: "cancel" },
      { action: "accept", content: { confirm: false } },
      { action: "accept", content: { confirm: true, monthlyLimit: 10 } },
    ];
    for (const confirm of answers) {
      const requestState = await askPrice(url, args);
      const retry = { requestState, inputResponses: { confirm } };
      assert.match(textOf(await callTool(url, "create_database", args, retry)), /Nothing was created/);
      const changedMind = { requestState, inputResponses: CONFIRM };
      assert.match(textOf(await callTool(url, "create_database", args, changedMind)), /answered before/);
    }
    assert.equal(await exists(url, args.name), false);
  });

  it("asks for the terms as a URL beside the form for an enterprise plan", async () => {
    const enterprise = { ...args, plan: "enterprise" };
    const requestState = await askRegion(url, enterprise);
    const region = { requestState, inputResponses: REGION };
    const asked = await callTool(url, "create_database", enterprise, region);
    assert.deepEqual(Object.keys(asked.result?.inputRequests ?? {}).sort(), ["confirm", "terms"]);
    for (const [action, outcome] of [
      ["decline", /terms were not accepted/],
      ["accept", /^Created/],
    ] as const) {
      const answer = {
        requestState: await askPrice(url, enterprise),
        inputResponses: { ...CONFIRM, terms: { action } },
      };
      assert.match(textOf(await callTool(url, "create_database", enterprise, answer)), outcome);
    }
  });

  it("refuses strangers: another host, another origin, another path", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    assert.equal((await post(url, body, { ...HEADERS, host: "evil.example" })).status, 403);
    assert.equal((await post(url, body, { ...HEADERS, origin: "https://evil.example" })).status, 403);
    assert.equal((await post(new URL("/other", url).href, body, HEADERS)).status, 404);
    assert.equal(
      (await send(url, "tools/list", {}, { headers: { origin: "http://localhost:1" } })).status,
      200,
    );
  });

  it("checks the header that repeats an argument", async () => {
    const ask = (region: string): Promise<RawAnswer> => {
      const headers = { "mcp-param-region": region };
      return callTool(url, "get_provision_status", { database: "none", region: "eu-north" }, {}, { headers });
    };
    const wrong = await ask("us-east");
    assert.equal(wrong.status, 400);
    assert.equal(wrong.error?.code, -32020);
    assert.match(textOf(await ask("eu-north")), /no database/);
  });

  it("refuses a client that cannot be asked", async () => {
    const { error } = await callTool(url, "create_database", args, {}, { capabilities: {} });
    assert.equal(error?.code, -32021);
    assert.equal(await exists(url, args.name), false);
  });

  it("keeps the session of a 2025 client on the replica that opened it", async () => {
    const initialize = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "old", version: "1" } },
    };
    const opened = await post(url, JSON.stringify(initialize), HEADERS);
    const session = String(opened.headers["mcp-session-id"]);
    const holder = opened.headers["x-demo-replica"];
    assert.match(session, new RegExp(`^${String(holder)}\\.`));
    const list = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    for (let turn = 0; turn < 3; turn += 1) {
      const listed = await post(url, list, { ...HEADERS, "mcp-session-id": session });
      assert.equal(listed.headers["x-demo-replica"], holder);
      assert.equal(listed.result?.tools?.length, 7);
    }
    assert.equal((await post(url, list, { ...HEADERS, "mcp-session-id": `${session}x` })).status, 404);
    assert.equal((await post(url, list, HEADERS)).status, 400);
  });
});

describe("demo over HTTP, its processes", function () {
  this.timeout(30_000);
  let demo: HttpDemo;

  beforeEach(async () => {
    demo = await startHttpDemo();
  });

  afterEach(async () => {
    const replicas = childrenOf(demo.pid);
    demo.dispose();
    await Promise.all(replicas.map(untilGone));
  });

  it("completes on the other replica when the one that asked is killed", async () => {
    const { url } = demo;
    const asked = await callTool(url, "create_database", ORDERS);
    const asker = String(asked.headers["x-demo-replica"]);
    assert.equal(await demo.command(`kill ${asker}`), `killed ${asker}`);
    const retry = { requestState: stateOf(asked), inputResponses: REGION };
    const priced = await callTool(url, "create_database", ORDERS, retry);
    const created = await callTool(url, "create_database", ORDERS, {
      requestState: stateOf(priced),
      inputResponses: CONFIRM,
    });
    assert.match(textOf(created), /^Created: .*Replicas: A → B → B\./);
    assert.equal(await demo.command(`start ${asker}`), `started ${asker}`);
    assert.equal(await demo.command("status"), "running A B");
    assert.equal(await exists(url, "orders"), true);
  });

  it("says so when no replica is left", async () => {
    await demo.command("kill A");
    await demo.command("kill B");
    assert.equal(await demo.command("kill B"), "no running replica B");
    assert.equal((await send(demo.url, "tools/list", {})).status, 503);
  });

  it("takes its replicas along when it is killed itself", async () => {
    const replicas = childrenOf(demo.pid);
    demo.child.kill("SIGKILL");
    assert.equal(await demo.exited(), "SIGKILL");
    await Promise.all(replicas.map(untilGone));
  });

  for (const [how, stop] of [
    ["SIGTERM", (): unknown => demo.child.kill("SIGTERM")],
    ["SIGINT", (): unknown => demo.child.kill("SIGINT")],
    ["the end of standard input", (): unknown => demo.child.stdin.end()],
    ["the stop command", (): unknown => demo.child.stdin.write("stop\n")],
  ] as const) {
    it(`ends with ${how} and leaves no replica`, async () => {
      const replicas = childrenOf(demo.pid);
      assert.equal(replicas.length, 2);
      stop();
      assert.equal(await demo.exited(), 0);
      assert.deepEqual(replicas.filter(isAlive), []);
    });
  }
});
