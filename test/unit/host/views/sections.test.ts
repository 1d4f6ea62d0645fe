import assert from "node:assert/strict";
import { fillTemplate } from "../../../../src/base/errors.ts";
import type { ServerEntry } from "../../../../src/client/serverPool.ts";
import type { ConnectedState, ListState, ServerLists } from "../../../../src/client/serverState.ts";
import type { SectionNode, TreeContext, TreeItemModel } from "../../../../src/host/views/nodes.ts";
import { childrenOfSection, childrenOfServer, itemOfServer } from "../../../../src/host/views/treeModel.ts";
import { EngineError } from "../../../../src/protocol/engineError.ts";
import type { Prompt } from "../../../../src/protocol/model/prompt.ts";
import type { Resource, ResourceTemplate } from "../../../../src/protocol/model/resource.ts";
import { RpcError } from "../../../../src/protocol/rpcError.ts";
import { connected, fakeEntry, fakeTool } from "../fakePool.ts";

const watched = new Set<string>();
const changed = new Set<string>();
const context: TreeContext = {
  t: (text, args = {}) => fillTemplate(text, args),
  describe: (problem) => ({ message: problem.message }),
  maySample: () => false,
  isWatched: (_server, uri) => watched.has(uri),
  isChanged: (_server, uri) => changed.has(uri),
};

const listed = <T>(items: readonly T[], warnings: readonly string[] = []): ListState<T> => ({
  kind: "listed",
  items,
  warnings,
});

function resource(uri: string, more: Partial<Resource> = {}): Resource {
  return { uri, name: uri, displayName: uri, raw: { uri }, ...more };
}

function template(uriTemplate: string): ResourceTemplate {
  return { uriTemplate, name: uriTemplate, displayName: uriTemplate, raw: { uriTemplate } };
}

function prompt(name: string, more: Partial<Prompt> = {}): Prompt {
  return { name, displayName: name, arguments: [], raw: { name }, ...more };
}

function server(lists: Partial<ServerLists>, more: Partial<ConnectedState> = {}): ServerEntry {
  const state = connected([fakeTool("a")]);
  return fakeEntry("s", { ...state, ...more, lists: { ...state.lists, ...lists } });
}

function sections(entry: ServerEntry): readonly SectionNode[] {
  return childrenOfServer(entry, context).filter((node) => node.kind === "section");
}

function below(entry: ServerEntry, section: string): readonly TreeItemModel[] {
  const node = sections(entry).find((each) => each.section === section);
  assert.ok(node !== undefined, `there is a section ${section}`);
  return childrenOfSection(node, entry, context).map(({ item }) => item);
}

describe("sections of a server in the tree", () => {
  it("are not there when a server has tools alone", () => {
    assert.deepEqual(
      childrenOfServer(server({}), context).map(({ kind }) => kind),
      ["tool"],
    );
  });

  it("stand for what a server announces, with their numbers", () => {
    const entry = server({
      resources: listed([resource("a:1"), resource("a:2")]),
      templates: listed([template("a:{x}")]),
      prompts: listed([prompt("p")]),
    });
    assert.deepEqual(
      sections(entry).map(({ item }) => [item.label, item.children]),
      [
        ["Tools (1)", "expanded"],
        ["Resources (2)", "collapsed"],
        ["Templates (1)", "collapsed"],
        ["Prompts (1)", "collapsed"],
      ],
    );
    assert.equal(itemOfServer(entry, context).children, "expanded");
  });

  it("leave out tools that the server does not announce, and open what comes first", () => {
    const state = connected([]);
    const entry = fakeEntry("s", { ...state, lists: { ...state.lists, prompts: listed([prompt("p")]) } });
    assert.deepEqual(
      sections(entry).map(({ item }) => [item.label, item.children]),
      [["Prompts (1)", "expanded"]],
    );
  });

  it("wait for a click when they are long, however long", () => {
    const many = Array.from({ length: 5_000 }, (_, index) => resource(`a:${String(index)}`));
    const state = connected([]);
    const entry = fakeEntry("s", { ...state, lists: { ...state.lists, resources: listed(many) } });
    assert.equal(sections(entry)[0]?.item.children, "collapsed");
    assert.equal(below(entry, "resources").length, 5_000);
  });

  it("say that they are being listed, and that a list failed, by more than colour", () => {
    const failed = new EngineError("timeout", { server: "s", method: "prompts/list", seconds: 60 });
    const entry = server({ resources: { kind: "unread" }, prompts: { kind: "failed", problem: failed } });
    const [, resources, prompts] = sections(entry);
    assert.equal(resources?.item.description, "being listed…");
    assert.equal(prompts?.item.description, "could not be listed");
    assert.equal(prompts.item.icon.id, "error");
    assert.match(prompts.item.accessibleLabel, /could not be listed/);
    assert.deepEqual(
      below(entry, "prompts").map(({ contextValue, label }) => [contextValue, label]),
      [["note.error", failed.message]],
    );
  });

  // Announcing resources without a list of templates is common, and nothing is wrong with it.
  it("pass over templates that a server does not have a list of", () => {
    const unknown = new RpcError("resources/templates/list", {
      code: -32_601,
      message: "Method not found",
    });
    const none = server({
      resources: listed([resource("a:1")]),
      templates: { kind: "failed", problem: unknown },
    });
    assert.deepEqual(
      sections(none).map(({ section }) => section),
      ["tools", "resources"],
    );
    const odd = server({ prompts: { kind: "failed", problem: unknown } });
    assert.equal(sections(odd)[1]?.item.icon.id, "warning");
  });

  it("show warnings before the things, and say when there is none", () => {
    const entry = server({
      resources: listed([resource("a:1")], ["One entry has no URI."]),
      prompts: listed([]),
    });
    assert.deepEqual(
      below(entry, "resources").map(({ contextValue }) => contextValue),
      ["note.warning", "resource"],
    );
    assert.deepEqual(
      below(entry, "prompts").map(({ label }) => label),
      ["This server has no prompts."],
    );
  });

  it("are empty once the server is gone", () => {
    const [node] = sections(server({ prompts: listed([prompt("p")]) }));
    assert.ok(node !== undefined);
    assert.deepEqual(childrenOfSection(node, fakeEntry("s", { kind: "stopped" }), context), []);
    assert.deepEqual(childrenOfSection(node, undefined, context), []);
  });
});

describe("resources in the tree", () => {
  it("show type and size, and have ids of their own even when listed twice", () => {
    const one = resource("a:1", { displayName: "Report", mimeType: "text/markdown", size: 2_048 });
    const items = below(server({ resources: listed([one, one]) }), "resources");
    assert.deepEqual(
      items.map(({ label, description, icon }) => [label, description, icon.id]),
      Array.from({ length: 2 }, () => ["Report", "text/markdown · 2.0 KiB", "markdown"]),
    );
    assert.equal(new Set(items.map(({ id }) => id)).size, 2);
    assert.match(items[0]?.accessibleLabel ?? "", /Resource Report of server s, text\/markdown/);
  });

  it("can be watched where the server tells of changes, and say when they are", () => {
    const state = connected([fakeTool("a")]);
    const negotiation = { ...state.negotiation, capabilities: { resources: { subscribe: true } } };
    const entry = server({ resources: listed([resource("a:1"), resource("a:2")]) }, { negotiation });
    watched.add("a:2");
    try {
      assert.deepEqual(
        below(entry, "resources").map(({ contextValue, description }) => [contextValue, description]),
        [
          ["resource.watchable", undefined],
          ["resource.watched", "watched"],
        ],
      );
    } finally {
      watched.clear();
    }
    assert.equal(
      below(server({ resources: listed([resource("a:1")]) }), "resources")[0]?.contextValue,
      "resource",
    );
  });

  it("say quietly when they changed unseen, in words and not by colour alone", () => {
    watched.add("a:2");
    changed.add("a:2");
    try {
      const [, item] = below(server({ resources: listed([resource("a:1"), resource("a:2")]) }), "resources");
      assert.equal(item?.description, "changed · watched");
      assert.equal(item.icon.id, "bell-dot");
      assert.match(item.accessibleLabel, /changed · watched$/);
      assert.equal(item.contextValue, "resource.watched");
    } finally {
      watched.clear();
      changed.clear();
    }
  });

  it("cannot dress up with hidden characters", () => {
    const dressed = resource("a:1", { displayName: "safe\u202Eelet\nnext", mimeType: "text/\u200Bplain" });
    const [item] = below(server({ resources: listed([dressed]) }), "resources");
    assert.deepEqual([item?.label, item?.description], ["safe elet next", "text/ plain"]);
  });
});

describe("prompts in the tree", () => {
  it("tell which arguments they need", () => {
    const one = prompt("plan", {
      displayName: "Plan",
      arguments: [
        { name: "workload", displayName: "workload", description: "What for", required: true },
        { name: "engine", displayName: "Engine", required: false },
      ],
    });
    const [item] = below(server({ prompts: listed([one]) }), "prompts");
    assert.deepEqual(
      item?.tooltip.filter(({ style }) => style === "fact").map(({ name, text }) => [name, text]),
      [
        ["Name", "plan"],
        ["workload (required)", "What for"],
        ["engine", "Engine"],
      ],
    );
    assert.equal(item.click, "getPrompt");
  });
});
