import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { ServerEntry } from "../../../src/client/serverPool.ts";
import type { ServerLists } from "../../../src/client/serverState.ts";
import { renderTooltip } from "../../../src/host/views/renderItem.ts";
import { createServersProvider } from "../../../src/host/views/serversProvider.ts";
import type { TreeNode } from "../../../src/host/views/nodes.ts";
import { wording } from "../../../src/host/wording.ts";
import { EngineError } from "../../../src/protocol/engineError.ts";
import { connected, fakeEntry, fakeTool } from "../../unit/host/fakePool.ts";

const ENTRIES: readonly ServerEntry[] = [
  fakeEntry(
    "up",
    connected([fakeTool("first", { description: "[run me](command:evil) <b>now</b>" }), fakeTool("second")]),
  ),
  fakeEntry("down", {
    kind: "failed",
    problem: new EngineError("timeout", { server: "down", method: "initialize", seconds: 20 }),
  }),
];

const LISTS: ServerLists = {
  resources: {
    kind: "listed",
    warnings: [],
    items: [{ uri: "a:1", name: "r", displayName: "Report", mimeType: "text/plain", raw: {} }],
  },
  templates: { kind: "listed", warnings: [], items: [] },
  skills: { kind: "absent" },
  prompts: {
    kind: "listed",
    warnings: [],
    items: [{ name: "p", displayName: "Plan", arguments: [], raw: {} }],
  },
};

describe("host: the headings of a server", () => {
  const changed = new vscode.EventEmitter<TreeNode | undefined>();
  const entry = fakeEntry("all", { ...connected([fakeTool("t")]), lists: LISTS });
  const pool = { servers: () => [entry], get: () => entry };
  const provider = createServersProvider(
    pool,
    { ...wording, maySample: () => false, isWatched: () => false, isChanged: () => false },
    changed.event,
  );
  after(() => changed.dispose());

  it("stand between the server and what it has, and lead back to it", async () => {
    const [server] = (await provider.getChildren()) ?? [];
    const headings = (await provider.getChildren(server)) ?? [];
    const items = await Promise.all(headings.map(async (node) => provider.getTreeItem(node)));
    assert.deepEqual(
      items.map(({ label, contextValue }) => [label, contextValue]),
      [
        ["Tools (1)", "section.tools"],
        ["Resources (1)", "section.resources"],
        ["Prompts (1)", "section.prompts"],
      ],
    );
    const [resource] = (await provider.getChildren(headings[1])) ?? [];
    const [prompt] = (await provider.getChildren(headings[2])) ?? [];
    assert.ok(resource !== undefined && prompt !== undefined);
    assert.equal((await provider.getTreeItem(resource)).command?.command, "signalbox.readResource");
    assert.equal((await provider.getTreeItem(prompt)).command?.command, "signalbox.getPrompt");
    assert.equal(await provider.getParent?.(resource), headings[1]);
    assert.equal(headings[1] && (await provider.getParent?.(headings[1])), server);
  });
});

describe("host: the tree of servers", () => {
  const changed = new vscode.EventEmitter<TreeNode | undefined>();
  const pool = { servers: () => ENTRIES, get: (id: string) => ENTRIES.find((entry) => entry.id === id) };
  const provider = createServersProvider(
    pool,
    { ...wording, maySample: () => false, isWatched: () => false, isChanged: () => false },
    changed.event,
  );
  after(() => changed.dispose());

  const childrenOf = async (node?: TreeNode): Promise<readonly TreeNode[]> =>
    (await provider.getChildren(node)) ?? [];
  const itemOf = async (node: TreeNode): Promise<vscode.TreeItem> => provider.getTreeItem(node);

  it("has servers, then tools and problems, as the editor will draw them", async () => {
    const [up, down] = await childrenOf();
    assert.ok(up !== undefined && down !== undefined);
    const upItem = await itemOf(up);
    assert.deepEqual(
      [upItem.label, upItem.description, upItem.contextValue],
      ["up", "Modern 2026-07-28", "server.connected.http"],
    );
    assert.deepEqual(
      await Promise.all((await childrenOf(up)).map(async (node) => (await itemOf(node)).label)),
      ["first", "second"],
    );
    const [problem] = await childrenOf(down);
    assert.ok(problem !== undefined);
    const { label } = await itemOf(problem);
    assert.ok(typeof label === "string" && label.includes("did not answer"));
    assert.equal((await itemOf(down)).collapsibleState, vscode.TreeItemCollapsibleState.Expanded);
  });

  it("keeps the node of a server, so that a refresh finds it", async () => {
    const [before] = await childrenOf();
    const [after] = await childrenOf();
    assert.equal(before, after);
    assert.equal(provider.serverNode("up"), before);
  });

  it("opens a tool on a click, and names it for a screen reader", async () => {
    const [up] = await childrenOf();
    const [tool] = await childrenOf(up);
    assert.ok(tool !== undefined);
    const item = await itemOf(tool);
    assert.equal(item.command?.command, "signalbox.runTool");
    assert.deepEqual(item.command.arguments, [tool]);
    assert.equal(item.accessibilityInformation?.label, "Tool first of server up");
  });

  it("shows what a server says as text, never as links, commands or HTML", async () => {
    const [up] = await childrenOf();
    const [tool] = await childrenOf(up);
    assert.ok(tool !== undefined);
    const item = await itemOf(tool);
    assert.equal(item.tooltip, undefined, "made only when somebody looks");
    const resolved = await provider.resolveTreeItem?.(item, tool, new vscode.CancellationTokenSource().token);
    const tooltip = resolved?.tooltip;
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.notEqual(tooltip.isTrusted, true);
    assert.notEqual(tooltip.supportHtml, true);
    assert.ok(!tooltip.value.includes("[run me](command:evil)"), tooltip.value);
    assert.ok(!tooltip.value.includes("<b>"), tooltip.value);
  });

  it("escapes every kind of line in a tooltip", () => {
    const text = "# **x** [y](command:z) `c` <i>";
    for (const style of ["title", "text", "fact", "quote"] as const) {
      const { value } = renderTooltip([{ style, name: text, text }]);
      assert.ok(!value.includes("[y](command:z)") && !value.includes("<i>"), value);
    }
  });

  it("lets the lines of a tooltip break between words, and keeps what Markdown would drop or take for code", () => {
    const { value } = renderTooltip([{ style: "text", text: "    one two  three\nhttps://evil.test 1. x" }]);
    const blank = "&nbsp;";
    assert.equal(value, `${blank.repeat(4)}one two${blank.repeat(2)}three\n\nhttps\\://evil\\.test 1\\. x`);
  });
});
