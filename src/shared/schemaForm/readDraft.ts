import type { ProblemCode, ValueProblem } from "../problems.ts";
import { itemSchema, variantSchema } from "./buildDraft.ts";
import { checkNode, type PathProblem } from "./checkNode.ts";
import type { DraftBody, Slot } from "./draft.ts";
import type { FormPlan, SchemaRef } from "./formPlan.ts";
import { fromJsonValue, isNumberText, type JsonEntry, type JsonNode, parseJsonText } from "./jsonText.ts";
import type { FormPlanner } from "./planSchema.ts";
import { appendPointer } from "./schemaContext.ts";

/** What a draft says: the value as far as there is one, and what is wrong with it. */
export interface DraftReading {
  /** Undefined when the whole is absent. Parts that are no values yet are left out and have a problem. */
  readonly node: JsonNode | undefined;
  /** One problem per path at most. */
  readonly problems: readonly PathProblem[];
  /** True when a part could not be read at all, so that `node` lacks something that was typed. */
  readonly incomplete: boolean;
}

/** Reads a draft as JSON and checks it. */
export function readDraft(planner: FormPlanner, root: SchemaRef, slot: Slot): DraftReading {
  const reader = new DraftReader(planner);
  const node = reader.read(root, slot, "");
  const problems = new Map(reader.problems.map((problem) => [problem.path, problem]));
  const incomplete = problems.size > 0;
  if (node !== undefined) {
    for (const problem of checkNode(planner, planner.plan(root), node)) {
      if (!problems.has(problem.path)) problems.set(problem.path, problem);
    }
  }
  return { node, problems: [...problems.values()], incomplete };
}

class DraftReader {
  readonly problems: PathProblem[] = [];
  readonly #planner: FormPlanner;

  constructor(planner: FormPlanner) {
    this.#planner = planner;
  }

  read(schema: SchemaRef, slot: Slot, path: string): JsonNode | undefined {
    if (slot.state === "absent") return undefined;
    if (slot.state === "null") return { kind: "null" };
    return slot.body === undefined ? undefined : this.#readBody(this.#planner.plan(schema), slot.body, path);
  }

  #readBody(plan: FormPlan, body: DraftBody, path: string): JsonNode | undefined {
    switch (body.kind) {
      case "text":
        return { kind: "string", value: body.text };
      case "number": {
        const text = body.text.trim();
        if (isNumberText(text)) return { kind: "number", text };
        return this.#report(path, "number");
      }
      case "boolean":
        return { kind: "boolean", value: body.value };
      case "choice": {
        const option =
          plan.kind === "enum" && body.index !== undefined ? plan.options[body.index] : undefined;
        return option === undefined ? this.#report(path, "choose") : fromJsonValue(option.value);
      }
      case "fixed":
        return plan.kind === "const" ? fromJsonValue(plan.value) : { kind: "null" };
      case "raw":
        return this.#readRaw(body.text, path);
      case "object":
        return this.#readObject(plan, body.entries, path);
      case "array":
        return this.#readArray(plan, body.items, path);
      case "variants": {
        const slot = body.slots[body.index];
        if (plan.kind !== "variants" || slot === undefined) return this.#report(path, "choose");
        return this.read(variantSchema(plan, body.index), slot, path) ?? this.#report(path, "required");
      }
    }
  }

  #readRaw(text: string, path: string): JsonNode | undefined {
    if (text.trim() === "") return this.#report(path, "required");
    const parsed = parseJsonText(text);
    if (parsed.ok) return parsed.node;
    const { line, column } = parsed.problem;
    return this.#report(path, "json", { line, column });
  }

  #readObject(
    plan: FormPlan,
    entries: Extract<DraftBody, { kind: "object" }>["entries"],
    path: string,
  ): JsonNode {
    const schemas = new Map(
      plan.kind === "object" ? plan.properties.map(({ name, schema }) => [name, schema]) : [],
    );
    const additional = plan.kind === "object" && plan.additional !== false ? plan.additional : true;
    const found: JsonEntry[] = [];
    const names = new Set<string>();
    for (const { name, slot } of entries) {
      const at = appendPointer(path, name);
      const node = this.read(schemas.get(name) ?? additional, slot, at);
      if (slot.state !== "absent" && names.has(name)) this.#report(at, "duplicateName", { name });
      else if (node !== undefined) found.push([name, node]);
      if (slot.state !== "absent") names.add(name);
    }
    return { kind: "object", entries: found };
  }

  #readArray(plan: FormPlan, items: readonly Slot[], path: string): JsonNode {
    const found: JsonNode[] = [];
    for (const [index, slot] of items.entries()) {
      const at = appendPointer(path, index);
      const node = this.read(plan.kind === "array" ? itemSchema(plan, index) : true, slot, at);
      if (node !== undefined) found.push(node);
      else if (!this.problems.some((problem) => problem.path === at)) this.#report(at, "required");
    }
    return { kind: "array", items: found };
  }

  /** Notes a problem. The answer stands for the value that is not there. */
  #report(path: string, code: ProblemCode, args: ValueProblem["args"] = {}): JsonNode | undefined {
    this.problems.push({ path, code, args });
    return undefined;
  }
}
