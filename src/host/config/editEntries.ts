import { applyEdits, type FormattingOptions, modify, visit } from "jsonc-parser";
import type { JsonObject } from "../../base/json.ts";
import { locateWhole } from "./jsonLocations.ts";

/** True when somebody wrote comments into a value: writing that value as a whole would lose them. */
export function hasCommentsIn(text: string, path: readonly (string | number)[]): boolean {
  const span = locateWhole(text, path);
  if (span === undefined) return false;
  let isFound = false;
  const onComment = (): void => {
    isFound = true;
  };
  visit(text.slice(span.offset, span.offset + span.length), { onComment });
  return isFound;
}

/** A settings text with entries of a map replaced, added or (undefined) removed, and everything else as it was. */
export function editEntries(
  text: string,
  root: readonly string[],
  entries: Readonly<Record<string, JsonObject | undefined>>,
): string {
  const formattingOptions = detectFormat(text);
  let edited = text;
  for (const [id, entry] of Object.entries(entries)) {
    edited = applyEdits(edited, modify(edited, [...root, id], entry, { formattingOptions }));
  }
  return edited;
}

/** The indentation and line ends that the text has already. */
function detectFormat(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "    ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  return indent.startsWith("\t")
    ? { insertSpaces: false, tabSize: 1, eol }
    : { insertSpaces: true, tabSize: indent.length, eol };
}
