import type { JsonValue } from "../../base/json.ts";
import { keyword, type KeywordCheck, type KeywordScope, type SchemaCheck } from "./keywordCheck.ts";
import type { SchemaDialect } from "./keywordShapes.ts";
import { scanShape } from "./scanShape.ts";
import type { RefTarget, SchemaResource } from "./schemaIndex.ts";
import { SchemaStop } from "./schemaTexts.ts";

/** `$ref` and `$dynamicRef`. Both lead within the schema: the index has seen to that. */
export function refChecks(scope: KeywordScope): KeywordCheck[] {
  const checks: KeywordCheck[] = [];
  const ref = keyword(scope.schema, "$ref");
  if (typeof ref === "string") {
    const target = checkOf(scope, resolve(scope, ref));
    checks.push((value, run, parts) => target.check(value, run, parts));
  }
  const dynamicRef = keyword(scope.schema, "$dynamicRef");
  if (typeof dynamicRef === "string" && scope.resource.dialect === "2020-12") {
    checks.push(checkDynamicRef(scope, dynamicRef));
  }
  return checks;
}

/** @see https://json-schema.org/draft/2020-12/json-schema-core#section-8.2.3.2 */
function checkDynamicRef(scope: KeywordScope, ref: string): KeywordCheck {
  const target = resolve(scope, ref);
  const initial = checkOf(scope, target);
  const name = /#([^/].*)$/s.exec(ref)?.[1];
  const isDynamic =
    name !== undefined &&
    target.kind === "schema" &&
    target.resource.dynamicAnchors.get(name) === target.schema;
  if (!isDynamic) return (value, run, parts) => initial.check(value, run, parts);
  return (value, run, parts) => {
    const outermost = findOutermost(run.scope, name);
    const check =
      outermost === undefined ? initial : scope.graph.nodeOf(outermost.schema, outermost.resource);
    return check.check(value, run, parts);
  };
}

function findOutermost(
  scopes: readonly SchemaResource[],
  name: string,
): { readonly schema: JsonValue; readonly resource: SchemaResource } | undefined {
  for (const resource of scopes) {
    const schema = resource.dynamicAnchors.get(name);
    if (schema !== undefined) return { schema, resource };
  }
  return undefined;
}

function resolve(scope: KeywordScope, ref: string): RefTarget {
  const target = scope.graph.index.resolve(ref, scope.resource);
  if (target === undefined) throw new SchemaStop("reference", { reference: JSON.stringify(ref) });
  return target;
}

function checkOf(scope: KeywordScope, target: RefTarget): SchemaCheck {
  return target.kind === "dialect"
    ? checkOfDialect(target.dialect)
    : scope.graph.nodeOf(target.schema, target.resource);
}

/** A check for values that are schemas themselves: whether they are well formed in a dialect. */
function checkOfDialect(dialect: SchemaDialect): SchemaCheck {
  return {
    check: (value, run) => {
      const problem = scanShape(value, dialect, run.budget);
      return problem === undefined || run.fail("schema", { dialect, problem });
    },
  };
}
