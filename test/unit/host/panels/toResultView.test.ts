import assert from "node:assert/strict";
import type { JsonObject } from "../../../../src/base/json.ts";
import { base64Bytes, toResultView } from "../../../../src/host/panels/toResultView.ts";
import type { ContentBlock, StructuredCheck, ToolResult } from "../../../../src/protocol/model/tool.ts";
import type { ContentBlockView, StructuredCheckView } from "../../../../src/shared/toolRunMessages.ts";
import { english } from "./english.ts";
import { problemText, reasonText } from "../../../../src/protocol/schema/schemaTexts.ts";

const raw: JsonObject = { any: "thing" };

function view(result: Partial<ToolResult>) {
  const whole: ToolResult = {
    content: [],
    isError: false,
    structuredCheck: { kind: "none" },
    raw,
    ...result,
  };
  return toResultView({ callId: "c", result: whole, durationMs: 12, rounds: 2 }, english);
}

const blocks: readonly (readonly [string, ContentBlock, ContentBlockView])[] = [
  ["text", { type: "text", text: "<b>", raw }, { type: "text", text: "<b>" }],
  [
    "an image",
    { type: "image", data: "AA==", mimeType: "image/png", raw },
    { type: "image", data: "AA==", mimeType: "image/png" },
  ],
  [
    "sound",
    { type: "audio", data: "AA==", mimeType: "audio/wav", raw },
    { type: "audio", data: "AA==", mimeType: "audio/wav" },
  ],
  [
    "a link, by its title",
    {
      type: "resource_link",
      uri: "x://y",
      name: "n",
      title: "T",
      description: "d",
      mimeType: "m",
      size: 3,
      raw,
    },
    { type: "link", uri: "x://y", name: "T", description: "d", mimeType: "m" },
  ],
  [
    "a bare link",
    { type: "resource_link", uri: "x://y", name: "n", raw },
    { type: "link", uri: "x://y", name: "n" },
  ],
  [
    "a resource with text",
    { type: "resource", uri: "x://y", mimeType: "text/plain", text: "t", raw },
    { type: "resource", uri: "x://y", mimeType: "text/plain", text: "t" },
  ],
  [
    "a resource with bytes",
    { type: "resource", uri: "x://y", blob: "AAAA", raw },
    { type: "resource", uri: "x://y", blobBytes: 3 },
  ],
  [
    "an unknown type, whole",
    { type: "unknown", name: "hologram", raw },
    { type: "unknown", name: "hologram", raw },
  ],
];

const checks: readonly (readonly [StructuredCheck, StructuredCheckView])[] = [
  [{ kind: "valid" }, { kind: "valid" }],
  [
    { kind: "invalid", problems: [{ path: "/a", ...problemText("minimum", { limit: 3 }) }] },
    { kind: "invalid", problems: ["/a: must be >= 3"] },
  ],
  [
    { kind: "unchecked", reason: reasonText("time", { limit: 250 }) },
    { kind: "unchecked", reason: "Checking it took more than 250 ms." },
  ],
  [{ kind: "none" }, { kind: "unchecked", reason: "The tool does not describe its structured content." }],
];

describe("toResultView", () => {
  for (const [name, block, expected] of blocks) {
    // Duty: 7.3.1, 7.3.5
    it(`keeps ${name}`, () => {
      assert.deepEqual(view({ content: [block] }).blocks, [expected]);
    });
  }

  for (const [check, expected] of checks) {
    it(`says that structured content is ${check.kind}`, () => {
      const { structured } = view({ structuredContent: null, structuredCheck: check });
      assert.deepEqual(structured, { value: null, check: expected });
    });
  }

  it("says when promised structured content did not come", () => {
    const result = view({ structuredCheck: { kind: "missing" } });
    assert.equal(result.structured, undefined);
    assert.match(result.structuredMissing ?? "", /promises/);
  });

  it("keeps the tool's own failure, the times and the raw object", () => {
    const result = view({ isError: true });
    assert.deepEqual([result.isError, result.durationMs, result.rounds, result.raw], [true, 12, 2, raw]);
  });
});

describe("base64Bytes", () => {
  for (const bytes of [0, 1, 2, 3, 4, 1000]) {
    it(`counts ${String(bytes)} bytes`, () => {
      assert.equal(base64Bytes(Buffer.alloc(bytes).toString("base64")), bytes);
    });
  }
});
