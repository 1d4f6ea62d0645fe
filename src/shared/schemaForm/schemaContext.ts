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

/** A schema with an address of its own: the root, and each part with an `$id`. References in it start from there. */
interface Home {
  readonly base: string;
  readonly root: JsonObject;
  /** Parts by the names that `$anchor` and `$dynamicAnchor` give. */
  readonly names: Map<string, JsonValue>;
}

/** The address of a schema that has none. */
const NO_ADDRESS = "schema:///";
/** Keywords whose value is data, in which nothing is a keyword. */
const DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/**
 * The whole schema that references point into. References are only followed inside it: nothing is ever fetched.
 * Every look-up costs one of a bounded number of steps, so that no schema can keep the page busy.
 */
export class SchemaContext {
  readonly root: JsonObject;
  /** True where nothing counts beside a `$ref`. */
  readonly isDraft07: boolean;
  #steps = 0;
  #homes: ReadonlyMap<JsonObject, Home> | undefined;
  readonly #byAddress = new Map<string, Home>();

  constructor(root: JsonObject) {
    this.root = root;
    const dialect = root["$schema"];
    this.isDraft07 =
      typeof dialect === "string" && /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/.test(dialect);
  }

  /** Takes one step; false when the schema has used them all. */
  spend(): boolean {
    this.#steps += 1;
    return this.#steps <= MAX_NODES;
  }

  /**
   * The subschema that a reference in a part of the schema names, or undefined when it is not in this schema.
   *
   * @see https://json-schema.org/draft/2020-12/json-schema-core#section-8.2.3
   */
  resolve(ref: string, from: JsonObject = this.root): JsonValue | undefined {
    const homes = (this.#homes ??= this.#readHomes());
    const home = homes.get(from) ?? homes.get(this.root);
    const address = home === undefined ? undefined : joinAddress(ref, home.base);
    if (address === undefined) return undefined;
    const hash = address.indexOf("#");
    const target = this.#byAddress.get(hash < 0 ? address : address.slice(0, hash));
    const fragment = hash < 0 ? "" : address.slice(hash + 1);
    if (target === undefined || fragment === "") return target?.root;
    return fragment.startsWith("/") ? followPointer(target.root, fragment) : target.names.get(fragment);
  }

  /** Notes for each part where it belongs, as far as the bounds allow. */
  #readHomes(): ReadonlyMap<JsonObject, Home> {
    const homes = new Map<JsonObject, Home>();
    const first = this.#openHome(this.root, NO_ADDRESS);
    const waiting: [JsonValue, Home, number][] = [[this.root, first, 0]];
    for (let next = waiting.pop(); next !== undefined && homes.size < MAX_NODES; next = waiting.pop()) {
      const [value, around, depth] = next;
      let home = around;
      if (isJsonObject(value)) {
        home = this.#enter(value, around);
        homes.set(value, home);
      }
      if (depth >= MAX_DEPTH || typeof value !== "object" || value === null) continue;
      for (const [keyword, child] of Object.entries(value)) {
        if (typeof child === "object" && child !== null && !(isJsonObject(value) && DATA.has(keyword)))
          waiting.push([child, home, depth + 1]);
      }
    }
    return homes;
  }

  #enter(schema: JsonObject, around: Home): Home {
    const { $id } = schema;
    let home = around;
    if (typeof $id === "string" && $id.startsWith("#")) around.names.set($id.slice(1), schema);
    else if (typeof $id === "string")
      home = this.#openHome(schema, joinAddress($id, around.base) ?? around.base);
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const name = schema[keyword];
      if (typeof name === "string" && !home.names.has(name)) home.names.set(name, schema);
    }
    return home;
  }

  #openHome(root: JsonObject, address: string): Home {
    const base = address.replace(/#.*$/s, "");
    const home = { base, root, names: new Map<string, JsonValue>() };
    if (!this.#byAddress.has(base)) this.#byAddress.set(base, home);
    return home;
  }
}

/** An address relative to another, without any look at what is there. */
function joinAddress(ref: string, base: string): string | undefined {
  return URL.canParse(ref, base) ? new URL(ref, base).href : undefined;
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
