import { isJsonObject, type JsonObject } from "../../base/json.ts";
import type { FoundServer } from "./importNotes.ts";
import { isEntryLike } from "./normalizeEntry.ts";

/** Keys below which clients keep their map of servers. */
const MAP_KEYS = [
  "mcpServers",
  "servers",
  "signalbox.servers",
  "context_servers",
  "mcp_servers",
  "mcp.servers",
  "mcp",
] as const;

/** Looks for a map of servers in a JSON value; also a bare map, and a single entry with or without a name. */
export function findServers(value: JsonObject): readonly FoundServer[] {
  const inputs = Array.isArray(value["inputs"]) ? value["inputs"].filter(isJsonObject) : [];
  if (isEntryLike(value)) {
    const name = value["name"];
    const { name: _name, inputs: _inputs, ...entry } = value;
    return [{ name: typeof name === "string" ? name : undefined, entry, inputs }];
  }
  for (const key of MAP_KEYS) {
    const map = value[key];
    if (!isJsonObject(map)) continue;
    const inner = findServers(map);
    if (inner.length > 0)
      return inner.map((server) => ({ ...server, inputs: [...inputs, ...server.inputs] }));
  }
  return Object.entries(value).flatMap(([name, entry]) =>
    isJsonObject(entry) && isEntryLike(entry) ? [{ name, entry, inputs }] : [],
  );
}
