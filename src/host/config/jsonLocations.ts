import { findNodeAtLocation, type Node, parseTree, type ParseError, type ParseOptions } from "jsonc-parser";

/** Settings files may have comments and trailing commas. */
const SETTINGS_SYNTAX: ParseOptions = {
  disallowComments: false,
  allowTrailingComma: true,
  allowEmptyContent: true,
};

/** A stretch of a text, in UTF-16 code units. */
export interface TextSpan {
  readonly offset: number;
  readonly length: number;
}

/** True when the text is no settings file, so that what an editor makes of it may lack half of the entries. */
export function hasSyntaxError(text: string): boolean {
  const errors: ParseError[] = [];
  parseTree(text, errors, SETTINGS_SYNTAX);
  return errors.length > 0;
}

/**
 * Where a value stands in a settings file; the nearest enclosing value when the path leads nowhere,
 * as for a missing key. Undefined when not even the first key is there.
 */
export function locateValue(text: string, path: readonly (string | number)[]): TextSpan | undefined {
  const root = parseTree(text, [], SETTINGS_SYNTAX);
  if (root === undefined) return undefined;
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) return spanOf(node);
  }
  return undefined;
}

/** Where a whole value stands, from its first to its last character. Undefined when the path leads nowhere. */
export function locateWhole(text: string, path: readonly (string | number)[]): TextSpan | undefined {
  const root = parseTree(text, [], SETTINGS_SYNTAX);
  const node = root === undefined ? undefined : findNodeAtLocation(root, [...path]);
  return node === undefined ? undefined : { offset: node.offset, length: node.length };
}

/** Marks the key of a large value: an underlined page of settings tells nobody where to look. */
function spanOf(node: Node): TextSpan {
  const key = node.parent?.type === "property" ? node.parent.children?.[0] : undefined;
  const isLarge = node.type === "object" || node.type === "array";
  const { offset, length } = isLarge && key !== undefined ? key : node;
  return { offset, length };
}
