import { isJsonObject, type JsonValue } from "../../base/json.ts";
import { keyword, type KeywordCheck, type KeywordScope, type SchemaCheck } from "./keywordCheck.ts";
import type { EvaluatedParts, SchemaRun } from "./schemaRun.ts";
import type { SchemaProblem } from "./schemaTexts.ts";

/** The keywords that combine whole schemas: `allOf`, `anyOf`, `oneOf`, `not`, `if` and what depends on a property. */
export function choiceChecks(scope: KeywordScope): KeywordCheck[] {
  const checks: KeywordCheck[] = [];
  const list = (name: string): readonly SchemaCheck[] | undefined => {
    const schemas = keyword(scope.schema, name);
    return Array.isArray(schemas) ? schemas.map((schema: JsonValue) => scope.child(schema)) : undefined;
  };
  const allOf = list("allOf");
  if (allOf !== undefined) checks.push((value, run, parts) => checkAll(allOf, value, run, parts));
  const anyOf = list("anyOf");
  if (anyOf !== undefined) checks.push((value, run, parts) => checkAny(anyOf, value, run, parts));
  const oneOf = list("oneOf");
  if (oneOf !== undefined) checks.push((value, run, parts) => checkOne(oneOf, value, run, parts));
  const not = keyword(scope.schema, "not");
  if (not !== undefined) {
    const inner = scope.child(not);
    checks.push((value, run) => !run.quietly(() => inner.check(value, run, undefined)) || run.fail("not"));
  }
  checks.push(...conditionChecks(scope), ...dependencyChecks(scope));
  return checks;
}

function checkAll(
  options: readonly SchemaCheck[],
  value: JsonValue,
  run: SchemaRun,
  parts: EvaluatedParts | undefined,
): boolean {
  let holds = true;
  for (const option of options) {
    if (option.check(value, run, parts)) continue;
    holds = false;
    if (!run.reports) break;
  }
  return holds;
}

function checkAny(
  options: readonly SchemaCheck[],
  value: JsonValue,
  run: SchemaRun,
  parts: EvaluatedParts | undefined,
): boolean {
  let found = false;
  for (const option of options) {
    found = run.quietly(() => option.check(value, run, parts)) || found;
    // When somebody asks what the schemas speak of, every one that fits counts.
    if (found && parts === undefined) return true;
  }
  if (found) return true;
  explainNearest(options, value, run);
  return run.fail("anyOf");
}

function checkOne(
  options: readonly SchemaCheck[],
  value: JsonValue,
  run: SchemaRun,
  parts: EvaluatedParts | undefined,
): boolean {
  let count = 0;
  for (const option of options) {
    if (run.quietly(() => option.check(value, run, parts))) count += 1;
    if (count > 1) return run.fail("tooMany");
  }
  if (count === 1) return true;
  explainNearest(options, value, run);
  return run.fail("oneOf");
}

/** Notes what is wrong with the value in the eyes of the option that it fits best. */
function explainNearest(options: readonly SchemaCheck[], value: JsonValue, run: SchemaRun): void {
  if (!run.reports) return;
  const before = run.problems.length;
  let nearest: readonly SchemaProblem[] | undefined;
  for (const option of options) {
    option.check(value, run, undefined);
    const found = run.problems.splice(before);
    if (nearest === undefined || found.length < nearest.length) nearest = found;
  }
  run.problems.push(...(nearest ?? []));
}

function conditionChecks(scope: KeywordScope): KeywordCheck[] {
  const condition = keyword(scope.schema, "if");
  if (condition === undefined) return [];
  const test = scope.child(condition);
  const then = scope.child(keyword(scope.schema, "then") ?? true);
  const otherwise = scope.child(keyword(scope.schema, "else") ?? true);
  return [
    (value, run, parts) => {
      const applies = run.quietly(() => test.check(value, run, parts));
      return (applies ? then : otherwise).check(value, run, parts);
    },
  ];
}

/** `dependentSchemas`, and the schemas of `dependencies`, which 2020-12 tolerates. */
function dependencyChecks(scope: KeywordScope): KeywordCheck[] {
  const dependent: [string, SchemaCheck][] = [];
  const names =
    scope.resource.dialect === "2020-12" ? ["dependentSchemas", "dependencies"] : ["dependencies"];
  for (const name of names) {
    const map = keyword(scope.schema, name);
    if (!isJsonObject(map)) continue;
    for (const [property, schema] of Object.entries(map)) {
      if (schema !== undefined && !Array.isArray(schema)) dependent.push([property, scope.child(schema)]);
    }
  }
  if (dependent.length === 0) return [];
  return [
    (value, run, parts) => {
      if (!isJsonObject(value)) return true;
      const applying = dependent.filter(([property]) => Object.hasOwn(value, property));
      run.budget.spend(dependent.length);
      return checkAll(
        applying.map(([, schema]) => schema),
        value,
        run,
        parts,
      );
    },
  ];
}
