import { CodedError, fillTemplate, type MessageArgs, type MessageTemplate } from "../../base/errors.ts";

/** Why a value was not compared with a schema. */
export const SCHEMA_REASONS = {
  depth: { message: "The schema is nested more than {limit} levels deep." },
  nodes: { message: "The schema has more than {limit} parts." },
  entries: { message: "The schema has more than {limit} properties and items." },
  dialect: { message: "The schema is written in an unknown dialect: {dialect}." },
  reference: { message: "The schema refers to {reference}, which it does not contain. Nothing was fetched." },
  broken: { message: "The schema is broken: {place} {problem}." },
  pattern: { message: "The schema has a pattern that is no regular expression: {pattern}." },
  "long-pattern": { message: "The schema has a pattern of more than {limit} characters." },
  time: { message: "Checking it took more than {limit} ms." },
  recursion: {
    message: "Checking it goes more than {limit} levels deep, or the schema refers to itself without end.",
  },
  failed: { message: "Checking it failed: {reason}" },
  "no-schema": { message: "The tool declares no output schema." },
  "tool-failed": { message: "The tool failed." },
} as const satisfies Record<string, MessageTemplate>;

/** What can be wrong with a value. Each is a phrase that follows the place of the value. */
export const SCHEMA_PROBLEMS = {
  type: { message: "must be {types}" },
  const: { message: "must be {value}" },
  enum: { message: "must be one of {values}" },
  minimum: { message: "must be >= {limit}" },
  maximum: { message: "must be <= {limit}" },
  exclusiveMinimum: { message: "must be > {limit}" },
  exclusiveMaximum: { message: "must be < {limit}" },
  multipleOf: { message: "must be a multiple of {limit}" },
  minLength: { message: "must have at least {limit} characters" },
  maxLength: { message: "must have at most {limit} characters" },
  pattern: { message: "must match the pattern {pattern}" },
  format: { message: "must match the format {format}" },
  minProperties: { message: "must have at least {limit} properties" },
  maxProperties: { message: "must have at most {limit} properties" },
  required: { message: "is required" },
  forbidden: { message: "is not allowed here" },
  propertyNames: { message: "has a name that is not allowed" },
  minItems: { message: "must have at least {limit} items" },
  maxItems: { message: "must have at most {limit} items" },
  uniqueItems: { message: "must not have the same item twice (items {first} and {second})" },
  minContains: { message: "must have at least {limit} items that fit “contains”" },
  maxContains: { message: "must have at most {limit} items that fit “contains”" },
  not: { message: "must not fit the schema in “not”" },
  anyOf: { message: "must fit one of the schemas in “anyOf”" },
  oneOf: { message: "must fit one of the schemas in “oneOf”" },
  tooMany: { message: "must fit only one of the schemas in “oneOf”" },
  schema: { message: "is no valid {dialect} schema: {problem}" },
} as const satisfies Record<string, MessageTemplate>;

export type SchemaReasonCode = keyof typeof SCHEMA_REASONS;
export type SchemaProblemCode = keyof typeof SCHEMA_PROBLEMS;

/** A text about a schema: in English, and as a template that the host puts into the user's language. */
export interface SchemaText {
  readonly message: string;
  readonly template: string;
  readonly args: MessageArgs;
}

/** One thing that is wrong with a value; the text is a phrase as in “must be integer”. */
export interface SchemaProblem extends SchemaText {
  /** JSON Pointer to the part of the value; empty for the whole. */
  readonly path: string;
}

/** Why a value cannot be compared with a schema at all. */
export class SchemaStop extends CodedError<SchemaReasonCode> {
  constructor(code: SchemaReasonCode, args: MessageArgs = {}) {
    super(code, SCHEMA_REASONS[code], args);
  }
}

/** The text of a reason. */
export function reasonText(code: SchemaReasonCode, args: MessageArgs = {}): SchemaText {
  return createText(SCHEMA_REASONS[code], args);
}

/** The text of a problem. */
export function problemText(code: SchemaProblemCode, args: MessageArgs): SchemaText {
  return createText(SCHEMA_PROBLEMS[code], args);
}

function createText({ message }: MessageTemplate, args: MessageArgs): SchemaText {
  return { message: fillTemplate(message, args), template: message, args };
}

/** A problem in English, with its place before it. */
export function describeSchemaProblem({ path, message }: SchemaProblem): string {
  return `${path === "" ? "/" : path}: ${message}`;
}
