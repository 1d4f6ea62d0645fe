import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Cell, compareWithReadme } from "../../scripts/lib/compatibilityTable.mjs";
import type { JsonObject } from "../../src/base/json.ts";
import type { ProtocolSetting, Revision } from "../../src/protocol/model/revision.ts";
import type { Negotiation } from "../../src/protocol/model/server.ts";
import { type ScriptedMessage, type ScriptedServer, scriptedStdio } from "../support/scriptedStdio.ts";
import { TestPool } from "../support/testPool.ts";

/**
 * Every way in which a server over stdio is known to begin, by era and by setting: one table, one test for each row,
 * a real process for each test. The official suite has no scenarios for stdio, so the README counts these.
 *
 * The probe's limit is longer than a test may take: no row gets to its tools by waiting for that.
 */
const ROOT = path.resolve(import.meta.dirname, "..", "..");
const REPORT = path.join(ROOT, "out", "stdioMatrix", "report.json");
const PROBE_SECONDS = 20;
/** Long before a slow server reads its input, and too late for the others to meet it on a busy machine. */
const HEDGE_MS = { slow: 50, quick: 9_000 };
const SLOW_MS = 200;

/** What the server does about the probe; a number is the code of the error that it answers. */
type OnProbe = "modern" | "exit" | "silent" | "empty" | "lists-legacy" | number;

interface Behaviour {
  readonly name: string;
  readonly probe: OnProbe;
  /** `initialize` is refused when left out. */
  readonly initialize?: "answered" | "silent";
  /** Errors carry the id null, as of a server that did not understand the request. */
  readonly nullId?: true;
  /** It begins to read its input only after the time at which `initialize` is sent beside the probe. */
  readonly slow?: true;
  /** It writes what is no message to stdout and a lot to stderr, before and between its answers. */
  readonly noisy?: true;
}

const ERROR_CODES = [-32601, -32602, -32600, -32000] as const;

const LEGACY: readonly Behaviour[] = (
  [
    { name: "exits on the probe", probe: "exit" },
    { name: "starts slowly and exits on the probe", probe: "exit", slow: true },
    { name: "never answers the probe", probe: "silent" },
    { name: "starts slowly and never answers the probe", probe: "silent", slow: true },
    { name: "starts slowly and refuses the probe", probe: -32601, slow: true },
    { name: "is noisy and refuses the probe", probe: -32601, noisy: true },
    { name: "is noisy and exits on the probe", probe: "exit", noisy: true },
    ...ERROR_CODES.map((probe) => ({ name: `answers the probe with ${String(probe)}`, probe })),
    ...ERROR_CODES.map((probe) => ({
      name: `answers the probe with ${String(probe)} and the id null`,
      probe,
      nullId: true as const,
    })),
    { name: "answers anything with an empty result", probe: "empty" },
    { name: "lists legacy revisions only", probe: "lists-legacy" },
  ] satisfies Behaviour[]
).map((behaviour) => ({ ...behaviour, initialize: "answered" }));

/** For a client that does not probe, the others are no different. */
const LEGACY_UNPROBED = LEGACY.filter(
  ({ probe, slow, noisy }) =>
    (slow === undefined && noisy === undefined && (probe === "exit" || probe === "silent")) ||
    (probe === -32601 && (slow === true || noisy === true)),
);

const MODERN: readonly Behaviour[] = [
  { name: "is modern", probe: "modern" },
  { name: "is modern and starts slowly", probe: "modern", slow: true },
  {
    name: "is modern, starts slowly and does not answer initialize",
    probe: "modern",
    initialize: "silent",
    slow: true,
  },
  { name: "is modern and noisy", probe: "modern", noisy: true },
  { name: "speaks both eras", probe: "modern", initialize: "answered" },
  { name: "speaks both eras and starts slowly", probe: "modern", initialize: "answered", slow: true },
  { name: "speaks both eras and is noisy", probe: "modern", initialize: "answered", noisy: true },
];

interface Row {
  readonly behaviour: Behaviour;
  /** The revision that must come out; a legacy server speaks no other one. */
  readonly revision: Revision;
  readonly protocol: ProtocolSetting;
  readonly how: Negotiation["how"];
  readonly processes: number;
}

function legacyRows(revision: Revision): Row[] {
  const probed = LEGACY.map((behaviour): Row => {
    const processes = behaviour.probe === "exit" ? 2 : 1;
    return { behaviour, revision, protocol: "auto", how: "fallback", processes };
  });
  const pinned = (["legacy", revision] as const).flatMap((protocol) =>
    LEGACY_UNPROBED.map((behaviour): Row => ({ behaviour, revision, protocol, how: "pinned", processes: 1 })),
  );
  return [...probed, ...pinned];
}

function modernRows(protocol: ProtocolSetting, how: Negotiation["how"]): Row[] {
  return MODERN.map((behaviour) => ({ behaviour, revision: "2026-07-28", protocol, how, processes: 1 }));
}

/** A server that speaks both eras, for a client that wants the older one. */
function dualRows(protocol: ProtocolSetting): Row[] {
  return MODERN.filter(({ initialize }) => initialize === "answered").map((behaviour) => ({
    behaviour,
    revision: "2025-11-25",
    protocol,
    how: "pinned",
    processes: 1,
  }));
}

const ROWS: readonly Row[] = [
  ...modernRows("auto", "probed"),
  ...modernRows("2026-07-28", "pinned"),
  ...legacyRows("2025-11-25"),
  ...dualRows("legacy"),
  ...dualRows("2025-11-25"),
  ...legacyRows("2025-06-18"),
];

/** The whole server; it runs in a process of its own and sees nothing of this file. */
function beginAs(self: ScriptedServer): void {
  const { probe, initialize, nullId, slow, noisy, revision, slowMs } = self.data as Behaviour & {
    readonly revision: string;
    readonly slowMs: number;
  };
  const noise = (): void => {
    if (noisy !== true) return;
    self.raw(
      'ready on stdio\n\n\u001b[32m[demo]\u001b[0m hello\n{"level":"info"}\n[1]\n42\n{"jsonrpc":"2.0",\n',
    );
    // More than a pipe holds: a client that does not read it stops the server.
    self.stderr(`${"warming up ".repeat(20)}\n`.repeat(600));
  };
  const fail = (request: ScriptedMessage, code: number, data?: unknown): void => {
    const error = { code, message: "Not now", data };
    self.send({ jsonrpc: "2.0", id: nullId === true ? null : request.id, error });
  };
  const discover = (request: ScriptedMessage): void => {
    if (typeof probe === "number") fail(request, probe);
    else if (probe === "exit") self.exit(1);
    else if (probe === "empty") self.reply(request, {});
    else if (probe === "lists-legacy") fail(request, -32022, { supported: [revision] });
    else if (probe === "modern") {
      const supportedVersions = ["2026-07-28"];
      const capabilities = { tools: {} };
      const cache = { ttlMs: 0, cacheScope: "private" };
      self.reply(request, { resultType: "complete", supportedVersions, capabilities, ...cache });
    }
  };
  const handshake = (request: ScriptedMessage): void => {
    if (initialize === undefined) fail(request, -32601);
    else if (initialize === "answered") {
      const serverInfo = { name: "matrix", version: "1" };
      self.reply(request, { protocolVersion: revision, capabilities: { tools: {} }, serverInfo });
    }
  };
  const handle = (request: ScriptedMessage): void => {
    noise();
    if (request.method === "server/discover") discover(request);
    else if (request.method === "initialize") handshake(request);
    else if (request.method === "tools/list") {
      const tools = [{ name: "t", inputSchema: { type: "object" } }];
      self.reply(request, { resultType: "complete", tools, ttlMs: 0, cacheScope: "private" });
    }
  };
  noise();
  const started = new Promise<void>((resolve) => (slow === true ? self.after(slowMs, resolve) : resolve()));
  self.on("*", (message) => void started.then(() => handle(message)));
}

function serverOf({ behaviour, revision, protocol }: Row): JsonObject {
  const data = { ...behaviour, revision, slowMs: SLOW_MS };
  const { command, args } = scriptedStdio(beginAs, data);
  return { command, args, protocol, timeouts: { probe: PROBE_SECONDS } };
}

/** Silence is met by sending `initialize` as well; where nobody is silent, that must not decide. */
function hedgeOf({ slow, probe, nullId }: Behaviour): number {
  return slow === true || probe === "silent" || nullId === true ? HEDGE_MS.slow : HEDGE_MS.quick;
}

function connectTo(row: Row): TestPool {
  const hedgeMs = hedgeOf(row.behaviour);
  return new TestPool({ s: serverOf(row) }, undefined, {
    resolve: (config) =>
      Promise.resolve({ ...config, timeouts: { ...config.timeouts, hedgeMs }, secrets: [] }),
  });
}

describe("stdio matrix", () => {
  const passed = new Set<Row>();

  for (const row of ROWS) {
    const { behaviour, revision, protocol, how, processes } = row;
    // Duty: 2.1.1, 2.1.5, 2.1.10, 2.1.12, 2.1.15, 2.2.1, 2.2.2, 2.2.3, 2.2.4, 2.2.5, 2.2.6, 2.2.8, 2.2.9, 3.4, 3.5, 3.16, 6.3
    it(`${protocol}: reaches the tools of a ${revision} server that ${behaviour.name}`, async () => {
      await using test = connectTo(row);
      const negotiation = await test.connect();
      assert.deepEqual(
        { revision: negotiation.revision, how: negotiation.how, processes: negotiation.processes },
        { revision, how, processes },
      );
      assert.deepEqual(test.tools(), ["t"]);
      assert.ok(negotiation.steps.length > 0 && negotiation.reason.includes(revision));
      if (behaviour.noisy === true) {
        const said = test.log.lines.join("\n");
        assert.match(said, /^info stderr: warming up/m);
        assert.match(said, /^warn Skipped a line on stdout that is no message: ready on stdio/m);
        assert.doesNotMatch(said, /^error /m);
      }
      passed.add(row);
    });
  }

  it("is counted in the README as it went", async () => {
    const cells: Record<string, Cell> = {};
    for (const row of ROWS) {
      const cell = (cells[row.revision] ??= { passed: 0, total: 0 });
      cell.total += 1;
      if (passed.has(row)) cell.passed += 1;
    }
    await mkdir(path.dirname(REPORT), { recursive: true });
    await writeFile(REPORT, JSON.stringify(cells));
    const readme = await readFile(path.join(ROOT, "README.md"), "utf8");
    assert.equal(compareWithReadme(readme, { stdio: cells }), undefined);
  });
});
