import assert from "node:assert/strict";
import type { JsonValue } from "../../../../src/base/json.ts";
import { readCatalog } from "../../../../src/protocol/lists/readCatalog.ts";
import { readListing } from "../../../../src/protocol/lists/readListing.ts";
import type { ToolCatalog } from "../../../../src/protocol/model/tool.ts";
import { parsePrompt } from "../../../../src/protocol/prompts/parsePrompt.ts";
import { parseResource, parseTemplate } from "../../../../src/protocol/resources/parseResource.ts";

const tool = (name: string): JsonValue => ({ name, inputSchema: { type: "object" } });

function catalogOf(items: readonly JsonValue[], withheld: readonly string[] = []): ToolCatalog {
  return readCatalog({ items, warnings: [] }, (tools) =>
    tools.filter(({ name }) => withheld.includes(name)).map(({ name }) => ({ name, reason: "x" })),
  );
}

describe("the catalog of tools", () => {
  // Duty: 7.1.7
  it("is in the server's order, whatever names and withheld tools there are", () => {
    const { tools, rejectedTools } = catalogOf([tool("z"), tool("10"), tool("a"), tool("2")], ["a"]);
    assert.deepEqual(
      tools.map(({ name }) => name),
      ["z", "10", "2"],
    );
    assert.deepEqual(rejectedTools, [{ name: "a", reason: "x" }]);
  });

  // Duty: 7.1.2, 7.1.6
  it("has what the server says about a tool, under the best name that it gives", () => {
    const entry = {
      name: "a",
      title: "A tool",
      description: "Does it",
      inputSchema: { type: "object", properties: {} },
      outputSchema: { type: "array" },
      annotations: { title: "Another title", readOnlyHint: true, openWorldHint: "perhaps" },
      icons: [{ src: "https://one.example/icon.png" }],
      _meta: { "x/y": 1 },
    };
    const { tools } = catalogOf([entry, { ...entry, name: "b", title: "" }, tool("c")]);
    const [first] = tools;
    assert.deepEqual(first, {
      name: "a",
      displayName: "A tool",
      description: "Does it",
      inputSchema: { type: "object", properties: {} },
      outputSchema: { type: "array" },
      annotations: { title: "Another title", readOnlyHint: true },
      raw: entry,
    });
    assert.deepEqual(
      tools.map(({ displayName }) => displayName),
      ["A tool", "Another title", "c"],
    );
  });

  // Duty: 7.1.4
  it("has tools with names that MCP does not recommend, and names them once", () => {
    const long = "x".repeat(99);
    const proper = ["admin.tools.list", "admin_tools_list", `${long}a`, `${long}b`, "y".repeat(128), "A-z"];
    const odd = ["user-profile/update", "Create Share", "z".repeat(129), "工具"];
    const { tools, warnings } = catalogOf([...proper, ...odd].map(tool));
    assert.deepEqual(
      tools.map(({ name }) => name),
      [...proper, ...odd],
    );
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /Other clients may refuse.*: user-profile\/update, Create Share, z/);
    assert.doesNotMatch(warnings[0] ?? "", /admin/);
    assert.deepEqual(catalogOf(proper.map(tool)).warnings, []);
  });

  it("uses the first of two tools with one name, and loses nothing else to a bad entry", () => {
    const { tools, rejectedTools, warnings } = catalogOf([tool("a"), 7, tool("b"), tool("a")]);
    assert.deepEqual(
      tools.map(({ name }) => name),
      ["a", "b"],
    );
    assert.equal(rejectedTools.length, 1);
    assert.deepEqual(warnings, ["Listed more than once, used once: a."]);
  });
});

describe("the entries of other lists", () => {
  // Duty: 8.1.10, 7.1.6
  it("keep what the server says about a resource", () => {
    const entry = {
      uri: "file:///a.png",
      name: "a",
      title: "A picture",
      mimeType: "image/png",
      size: 2_048,
      annotations: { audience: ["user", "robot"], priority: 0.5, lastModified: "2026-01-01T00:00:00Z" },
      _meta: { "x/y": 1 },
    };
    const resource = parseResource(entry);
    assert.ok(typeof resource !== "string");
    const { annotations, raw, ...fields } = resource;
    assert.deepEqual(fields, {
      uri: "file:///a.png",
      name: "a",
      displayName: "A picture",
      mimeType: "image/png",
      size: 2_048,
    });
    assert.deepEqual(annotations, {
      audience: ["user"],
      priority: 0.5,
      lastModified: "2026-01-01T00:00:00Z",
    });
    assert.equal(raw, entry);
  });

  it("are called by their address where they have no name", () => {
    const resource = parseResource({ uri: "a:1" });
    assert.equal(typeof resource !== "string" && resource.displayName, "a:1");
    const template = parseTemplate({ uriTemplate: "a:{x}", name: "" });
    assert.equal(typeof template !== "string" && template.displayName, "a:{x}");
  });

  it("are left out alone when they are unusable, and counted when they are many", () => {
    const items = [
      { name: "good" },
      7,
      { title: "no name" },
      { name: "good" },
      { name: "odd", arguments: {} },
    ];
    const listing = readListing("prompts/list", { items, warnings: [] }, parsePrompt, ({ name }) => name);
    assert.deepEqual(
      listing.items.map(({ name }) => name),
      ["good"],
    );
    assert.equal(listing.warnings.length, 4);
    const many = { items: Array.from({ length: 100 }, () => 7), warnings: [] };
    const { warnings } = readListing("prompts/list", many, parsePrompt, ({ name }) => name);
    assert.equal(warnings.length, 6);
    assert.match(warnings[5] ?? "", /^95 more entries/);
  });
});
