import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from "../base/json.ts";
import type { ErrorReport, Report, ResultReport } from "./report.ts";
import { toTerminalText } from "./terminalText.ts";

/** What goes to standard output and what to standard error; both end with a line end or are empty. */
export interface FormattedReport {
  readonly out: string;
  readonly err: string;
}

/** The report as text for people. Everything that a server said is made harmless for a terminal. */
export function formatText(report: Report): FormattedReport {
  const out: string[] = [];
  const { connection, error } = report;
  if (connection !== null && report.command === "test") {
    const { name, version } = connection.serverInfo ?? {};
    out.push(
      `“${report.server ?? ""}” is connected: MCP ${connection.revision} (${connection.era}), ${count(connection.toolCount, "tool")}.`,
    );
    if (typeof name === "string")
      out.push(`It calls itself ${name} ${typeof version === "string" ? version : ""}`.trimEnd());
    out.push(`${connection.reason} (${count(connection.roundTrips, "round trip")})`);
  }
  out.push(...formatLists(report), ...formatOutcome(report));
  const err = [
    ...report.warnings.map((warning) => `Warning: ${warning}`),
    ...(error === null ? [] : formatError(error)),
  ];
  return { out: toLines(out), err: toLines(err) };
}

function formatLists({ tools, rejectedTools, resources, templates, prompts, skills }: Report): string[] {
  return [
    ...(tools ?? []).map(formatTool),
    ...(rejectedTools ?? []).map(({ name, reason }) => `${name} (withheld: ${reason})`),
    ...(resources ?? []).map((item) => formatEntry(item, "uri")),
    ...(templates ?? []).map((item) => formatEntry(item, "uriTemplate")),
    ...(prompts ?? []).map(formatPrompt),
    ...(skills ?? []).map(formatSkill),
  ];
}

function formatOutcome({ result, resource, prompt, skill, completion }: Report): string[] {
  const values: readonly JsonValue[] = Array.isArray(completion?.["values"]) ? completion["values"] : [];
  return [
    ...(result === undefined ? [] : formatResult(result)),
    ...(resource === undefined ? [] : formatContents(resource.contents)),
    ...(skill === undefined ? [] : [skill.text ?? `[${skill.path}, ${String(skill.size)} bytes]`]),
    ...(prompt?.messages ?? []).map(
      ({ role, content }) => `${textOf(role)}: ${formatBlock(content ?? null)}`,
    ),
    ...values.map(textOf),
  ];
}

function formatTool(tool: JsonObject): string {
  const description =
    typeof tool["description"] === "string" ? (tool["description"].trim().split("\n")[0] ?? "") : "";
  const text = textOf(tool["name"]);
  return description === "" ? text : `${text}  ${description}`;
}

/** A resource or a template: what it is called by, its name and the first line of its description. */
function formatEntry(item: JsonObject, key: string): string {
  const { name, title, description } = item;
  const about = [textOf(title) || textOf(name), textOf(description).trim().split("\n")[0] ?? ""];
  return [textOf(item[key]), ...about.filter((text) => text !== "")].join("  ");
}

function formatPrompt(prompt: JsonObject): string {
  const list: readonly JsonValue[] = Array.isArray(prompt["arguments"]) ? prompt["arguments"] : [];
  const names = list
    .filter(isJsonObject)
    .map(({ name, required }) => `${textOf(name)}${required === true ? "" : "?"}`);
  return `${formatTool(prompt)}${names.length === 0 ? "" : `  (${names.join(", ")})`}`;
}

function formatSkill({ uri, frontmatter }: JsonObject): string {
  return formatEntry({ ...(isJsonObject(frontmatter) ? frontmatter : {}), uri: uri ?? "" }, "uri");
}

function formatContents(contents: readonly JsonObject[]): string[] {
  const lines = contents.map(({ uri, text, blob, mimeType }) => {
    if (typeof text === "string") return contents.length === 1 ? text : `${textOf(uri)}\n${text}`;
    const bytes = typeof blob === "string" ? `${String(Math.floor((blob.length * 3) / 4))} bytes` : "nothing";
    return `[${[textOf(uri), textOf(mimeType), bytes].filter((part) => part !== "").join(", ")}]`;
  });
  return lines.length === 0 ? ["(no content)"] : lines;
}

function formatResult({ content, structuredContent, structuredCheck, isError }: ResultReport): string[] {
  const lines = isError ? ["The tool reports an error:"] : [];
  lines.push(...content.map(formatBlock));
  const json = structuredContent === undefined ? undefined : stringifyJson(structuredContent, 2);
  // Servers repeat structured content as text for older clients.
  if (json !== undefined && !content.some((block) => isSameJson(block, structuredContent))) lines.push(json);
  if (structuredCheck["kind"] === "invalid" && Array.isArray(structuredCheck["problems"])) {
    lines.push(
      "The structured content does not match the tool's output schema:",
      ...structuredCheck["problems"].map((problem) => `  ${String(problem)}`),
    );
  } else if (structuredCheck["kind"] === "missing") {
    lines.push("The tool's output schema promises structured content, but none came.");
  } else if (structuredCheck["kind"] === "unchecked") {
    lines.push(`The structured content was not checked: ${textOf(structuredCheck["reason"])}`);
  }
  return lines.length === 0 ? ["(no content)"] : lines;
}

function isSameJson(block: JsonValue, value: JsonValue | undefined): boolean {
  if (!isJsonObject(block) || typeof block["text"] !== "string") return false;
  try {
    return stringifyJson(parseJson(block["text"])) === stringifyJson(value);
  } catch {
    return false;
  }
}

function formatBlock(block: JsonValue): string {
  if (!isJsonObject(block)) return stringifyJson(block);
  const { type, text, mimeType, data, uri, name, resource } = block;
  if (type === "text" && typeof text === "string") return text;
  if ((type === "image" || type === "audio") && typeof data === "string") {
    return `[${type} ${textOf(mimeType)}, ${String(Math.floor((data.length * 3) / 4))} bytes]`;
  }
  if (type === "resource_link") return `[link ${textOf(name)} ${textOf(uri)}]`;
  if (type === "resource" && isJsonObject(resource)) {
    return typeof resource["text"] === "string" ? resource["text"] : `[resource ${textOf(resource["uri"])}]`;
  }
  return stringifyJson(block);
}

function formatError({ message, remedy, detail }: ErrorReport): string[] {
  return [
    `Error: ${message}`,
    ...(remedy === null ? [] : [remedy]),
    ...(detail === null ? [] : ["", detail.trimEnd()]),
  ];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function count(number: number, what: string): string {
  return `${String(number)} ${what}${number === 1 ? "" : "s"}`;
}

function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${toTerminalText(line)}\n`).join("");
}
