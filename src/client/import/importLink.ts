import { isJsonObject, type JsonObject, parseJsonObject } from "../../base/json.ts";
import type { Found } from "./importNotes.ts";

/** Reads a bare address, or a link with which a client offers to install a server. */
export function importLink(text: string): Found | undefined {
  const link = text.trim().replace(/^<(\S+)>$/, "$1");
  if (/\s/.test(link) && !link.startsWith("vscode")) return undefined;
  const install = readInstallLink(link);
  if (install !== undefined) {
    const { name, inputs, ...entry } = install;
    const named = typeof name === "string" ? name : undefined;
    return {
      kind: "found",
      servers: [{ name: named, entry, inputs: Array.isArray(inputs) ? inputs.filter(isJsonObject) : [] }],
    };
  }
  if (!/^https?:\/\/[^/\s]/i.test(link) || !URL.canParse(link)) return undefined;
  return { kind: "found", servers: [{ name: undefined, entry: { url: link }, inputs: [] }] };
}

function readInstallLink(link: string): JsonObject | undefined {
  if (/^vscode(?:-insiders)?:\/?\/?mcp\/install\?/.test(link))
    return parseJsonObject(decode(link.slice(link.indexOf("?") + 1)));
  if (!URL.canParse(link)) return undefined;
  const { pathname, searchParams } = new URL(link);
  const config = searchParams.get("config");
  if (config === null || !/mcp\/install$/.test(pathname)) return undefined;
  const entry = parseJsonObject(config) ?? parseJsonObject(Buffer.from(config, "base64").toString("utf8"));
  return entry === undefined ? undefined : { name: searchParams.get("name") ?? undefined, ...entry };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
