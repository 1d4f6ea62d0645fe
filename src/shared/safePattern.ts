/**
 * Steps that one test of a foreign pattern may cost. JavaScript's matcher backtracks and cannot be stopped,
 * so a pattern is only tried on values that are short enough for its shape.
 */
const MAX_STEPS = 2_000_000;
const MAX_PATTERN_LENGTH = 1_000;

/** What testing a value against a pattern gave. `unchecked` means that only the server can tell. */
export type PatternVerdict = "match" | "mismatch" | "unchecked";

/**
 * Tests a value against a regular expression that a server wrote, without the risk of hanging on it.
 * Patterns that are no valid expression, or too costly for a value of this length, are left to the server.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-6.4
 */
export function testPattern(pattern: string, value: string): PatternVerdict {
  if (pattern.length > MAX_PATTERN_LENGTH || value.length > maxTestLength(pattern)) return "unchecked";
  const expression = compilePattern(pattern);
  if (expression === undefined) return "unchecked";
  return expression.test(value) ? "match" : "mismatch";
}

function compilePattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    try {
      // Many servers write escapes that are only legal without the `u` flag.
      return new RegExp(pattern);
    } catch {
      return undefined;
    }
  }
}

/** The longest value, in UTF-16 units, that a pattern may be tried on. */
export function maxTestLength(pattern: string): number {
  const shape = readShape(pattern);
  if (shape.backReference) return 8;
  if (shape.nested) {
    // A repeated group that itself repeats or branches can try every way to cut the value.
    return Math.floor(Math.log(MAX_STEPS) / Math.log(Math.max(2, shape.branches + 1)));
  }
  // Each repetition, and the unanchored start, adds one power of the length.
  return Math.floor(MAX_STEPS ** (1 / (shape.repetitions + 1)));
}

interface PatternShape {
  readonly repetitions: number;
  readonly branches: number;
  readonly nested: boolean;
  readonly backReference: boolean;
}

/** Reads how a pattern repeats and branches. Errs on the side of costly. */
function readShape(pattern: string): PatternShape {
  const tokens = pattern.replace(/\\[^\dk]/g, "_").replace(/\[(?:\\.|[^\]\\])*\]/g, "_");
  const backReference = /\\[\dk]/.test(tokens);
  const groups: boolean[] = [];
  let repetitions = 0;
  let branches = 1;
  let nested = false;
  let closedBusy = false;
  for (let at = 0; at < tokens.length; at++) {
    const char = tokens[at];
    if (char === "(") {
      groups.push(false);
      if (tokens[at + 1] === "?") at += 1;
      closedBusy = false;
    } else if (char === ")") {
      closedBusy = groups.pop() ?? false;
      if (closedBusy && groups.length > 0) groups[groups.length - 1] = true;
    } else if (char === "|") {
      branches += 1;
      if (groups.length > 0) groups[groups.length - 1] = true;
      closedBusy = false;
    } else if (char === "*" || char === "+" || char === "?" || char === "{") {
      if (isLazyMark(tokens, at)) continue;
      repetitions += 1;
      if (closedBusy) nested = true;
      if (groups.length > 0) groups[groups.length - 1] = true;
      closedBusy = false;
    } else if (char !== "}") {
      closedBusy = false;
    }
  }
  return { repetitions, branches, nested, backReference };
}

function isLazyMark(tokens: string, at: number): boolean {
  return tokens[at] === "?" && at > 0 && "*+?}".includes(tokens[at - 1] ?? " ");
}
