import { type ParseError, parse, type ParseOptions } from "jsonc-parser";
import { isJsonObject, type JsonObject } from "../../base/json.ts";

/** What a text gave as JSON. */
export type JsonText =
  | { readonly kind: "object"; readonly value: JsonObject }
  /** It looks like JSON but is not; the place counts from 1. */
  | { readonly kind: "broken"; readonly line: number; readonly column: number };

const SYNTAX: ParseOptions = { allowTrailingComma: true, disallowComments: false };

/**
 * Reads JSON with comments and trailing commas. A piece cut out of a larger file, as in `"name": { … }`, is read too.
 * Undefined when the text is nothing like JSON.
 */
export function readJsonText(text: string): JsonText | undefined {
  const body = stripLeadingComments(text);
  const isWhole = /^[{[]/.test(body);
  const isPiece = /^"(?:[^"\\\n]|\\.)*"\s*:/.test(body);
  if (!isWhole && !isPiece) return undefined;
  const errors: ParseError[] = [];
  const value: unknown = parse(isWhole ? text : `{${text}\n}`, errors, SYNTAX);
  const [first] = errors;
  if (first !== undefined)
    return { kind: "broken", ...placeOf(text, isWhole ? first.offset : first.offset - 1) };
  return { kind: "object", value: isJsonObject(value) ? value : {} };
}

function stripLeadingComments(text: string): string {
  return text.replace(/^(?:\s+|\/\/[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/, "");
}

/** Line and column of an offset, both counted from 1. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, Math.max(0, offset)).split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}
