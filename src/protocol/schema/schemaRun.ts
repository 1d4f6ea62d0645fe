import type { MessageArgs } from "../../base/errors.ts";
import type { SchemaResource } from "./schemaIndex.ts";
import { problemText, type SchemaProblem, type SchemaProblemCode, SchemaStop } from "./schemaTexts.ts";

/** Work between two looks at the clock; one unit is about what comparing two names costs. */
const UNITS_PER_LOOK = 4_096;
/** Schemas within schemas that one comparison may be in. Real values and schemas stay far below it. */
const MAX_DEPTH = 500;
const MAX_PROBLEMS = 50;

/** Bounds the work of reading a schema or comparing a value with one. */
export class SchemaBudget {
  readonly #limitMs: number;
  readonly #end: number;
  #units = 0;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
    this.#end = performance.now() + limitMs;
  }

  /** Accounts for work. @throws SchemaStop when the time is up */
  spend(units: number): void {
    this.#units += units;
    if (this.#units < UNITS_PER_LOOK) return;
    this.#units = 0;
    if (performance.now() > this.#end) throw new SchemaStop("time", { limit: this.#limitMs });
  }
}

/** The state of one comparison: where it is, what it found, and what it has cost. */
export class SchemaRun {
  readonly budget: SchemaBudget;
  readonly problems: SchemaProblem[] = [];
  /** Schema resources entered so far, outermost first: what `$dynamicRef` looks through. */
  readonly scope: SchemaResource[] = [];
  readonly #path: (string | number)[] = [];
  #depth = 0;
  #silent = 0;

  constructor(budget: SchemaBudget) {
    this.budget = budget;
  }

  /** False when nobody wants to know what is wrong, only whether something is. */
  get reports(): boolean {
    return this.#silent === 0 && this.problems.length < MAX_PROBLEMS;
  }

  /** Notes a problem with the part of the value that the run is at, or with one below it. Always false. */
  fail(code: SchemaProblemCode, args: MessageArgs = {}, name?: string): false {
    if (!this.reports) return false;
    const names = name === undefined ? this.#path : [...this.#path, name];
    const path = names.map((part) => `/${escapePointer(String(part))}`).join("");
    this.problems.push({ path, ...problemText(code, args) });
    return false;
  }

  /** Runs a comparison without noting what it finds. */
  quietly(compare: () => boolean): boolean {
    this.#silent += 1;
    const holds = compare();
    this.#silent -= 1;
    return holds;
  }

  /** Goes to a part of the value for the time of one comparison. */
  at(name: string | number, compare: () => boolean): boolean {
    this.#path.push(name);
    const holds = compare();
    this.#path.pop();
    return holds;
  }

  /** Goes into a schema. @throws SchemaStop when there are too many around it already */
  enter(resource: SchemaResource): void {
    this.budget.spend(4);
    this.#depth += 1;
    this.scope.push(resource);
    if (this.#depth > MAX_DEPTH) {
      throw new SchemaStop("recursion", { limit: MAX_DEPTH });
    }
  }

  leave(): void {
    this.#depth -= 1;
    this.scope.pop();
  }
}

/** The parts of one object or array that the schemas seen so far speak of, for `unevaluated…`. */
export class EvaluatedParts {
  allProperties = false;
  allItems = false;
  readonly properties = new Set<string>();
  readonly items = new Set<number>();

  add(other: EvaluatedParts): void {
    this.allProperties ||= other.allProperties;
    this.allItems ||= other.allItems;
    for (const name of other.properties) this.properties.add(name);
    for (const index of other.items) this.items.add(index);
  }
}

function escapePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
