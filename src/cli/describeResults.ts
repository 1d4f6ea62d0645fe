import type { JsonObject } from "../base/json.ts";
import type { CallOutcome } from "../client/serverPool.ts";
import type { PromptResult } from "../protocol/model/prompt.ts";
import type { ResourceResult } from "../protocol/model/resource.ts";
import type { VerifiedFile } from "../protocol/model/skill.ts";
import type { StructuredCheck, ToolResult } from "../protocol/model/tool.ts";
import { describeSchemaProblem } from "../protocol/schema/schemaTexts.ts";
import type { PromptReport, ResourceReport, ResultReport, SkillReport } from "./report.ts";

export function describeCall({ result, durationMs, rounds }: CallOutcome<ToolResult>): ResultReport {
  const { isError, content, structuredContent, structuredCheck } = result;
  return {
    isError,
    content: content.map((block) => block.raw),
    ...(structuredContent === undefined ? {} : { structuredContent }),
    structuredCheck: describeCheck(structuredCheck),
    durationMs: Math.round(durationMs),
    rounds,
  };
}

/** The check as plain texts. */
function describeCheck(check: StructuredCheck): JsonObject {
  switch (check.kind) {
    case "invalid":
      return { kind: check.kind, problems: check.problems.map((problem) => describeSchemaProblem(problem)) };
    case "unchecked":
      return { kind: check.kind, reason: check.reason.message };
    default:
      return { kind: check.kind };
  }
}

/** The contents as the server sent them; what is wrong with one of them stands in the warnings. */
export function describeResource({ result, durationMs, rounds }: CallOutcome<ResourceResult>): {
  readonly resource: ResourceReport;
  readonly warnings: readonly string[];
} {
  const problems = result.contents.flatMap(({ uri, problem }) =>
    problem === undefined ? [] : [`${uri}: ${problem}`],
  );
  const contents = result.contents.map(({ raw }) => raw);
  return { resource: { contents, durationMs: Math.round(durationMs), rounds }, warnings: problems };
}

/** A file that is what its skill announces. */
export function describeSkillFile({ result, durationMs }: CallOutcome<VerifiedFile>): SkillReport {
  const { skill, file, text, bytes } = result;
  const base64 = text === undefined ? { base64: Buffer.from(bytes).toString("base64") } : {};
  return {
    skill: skill.uri,
    uri: file.uri,
    path: file.path,
    size: file.size,
    sha256: file.sha256,
    text: text ?? null,
    ...base64,
    durationMs: Math.round(durationMs),
  };
}

export function describePrompt({ result, durationMs, rounds }: CallOutcome<PromptResult>): {
  readonly prompt: PromptReport;
  readonly warnings: readonly string[];
} {
  const messages = result.messages.map(({ role, content }) => ({ role, content: content.raw }));
  const { description, warnings } = result;
  return {
    prompt: { description: description ?? null, messages, durationMs: Math.round(durationMs), rounds },
    warnings,
  };
}
