import { matchesFormat } from "../../base/textFormats.ts";
import { isPattern } from "./patterns.ts";
import type { KeywordCheck } from "./keywordCheck.ts";

/**
 * `format`, which is checked in both dialects, as servers and other clients expect; a format that is not known is not.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#section-7
 */
export function checkFormat(format: string): KeywordCheck {
  const args = { format: JSON.stringify(format.slice(0, 100)) };
  return (value, run) => {
    if (typeof value !== "string") return true;
    run.budget.spend(8 + value.length / 4);
    const holds = format === "regex" ? isPattern(value) : matchesFormat(format, value);
    return holds || run.fail("format", args);
  };
}
