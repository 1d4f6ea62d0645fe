import type { MessageArgs } from "../base/errors.ts";
import type { Translate } from "./translate.ts";

/** What can be wrong with one value. Codes decide; `describeProblem` makes sentences of them. */
export type ProblemCode =
  | "required"
  | "choose"
  | "type"
  | "number"
  | "integer"
  | "minimum"
  | "maximum"
  | "exclusiveMinimum"
  | "exclusiveMaximum"
  | "multipleOf"
  | "minLength"
  | "maxLength"
  | "pattern"
  | "format"
  | "minItems"
  | "maxItems"
  | "uniqueItems"
  | "tooManyItems"
  | "minProperties"
  | "maxProperties"
  | "unknownProperty"
  | "duplicateName"
  | "option"
  | "const"
  | "never"
  | "json";

/** One thing that is wrong with one value; `args` are the values that the sentence names. */
export interface ValueProblem {
  readonly code: ProblemCode;
  readonly args: MessageArgs;
}

/** A limit as the argument of a sentence. */
export function limitArg(limit: number | bigint): string | number {
  return typeof limit === "bigint" ? limit.toString() : limit;
}

/** Says in one sentence what is wrong and what would be right. */
export function describeProblem(problem: ValueProblem, t: Translate): string {
  const { args } = problem;
  switch (problem.code) {
    case "required":
      return t("This is required.");
    case "choose":
      return t("Choose one.");
    case "type":
      return typeSentence(String(args["expected"]), t);
    case "number":
      return t("Enter a number, such as 12 or -0.5.");
    case "integer":
      return t("Enter a whole number.");
    case "format":
      return formatSentence(String(args["format"]), t);
    case "pattern":
      return t("This must match the pattern {pattern}", args);
    case "option":
      return t("This is not one of the options.");
    case "const":
      return t("This must be {value}.", args);
    case "never":
      return t("No value is allowed here.");
    case "json":
      return t("Not valid JSON: line {line}, column {column}.", args);
    case "unknownProperty":
      return t("The property “{name}” is not allowed here.", args);
    case "duplicateName":
      return t("The name “{name}” is used twice.", args);
    default:
      return limitSentence(problem.code, args, t);
  }
}

type LimitCode = Exclude<
  ProblemCode,
  | "required"
  | "choose"
  | "type"
  | "number"
  | "integer"
  | "format"
  | "pattern"
  | "option"
  | "const"
  | "never"
  | "json"
  | "unknownProperty"
  | "duplicateName"
>;

function limitSentence(code: LimitCode, args: MessageArgs, t: Translate): string {
  switch (code) {
    case "minimum":
      return t("This must be at least {limit}.", args);
    case "maximum":
      return t("This must be at most {limit}.", args);
    case "exclusiveMinimum":
      return t("This must be more than {limit}.", args);
    case "exclusiveMaximum":
      return t("This must be less than {limit}.", args);
    case "multipleOf":
      return t("This must be a multiple of {limit}.", args);
    case "minLength":
      return t("Enter at least {limit} characters; there are {actual}.", args);
    case "maxLength":
      return t("Enter at most {limit} characters; there are {actual}.", args);
    case "minItems":
      return t("At least {limit} items are needed; there are {actual}.", args);
    case "maxItems":
      return t("At most {limit} items are allowed; there are {actual}.", args);
    case "uniqueItems":
      return t("Items {first} and {second} are the same; all must differ.", args);
    case "tooManyItems":
      return t("Only {limit} items are allowed here.", args);
    case "minProperties":
      return t("At least {limit} entries are needed; there are {actual}.", args);
    case "maxProperties":
      return t("At most {limit} entries are allowed; there are {actual}.", args);
  }
}

function typeSentence(expected: string, t: Translate): string {
  switch (expected) {
    case "string":
      return t("This must be text.");
    case "number":
      return t("This must be a number.");
    case "boolean":
      return t("This must be true or false.");
    case "object":
      return t("This must be an object.");
    case "array":
      return t("This must be a list.");
    default:
      return t("This value does not fit any of the allowed shapes.");
  }
}

function formatSentence(format: string, t: Translate): string {
  switch (format) {
    case "email":
      return t("Enter an email address, such as name@example.com.");
    case "uri":
      return t("Enter a complete address, such as https://example.com/path.");
    case "date":
      return t("Enter a date as year-month-day, such as 2026-07-28.");
    case "date-time":
      return t("Enter a date and time with a time zone, such as 2026-07-28T09:30:00Z.");
    case "time":
      return t("Enter a time with a time zone, such as 09:30:00Z.");
    default:
      return t("This does not have the form “{format}”.", { format });
  }
}
