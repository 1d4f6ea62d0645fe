import type { JsonValue } from "../../base/json.ts";
import type { RejectedTool, Tool, ToolCatalog } from "../model/tool.ts";
import { warnOfDialects } from "../schema/warnOfDialects.ts";
import { shorten } from "../shorten.ts";
import { parseTool } from "../tools/parseTool.ts";
import type { ListedPages } from "./listPages.ts";

/**
 * Reads the entries of a finished `tools/list` in the server's order, which is kept wherever tools are handed on.
 * A bad entry is withheld with its reason, and a name that comes twice is used once.
 *
 * @param withhold takes the readable tools, and answers those that cannot be called in this era and over this transport
 */
export function readCatalog(
  pages: ListedPages,
  withhold: (tools: readonly Tool[]) => readonly RejectedTool[],
): ToolCatalog {
  const rejectedTools: RejectedTool[] = [];
  const tools = new Map<string, Tool>();
  const twice = new Set<string>();
  for (const entry of pages.items.map((item: JsonValue) => parseTool(item))) {
    if (entry.kind === "rejected") rejectedTools.push(entry.rejected);
    else if (tools.has(entry.tool.name)) twice.add(entry.tool.name);
    else tools.set(entry.tool.name, entry.tool);
  }
  for (const withheld of withhold([...tools.values()])) {
    tools.delete(withheld.name);
    rejectedTools.push(withheld);
  }
  const doubled =
    twice.size === 0 ? [] : [`Listed more than once, used once: ${shorten([...twice].join(", "))}.`];
  const usable = [...tools.values()];
  const warnings = [...pages.warnings, ...doubled, ...warnOfNames(usable), ...warnOfDialects(usable)];
  return { tools: usable, rejectedTools, warnings };
}

/** One warning for all names beyond those that MCP recommends; they are used as they are. */
function warnOfNames(tools: readonly Tool[]): readonly string[] {
  const odd = tools.filter(({ name }) => !/^[\w.-]{1,128}$/.test(name)).map(({ name }) => name);
  if (odd.length === 0) return [];
  return [`Other clients may refuse these names, which MCP does not recommend: ${shorten(odd.join(", "))}.`];
}
