import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";

/** Bytes of an empty object, a list or a property: an estimate, and rather too much than too little. */
const NODE_BYTES = 24;

/** Estimates how much memory a value takes, without writing it down. Texts count two bytes for each unit. */
export function estimateBytes(value: JsonValue): number {
  let bytes = 0;
  const open: (JsonObject | readonly JsonValue[])[] = [];
  // Only what holds further values is put on the heap of open ones, because lists of tools are long.
  const count = (item: JsonValue | undefined): void => {
    bytes += NODE_BYTES;
    if (typeof item === "string") bytes += 2 * item.length;
    else if (typeof item === "bigint") bytes += item.toString(16).length;
    else if (typeof item === "object" && item !== null) open.push(item);
  };
  count(value);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isJsonObject(next)) {
      for (const key in next) {
        bytes += 2 * key.length;
        count(next[key]);
      }
    } else {
      for (const item of next) count(item);
    }
  }
  return bytes;
}
