import assert from "node:assert/strict";
import type { JsonObject } from "../../src/base/json.ts";
import type { ServerState } from "../../src/client/serverState.ts";
import type { ElicitationRequest, InputResponse, InputRound } from "../../src/protocol/mrtr/inputRequired.ts";
import type { Progress } from "../../src/protocol/model/tool.ts";
import { childrenOf, isAlive, startHttpDemo, type HttpDemo } from "../scenario/demo/demoProcess.ts";
import {
  createPeerPool,
  createPerson,
  demoScript,
  httpPeer,
  stdioPeer,
  textOf,
  type PeerPool,
} from "./peerPool.ts";

const ORDERS = { name: "orders", engine: "postgres" };

/** A person who wants the database: chooses a region, confirms the price, accepts the terms. */
function agree(request: ElicitationRequest): InputResponse {
  if (request.kind === "url") return { action: "accept" };
  return request.form.fields[0]?.name === "region"
    ? { action: "accept", content: { region: "eu-north" } }
    : { action: "accept", content: { confirm: true } };
}

async function listNames({ call }: PeerPool): Promise<readonly unknown[]> {
  const { structuredContent } = (await call("list_databases")).result;
  const { databases } = structuredContent as { readonly databases: readonly JsonObject[] };
  return databases.map(({ name }) => name);
}

/** The next resource that the server says has changed. */
function nextUpdate({ pool }: PeerPool): Promise<string> {
  return new Promise((resolve) => {
    const subscription = pool.onDidNotice(({ notice }) => {
      if (notice.kind !== "resource-updated") return;
      subscription.dispose();
      resolve(notice.uri);
    });
  });
}

function registerChecks(peer: () => PeerPool): void {
  it("is a modern server with seven tools", async () => {
    const { negotiation, catalog } = await peer().connect();
    assert.equal(negotiation.revision, "2026-07-28");
    assert.equal(catalog.tools.length, 7);
    assert.deepEqual(catalog.rejectedTools, []);
  });

  it("asks for a region and a confirmation and then creates", async () => {
    await peer().connect();
    const person = createPerson(agree);
    const outcome = await peer().call("create_database", ORDERS, { input: person });
    assert.match(textOf(outcome), /^Created: .* for 38\.09 EUR a month/);
    assert.equal(outcome.rounds, 2);
    assert.deepEqual(
      person.rounds.map(({ round, target }) => [round, target]),
      [
        [1, "create_database"],
        [2, "create_database"],
      ],
    );
    const [region] = person.rounds[0]?.requests ?? [];
    assert.ok(region?.kind === "form");
    const [field] = region.form.fields;
    assert.ok(field?.kind === "choice");
    assert.equal(field.default, "eu-central");
    assert.equal(field.options[1]?.title, "Stockholm (eu-north)");
    assert.deepEqual(await listNames(peer()), ["orders"]);
  });

  // Duty: 8.1.8, 13.1, 13.2, 13.4, 13.10
  it("tells when a watched resource changes, and of nothing that is no longer watched", async () => {
    const { subscriptions } = await peer().connect();
    assert.ok(subscriptions.asked.lists.includes("resources"));
    const { pool, call, until } = peer();
    const uris: string[] = [];
    const told = pool.onDidNotice(({ notice }) => {
      if (notice.kind === "resource-updated") uris.push(notice.uri);
    });
    const watch = await pool.watchResource("peer", "demo://databases");
    const watches = (count: number) => (state: ServerState) =>
      state.kind === "connected" && state.subscriptions.honoured.resources.length === count;
    await until(watches(1));
    const update = nextUpdate(peer());
    await call("create_database", ORDERS, { input: createPerson(agree) });
    assert.equal(await update, "demo://databases");
    watch.dispose();
    await until(watches(0));
    const before = uris.length;
    await call("create_database", { ...ORDERS, name: "more" }, { input: createPerson(agree) });
    assert.equal(uris.length, before);
    told.dispose();
  });

  it("asks for a form and a URL in one round", async () => {
    await peer().connect();
    const person = createPerson(agree);
    const outcome = await peer().call(
      "create_database",
      { ...ORDERS, plan: "enterprise" },
      { input: person },
    );
    assert.match(textOf(outcome), /^Created/);
    assert.deepEqual(person.rounds[1]?.requests.map(({ kind }) => kind).sort(), ["form", "url"]);
  });

  for (const action of ["decline", "cancel"] as const) {
    for (const round of [1, 2]) {
      it(`creates nothing on ${action} in round ${String(round)}`, async () => {
        await peer().connect();
        const answer = (request: ElicitationRequest, asked: InputRound): InputResponse =>
          asked.round === round ? { action } : agree(request);
        const outcome = await peer().call("create_database", ORDERS, { input: createPerson(answer) });
        assert.match(textOf(outcome), /Nothing was created/);
        assert.equal(outcome.rounds, round);
        assert.deepEqual(await listNames(peer()), []);
      });
    }
  }

  it("reports progress, draws a picture and mirrors an argument", async () => {
    await peer().connect();
    const seen: Progress[] = [];
    const onProgress = (progress: Progress): void => void seen.push(progress);
    await peer().call("run_migration", { steps: 4, durationMs: 40 }, { onProgress });
    assert.deepEqual(
      seen.map(({ progress }) => progress),
      [1, 2, 3, 4],
    );
    const chart = await peer().call("render_chart", { metric: "cost" });
    assert.deepEqual(
      chart.result.content.map(({ type }) => type),
      ["text", "image"],
    );
    assert.equal(chart.result.structuredCheck.kind, "valid");
    const status = await peer().call("get_provision_status", { database: "none", region: "eu-north" });
    assert.match(textOf(status), /no database “none”/);
  });
}

describe("demo over stdio", function () {
  this.timeout(30_000);
  let peer: PeerPool;

  beforeEach(() => {
    peer = createPeerPool(stdioPeer([demoScript("main.ts"), "--stdio"]));
  });

  afterEach(async () => {
    await peer.pool.close();
  });

  registerChecks(() => peer);

  it("fails a call at once when the server dies, and works again after a restart", async () => {
    await peer.connect();
    const [pid] = childrenOf(process.pid);
    assert.ok(pid !== undefined);
    const running = peer.call(
      "run_migration",
      { steps: 600, durationMs: 600_000 },
      { onProgress: () => undefined },
    );
    const failed = assert.rejects(
      running,
      (error: unknown) => error instanceof Error && "code" in error && error.code === "process-exited",
    );
    process.kill(pid, "SIGKILL");
    await failed;
    await peer.until(({ kind }) => kind === "failed");
    await peer.pool.restart("peer");
    assert.deepEqual(await listNames(peer), []);
  });
});

describe("demo over HTTP", function () {
  this.timeout(30_000);
  let demo: HttpDemo;
  let peer: PeerPool;

  beforeEach(async () => {
    demo = await startHttpDemo();
    peer = createPeerPool(httpPeer(demo.url));
  });

  afterEach(async () => {
    await peer.pool.close();
    const replicas = childrenOf(demo.pid);
    demo.child.stdin.end();
    assert.equal(await demo.exited(), 0);
    assert.deepEqual(replicas.filter(isAlive), []);
  });

  registerChecks(() => peer);

  it("gets its answers on another replica than the one that asked", async () => {
    await peer.connect();
    const outcome = await peer.call("create_database", ORDERS, { input: createPerson(agree) });
    assert.match(textOf(outcome), /Replicas: (A → B → A|B → A → B)\./);
  });

  it("completes on the other replica when the one that asked is killed in between", async () => {
    await peer.connect();
    const killed: string[] = [];
    const person = createPerson(async (request, { round }) => {
      if (round === 1) killed.push(await demo.command("kill A"));
      return agree(request);
    });
    const outcome = await peer.call("create_database", ORDERS, { input: person });
    assert.deepEqual(killed, ["killed A"]);
    assert.match(textOf(outcome), /^Created: .*Replicas: [AB] → B → B\./);
    assert.deepEqual(await listNames(peer), ["orders"]);
  });
});

describe("demo of the 2025-11-25 revision", function () {
  this.timeout(30_000);
  let peer: PeerPool;

  beforeEach(() => {
    // What a legacy client can be asked is settled when it connects, not for each call.
    const person = createPerson(() => ({ action: "cancel" }));
    peer = createPeerPool(stdioPeer([demoScript("legacyMain.ts")]), person);
  });

  afterEach(async () => {
    await peer.pool.close();
  });

  it("is a legacy server that asks before it deletes", async () => {
    const { negotiation, catalog } = await peer.connect();
    assert.equal(negotiation.revision, "2025-11-25");
    assert.equal(catalog.tools.length, 6);
    const declined = await peer.call(
      "delete_note",
      { id: 1 },
      { input: createPerson(() => ({ action: "decline" })) },
    );
    assert.match(textOf(declined), /still there/);
    const person = createPerson(() => ({ action: "accept", content: { confirm: true, reason: "other" } }));
    const deleted = await peer.call("delete_note", { id: 1 }, { input: person });
    assert.equal(textOf(deleted), "Deleted note 1.");
    const [request] = person.rounds[0]?.requests ?? [];
    assert.ok(request?.kind === "form");
    const [, reason] = request.form.fields;
    assert.ok(reason?.kind === "choice");
    assert.equal(reason.options[1]?.title, "There is another one");
  });

  it("returns every kind of content", async () => {
    await peer.connect();
    const { content } = (await peer.call("show_attachments")).result;
    assert.deepEqual(
      content.map(({ type }) => type),
      ["text", "image", "audio", "resource_link", "resource"],
    );
  });
});
