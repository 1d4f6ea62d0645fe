import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { testPattern } from "./patterns.ts";
import { keyword, type KeywordCheck, type KeywordScope, type SchemaCheck } from "./keywordCheck.ts";
import type { SchemaGraph } from "./schemaNode.ts";
import type { EvaluatedParts, SchemaRun } from "./schemaRun.ts";

type ObjectCheck = (value: JsonObject, run: SchemaRun, parts: EvaluatedParts | undefined) => boolean;

/** The keywords that only objects are compared with. */
export function objectChecks(scope: KeywordScope): KeywordCheck[] {
  const checks = [
    ...countChecks(scope),
    ...requiredChecks(scope),
    ...propertyChecks(scope),
    ...nameChecks(scope),
  ];
  return checks.map(
    (check): KeywordCheck =>
      (value, run, parts) =>
        !isJsonObject(value) || check(value, run, parts),
  );
}

function countChecks({ schema }: KeywordScope): ObjectCheck[] {
  const minimum = keyword(schema, "minProperties");
  const maximum = keyword(schema, "maxProperties");
  if (minimum === undefined && maximum === undefined) return [];
  const least = Number(minimum ?? 0);
  const most = Number(maximum ?? Number.POSITIVE_INFINITY);
  return [
    (value, run) => {
      const count = Object.keys(value).length;
      run.budget.spend(count);
      if (count < least) return run.fail("minProperties", { limit: least });
      return count <= most || run.fail("maxProperties", { limit: most });
    },
  ];
}

function requiredChecks({ schema }: KeywordScope): ObjectCheck[] {
  const checks: ObjectCheck[] = [];
  const required = keyword(schema, "required");
  if (Array.isArray(required)) {
    const names = required as readonly string[];
    checks.push((value, run) => checkRequired(names, value, run));
  }
  const lists = ["dependentRequired", "dependencies"].flatMap((name) => {
    const map = keyword(schema, name);
    return isJsonObject(map) ? Object.entries(map) : [];
  });
  for (const [property, names] of lists) {
    if (!Array.isArray(names)) continue;
    const needed = names as readonly string[];
    checks.push((value, run) => !Object.hasOwn(value, property) || checkRequired(needed, value, run));
  }
  return checks;
}

function checkRequired(names: readonly string[], value: JsonObject, run: SchemaRun): boolean {
  let holds = true;
  for (const name of names) {
    run.budget.spend(1);
    // The value's own properties only: every object inherits a `toString`.
    if (Object.hasOwn(value, name)) continue;
    holds = run.fail("required", {}, name);
    if (!run.reports) break;
  }
  return holds;
}

/** `properties`, `patternProperties` and `additionalProperties`, which decide together what each property follows. */
function propertyChecks(scope: KeywordScope): ObjectCheck[] {
  const properties = readMap(scope, "properties");
  const checks: ObjectCheck[] = [];
  if (properties.size > 0) {
    checks.push((value, run, parts) => checkProperties(properties, value, run, parts));
  }
  const patterns = [...readMap(scope, "patternProperties")];
  const rest = keyword(scope.schema, "additionalProperties");
  if (patterns.length === 0 && rest === undefined) return checks;
  const further = rest === undefined ? undefined : scope.child(rest);
  const appliesTo = (name: string, run: SchemaRun): readonly SchemaCheck[] => {
    const matching = matchPatterns(scope.graph, patterns, name, run);
    return matching.length === 0 && further !== undefined && !properties.has(name) ? [further] : matching;
  };
  checks.push((value, run, parts) => {
    if (further !== undefined && parts !== undefined) parts.allProperties = true;
    return (patterns.length === 0 && rest === true) || checkOthers(appliesTo, value, run, parts);
  });
  return checks;
}

/** Checks each property with what its name says. */
function checkOthers(
  appliesTo: (name: string, run: SchemaRun) => readonly SchemaCheck[],
  value: JsonObject,
  run: SchemaRun,
  parts: EvaluatedParts | undefined,
): boolean {
  let holds = true;
  for (const name of Object.keys(value)) {
    run.budget.spend(2);
    const item = value[name];
    if (item === undefined) continue;
    for (const check of appliesTo(name, run)) {
      parts?.properties.add(name);
      holds = run.at(name, () => check.check(item, run, undefined)) && holds;
    }
    if (!holds && !run.reports) break;
  }
  return holds;
}

function matchPatterns(
  graph: SchemaGraph,
  patterns: readonly (readonly [string, SchemaCheck])[],
  name: string,
  run: SchemaRun,
): SchemaCheck[] {
  const found: SchemaCheck[] = [];
  for (const [pattern, check] of patterns) {
    if (testPattern(graph, pattern, name, run.budget)) found.push(check);
  }
  return found;
}

function checkProperties(
  properties: ReadonlyMap<string, SchemaCheck>,
  value: JsonObject,
  run: SchemaRun,
  parts: EvaluatedParts | undefined,
): boolean {
  let holds = true;
  for (const [name, check] of properties) {
    run.budget.spend(1);
    if (!Object.hasOwn(value, name)) continue;
    const item = value[name];
    if (item === undefined) continue;
    parts?.properties.add(name);
    if (run.at(name, () => check.check(item, run, undefined))) continue;
    holds = false;
    if (!run.reports) break;
  }
  return holds;
}

function nameChecks(scope: KeywordScope): ObjectCheck[] {
  const names = keyword(scope.schema, "propertyNames");
  if (names === undefined) return [];
  const check = scope.child(names);
  return [
    (value, run) => {
      let holds = true;
      for (const name of Object.keys(value)) {
        if (run.quietly(() => check.check(name, run, undefined))) continue;
        holds = run.fail("propertyNames", {}, name);
        if (!run.reports) break;
      }
      return holds;
    },
  ];
}

function readMap(scope: KeywordScope, name: string): ReadonlyMap<string, SchemaCheck> {
  const map = keyword(scope.schema, name);
  const found = new Map<string, SchemaCheck>();
  if (!isJsonObject(map)) return found;
  for (const [property, schema] of Object.entries(map)) {
    if (schema !== undefined) found.set(property, scope.child(schema));
  }
  return found;
}
