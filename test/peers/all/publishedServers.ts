import assert from "node:assert/strict";
import path from "node:path";
import type { JsonObject } from "../../../src/base/json.ts";
import type { AnyRevision } from "../../../src/protocol/model/revision.ts";
import type { ToolResult } from "../../../src/protocol/model/tool.ts";
import { type Connected, type PeerPool, SERVER_ID } from "../peerPool.ts";

/** A server that others published, and what it was measured to be. */
export interface Published {
  readonly command: string;
  /** Where it is installed: here, or with the servers that each change is checked with. */
  readonly place: "." | "./all";
  readonly args?: readonly string[];
  /** Credentials are made up: nothing here may reach an account. */
  readonly env?: Readonly<Record<string, string>>;
  /** What is agreed on when it may choose. */
  readonly revision: AnyRevision;
  /** Whether it is one server for both eras. */
  readonly bothEras?: boolean;
  readonly tools: number;
  /** A call that needs neither network nor account. */
  readonly call?: readonly [tool: string, args: (folder: string) => JsonObject, expected: RegExp];
  /** What is special about it, asserted as a user would see it. */
  readonly odd?: readonly [what: string, check: (run: PublishedRun) => Promise<void>];
}

export interface PublishedRun {
  readonly peer: PeerPool;
  readonly connected: Connected;
}

const HOW = { origin: "api" } as const;

/** Reads the page of an MCP App, whole. */
function readsPage(uri: string, bytes: number): NonNullable<Published["odd"]> {
  return [
    `a page of ${String(bytes)} bytes and more`,
    async ({ peer }) => {
      const [page] = (await peer.pool.readResource(SERVER_ID, uri, HOW)).result.contents;
      assert.equal(page?.mimeType, "text/html;profile=mcp-app");
      assert.equal(page.problem, undefined);
      assert.ok((page.text ?? "").length >= bytes, `${String(page.text?.length)} characters`);
    },
  ];
}

function textOf({ content }: ToolResult): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}

const sizeOf = ({ connected }: PublishedRun): number =>
  JSON.stringify(connected.catalog.tools.map(({ raw }) => raw)).length;

export const PUBLISHED: readonly Published[] = [
  {
    command: "mcp-server-sequential-thinking",
    place: "./all",
    revision: "2025-11-25",
    tools: 1,
    call: [
      "sequentialthinking",
      () => ({ thought: "one", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }),
      /"thoughtHistoryLength": 1/,
    ],
  },
  { command: "context7-mcp", place: ".", revision: "2026-07-28", bothEras: true, tools: 2 },
  {
    command: "mongodb-mcp-server",
    place: ".",
    env: { MDB_MCP_TELEMETRY: "disabled" },
    revision: "2026-07-28",
    bothEras: true,
    tools: 27,
  },
  {
    command: "agent-device",
    place: ".",
    args: ["mcp"],
    revision: "2026-07-28",
    bothEras: true,
    tools: 57,
    odd: [
      "a list of more than 200,000 bytes that may be kept for an hour",
      async (run) => {
        assert.ok(sizeOf(run) > 200_000);
        const { peer } = run;
        await peer.pool.disconnect(SERVER_ID);
        const asked = (method: string): number => peer.sent.filter((text) => text.includes(method)).length;
        assert.deepEqual([asked("server/discover"), asked("tools/list")], [1, 1]);
        assert.equal((await peer.connect()).catalog.tools.length, 57);
        assert.deepEqual([asked("server/discover"), asked("tools/list")], [2, 1]);
      },
    ],
  },
  {
    command: "1password-mcp",
    place: "./all",
    env: { OP_SERVICE_ACCOUNT_TOKEN: "x" },
    revision: "2026-07-28",
    bothEras: true,
    tools: 15,
    call: ["password_generate", () => ({ length: 20 }), /"password": ".{20,}"/],
    odd: [
      "prompts and resources of a modern server",
      async ({ peer }) => {
        const state = peer.state();
        assert.ok(state?.kind === "connected");
        const { prompts, resources } = state.lists;
        assert.ok(prompts.kind === "listed" && prompts.items.length === 4);
        assert.ok(resources.kind === "listed" && resources.items.length === 3);
      },
    ],
  },
  {
    command: "mcp-server-supabase",
    place: "./all",
    args: ["--access-token", `sbp_${"0".repeat(40)}`],
    revision: "2026-07-28",
    tools: 0,
    odd: [
      "connected although its tools cannot be listed",
      async ({ peer, connected }) => {
        const { listProblem } = connected;
        assert.ok(listProblem !== undefined && listProblem.message !== "");
        // It is asked again, and the connection still stands.
        await assert.rejects(peer.pool.refresh(SERVER_ID));
        assert.equal(peer.state()?.kind, "connected");
      },
    ],
  },
  {
    command: "playwright-mcp",
    place: "./all",
    args: ["--headless", "--isolated"],
    revision: "2025-11-25",
    tools: 25,
  },
  {
    command: "chrome-devtools-mcp",
    place: "./all",
    args: ["--headless", "--isolated"],
    revision: "2025-11-25",
    tools: 32,
  },
  {
    command: "firecrawl-mcp",
    place: "./all",
    env: { FIRECRAWL_API_KEY: "fc-x" },
    revision: "2025-11-25",
    tools: 29,
    odd: [
      "completion announced without anything to complete",
      async ({ peer }) => {
        const target = { kind: "prompt", name: "none" } as const;
        await assert.rejects(
          peer.pool.complete(SERVER_ID, target, { name: "a", value: "" }, {}),
          /Unknown prompt/,
        );
      },
    ],
  },
  {
    command: "notion-mcp-server",
    place: "./all",
    env: { NOTION_TOKEN: "ntn_x" },
    revision: "2025-11-25",
    tools: 24,
    odd: [
      "the same definitions in every tool, and references to them",
      async ({ connected }) => {
        const { tools } = connected.catalog;
        const texts = tools.map(({ inputSchema }) => JSON.stringify(inputSchema));
        assert.ok(texts.every((text) => text.includes('"$defs"')));
        assert.ok(texts.some((text) => text.includes('"$ref":"#/$defs/')));
      },
    ],
  },
  {
    command: "mcp-gitlab",
    place: "./all",
    env: { GITLAB_PERSONAL_ACCESS_TOKEN: "x" },
    revision: "2025-11-25",
    tools: 118,
    odd: [
      "the most tools of all",
      async (run) => {
        assert.ok(sizeOf(run) > 140_000);
        assert.equal(new Set(run.connected.catalog.tools.map(({ name }) => name)).size, 118);
      },
    ],
  },
  {
    command: "desktop-commander",
    place: "./all",
    args: ["--no-onboarding"],
    revision: "2025-11-25",
    tools: 26,
    call: ["read_file", (folder) => ({ path: path.join(folder, "note.txt") }), /déjà vu/],
    odd: [
      "log messages before anything was asked",
      async ({ peer, connected }) => {
        assert.equal(connected.negotiation.processes, 1);
        await peer.untilLogged(/\[server\]/);
      },
    ],
  },
  { command: "mcp-server-chart", place: "./all", revision: "2025-11-25", tools: 27 },
  {
    command: "sentry-mcp",
    place: "./all",
    args: ["--access-token=x"],
    revision: "2025-11-25",
    tools: 22,
  },
  {
    command: "git-mcp-server",
    place: "./all",
    revision: "2025-11-25",
    tools: 28,
    call: ["git_init", (folder) => ({ path: path.join(folder, "repository") }), /"success": true/],
  },
  {
    command: "n8n-mcp",
    place: "./all",
    revision: "2025-03-26",
    tools: 7,
    call: ["search_nodes", () => ({ query: "webhook" }), /nodes-base\.webhook/],
  },
  {
    command: "mcp-sequentialthinking-tools",
    place: "./all",
    revision: "2025-06-18",
    tools: 1,
    call: [
      "sequentialthinking_tools",
      () => ({
        available_mcp_tools: [],
        thought: "one",
        next_thought_needed: false,
        thought_number: 1,
        total_thoughts: 1,
      }),
      /"thought_history_length": 1/,
    ],
  },
  {
    command: "mcp-server-github",
    place: "./all",
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: "x" },
    revision: "2024-11-05",
    tools: 26,
  },
  {
    command: "mcp-server-postgres",
    place: "./all",
    args: ["postgresql://127.0.0.1:1/x"],
    revision: "2024-11-05",
    tools: 1,
    odd: [
      "resources that cannot be listed, and templates that it does not know",
      async ({ peer }) => {
        const state = peer.state();
        assert.ok(state?.kind === "connected");
        const { resources, templates } = state.lists;
        assert.ok(resources.kind === "failed" && /ECONNREFUSED/.test(resources.problem.message));
        assert.equal(templates.kind, "absent");
        await assert.rejects(peer.call("query", { sql: "select 1" }), /ECONNREFUSED/);
      },
    ],
  },
  { command: "mcp", place: "./all", revision: "2025-11-25", tools: 1 },
  {
    command: "mcp-hello-world",
    place: "./all",
    revision: "2025-11-25",
    tools: 3,
    call: ["add", () => ({ a: 2, b: 3 }), /The sum is: 5/],
  },
  {
    command: "zai-mcp-server",
    place: "./all",
    env: { Z_AI_API_KEY: "x" },
    revision: "2025-11-25",
    tools: 8,
  },
  { command: "shadcn-mcp", place: "./all", revision: "2025-11-25", tools: 10 },
  {
    command: "mcp-budget-allocator-server",
    place: "./all",
    args: ["--stdio"],
    revision: "2025-11-25",
    tools: 1,
    call: ["get-budget-data", () => ({}), /Default Budget/],
    odd: readsPage("ui://budget-allocator/mcp-app.html", 400_000),
  },
  {
    command: "mcp-pdf-server",
    place: "./all",
    args: ["--stdio"],
    revision: "2025-11-25",
    tools: 9,
    call: ["list_pdfs", () => ({}), /PDF/],
    odd: readsPage("ui://pdf-viewer/mcp-app.html", 4_000_000),
  },
  {
    command: "mcp-server-basic-vanillajs",
    place: "./all",
    args: ["--stdio"],
    revision: "2025-11-25",
    tools: 1,
    call: ["get-time", () => ({}), /^\d{4}-\d\d-\d\dT/],
    odd: readsPage("ui://get-time/mcp-app.html", 200_000),
  },
  {
    command: "mcp-system-monitor-server",
    place: "./all",
    args: ["--stdio"],
    revision: "2025-11-25",
    tools: 2,
    call: ["get-system-info", () => ({}), /"hostname"/],
    odd: readsPage("ui://system-monitor/mcp-app.html", 400_000),
  },
];

/** Asserts that a call gave what it should. */
export async function checkCall({ peer }: PublishedRun, published: Published, folder: string): Promise<void> {
  if (published.call === undefined) return;
  const [tool, args, expected] = published.call;
  const { result } = await peer.call(tool, args(folder));
  assert.equal(result.isError, false, textOf(result));
  assert.match(textOf(result), expected);
  assert.notEqual(result.structuredCheck.kind, "invalid");
}
