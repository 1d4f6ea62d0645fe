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
  // Escapes and classes are single characters here; only back references matter.
  const tokens = pattern.replace(/\\[^\dk]/g, "_").replace(/\[(?:\\.|[^\]\\])*\]/g, "_");
  const reader = new ShapeReader();
  for (let at = 0; at < tokens.length; at++) {
    if (isLazyMark(tokens, at) || isGroupMark(tokens, at)) continue;
    reader.read(tokens[at] ?? "");
  }
  return { ...reader.shape, backReference: /\\[\dk]/.test(tokens) };
}

class ShapeReader {
  readonly shape = { repetitions: 0, branches: 1, nested: false };
  /** For each open group, whether something in it repeats or branches. */
  readonly #groups: boolean[] = [];
  /** True right after such a group was closed. */
  #closedBusy = false;

  read(char: string): void {
    const after = this.#closedBusy;
    this.#closedBusy = false;
    if (char === "(") {
      this.#groups.push(false);
    } else if (char === ")") {
      this.#closedBusy = this.#groups.pop() ?? false;
      if (this.#closedBusy) this.#markGroup();
    } else if (char === "|") {
      this.shape.branches += 1;
      this.#markGroup();
    } else if ("*+?{".includes(char)) {
      this.shape.repetitions += 1;
      this.shape.nested ||= after;
      this.#markGroup();
    }
  }

  #markGroup(): void {
    if (this.#groups.length > 0) this.#groups[this.#groups.length - 1] = true;
  }
}

/** The `?` that makes a repetition lazy. */
function isLazyMark(tokens: string, at: number): boolean {
  return tokens[at] === "?" && at > 0 && "*+?}".includes(tokens[at - 1] ?? " ");
}

/** The `?` that opens a special group. */
function isGroupMark(tokens: string, at: number): boolean {
  return tokens[at] === "?" && tokens[at - 1] === "(";
}
