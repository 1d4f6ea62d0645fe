import { errorText } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Limits } from "../limits.ts";
import type { AjvFinding, CompiledSchema, SchemaDialect } from "./ajvEngine.ts";
import { isTimeUp, runBounded } from "./runBounded.ts";
import { measureSchema } from "./schemaSize.ts";

/** One thing that is wrong with a value. */
export interface SchemaProblem {
  /** JSON Pointer to the part of the value; empty for the whole. */
  readonly path: string;
  /** An English phrase as in “must be integer”. */
  readonly message: string;
}

/** What came of comparing a value with a schema. */
export type SchemaVerdict =
  | { readonly kind: "valid" }
  | { readonly kind: "invalid"; readonly problems: readonly SchemaProblem[] }
  /** The comparison itself failed: it took too long or went too deep. */
  | { readonly kind: "unchecked"; readonly reason: string };

/** A schema that is ready to check values, or why it cannot be. Neither of its functions ever throws. */
export type PreparedSchema =
  | {
      readonly kind: "usable";
      check(value: unknown): SchemaVerdict;
      /** The problems alone; a value that could not be checked has one problem that says so. */
      validate(value: unknown): readonly SchemaProblem[];
    }
  | { readonly kind: "unusable"; readonly reason: string };

/** The parts of Limits that bound a validation. */
export type SchemaLimits = Pick<Limits, "schemaDepth" | "schemaNodes" | "schemaMs">;

/** Compiling is our own work on a bounded schema, so it may take longer than a validation. */
const COMPILE_MS = 5_000;
const MAX_PROBLEMS = 50;
const MAX_CACHED_TEXTS = 256;
/** Longer texts are not kept: their descriptions are what is long, and many of them would fill the memory. */
const MAX_CACHED_LENGTH = 256 * 1024;

const byIdentity = new WeakMap<
  JsonObject,
  { readonly key: string; readonly prepared: Promise<PreparedSchema> }
>();
const byText = new Map<string, Promise<PreparedSchema>>();

/**
 * Prepares a tool's schema for validation: 2020-12 unless `$schema` says draft-07, nothing fetched, everything bounded.
 * It compiles, which costs milliseconds: call it when a value is about to be checked, not when tools are listed.
 * Never rejects; the same schema is prepared once.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#json-schema-usage
 */
export function prepareSchema(schema: JsonObject, limits: SchemaLimits): Promise<PreparedSchema> {
  const limitsKey = `${String(limits.schemaDepth)}/${String(limits.schemaNodes)}/${String(limits.schemaMs)}`;
  const known = byIdentity.get(schema);
  if (known?.key === limitsKey) return known.prepared;
  const prepared = prepareUncached(schema, limits, limitsKey);
  byIdentity.set(schema, { key: limitsKey, prepared });
  return prepared;
}

function prepareUncached(
  schema: JsonObject,
  limits: SchemaLimits,
  limitsKey: string,
): Promise<PreparedSchema> {
  const refusal = refuseUnread(schema, limits);
  if (refusal !== undefined) return Promise.resolve({ kind: "unusable", reason: refusal });
  const textKey = `${limitsKey} ${JSON.stringify(schema)}`;
  const same = byText.get(textKey);
  if (same !== undefined) return same;
  const prepared = compile(schema, limits);
  if (textKey.length > MAX_CACHED_LENGTH) return prepared;
  byText.set(textKey, prepared);
  // A Map keeps the order of insertion: the first key is the oldest.
  const oldest = byText.keys().next();
  if (byText.size > MAX_CACHED_TEXTS && oldest.done !== true) byText.delete(oldest.value);
  return prepared;
}

/** Why a schema is not even compiled, or undefined. */
function refuseUnread(schema: JsonObject, limits: SchemaLimits): string | undefined {
  const size = measureSchema(schema, limits.schemaDepth, limits.schemaNodes);
  if (size.depth > limits.schemaDepth)
    return `The schema is nested more than ${String(limits.schemaDepth)} levels deep.`;
  if (size.nodes > limits.schemaNodes) return `The schema has more than ${String(limits.schemaNodes)} parts.`;
  if (dialectOf(schema) === undefined)
    return `The schema is written in an unknown dialect: ${JSON.stringify(schema["$schema"])}.`;
  // ajv's own extension would turn the validator into an asynchronous one.
  if (schema["$async"] === true) return "The schema asks for asynchronous validation.";
  return undefined;
}

/** The dialect that a schema declares; undefined when it is none that Signalbox validates. */
export function dialectOf(schema: JsonObject): SchemaDialect | undefined {
  const declared = schema["$schema"];
  if (declared === undefined) return "2020-12";
  if (typeof declared !== "string") return undefined;
  switch (declared.replace(/^http:/, "https:").replace(/#$/, "")) {
    case "https://json-schema.org/draft/2020-12/schema":
      return "2020-12";
    case "https://json-schema.org/draft-07/schema":
      return "draft-07";
    default:
      return undefined;
  }
}

async function compile(schema: JsonObject, limits: SchemaLimits): Promise<PreparedSchema> {
  // Loaded at the first validation: most windows never need it, and activation must stay quick.
  const { compileSchema } = await import("./ajvEngine.ts");
  try {
    const compiled = runBounded(() => compileSchema(schema, dialectOf(schema) ?? "2020-12"), COMPILE_MS);
    warmUp(compiled);
    return createUsable(compiled, limits);
  } catch (error) {
    return { kind: "unusable", reason: explainBroken(error) };
  }
}

/** V8 translates generated code at its first call, which for a big schema takes longer than a validation may. */
function warmUp(compiled: CompiledSchema): void {
  try {
    runBounded(() => compiled(undefined), COMPILE_MS);
  } catch {
    // A schema that cannot check even this value says so when a real one is checked.
  }
}

function explainBroken(error: unknown): string {
  if (isTimeUp(error)) return "The schema is too complex to be compiled.";
  if (error instanceof Error && "missingRef" in error) {
    return `The schema refers to ${JSON.stringify(error.missingRef)}, which it does not contain. Nothing was fetched.`;
  }
  return `The schema is broken: ${errorText(error).slice(0, 500)}`;
}

function createUsable(compiled: CompiledSchema, limits: SchemaLimits): PreparedSchema {
  const check = (value: unknown): SchemaVerdict => {
    try {
      const findings = runBounded(() => compiled(value), limits.schemaMs);
      if (findings.length === 0) return { kind: "valid" };
      return { kind: "invalid", problems: findings.slice(0, MAX_PROBLEMS).map(describeFinding) };
    } catch (error) {
      const reason = isTimeUp(error)
        ? `Checking it took more than ${String(limits.schemaMs)} ms.`
        : `Checking it failed: ${errorText(error).slice(0, 500)}`;
      return { kind: "unchecked", reason };
    }
  };
  return {
    kind: "usable",
    check,
    validate: (value) => {
      const verdict = check(value);
      if (verdict.kind === "valid") return [];
      return verdict.kind === "invalid" ? verdict.problems : [{ path: "", message: verdict.reason }];
    },
  };
}

/** ajv's phrase, with the name or the values that it leaves out. */
function describeFinding({ instancePath, keyword, message, params }: AjvFinding): SchemaProblem {
  const text = message ?? "is not valid";
  switch (keyword) {
    case "required":
      return {
        path: `${instancePath}/${escapePointer(String(params["missingProperty"]))}`,
        message: "is required",
      };
    case "additionalProperties":
    case "unevaluatedProperties": {
      const name = params["additionalProperty"] ?? params["unevaluatedProperty"];
      return { path: `${instancePath}/${escapePointer(String(name))}`, message: "is not allowed here" };
    }
    case "enum":
      return { path: instancePath, message: `must be one of ${JSON.stringify(params["allowedValues"])}` };
    case "const":
      return { path: instancePath, message: `must be ${JSON.stringify(params["allowedValue"])}` };
    default:
      return { path: instancePath, message: text };
  }
}

function escapePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
