import assert from "node:assert/strict";
import { fillTemplate } from "../../../../src/base/errors.ts";
import { ClientError } from "../../../../src/client/clientError.ts";
import { createProblem } from "../../../../src/client/configProblems.ts";
import { parseServers } from "../../../../src/client/parseServers.ts";
import type { ServerEntry } from "../../../../src/client/serverPool.ts";
import type { ServerState } from "../../../../src/client/serverState.ts";
import type { TreeContext, TreeItemModel } from "../../../../src/host/views/nodes.ts";
import { childrenOfServer, itemOfServer } from "../../../../src/host/views/treeModel.ts";
import { EngineError } from "../../../../src/protocol/engineError.ts";
import type { Negotiation } from "../../../../src/protocol/model/server.ts";
import type { Tool, ToolCatalog } from "../../../../src/protocol/model/tool.ts";
import { NO_SUBSCRIPTIONS } from "../../../../src/protocol/model/subscriptions.ts";

const words: TreeContext = {
  maySample: () => false,
  isWatched: () => false,
  isChanged: () => false,
  t: (text, args = {}) => fillTemplate(text, args),
  describe: (problem) => ({
    message: problem.message,
    ...("remedy" in problem && problem.remedy !== undefined ? { remedy: problem.remedy } : {}),
    ...("detail" in problem && problem.detail !== undefined ? { detail: problem.detail } : {}),
  }),
};

const negotiation: Negotiation = {
  era: "modern",
  revision: "2026-07-28",
  how: "probed",
  reason: "It answered server/discover.",
  steps: [],
  roundTrips: 1,
  processes: 1,
  server: { name: "liar", version: "9" },
  capabilities: {},
  instructions: undefined,
};

function tool(name: string, more: Partial<Tool> = {}): Tool {
  return { name, displayName: name, inputSchema: { type: "object" }, raw: { name }, ...more };
}

function connected(catalog: Partial<ToolCatalog>, listProblem?: EngineError): ServerState {
  const whole = { tools: [], rejectedTools: [], warnings: [], ...catalog };
  return {
    kind: "connected",
    negotiation,
    catalog: whole,
    listProblem,
    lists: {
      prompts: { kind: "absent" },
      resources: { kind: "absent" },
      templates: { kind: "absent" },
      skills: { kind: "absent" },
    },
    allowed: [],
    wanted: [],
    subscriptions: NO_SUBSCRIPTIONS,
    tasks: [],
    sinceMs: 0,
  };
}

function entry(state: ServerState, definition: unknown = { command: "run", args: ["--x"] }): ServerEntry {
  const parsed = parseServers({ s: definition }, "user");
  return { id: "s", config: parsed.servers[0], problems: parsed.problems, state };
}

function children(of: ServerEntry): readonly TreeItemModel[] {
  return childrenOfServer(of, words).map((node) => node.item);
}

describe("a server in the tree", () => {
  const timeout = new EngineError("timeout", { server: "s", method: "initialize", seconds: 20 });
  const exited = new EngineError(
    "process-exited",
    { server: "s", exit: "code 1" },
    { detail: "a\nb\nTypeError: boom" },
  );
  const untrusted = new ClientError("untrusted", { server: "s" });

  const cases: readonly (readonly [
    string,
    ServerState,
    string,
    string,
    string,
    TreeItemModel["children"],
  ])[] = [
    ["disabled", { kind: "disabled" }, "Disabled", "circle-slash", "server.disabled.stdio", "none"],
    ["stopped", { kind: "stopped" }, "Stopped", "circle-outline", "server.stopped.stdio", "none"],
    [
      "connecting",
      { kind: "connecting", step: "negotiating", sinceMs: 0 },
      "Negotiating…",
      "loading~spin",
      "server.connecting.stdio",
      "none",
    ],
    [
      "connected",
      connected({ tools: [tool("a")] }),
      "Modern 2026-07-28",
      "pass-filled",
      "server.connected.stdio",
      "expanded",
    ],
    [
      "connected, with many tools",
      connected({ tools: Array.from({ length: 31 }, (_, index) => tool(`t${String(index)}`)) }),
      "Modern 2026-07-28",
      "pass-filled",
      "server.connected.stdio",
      "collapsed",
    ],
    [
      "blocked",
      { kind: "blocked", problem: untrusted },
      "Needs attention",
      "warning",
      "server.blocked.stdio",
      "expanded",
    ],
    ["failed", { kind: "failed", problem: timeout }, "Failed", "error", "server.failed.stdio", "expanded"],
    [
      "about to restart",
      { kind: "failed", problem: timeout, restart: { atMs: 0, attempt: 2, of: 5 } },
      "Failed, restarts in 1 s (2 of 5)",
      "error",
      "server.failed.stdio",
      "expanded",
    ],
  ];
  for (const [name, state, description, icon, contextValue, open] of cases) {
    it(`says that it is ${name}`, () => {
      const item = itemOfServer(entry(state), words);
      assert.deepEqual(
        [item.label, item.description, item.icon.id, item.contextValue, item.children],
        ["s", description, icon, contextValue, open],
      );
      assert.ok(item.accessibleLabel.includes(description), "a screen reader hears the state too");
      if (state.kind === "connected") assert.match(item.accessibleLabel, /Connected · Modern 2026-07-28/);
    });
  }

  it("names the legacy era", () => {
    const state = connected({});
    assert.ok(state.kind === "connected");
    const legacy: ServerState = {
      ...state,
      negotiation: { ...negotiation, era: "legacy", revision: "2025-11-25" },
    };
    assert.equal(itemOfServer(entry(legacy), words).description, "Legacy 2025-11-25");
  });

  it("explains the negotiation and marks what the server says as its claim", () => {
    const { tooltip } = itemOfServer(entry(connected({})), words);
    const facts = new Map(tooltip.map(({ name, text }) => [name, text]));
    assert.equal(facts.get("Protocol"), "Modern 2026-07-28 (asked the server)");
    assert.equal(facts.get("The server calls itself"), "liar 9");
    assert.equal(facts.get("Command"), "run --x");
  });

  it("tells what is declared to a server, and which lists it does not keep up to date", () => {
    const state = connected({});
    assert.ok(state.kind === "connected");
    const settings = { tasks: true, trace: true, logLevel: "info" };
    const facts = (more: object, own: object = {}): string => {
      const { tooltip } = itemOfServer(entry({ ...state, ...more }, { command: "run", ...own }), words);
      return tooltip.map(({ name, text }) => `${name ?? ""}: ${text}`).join("\n");
    };
    assert.match(facts({}), /^Declared to it: questions$/m);
    const all = facts({ allowed: ["sampling", "roots"] }, settings);
    assert.match(
      all,
      /^Declared to it: questions, a language model, folders, tasks, logs from info, traces$/m,
    );
    assert.doesNotMatch(all, /does not tell/);
    const asked = { lists: ["tools", "prompts"], resources: [], tasks: [] };
    const honoured = { lists: ["tools"], resources: [], tasks: [] };
    assert.match(
      facts({ subscriptions: { asked, honoured } }),
      /does not tell when these lists change: Prompts\./,
    );
  });

  it("tells the menus whether it may ask a language model", () => {
    const value = itemOfServer(entry(connected({})), { ...words, maySample: () => true }).contextValue;
    assert.equal(value, "server.connected.stdio.sampling");
  });

  // Duty: 1.4.10
  it("keeps the label that the settings give, whatever the server calls itself", () => {
    assert.equal(itemOfServer(entry(connected({})), words).label, "s");
  });

  it("shows why it failed, with the remedy and the end of the error output", () => {
    const [note] = children(entry({ kind: "failed", problem: exited }));
    assert.equal(note?.label, exited.message);
    assert.equal(note.click, "showServerLog");
    const texts = note.tooltip.map(({ text }) => text);
    assert.ok(texts.includes(exited.remedy ?? ""));
    assert.ok(texts.at(-1)?.endsWith("TypeError: boom"));
  });

  it("shows each problem of a broken entry once", () => {
    const broken = entry(
      { kind: "blocked", problem: new ClientError("invalid-config", { server: "s", problem: "x" }) },
      { command: {} },
    );
    const notes = children(broken);
    assert.equal(notes.length, broken.problems.length);
    assert.deepEqual(
      notes.map(({ click }) => click),
      ["editServer"],
    );
    assert.equal(itemOfServer(broken, words).contextValue, "server.blocked.invalid");
  });

  it("shows what it wants to use and may not, with a click that lets the person allow it", () => {
    const state = connected({ tools: [tool("a")] });
    assert.ok(state.kind === "connected");
    const [sampling, roots] = children(entry({ ...state, wanted: ["sampling", "roots"] }));
    assert.match(sampling?.label ?? "", /^Off: wants a language model$/);
    assert.equal(sampling?.click, "allowSampling");
    assert.match(roots?.label ?? "", /^Off: wants to know your folders$/);
    assert.equal(roots?.click, "chooseFolders");
  });

  it("shows warnings of the settings beside a working server", () => {
    const withWarning: ServerEntry = {
      ...entry(connected({ tools: [tool("a")] })),
      problems: [createProblem("warning", "s", ["x"], "unknown-key")],
    };
    assert.deepEqual(
      children(withWarning).map(({ contextValue }) => contextValue),
      ["note.warning", "tool"],
    );
  });
});

describe("tools in the tree", () => {
  it("stand in the server's order under stable ids", () => {
    const items = children(entry(connected({ tools: [tool("b"), tool("a", { displayName: "First" })] })));
    assert.deepEqual(
      items.map(({ id, label, description }) => [id, label, description]),
      [
        ['["s","tool","b",0]', "b", undefined],
        ['["s","tool","a",0]', "First", "a"],
      ],
    );
  });

  it("have ids of their own even when a server lists a name twice, or names look like paths", () => {
    const twice = children(entry(connected({ tools: [tool("a"), tool("a"), tool("a/b")] })));
    assert.equal(new Set(twice.map(({ id }) => id)).size, 3);
  });

  it("cannot dress up with hidden characters or line breaks", () => {
    const [item] = children(
      entry(connected({ tools: [tool("x", { displayName: "safe\u202Eelet\u200B\nsecond line" })] })),
    );
    assert.equal(item?.label, "safe elet second line");
  });

  it("are cut when their names are endless", () => {
    const [item] = children(entry(connected({ tools: [tool("n".repeat(5_000))] })));
    assert.ok((item?.label.length ?? 0) <= 300);
  });

  // Duty: 7.2.6
  it("carry descriptions as quoted text and hints as claims", () => {
    const described = tool("x", {
      description: "**[click](command:x)**",
      annotations: { readOnlyHint: true },
    });
    const [item] = children(entry(connected({ tools: [described] })));
    assert.deepEqual(
      item?.tooltip.filter(({ style }) => style === "quote"),
      [{ style: "quote", text: "**[click](command:x)**" }],
    );
    assert.ok(item.tooltip.some(({ text }) => text === "claims to be read-only"));
  });

  it("that the settings narrow away are not passed over in silence", () => {
    const none = entry(connected({ tools: [] }), { command: "run", tools: ["other"] });
    assert.deepEqual(
      children(none).map(({ label }) => label),
      ["This server has none of the tools that its settings name."],
    );
  });

  it("that are withheld are listed with their reasons", () => {
    const nodes = childrenOfServer(
      entry(
        connected({ tools: [], rejectedTools: [{ name: "bad", reason: "Its header has a line break." }] }),
      ),
      words,
    );
    const [group] = nodes;
    assert.ok(group?.kind === "note");
    assert.equal(group.item.label, "Withheld tools (1)");
    assert.equal(group.item.children, "collapsed");
    assert.equal(group.children[0]?.item.description, "Its header has a line break.");
  });

  it("that are missing are not passed over in silence", () => {
    assert.deepEqual(
      children(entry(connected({}))).map(({ label }) => label),
      ["This server has no tools."],
    );
    const failed = connected(
      {},
      new EngineError("timeout", { server: "s", method: "tools/list", seconds: 60 }),
    );
    assert.deepEqual(
      children(entry(failed)).map(({ contextValue }) => contextValue),
      ["note.error"],
    );
  });
});
