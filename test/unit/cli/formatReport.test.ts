import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { formatText } from "../../../src/cli/formatReport.ts";
import { exitCodeOf, type Report, type ResultReport } from "../../../src/cli/report.ts";

const BASE: Report = { ok: true, command: "call", server: "s", connection: null, warnings: [], error: null };
const RESULT: ResultReport = {
  isError: false,
  content: [],
  structuredCheck: { kind: "none" },
  durationMs: 1,
  rounds: 0,
};

const resultText = (result: Partial<ResultReport>): string =>
  formatText({ ...BASE, result: { ...RESULT, ...result } }).out;

describe("formatText", () => {
  it("shows every kind of content", () => {
    const content = [
      { type: "text", text: "two\r\nlines" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "resource_link", uri: "r://1", name: "one" },
      { type: "resource", resource: { uri: "r://2", text: "inside" } },
      { type: "resource", resource: { uri: "r://3", blob: "AA==" } },
      { type: "hologram", data: 1 },
    ];
    assert.equal(
      resultText({ content }),
      'two\nlines\n[image image/png, 3 bytes]\n[link one r://1]\ninside\n[resource r://3]\n{"type":"hologram","data":1}\n',
    );
    assert.equal(resultText({}), "(no content)\n");
  });

  it("shows structured content once, and how it compares with the schema", () => {
    assert.equal(resultText({ structuredContent: { a: 1 } }), '{\n  "a": 1\n}\n');
    assert.equal(
      resultText({ content: [{ type: "text", text: '{ "a":1 }' }], structuredContent: { a: 1 } }),
      '{ "a":1 }\n',
    );
    assert.match(
      resultText({ structuredCheck: { kind: "invalid", problems: ["/a must be integer"] } }),
      /does not match.*\n {2}\/a must be integer/,
    );
    assert.match(resultText({ structuredCheck: { kind: "missing" } }), /none came/);
    assert.match(
      resultText({ structuredCheck: { kind: "unchecked", reason: "because" } }),
      /not checked: because/,
    );
  });

  it("shows every digit of an integer, and tells neighbours apart", () => {
    const structuredContent = { id: 9007199254740993n };
    assert.equal(resultText({ structuredContent }), '{\n  "id": 9007199254740993\n}\n');
    const said = (text: string): string =>
      resultText({ content: [{ type: "text", text }], structuredContent });
    assert.equal(said('{"id":9007199254740993}'), '{"id":9007199254740993}\n');
    assert.match(said('{"id":9007199254740992}'), /992\}\n\{\n {2}"id": 9007199254740993/);
  });

  it("keeps a server from writing to the terminal", () => {
    const text = formatText({
      ...BASE,
      tools: [{ name: "a\u001b[2J", description: "\u009b31m\u202ex" }],
      rejectedTools: [{ name: "b\u0007", reason: "r" }],
      error: { source: "server", code: 1, message: "m\u001b", remedy: null, detail: "d\u0000" },
    });

    assert.doesNotMatch(text.out + text.err, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});

describe("exitCodeOf", () => {
  const failed = (source: "usage" | "client" | "engine" | "server", code: string | number): Report => ({
    ...BASE,
    ok: false,
    error: { source, code, message: "", remedy: null, detail: null },
  });

  it("tells wrong usage and configuration from failures", () => {
    assert.equal(exitCodeOf(BASE), 0);
    assert.equal(exitCodeOf({ ...BASE, ok: false }), 1);
    assert.equal(exitCodeOf(failed("usage", "wrong-usage")), 2);
    assert.equal(exitCodeOf(failed("client", "unset-variable")), 2);
    assert.equal(exitCodeOf(failed("client", "not-connected")), 1);
    assert.equal(exitCodeOf(failed("engine", "timeout")), 1);
    assert.equal(exitCodeOf(failed("server", -32603)), 1);
  });
});
