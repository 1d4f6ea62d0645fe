import type { JsonValue } from "../../base/json.ts";

/** Bytes of an empty object, a list or a property: an estimate, and rather too much than too little. */
const NODE_BYTES = 24;

/** Estimates how much memory a value takes, without writing it down. Texts count two bytes for each unit. */
export function estimateBytes(value: JsonValue): number {
  let bytes = 0;
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    bytes += NODE_BYTES;
    if (typeof next === "string") bytes += 2 * next.length;
    else if (typeof next === "bigint") bytes += next.toString(16).length;
    else if (Array.isArray(next)) {
      for (const item of next as readonly JsonValue[]) open.push(item);
    } else if (typeof next === "object" && next !== null) {
      for (const [key, item] of Object.entries(next)) {
        bytes += 2 * key.length;
        if (item !== undefined) open.push(item);
      }
    }
  }
  return bytes;
}
