import type { SchemaGraph } from "./schemaNode.ts";
import type { SchemaBudget } from "./schemaRun.ts";
import { SchemaStop } from "./schemaTexts.ts";

/** Making an expression out of a longer pattern can take V8 longer than a check may, and nothing can end that. */
const MAX_PATTERN = 2_000;

/**
 * Tests a text with a pattern of the server. The text may make the pattern run for ever: schemas with patterns are
 * only compared under V8's watchdog.
 *
 * @throws SchemaStop for a pattern that is too long or no expression
 */
export function testPattern(
  graph: SchemaGraph,
  pattern: string,
  text: string,
  budget: SchemaBudget,
): boolean {
  const expression = graph.pattern(pattern, compilePattern);
  budget.spend(4 + text.length / 4);
  return expression.test(text);
}

/** Patterns in the wild escape more than the `u` flag allows; they mean the same without it. */
function compilePattern(pattern: string): RegExp {
  if (pattern.length > MAX_PATTERN) {
    throw new SchemaStop("long-pattern", { limit: MAX_PATTERN });
  }
  try {
    return new RegExp(pattern, "u");
  } catch {
    return compileLoosely(pattern);
  }
}

function compileLoosely(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch {
    throw new SchemaStop("pattern", { pattern: JSON.stringify(pattern.slice(0, 200)) });
  }
}

/** True for a text that is a regular expression, as `format: "regex"` asks. */
export function isPattern(text: string): boolean {
  if (text.length > MAX_PATTERN) return true;
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}
