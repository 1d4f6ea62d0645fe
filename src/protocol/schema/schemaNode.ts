import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { arrayChecks } from "./arrayChecks.ts";
import { choiceChecks } from "./choiceChecks.ts";
import type { KeywordCheck, KeywordScope, SchemaCheck } from "./keywordCheck.ts";
import { objectChecks } from "./objectChecks.ts";
import { refChecks } from "./refChecks.ts";
import type { SchemaIndex, SchemaResource } from "./schemaIndex.ts";
import { EvaluatedParts, type SchemaRun } from "./schemaRun.ts";
import { unevaluatedChecks } from "./unevaluatedChecks.ts";
import { valueChecks } from "./valueChecks.ts";

/** All parts of one schema, each made ready when a value first gets there. Recursion in the schema is a circle here. */
export class SchemaGraph {
  readonly index: SchemaIndex;
  readonly #nodes = new Map<JsonObject, SchemaNode>();
  readonly #patterns = new Map<string, RegExp>();

  constructor(index: SchemaIndex) {
    this.index = index;
  }

  nodeOf(schema: JsonValue, around: SchemaResource): SchemaCheck {
    if (!isJsonObject(schema)) return schema === false ? NOTHING : ANYTHING;
    let node = this.#nodes.get(schema);
    if (node === undefined) {
      node = new SchemaNode(this, schema, this.index.resourceOf(schema, around));
      this.#nodes.set(schema, node);
    }
    return node;
  }

  /** The expression of a pattern, made once. @throws whatever `make` throws */
  pattern(text: string, make: (text: string) => RegExp): RegExp {
    let expression = this.#patterns.get(text);
    if (expression === undefined) {
      expression = make(text);
      this.#patterns.set(text, expression);
    }
    return expression;
  }
}

const ANYTHING: SchemaCheck = { check: () => true };
const NOTHING: SchemaCheck = { check: (_value, run) => run.fail("forbidden") };

class SchemaNode implements SchemaCheck {
  readonly #scope: KeywordScope;
  #checks: readonly KeywordCheck[] | undefined;
  /** Asked last, and only when the rest holds: what nothing else in the schema speaks of. */
  #late: readonly KeywordCheck[] = [];

  constructor(graph: SchemaGraph, schema: JsonObject, resource: SchemaResource) {
    this.#scope = { schema, resource, graph, child: (inner) => graph.nodeOf(inner, resource) };
  }

  check(value: JsonValue, run: SchemaRun, parts: EvaluatedParts | undefined): boolean {
    const checks = this.#checks ?? this.#prepare();
    // What a schema speaks of counts for the one around it only when the value fits.
    const own =
      typeof value === "object" && value !== null && (parts !== undefined || this.#late.length > 0)
        ? new EvaluatedParts()
        : undefined;
    run.enter(this.#scope.resource);
    let holds = true;
    for (const check of checks) {
      if (check(value, run, own)) continue;
      holds = false;
      if (!run.reports) break;
    }
    for (const check of this.#late) holds = holds && check(value, run, own);
    run.leave();
    if (holds && own !== undefined) parts?.add(own);
    return holds;
  }

  #prepare(): readonly KeywordCheck[] {
    const scope = this.#scope;
    const { schema, resource } = scope;
    // In draft-07 nothing counts beside a reference.
    const isBareRef = resource.dialect === "draft-07" && typeof schema["$ref"] === "string";
    const checks = isBareRef
      ? refChecks(scope)
      : [
          ...valueChecks(scope),
          ...objectChecks(scope),
          ...arrayChecks(scope),
          ...refChecks(scope),
          ...choiceChecks(scope),
        ];
    if (resource.dialect === "2020-12") this.#late = unevaluatedChecks(scope);
    this.#checks = checks;
    return checks;
  }
}
