import { hasBigint, parseJson, stringifyJson } from "../base/json.ts";

/**
 * A message between host and page, or the state of a page, as the editor can carry it. The editor makes JSON of it
 * and knows no bigint, so what holds one travels as a JSON text; all else goes as it is, to be written only once.
 */
export function packMessage(message: object): unknown {
  return hasBigint(message) ? stringifyJson(message) : message;
}

/** What `packMessage` was given; anything else is given back as it is, and is nobody's message. */
export function unpackMessage(packed: unknown): unknown {
  if (typeof packed !== "string") return packed;
  try {
    return parseJson(packed);
  } catch {
    return packed;
  }
}
