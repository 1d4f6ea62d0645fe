import {
  applyEdits,
  findNodeAtLocation,
  type FormattingOptions,
  modify,
  type ParseError,
  type ParseOptions,
  parseTree,
} from "jsonc-parser";
import type { JsonObject } from "../base/json.ts";
import { placeOf } from "./import/readJsonText.ts";

/** Where the map of servers stands in a file: `["signalbox.servers"]` in settings, `["servers"]` in a file for the command line. */
export type ServersPath = readonly string[];

/** The changed text, or why nothing was changed. Lines and columns count from 1. */
export type EditResult =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "broken"; readonly line: number; readonly column: number }
  | { readonly kind: "missing" }
  | { readonly kind: "exists" };

const SYNTAX: ParseOptions = { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true };

/** Adds a server, or replaces the one of that name whole. Comments and layout around it stay as they are. */
export function setServer(source: string, path: ServersPath, name: string, entry: JsonObject): EditResult {
  return edit(source, (text, options) =>
    applyEdits(text, modify(text, [...path, name], entry, { formattingOptions: options })),
  );
}

/** Removes a server. An empty map stays. */
export function removeServer(source: string, path: ServersPath, name: string): EditResult {
  return edit(source, (text, options) => {
    if (!hasValue(text, [...path, name])) return { kind: "missing" };
    return applyEdits(text, modify(text, [...path, name], undefined, { formattingOptions: options }));
  });
}

/** Gives a server another name; its entry, with the comments in it, and its place stay. */
export function renameServer(source: string, path: ServersPath, name: string, nextName: string): EditResult {
  return edit(source, (text) => {
    if (!hasValue(text, [...path, name])) return { kind: "missing" };
    if (name === nextName) return text;
    if (hasValue(text, [...path, nextName])) return { kind: "exists" };
    const root = parseTree(text, [], SYNTAX);
    const value = root === undefined ? undefined : findNodeAtLocation(root, [...path, name]);
    const key = value?.parent?.children?.[0];
    if (key === undefined) return { kind: "missing" };
    return `${text.slice(0, key.offset)}${JSON.stringify(nextName)}${text.slice(key.offset + key.length)}`;
  });
}

/** Where something stands in the text, or the nearest thing around it that does; line and column count from 1. */
export function locateInText(
  text: string,
  path: readonly (string | number)[],
): { readonly line: number; readonly column: number } | undefined {
  const root = parseTree(text.replace(/^\uFEFF/, " "), [], SYNTAX);
  if (root === undefined) return undefined;
  for (let length = path.length; length >= 0; length -= 1) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    // The key is where a reader looks first.
    const shown = node?.parent?.type === "property" ? node.parent : node;
    if (shown !== undefined) return placeOf(text, shown.offset);
  }
  return undefined;
}

function edit(
  source: string,
  change: (text: string, options: FormattingOptions) => string | EditResult,
): EditResult {
  const mark = source.startsWith("\uFEFF") ? "\uFEFF" : "";
  const text = source.slice(mark.length);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, SYNTAX);
  const [first] = errors;
  if (first !== undefined) return { kind: "broken", ...placeOf(text, first.offset) };
  if (root !== undefined && root.type !== "object") return { kind: "broken", ...placeOf(text, root.offset) };
  const changed = change(text, detectFormatting(text));
  return typeof changed === "string" ? { kind: "text", text: mark + changed } : changed;
}

function hasValue(text: string, path: readonly string[]): boolean {
  const root = parseTree(text, [], SYNTAX);
  return root !== undefined && findNodeAtLocation(root, [...path]) !== undefined;
}

/** The file's own line ends and indentation. */
function detectFormatting(text: string): FormattingOptions {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  return {
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 4 : indent.length,
    keepLines: true,
  };
}
