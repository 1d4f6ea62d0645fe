import { assertNever } from "../../base/assertNever.ts";
import type { CallOutcome } from "../../client/serverPool.ts";
import type { ContentBlock, ToolResult } from "../../protocol/model/tool.ts";
import type { ContentBlockView, StructuredCheckView, ToolResultView } from "../../shared/toolRunMessages.ts";
import type { Translate } from "../../shared/translate.ts";

/** A finished call as the page draws it. Nothing is left out: unknown blocks and the raw object are kept. */
export function toResultView(outcome: CallOutcome<ToolResult>, t: Translate): ToolResultView {
  const { result } = outcome;
  const { structuredContent } = result;
  const missing = structuredMissing(result, t);
  return {
    isError: result.isError,
    durationMs: outcome.durationMs,
    rounds: outcome.rounds,
    blocks: result.content.map(toBlockView),
    ...(structuredContent === undefined
      ? {}
      : { structured: { value: structuredContent, check: toCheckView(result, t) } }),
    ...(missing === undefined ? {} : { structuredMissing: missing }),
    raw: result.raw,
  };
}

function structuredMissing({ structuredCheck }: ToolResult, t: Translate): string | undefined {
  return structuredCheck.kind === "missing"
    ? t("The tool promises structured content, but the result has none.")
    : undefined;
}

function toCheckView({ structuredCheck: check }: ToolResult, t: Translate): StructuredCheckView {
  switch (check.kind) {
    case "valid":
      return { kind: "valid" };
    case "invalid":
      return {
        kind: "invalid",
        problems: check.problems.map(
          ({ path, template, args }) => `${path === "" ? "/" : path}: ${t(template, args)}`,
        ),
      };
    case "unchecked":
      return { kind: "unchecked", reason: t(check.reason.template, check.reason.args) };
    case "none":
    case "missing":
      return { kind: "unchecked", reason: t("The tool does not describe its structured content.") };
    default:
      return assertNever(check);
  }
}

function toBlockView(block: ContentBlock): ContentBlockView {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
    case "audio":
      return { type: block.type, data: block.data, mimeType: block.mimeType };
    case "resource_link":
      return {
        type: "link",
        uri: block.uri,
        name: block.title ?? block.name,
        ...(block.description === undefined ? {} : { description: block.description }),
        ...(block.mimeType === undefined ? {} : { mimeType: block.mimeType }),
      };
    case "resource":
      return {
        type: "resource",
        uri: block.uri,
        ...(block.mimeType === undefined ? {} : { mimeType: block.mimeType }),
        ...(block.text === undefined ? {} : { text: block.text }),
        ...(block.blob === undefined ? {} : { blobBytes: base64Bytes(block.blob) }),
      };
    case "unknown":
      return { type: "unknown", name: block.name, raw: block.raw };
    default:
      return assertNever(block);
  }
}

/** How many bytes a Base64 text stands for, without decoding it. */
export function base64Bytes(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}
