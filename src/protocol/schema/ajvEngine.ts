import addFormats from "ajv-formats";
import { Ajv, type AnySchema, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";

/** The dialects that Signalbox validates. */
export type SchemaDialect = "2020-12" | "draft-07";

/** One thing that ajv found wrong with a value. */
export interface AjvFinding {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A compiled schema: gives what is wrong with a value, nothing when it is valid. */
export type CompiledSchema = (value: unknown) => readonly AjvFinding[];

/**
 * Compiles one schema. Throws ajv's own errors for a schema that is broken or refers to something it does not hold;
 * nothing is ever fetched.
 *
 * Every schema gets an instance of its own: ajv keeps the `$id`s it has seen, and a schema of one server
 * must neither reach nor collide with that of another. Only the check against the meta-schema is shared.
 */
export function compileSchema(schema: JsonObject, dialect: SchemaDialect): CompiledSchema {
  const checker = metaChecker(dialect);
  if (checker.validateSchema(schema) !== true) {
    throw new Error(checker.errorsText(checker.errors?.slice(0, 3), { dataVar: "schema" }));
  }
  const validate = createInstance(dialect, hasMetaReference(schema)).compile(
    dropBareNullable(schema) as AnySchema,
  );
  return (value) => {
    if (validate(value) === true) return [];
    return validate.errors ?? [];
  };
}

type Engine = Ajv | Ajv2020;

/** Keywords whose value is data, in which nothing is a keyword. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

/**
 * The schema without each `nullable` that has no `type` beside it. JSON Schema does not know the keyword, but ajv does,
 * and refuses the whole schema for it.
 */
function dropBareNullable(schema: JsonObject): JsonObject {
  if (!JSON.stringify(schema).includes('"nullable":')) return schema;
  const copy = (value: JsonValue | undefined): JsonValue | undefined => {
    if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => copy(item) ?? null);
    return isJsonObject(value) ? copyObject(value) : value;
  };
  const copyObject = (value: JsonObject): JsonObject => {
    const isBare = typeof value["nullable"] === "boolean" && value["type"] === undefined;
    const kept = Object.entries(value).filter(([key]) => !(isBare && key === "nullable"));
    return Object.fromEntries(kept.map(([key, item]) => [key, DATA_KEYWORDS.has(key) ? item : copy(item)]));
  };
  return copyObject(schema);
}

const checkers = new Map<SchemaDialect, Engine>();

function metaChecker(dialect: SchemaDialect): Engine {
  let checker = checkers.get(dialect);
  if (checker === undefined) {
    checker = dialect === "2020-12" ? new Ajv2020(BASE_OPTIONS) : new Ajv(BASE_OPTIONS);
    checkers.set(dialect, checker);
  }
  return checker;
}

function createInstance(dialect: SchemaDialect, withMeta: boolean): Engine {
  const options: Options = { ...BASE_OPTIONS, meta: withMeta };
  const ajv = dialect === "2020-12" ? new Ajv2020(options) : new Ajv({ ...options, ...DRAFT_07_OPTIONS });
  // ajv refuses a schema for a stray `id`, which is an unknown keyword in both dialects.
  ajv.removeKeyword("id");
  addFormats.default(ajv);
  return ajv;
}

/** Patterns in the wild escape more than the `u` flag allows; they mean the same without it. */
const lenientRegExp = Object.assign(
  (pattern: string, flags: string): RegExp => {
    try {
      return new RegExp(pattern, flags);
    } catch {
      return new RegExp(pattern);
    }
  },
  { code: "new RegExp" },
);

const BASE_OPTIONS: Options = {
  strict: false,
  allErrors: true,
  // `required: ["toString"]` asks for a property of the value, not of its prototype.
  ownProperties: true,
  validateSchema: false,
  logger: false,
  code: { regExp: lenientRegExp },
};

/** In draft-07 everything beside a `$ref` is to be ignored; later drafts evaluate it. */
const DRAFT_07_OPTIONS = { ignoreKeywordsWithRef: true };

/** A schema may refer to the meta-schema of its dialect, as a tool that takes a schema does. Both are built in. */
function hasMetaReference(schema: JsonObject): boolean {
  return /"\$ref":"https?:\/\/json-schema\.org\//.test(JSON.stringify(schema));
}
