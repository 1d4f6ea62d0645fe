import { createHash } from "node:crypto";

/**
 * A digest of a JSON value that does not depend on the order of its keys. It ties a signed state to the
 * arguments of the call it was made for: a client cannot get a quote for one order and confirm another.
 */
export function digestJson(value: unknown): string {
  return createHash("sha256").update(canonicalise(value)).digest("base64url");
}

function canonicalise(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item: unknown) => canonicalise(item)).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => `${JSON.stringify(key)}:${canonicalise(item)}`);
    return `{${entries.join(",")}}`;
  }
  return value === undefined ? "null" : JSON.stringify(value);
}
