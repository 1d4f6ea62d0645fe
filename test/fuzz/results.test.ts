import assert from "node:assert/strict";
import fc from "fast-check";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/base/json.ts";
import { EngineError } from "../../src/protocol/engineError.ts";
import { classifyProbe } from "../../src/protocol/eras/classifyProbe.ts";
import { acceptedLegacyRevisions, readInitializeResult } from "../../src/protocol/eras/legacy/handshake.ts";
import { readDiscoverResult } from "../../src/protocol/eras/modern/discover.ts";
import { isErrorResponse } from "../../src/protocol/jsonrpc/message.ts";
import { DEFAULT_LIMITS } from "../../src/protocol/limits.ts";
import { parseElicitation } from "../../src/protocol/mrtr/parseInputRequest.ts";
import { parseSampling } from "../../src/protocol/mrtr/parseSampling.ts";
import { parsePrompt } from "../../src/protocol/prompts/parsePrompt.ts";
import { parsePromptMessages } from "../../src/protocol/prompts/parsePromptMessages.ts";
import { parseContents } from "../../src/protocol/resources/parseContents.ts";
import { parseResource, parseTemplate } from "../../src/protocol/resources/parseResource.ts";
import { parseTool } from "../../src/protocol/tools/parseTool.ts";
import { parseToolResult } from "../../src/protocol/tools/parseToolResult.ts";
import { judgeBody, readHead, readRetryAfter } from "../../src/protocol/transports/http/judgeAnswer.ts";
import { forAll } from "./support/forAll.ts";
import { anyJson, jsonRpcMessage } from "./support/messageCases.ts";

/** Names that mean something in a result, a schema of a form, a message or a tool. */
const KEYS = [
  ...[
    "name",
    "title",
    "description",
    "uri",
    "uriTemplate",
    "mimeType",
    "text",
    "blob",
    "data",
    "type",
    "content",
  ],
  ...[
    "inputSchema",
    "outputSchema",
    "annotations",
    "arguments",
    "required",
    "properties",
    "enum",
    "oneOf",
    "items",
  ],
  ...[
    "const",
    "default",
    "format",
    "minimum",
    "role",
    "messages",
    "tools",
    "toolChoice",
    "mode",
    "requestedSchema",
  ],
  ...[
    "url",
    "message",
    "resource",
    "structuredContent",
    "isError",
    "size",
    "icons",
    "maxTokens",
    "modelPreferences",
  ],
  ...[
    "protocolVersion",
    "supportedVersions",
    "capabilities",
    "serverInfo",
    "ttlMs",
    "resultType",
    "__proto__",
  ],
];
const WORDS = [
  ...[
    "text",
    "image",
    "audio",
    "resource",
    "resource_link",
    "tool_use",
    "tool_result",
    "object",
    "string",
    "array",
  ],
  ...[
    "integer",
    "boolean",
    "user",
    "assistant",
    "form",
    "url",
    "2026-07-28",
    "2025-11-25",
    "complete",
    "date",
    "auto",
  ],
  ...["", "YQ==", "https://example.com/", "x://y", "\u0000", "\u202e"],
];

const like = fc.letrec<{ any: JsonValue; object: JsonObject }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    { weight: 4, arbitrary: fc.constantFrom<JsonValue>(...WORDS) },
    { weight: 1, arbitrary: anyJson },
    { weight: 2, arbitrary: fc.array(tie("any"), { maxLength: 3 }) },
    { weight: 4, arbitrary: tie("object") },
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom(...KEYS), tie("any")), { maxLength: 6 })
    .map((entries): JsonObject => Object.fromEntries(entries)),
}));
/** Deeper than a reader that calls itself for each level could go. */
const deep = fc.constantFrom("[", '{"content":', '{"properties":', '{"items":').map((open): JsonValue => {
  const end = open === "[" ? "]" : "}";
  return JSON.parse(`${open.repeat(20_000)}1${end.repeat(20_000)}`) as JsonValue;
});
const anyValue = fc.oneof({ weight: 400, arbitrary: like.any }, { weight: 1, arbitrary: deep });
const anyResult = fc.oneof(
  { weight: 400, arbitrary: like.object },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...KEYS), deep).map(([key, value]): JsonObject => ({ [key]: value })),
  },
);

/** Runs a reader; what it refuses, it refuses with an error of ours. */
function read<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    assert.ok(error instanceof EngineError, error instanceof Error ? error.stack : String(error));
    return undefined;
  }
}

describe("fuzz: what servers say", () => {
  // Duty: 7.1.2
  it("is read as a tool, a prompt, a resource or a template, or refused with a reason", () => {
    forAll(anyResult, (entry) => {
      const tool = parseTool(entry);
      if (tool.kind === "tool") assert.ok(tool.tool.name !== "" && tool.tool.raw === entry);
      for (const parse of [parseResource, parseTemplate, parsePrompt]) {
        const parsed = parse(entry);
        if (typeof parsed === "string") assert.notEqual(parsed, "");
        else assert.ok(parsed.name !== "");
      }
    });
  });

  it("loses no part of a result", () => {
    const options = { serverName: "s", limits: DEFAULT_LIMITS };
    forAll(fc.tuple(anyResult, fc.array(anyValue, { maxLength: 3 })), ([odd, content]) => {
      read(() => parseToolResult(odd, undefined, options));
      const result = parseToolResult({ ...odd, content }, undefined, options);
      assert.equal(result.content.length, content.length);
      const { messages } = parsePromptMessages(content);
      const empty = content.filter((each) => isEmptyMessage(each));
      assert.ok(messages.length >= content.length - empty.length);
      for (const part of content) assert.notEqual(parseContents(part, "x://asked").uri, "");
    });
  });

  it("is asked of a person or a model, or refused with a reason", () => {
    forAll(fc.tuple(anyValue, fc.boolean()), ([params, offersTools]) => {
      const elicitation = parseElicitation("k", params);
      assert.ok(elicitation.kind === "request" || elicitation.reason !== "");
      const sampling = parseSampling(params, offersTools);
      if (sampling.kind === "invalid") assert.notEqual(sampling.reason, "");
    });
  });

  // Duty: 2.1.14, 2.2.4, 2.2.5
  it("proves an era only by what that era alone has", () => {
    const accepted = acceptedLegacyRevisions("2025-06-18");
    const transports = fc.constantFrom("stdio" as const, "http" as const);
    forAll(fc.tuple(anyResult, transports), ([result, transport]) => {
      const discover = readDiscoverResult(result);
      const verdict = classifyProbe({ kind: "result", result }, { transport, accepted });
      assert.equal(verdict.kind === "modern", discover?.supportedVersions.includes("2026-07-28") === true);
      const handshake = readInitializeResult(result, accepted);
      if (handshake.kind === "accepted") assert.equal(handshake.facts.revision, result["protocolVersion"]);
    });
  });
});

describe("fuzz: HTTP answers", () => {
  const context = { serverName: "s", method: "tools/list" };
  const status = fc.oneof(
    fc.constantFrom(200, 202, 400, 401, 403, 404, 429, 500, 503),
    fc.integer({ min: 100, max: 599 }),
  );
  const header = fc.oneof(
    fc.constantFrom("0", "120", "-1", "1e9", "Wed, 21 Oct 2026 07:28:00 GMT", "soon", "9999999999"),
    fc.string({ maxLength: 12 }),
  );

  it("are the answer to their request, or an error that names the status", () => {
    const bodies = fc.oneof(
      jsonRpcMessage.map((message) => JSON.stringify(message, noBigint)),
      fc.string({ unit: "binary", maxLength: 30 }),
      fc.json(),
    );
    forAll(fc.tuple(status, bodies, header, fc.integer()), ([code, body, retry, id]) => {
      const head = readHead(code, { "content-type": "application/json", "retry-after": retry });
      const judged = judgeBody(head, body, id, context);
      if (judged instanceof EngineError) {
        assert.equal(judged.httpStatus, code);
        return;
      }
      assert.notEqual(code, 401);
      if (
        isErrorResponse(judged) &&
        (judged.id === undefined || judged.id === null || code < 200 || code >= 300)
      )
        return;
      assert.equal(String(judged.id), String(id));
    });
  });

  it("name a time to wait that has an end, or none", () => {
    forAll(fc.tuple(status, header), ([code, retryAfter]) => {
      const seconds = readRetryAfter({ status: code, retryAfter }, Date.UTC(2026, 10, 30));
      assert.ok(seconds === undefined || (Number.isSafeInteger(seconds) && seconds >= 0));
      if (code !== 429 && code !== 503) assert.equal(seconds, undefined);
    });
  });
});

function noBigint(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

/** A message whose content is a list without anything in it says nothing. */
function isEmptyMessage(value: JsonValue): boolean {
  const content = isJsonObject(value) ? value["content"] : undefined;
  return Array.isArray(content) && content.length === 0;
}
