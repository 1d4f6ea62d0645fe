import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";

/** Why a part of a schema is shown as a JSON field instead of as controls. */
export type RawReason =
  | { readonly code: "any" }
  | { readonly code: "never" }
  | { readonly code: "unresolved"; readonly ref: string }
  | { readonly code: "circular"; readonly ref: string }
  | { readonly code: "conflict" }
  | { readonly code: "unknownType"; readonly type: string }
  | { readonly code: "tooLarge" }
  | { readonly code: "mismatch" };

/** A schema with its references and `allOf` resolved, or the reason why it has none. */
export type FlatSchema =
  { readonly ok: true; readonly schema: JsonObject } | { readonly ok: false; readonly reason: RawReason };

/** Subschemas that one schema may have before the rest is shown as JSON. */
const MAX_NODES = 10_000;
const MAX_DEPTH = 64;

/**
 * The whole schema that references point into. References are only followed inside it: nothing is ever fetched.
 * Every look-up costs one of a bounded number of steps, so that no schema can keep the page busy.
 */
export class SchemaContext {
  readonly root: JsonObject;
  #steps = 0;
  #names: Map<string, JsonValue> | undefined;

  constructor(root: JsonObject) {
    this.root = root;
  }

  /** Takes one step; false when the schema has used them all. */
  spend(): boolean {
    this.#steps += 1;
    return this.#steps <= MAX_NODES;
  }

  /**
   * The subschema that a reference names, or undefined when it is not in this schema.
   *
   * @see https://json-schema.org/draft/2020-12/json-schema-core#section-8.2.3
   */
  resolve(ref: string): JsonValue | undefined {
    const id = this.root["$id"];
    const local = typeof id === "string" && id !== "" && ref.startsWith(id) ? ref.slice(id.length) : ref;
    if (local === "" || local === "#") return this.root;
    if (local.startsWith("#/")) return followPointer(this.root, local.slice(1));
    return this.#namedSchemas().get(local);
  }

  #namedSchemas(): Map<string, JsonValue> {
    if (this.#names !== undefined) return this.#names;
    const names = new Map<string, JsonValue>();
    const waiting: [JsonValue, number][] = [[this.root, 0]];
    let seen = 0;
    for (let next = waiting.pop(); next !== undefined && seen < MAX_NODES; next = waiting.pop()) {
      const [value, depth] = next;
      seen += 1;
      if (isJsonObject(value)) rememberNames(names, value);
      if (depth >= MAX_DEPTH || typeof value !== "object" || value === null) continue;
      for (const child of Object.values(value)) if (child !== undefined) waiting.push([child, depth + 1]);
    }
    this.#names = names;
    return names;
  }
}

function rememberNames(names: Map<string, JsonValue>, schema: JsonObject): void {
  for (const keyword of ["$anchor", "$dynamicAnchor"]) {
    const name = schema[keyword];
    if (typeof name === "string" && !names.has(`#${name}`)) names.set(`#${name}`, schema);
  }
  const id = schema["$id"];
  if (typeof id === "string" && !names.has(id)) names.set(id, schema);
}

/** Follows a JSON Pointer in its URI fragment form (without `#`). */
function followPointer(root: JsonValue, pointer: string): JsonValue | undefined {
  let at: JsonValue | undefined = root;
  for (const part of pointer.split("/").slice(1)) {
    const name = unescapePointer(part);
    if (at === undefined || typeof at !== "object" || at === null || name === undefined) return undefined;
    if (isJsonObject(at)) at = Object.hasOwn(at, name) ? at[name] : undefined;
    else at = /^(?:0|[1-9]\d*)$/.test(name) ? at[Number(name)] : undefined;
  }
  return at;
}

function unescapePointer(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return undefined;
  }
}

/** Adds one name to a JSON Pointer. */
export function appendPointer(path: string, name: string | number): string {
  return `${path}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
