import { matchesFormat } from "../../base/textFormats.ts";
import { countCharacters } from "../formCheck.ts";
import { limitArg, type ProblemCode, type ValueProblem } from "../problems.ts";
import { testPattern } from "../safePattern.ts";
import {
  type ArrayPlan,
  type FormPlan,
  type NumberPlan,
  type ObjectPlan,
  type StringPlan,
  valueTitle,
  type VariantPlan,
} from "./formPlan.ts";
import { fromJsonValue, type JsonNode, readNumber, sameNode } from "./jsonText.ts";
import type { FormPlanner } from "./planSchema.ts";
import { appendPointer } from "./schemaContext.ts";

/** A problem with the part of the value that a JSON Pointer names. */
export interface PathProblem extends ValueProblem {
  readonly path: string;
}

/** Steps of one check. What lies beyond is left to the host and the server. */
const MAX_STEPS = 20_000;
const MAX_PROBLEMS = 200;
/** Items that are compared with each other. */
const MAX_UNIQUE = 500;

/**
 * The light checks before sending: required, type, range, length, pattern, format, options.
 * Anything that this module does not know is accepted; the host validates the whole schema.
 */
export function checkNode(planner: FormPlanner, plan: FormPlan, node: JsonNode): readonly PathProblem[] {
  const run = new CheckRun(planner, { steps: MAX_STEPS });
  run.check(plan, node, "");
  return run.problems;
}

/** How badly a value fits a plan; 0 when it fits. A wrong type or constant weighs more than a missing part. */
export function weighProblems(planner: FormPlanner, plan: FormPlan, node: JsonNode): number {
  const run = new CheckRun(planner, { steps: 2_000 });
  run.check(plan, node, "");
  return weigh(run.problems);
}

function weigh(problems: readonly PathProblem[]): number {
  return problems.reduce((sum, { code, path }) => sum + problemWeight(code, path), 0);
}

function problemWeight(code: ProblemCode, path: string): number {
  if (code === "type" && path === "") return 1_000;
  if (code === "const" || code === "option") return 50;
  return code === "type" || code === "unknownProperty" ? 10 : 1;
}

class CheckRun {
  readonly problems: PathProblem[] = [];
  readonly #planner: FormPlanner;
  readonly #budget: { steps: number };

  constructor(planner: FormPlanner, budget: { steps: number }) {
    this.#planner = planner;
    this.#budget = budget;
  }

  check(plan: FormPlan, node: JsonNode, path: string): void {
    this.#budget.steps -= 1;
    if (this.#budget.steps < 0) return;
    if (node.kind === "null" && plan.nullable) return;
    switch (plan.kind) {
      case "string":
        return this.#checkString(plan, node, path);
      case "number":
        return this.#checkNumber(plan, node, path);
      case "boolean":
        if (node.kind !== "boolean") this.#report(path, "type", { expected: "boolean" });
        return;
      case "null":
        if (node.kind !== "null") this.#report(path, "const", { value: "null" });
        return;
      case "const":
        if (!sameNode(node, fromJsonValue(plan.value)))
          this.#report(path, "const", { value: valueTitle(plan.value) });
        return;
      case "enum":
        if (!plan.options.some(({ value }) => sameNode(node, fromJsonValue(value))))
          this.#report(path, "option");
        return;
      case "object":
        return this.#checkObject(plan, node, path);
      case "array":
        return this.#checkArray(plan, node, path);
      case "variants":
        return this.#checkVariants(plan, node, path);
      case "raw":
        if (plan.reason.code === "never") this.#report(path, "never");
        else if (node.kind === "number") this.#readFinite(node.text, path);
        return;
    }
  }

  #checkString(plan: StringPlan, node: JsonNode, path: string): void {
    if (node.kind !== "string") {
      this.#report(path, "type", { expected: "string" });
      return;
    }
    const length = countCharacters(node.value);
    if (plan.minLength !== undefined && length < plan.minLength) {
      this.#report(path, "minLength", { limit: plan.minLength, actual: length });
    } else if (plan.maxLength !== undefined && length > plan.maxLength) {
      this.#report(path, "maxLength", { limit: plan.maxLength, actual: length });
    } else if (plan.format !== undefined && !matchesFormat(plan.format, node.value)) {
      this.#report(path, "format", { format: plan.format });
    } else if (plan.pattern !== undefined && testPattern(plan.pattern, node.value) === "mismatch") {
      this.#report(path, "pattern", { pattern: plan.pattern });
    }
  }

  #checkNumber(plan: NumberPlan, node: JsonNode, path: string): void {
    if (node.kind !== "number") {
      this.#report(path, "type", { expected: "number" });
      return;
    }
    const value = this.#readFinite(node.text, path);
    if (value === undefined) return;
    if (plan.integer && typeof value === "number" && !Number.isInteger(value)) this.#report(path, "integer");
    else this.#checkRange(plan, value, path);
  }

  #checkRange(plan: NumberPlan, value: number | bigint, path: string): void {
    const broken = RANGES.find(([keyword, holds]) => {
      const limit = plan[keyword];
      return limit !== undefined && !holds(value, limit);
    });
    if (broken !== undefined) this.#report(path, broken[0], { limit: limitArg(plan[broken[0]] ?? 0) });
  }

  /** The number of a text; a number so large that it would be sent as null is a problem instead. */
  #readFinite(text: string, path: string): number | bigint | undefined {
    const value = readNumber(text);
    if (typeof value === "bigint" || Number.isFinite(value)) return value;
    this.#report(path, "number");
    return undefined;
  }

  #checkObject(plan: ObjectPlan, node: JsonNode, path: string): void {
    if (node.kind !== "object") {
      this.#report(path, "type", { expected: "object" });
      return;
    }
    const given = new Map(node.entries);
    const planned = new Set<string>();
    for (const { name, required, schema } of plan.properties) {
      planned.add(name);
      const value = given.get(name);
      const at = appendPointer(path, name);
      if (value !== undefined) this.check(this.#planner.plan(schema), value, at);
      else if (required) this.#report(at, "required");
    }
    for (const [name, value] of node.entries) {
      if (planned.has(name)) continue;
      const at = appendPointer(path, name);
      if (plan.additional === false) this.#report(at, "unknownProperty", { name });
      else this.check(this.#planner.plan(plan.additional), value, at);
    }
    this.#checkCount(
      path,
      node.entries.length,
      [plan.minProperties, "minProperties"],
      [plan.maxProperties, "maxProperties"],
    );
  }

  #checkArray(plan: ArrayPlan, node: JsonNode, path: string): void {
    if (node.kind !== "array") {
      this.#report(path, "type", { expected: "array" });
      return;
    }
    for (const [index, item] of node.items.entries()) {
      const schema = plan.prefix[index] ?? plan.items;
      const at = appendPointer(path, index);
      if (schema === false) this.#report(at, "tooManyItems", { limit: plan.prefix.length });
      else this.check(this.#planner.plan(schema), item, at);
    }
    this.#checkCount(path, node.items.length, [plan.minItems, "minItems"], [plan.maxItems, "maxItems"]);
    if (plan.uniqueItems) this.#checkUnique(node.items, path);
  }

  #checkCount(
    path: string,
    actual: number,
    [minimum, below]: readonly [number | undefined, ProblemCode],
    [maximum, above]: readonly [number | undefined, ProblemCode],
  ): void {
    if (minimum !== undefined && actual < minimum) this.#report(path, below, { limit: minimum, actual });
    if (maximum !== undefined && actual > maximum) this.#report(path, above, { limit: maximum, actual });
  }

  #checkUnique(items: readonly JsonNode[], path: string): void {
    const some = items.slice(0, MAX_UNIQUE);
    for (const [index, item] of some.entries()) {
      const first = some.findIndex((other) => sameNode(other, item));
      if (first < index) {
        this.#report(path, "uniqueItems", { first: first + 1, second: index + 1 });
        return;
      }
    }
  }

  #checkVariants(plan: VariantPlan, node: JsonNode, path: string): void {
    let best: readonly PathProblem[] | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const { schema } of plan.variants) {
      const run = new CheckRun(this.#planner, this.#budget);
      run.check(this.#planner.plan(schema), node, "");
      const weight = weigh(run.problems);
      if (weight === 0) return;
      if (weight < least) {
        least = weight;
        best = run.problems;
      }
    }
    for (const problem of best ?? []) this.#report(path + problem.path, problem.code, problem.args);
  }

  #report(path: string, code: ProblemCode, args: ValueProblem["args"] = {}): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ path, code, args });
  }
}

type RangeKeyword = "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf";

type RangeRule = (value: number | bigint, limit: number | bigint) => boolean;

/** The operators compare a bigint with a number exactly. */
const RANGES: readonly (readonly [RangeKeyword, RangeRule])[] = [
  ["minimum", (value, limit) => value >= limit],
  ["maximum", (value, limit) => value <= limit],
  ["exclusiveMinimum", (value, limit) => value > limit],
  ["exclusiveMaximum", (value, limit) => value < limit],
  ["multipleOf", isMultiple],
];

function isMultiple(value: number | bigint, step: number | bigint): boolean {
  if (step <= 0) return true;
  if (isWhole(value) && isWhole(step)) return BigInt(value) % BigInt(step) === 0n;
  const ratio = Number(value) / Number(step);
  // 0.3 is a multiple of 0.1, although their floating point ratio is not whole.
  return Math.abs(ratio - Math.round(ratio)) < 1e-9 * Math.max(1, Math.abs(ratio));
}

function isWhole(value: number | bigint): boolean {
  return typeof value === "bigint" || Number.isInteger(value);
}
