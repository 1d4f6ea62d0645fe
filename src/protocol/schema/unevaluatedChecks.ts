import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { keyword, type KeywordCheck, type KeywordScope } from "./keywordCheck.ts";
import type { SchemaRun } from "./schemaRun.ts";

/**
 * `unevaluatedProperties` and `unevaluatedItems`: what nothing else in the schema, and nothing that it refers to,
 * speaks of.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-11
 */
export function unevaluatedChecks(scope: KeywordScope): KeywordCheck[] {
  const checks: KeywordCheck[] = [];
  const properties = keyword(scope.schema, "unevaluatedProperties");
  if (properties !== undefined) {
    const check = scope.child(properties);
    checks.push((value, run, parts) => {
      if (!isJsonObject(value) || parts?.allProperties === true) return true;
      const names = unknownNames(value, run, (name) => parts?.properties.has(name) === true);
      const holds = everyPart(names, run, (name) => {
        const item = value[name];
        return item === undefined || run.at(name, () => check.check(item, run, undefined));
      });
      if (parts !== undefined) parts.allProperties = true;
      return holds;
    });
  }
  const items = keyword(scope.schema, "unevaluatedItems");
  if (items !== undefined) {
    const check = scope.child(items);
    checks.push((value, run, parts) => {
      if (!Array.isArray(value) || parts?.allItems === true) return true;
      const list = value as readonly JsonValue[];
      const places = [...list.keys()].filter((index) => parts?.items.has(index) !== true);
      run.budget.spend(list.length);
      const holds = everyPart(places, run, (index) =>
        run.at(index, () => check.check(list[index] ?? null, run, undefined)),
      );
      if (parts !== undefined) parts.allItems = true;
      return holds;
    });
  }
  return checks;
}

function unknownNames(value: JsonObject, run: SchemaRun, isKnown: (name: string) => boolean): string[] {
  const names = Object.keys(value);
  run.budget.spend(names.length);
  return names.filter((name) => !isKnown(name));
}

/** True when all hold; goes on after one that does not as long as problems are wanted. */
function everyPart<Part>(parts: readonly Part[], run: SchemaRun, holdsFor: (part: Part) => boolean): boolean {
  let holds = true;
  for (const part of parts) {
    if (holdsFor(part)) continue;
    holds = false;
    if (!run.reports) break;
  }
  return holds;
}
