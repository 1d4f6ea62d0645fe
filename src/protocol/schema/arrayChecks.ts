import type { JsonValue } from "../../base/json.ts";
import { findDuplicate } from "./jsonEqual.ts";
import { keyword, type KeywordCheck, type KeywordScope, type SchemaCheck } from "./keywordCheck.ts";
import type { EvaluatedParts, SchemaRun } from "./schemaRun.ts";

type ArrayCheck = (value: readonly JsonValue[], run: SchemaRun, parts: EvaluatedParts | undefined) => boolean;

/** The keywords that only arrays are compared with. */
export function arrayChecks(scope: KeywordScope): KeywordCheck[] {
  const checks = [...countChecks(scope), ...itemChecks(scope), ...containsChecks(scope)];
  return checks.map(
    (check): KeywordCheck =>
      (value, run, parts) =>
        !Array.isArray(value) || check(value as readonly JsonValue[], run, parts),
  );
}

function countChecks({ schema }: KeywordScope): ArrayCheck[] {
  const checks: ArrayCheck[] = [];
  const minimum = keyword(schema, "minItems");
  const maximum = keyword(schema, "maxItems");
  if (minimum !== undefined || maximum !== undefined) {
    const least = Number(minimum ?? 0);
    const most = Number(maximum ?? Number.POSITIVE_INFINITY);
    checks.push(({ length }, run) => {
      if (length < least) return run.fail("minItems", { limit: least });
      return length <= most || run.fail("maxItems", { limit: most });
    });
  }
  if (keyword(schema, "uniqueItems") === true) {
    checks.push((value, run) => {
      const pair = findDuplicate(value, run.budget);
      if (pair === undefined) return true;
      return run.fail("uniqueItems", { first: pair[0], second: pair[1] });
    });
  }
  return checks;
}

interface ItemPlan {
  readonly prefix: readonly SchemaCheck[];
  readonly rest: SchemaCheck | undefined;
}

/** Schemas by position, and the one of all items after them; the two dialects name them differently. */
function planItems(scope: KeywordScope): ItemPlan {
  const { schema, resource } = scope;
  const items = keyword(schema, "items");
  const isDraft07 = resource.dialect === "draft-07";
  const tuple = isDraft07 ? items : keyword(schema, "prefixItems");
  const prefix = Array.isArray(tuple) ? tuple.map((item: JsonValue) => scope.child(item)) : [];
  const rest = isDraft07 && Array.isArray(items) ? keyword(schema, "additionalItems") : items;
  return { prefix, rest: rest === undefined ? undefined : scope.child(rest) };
}

function itemChecks(scope: KeywordScope): ArrayCheck[] {
  const { prefix, rest } = planItems(scope);
  if (prefix.length === 0 && rest === undefined) return [];
  return [
    (value, run, parts) => {
      if (parts !== undefined) {
        if (rest !== undefined) parts.allItems = true;
        for (const index of prefix.keys()) parts.items.add(index);
      }
      let holds = true;
      for (const [index, item] of value.entries()) {
        const check = prefix[index] ?? rest;
        if (check === undefined) break;
        if (run.at(index, () => check.check(item, run, undefined))) continue;
        holds = false;
        if (!run.reports) break;
      }
      return holds;
    },
  ];
}

function containsChecks(scope: KeywordScope): ArrayCheck[] {
  const { schema, resource } = scope;
  const contains = keyword(schema, "contains");
  if (contains === undefined) return [];
  const check = scope.child(contains);
  const counts = resource.dialect === "2020-12";
  const least = counts ? Number(keyword(schema, "minContains") ?? 1) : 1;
  const most = counts
    ? Number(keyword(schema, "maxContains") ?? Number.POSITIVE_INFINITY)
    : Number.POSITIVE_INFINITY;
  return [
    (value, run, parts) => {
      let count = 0;
      for (const [index, item] of value.entries()) {
        if (!run.quietly(() => check.check(item, run, undefined))) continue;
        count += 1;
        if (counts) parts?.items.add(index);
      }
      if (count < least) return run.fail("minContains", { limit: least });
      return count <= most || run.fail("maxContains", { limit: most });
    },
  ];
}
