import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "../../base/json.ts";

/** An argument whose value is repeated in a header, so that the network can route by it. */
export interface MirroredArgument {
  /** The whole header name, as in `Mcp-Param-Region`. */
  readonly header: string;
  /** Property names from the root of the arguments. */
  readonly path: readonly string[];
}

/** Whether the header annotations of a tool obey the rules. A tool that breaks them must be withheld over HTTP. */
export type ToolHeaders =
  | { readonly kind: "ok"; readonly mirrored: readonly MirroredArgument[] }
  | { readonly kind: "invalid"; readonly reason: string };

const ANNOTATION = "x-mcp-header";
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const MIRRORED_TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);

/** Keywords whose value is a schema or an array of schemas. */
const SCHEMA_KEYWORDS = [
  "items",
  "prefixItems",
  "additionalItems",
  "contains",
  "unevaluatedItems",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "contentSchema",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
] as const;
/** Keywords whose value is a map of schemas. */
const MAP_KEYWORDS = [
  "patternProperties",
  "dependentSchemas",
  "dependencies",
  "$defs",
  "definitions",
] as const;

/** Names from an argument back to the root: linked, because copying a path at every step of a deep schema would not end. */
interface PathEnd {
  readonly name: string;
  readonly before: PathEnd | undefined;
}

/** A schema still to be looked at; `via` names the keyword that makes annotations below it invalid. */
interface OpenSchema {
  readonly schema: JsonObject;
  readonly path: PathEnd | undefined;
  readonly via: string | undefined;
}

/**
 * Reads the `x-mcp-header` annotations of a tool's input schema and checks them all.
 * Only schema positions count: a property, default or example of that name is not an annotation.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#custom-headers
 */
export function checkToolHeaders(inputSchema: JsonObject): ToolHeaders {
  if (!mentionsAnnotation(inputSchema)) return { kind: "ok", mirrored: [] };
  const mirrored: MirroredArgument[] = [];
  const seen = new Set<string>();
  const open: OpenSchema[] = [{ schema: inputSchema, path: undefined, via: undefined }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const name = next.schema[ANNOTATION];
    if (name !== undefined) {
      const reason = refuseAnnotation(name, next, seen);
      if (reason !== undefined) return { kind: "invalid", reason };
      if (typeof name === "string") mirrored.push({ header: `Mcp-Param-${name}`, path: namesOf(next.path) });
    }
    // Pushed backwards, so that properties are met in the order they are written.
    for (const child of childSchemas(next).reverse()) open.push(child);
  }
  return { kind: "ok", mirrored };
}

/**
 * Whether the annotation is anywhere at all: most tools have none, and lists are long. Looking at lists and objects in
 * their own ways, and at properties without asking whose they are, is ten times as fast.
 */
function mentionsAnnotation(schema: JsonObject): boolean {
  const open: (JsonObject | readonly JsonValue[])[] = [schema];
  const add = (value: JsonValue | undefined): void => {
    if (typeof value === "object" && value !== null) open.push(value);
  };
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isJsonObject(next)) {
      if (next[ANNOTATION] !== undefined) return true;
      for (const key in next) add(next[key]);
    } else {
      for (const item of next) add(item);
    }
  }
  return false;
}

function refuseAnnotation(name: JsonValue, at: OpenSchema, seen: Set<string>): string | undefined {
  const where = at.path === undefined ? "the root" : `“${namesOf(at.path).join(".").slice(0, 200)}”`;
  const shown = stringifyJson(name).slice(0, 100);
  if (typeof name !== "string") return `${ANNOTATION} at ${where} is not a string: ${shown}.`;
  if (name === "") return `${ANNOTATION} at ${where} is empty.`;
  if (!TOKEN.test(name)) return `${ANNOTATION} at ${where} is not a header name: ${shown}.`;
  if (at.via !== undefined)
    return `${ANNOTATION} ${shown} stands below “${at.via}”, where no fixed argument is meant.`;
  if (at.path === undefined) return `${ANNOTATION} ${shown} stands at the root, which is no argument.`;
  const type = at.schema["type"];
  if (!MIRRORED_TYPES.has(type)) {
    return `${ANNOTATION} ${shown} is at ${where}, whose type is ${type === undefined ? "not given" : stringifyJson(type)}; it must be string, integer or boolean.`;
  }
  if (seen.has(name.toLowerCase())) return `${ANNOTATION} ${shown} is used twice.`;
  seen.add(name.toLowerCase());
  return undefined;
}

function namesOf(path: PathEnd | undefined): string[] {
  const names: string[] = [];
  for (let end = path; end !== undefined; end = end.before) names.push(end.name);
  return names.reverse();
}

function childSchemas({ schema, path, via }: OpenSchema): OpenSchema[] {
  const children: OpenSchema[] = [];
  const properties = schema["properties"];
  if (isJsonObject(properties)) {
    for (const [name, child] of Object.entries(properties)) {
      if (isJsonObject(child)) children.push({ schema: child, path: { name, before: path }, via });
    }
  }
  for (const keyword of SCHEMA_KEYWORDS) {
    const value = schema[keyword];
    for (const child of Array.isArray(value) ? (value as readonly JsonValue[]) : [value]) {
      if (isJsonObject(child)) children.push({ schema: child, path, via: via ?? keyword });
    }
  }
  for (const keyword of MAP_KEYWORDS) {
    const map = schema[keyword];
    if (!isJsonObject(map)) continue;
    for (const child of Object.values(map)) {
      if (isJsonObject(child)) children.push({ schema: child, path, via: via ?? keyword });
    }
  }
  return children;
}

/**
 * The raw values to send for a call; the transport encodes them. An argument that is missing, null
 * or not of a type that can be mirrored has no header: the server will refuse the argument itself.
 */
export function mirrorHeaders(
  mirrored: readonly MirroredArgument[],
  args: JsonObject,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { header, path } of mirrored) {
    const value = toHeaderText(valueAt(args, path));
    if (value !== undefined) headers[header] = value;
  }
  return headers;
}

function valueAt(args: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = args;
  for (const name of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function toHeaderText(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  // `-0` is the integer 0 on the wire.
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value === 0 ? 0 : value);
  return undefined;
}
