import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { explainShape, type SchemaDialect, shapeOf, visitChildSchemas } from "./keywordShapes.ts";
import { readDialect } from "./readDialect.ts";
import type { SchemaBudget } from "./schemaRun.ts";
import { SchemaStop } from "./schemaTexts.ts";

/** A schema with a base address of its own: the root, and each part with an `$id`. */
export interface SchemaResource {
  readonly base: string;
  readonly root: JsonValue;
  readonly dialect: SchemaDialect;
  /** Parts by the names that `$anchor` and `$dynamicAnchor` give. */
  readonly anchors: Map<string, JsonValue>;
  readonly dynamicAnchors: Map<string, JsonValue>;
}

/** Where a reference leads: into this schema, or to the built-in rules of a dialect. */
export type RefTarget =
  | { readonly kind: "schema"; readonly schema: JsonValue; readonly resource: SchemaResource }
  | { readonly kind: "dialect"; readonly dialect: SchemaDialect };

/** The base address of a schema that has none. Nothing is ever looked up under it. */
const NO_BASE = "schema:///";

interface Reference {
  readonly ref: string;
  readonly resource: SchemaResource;
}

/**
 * Everything that references in one schema can name. The whole schema is read once, with its shape checked on the way.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-8.2
 */
export class SchemaIndex {
  readonly root: SchemaResource;
  /** True when a regular expression of the server takes part in a comparison. */
  hasPatterns = false;
  readonly #budget: SchemaBudget;
  readonly #resources = new Map<string, SchemaResource>();
  readonly #places = new Map<JsonObject, SchemaResource>();
  readonly #references: Reference[] = [];

  /** @throws SchemaStop for a schema that is broken or that refers to something it does not hold */
  constructor(schema: JsonValue, dialect: SchemaDialect, budget: SchemaBudget) {
    this.#budget = budget;
    this.root = this.#addResource(NO_BASE, schema, dialect);
    this.#read(schema, this.root, []);
    // References may lead to parts that no keyword leads to; those are read then, and may have references themselves.
    for (let next = this.#references.pop(); next !== undefined; next = this.#references.pop()) {
      if (this.resolve(next.ref, next.resource) === undefined)
        throw new SchemaStop("reference", { reference: quote(next.ref) });
    }
  }

  /** The resource that a part of the schema belongs to. */
  resourceOf(schema: JsonValue, around: SchemaResource): SchemaResource {
    return isJsonObject(schema) ? (this.#places.get(schema) ?? around) : around;
  }

  /** Where a reference leads; undefined when that is not in this schema. Nothing is ever fetched. */
  resolve(ref: string, from: SchemaResource): RefTarget | undefined {
    this.#budget.spend(8 + (ref.length + from.base.length) / 8);
    const address = joinAddress(ref, from.base);
    if (address === undefined) return undefined;
    const hash = address.indexOf("#");
    const base = hash < 0 ? address : address.slice(0, hash);
    const fragment = hash < 0 ? "" : decodeFragment(address.slice(hash + 1));
    if (fragment === undefined) return undefined;
    const resource = this.#resources.get(base);
    if (resource === undefined) {
      const dialect = fragment === "" ? readDialect(base) : undefined;
      return dialect === undefined ? undefined : { kind: "dialect", dialect };
    }
    const schema =
      fragment === "" || fragment.startsWith("/")
        ? followPointer(resource.root, fragment)
        : resource.anchors.get(fragment);
    if (schema === undefined) return undefined;
    return { kind: "schema", schema, resource: this.#adopt(schema, resource) };
  }

  /** Reads a part that only a reference leads to, unless it is known. */
  #adopt(schema: JsonValue, around: SchemaResource): SchemaResource {
    if (isJsonObject(schema) && !this.#places.has(schema)) this.#read(schema, around, []);
    return this.resourceOf(schema, around);
  }

  #addResource(base: string, root: JsonValue, dialect: SchemaDialect): SchemaResource {
    const resource = { base, root, dialect, anchors: new Map(), dynamicAnchors: new Map() };
    // The first one keeps the address; a second one of the same name is only reached through its place.
    if (!this.#resources.has(base)) this.#resources.set(base, resource);
    return resource;
  }

  #read(schema: JsonValue, around: SchemaResource, path: readonly string[]): void {
    if (typeof schema === "boolean") return;
    if (!isJsonObject(schema)) throw broken(path, "must be an object or a boolean");
    if (this.#places.has(schema)) return;
    const resource = this.#placeOf(schema, around, path);
    this.#places.set(schema, resource);
    const isBareRef = resource.dialect === "draft-07" && typeof schema["$ref"] === "string";
    for (const [keyword, value] of Object.entries(schema)) {
      this.#budget.spend(2);
      if (value === undefined) continue;
      this.#readKeyword({ keyword, value, resource, path: [...path, keyword], isBareRef });
    }
  }

  #readKeyword(at: {
    readonly keyword: string;
    readonly value: JsonValue;
    readonly resource: SchemaResource;
    readonly path: readonly string[];
    readonly isBareRef: boolean;
  }): void {
    const { keyword, value, resource, path } = at;
    const shape = shapeOf(resource.dialect, keyword);
    if (shape === undefined) return;
    this.#budget.spend(typeof value === "object" && value !== null ? Object.keys(value).length : 1);
    const problem = explainShape(shape, value);
    if (problem !== undefined) throw broken(path, problem);
    if (typeof value === "string") this.#remember(keyword, value, resource);
    if (keyword === "patternProperties" || keyword === "pattern") this.hasPatterns = true;
    // Beside a reference nothing else counts in draft-07, but definitions can still be referred to.
    if (at.isBareRef && keyword !== "definitions") return;
    visitChildSchemas(shape, value, (child, name) => {
      this.#read(child, resource, name === undefined ? path : [...path, name]);
    });
  }

  #remember(keyword: string, value: string, resource: SchemaResource): void {
    if (keyword === "$ref" || keyword === "$dynamicRef") this.#references.push({ ref: value, resource });
    if (keyword === "format" && value === "regex") this.hasPatterns = true;
  }

  /** The resource of a schema: a new one when it has an address of its own. Its anchors are noted there. */
  #placeOf(schema: JsonObject, around: SchemaResource, path: readonly string[]): SchemaResource {
    const { $id, $anchor, $dynamicAnchor, $schema } = schema;
    const isDraft07 = around.dialect === "draft-07";
    let resource = around;
    if (typeof $id === "string" && !(isDraft07 && typeof schema["$ref"] === "string")) {
      if (isDraft07 && $id.startsWith("#")) addName(around.anchors, $id.slice(1), schema);
      else resource = this.#openResource(schema, $id, around, path, $schema);
    }
    if (resource.dialect === "2020-12") {
      if (typeof $anchor === "string") addName(resource.anchors, $anchor, schema);
      if (typeof $dynamicAnchor === "string") {
        addName(resource.anchors, $dynamicAnchor, schema);
        addName(resource.dynamicAnchors, $dynamicAnchor, schema);
      }
    }
    return resource;
  }

  #openResource(
    schema: JsonObject,
    id: string,
    around: SchemaResource,
    path: readonly string[],
    declared: JsonValue | undefined,
  ): SchemaResource {
    this.#budget.spend(8 + (id.length + around.base.length) / 8);
    const address = joinAddress(id, around.base);
    if (address === undefined) throw broken([...path, "$id"], "must be an address");
    const dialect = declared === undefined ? around.dialect : readDialect(declared);
    if (dialect === undefined) throw new SchemaStop("dialect", { dialect: quote(declared) });
    const base = address.replace(/#.*$/s, "");
    // A root that names itself is still what its own references without an address mean.
    if (schema === around.root && base === around.base) return around;
    return this.#addResource(base, schema, dialect);
  }
}

/** A value of the schema within a message; only texts are worth showing whole. */
export function quote(value: JsonValue | undefined): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 200));
  return typeof value === "object" ? "an object" : String(value);
}

function broken(path: readonly string[], problem: string): SchemaStop {
  const pointer = path.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return new SchemaStop("broken", { place: JSON.stringify(pointer.slice(0, 200)), problem });
}

function addName(names: Map<string, JsonValue>, name: string, schema: JsonValue): void {
  if (!names.has(name)) names.set(name, schema);
}

/** An address relative to another, without any look at what is there. */
function joinAddress(ref: string, base: string): string | undefined {
  return URL.canParse(ref, base) ? new URL(ref, base).href : undefined;
}

function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** Follows a JSON Pointer. */
function followPointer(root: JsonValue, pointer: string): JsonValue | undefined {
  let at: JsonValue | undefined = root;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (isJsonObject(at)) at = Object.hasOwn(at, name) ? at[name] : undefined;
    else if (Array.isArray(at) && /^(?:0|[1-9]\d*)$/.test(name))
      at = (at as readonly JsonValue[])[Number(name)];
    else return undefined;
  }
  return at;
}
