import type { JsonValue } from "../../base/json.ts";
import { weighProblems } from "./checkNode.ts";
import { absentSlot, type DraftBody, type DraftEntry, type Slot } from "./draft.ts";
import type { ArrayPlan, FormPlan, ObjectPlan, SchemaRef, VariantPlan } from "./formPlan.ts";
import { fromJsonValue, type JsonNode, printJson, sameNode } from "./jsonText.ts";
import type { FormPlanner } from "./planSchema.ts";

/** Nested parts that a form shows as controls; what lies deeper is a JSON field. */
const MAX_DEPTH = 64;
/** Controls that a fresh form starts with; the rest starts unset. */
const MAX_SLOTS = 2_000;
/** Items that a fresh list starts with, however many the schema demands. */
const MAX_FRESH_ITEMS = 20;

/**
 * Makes drafts: fresh ones from a plan, and filled ones from a value. A value that does not fit its plan
 * becomes a JSON field at that place, so that no value is ever lost.
 */
export class DraftBuilder {
  readonly #planner: FormPlanner;
  readonly #open = new Set<FormPlan>();
  #slots = 0;

  constructor(planner: FormPlanner) {
    this.#planner = planner;
  }

  /** A fresh slot. A required part starts set, an optional one absent. */
  fresh(schema: SchemaRef, required: boolean): Slot {
    const plan = this.#planner.plan(schema);
    this.#slots += 1;
    // A part that contains itself would have no end; it starts unset and opens on demand.
    if (!required || this.#slots > MAX_SLOTS || this.#open.has(plan) || this.#open.size > MAX_DEPTH)
      return absentSlot();
    const body = this.freshBody(plan);
    return { state: plan.default === undefined && isEmpty(body) ? "absent" : "set", body };
  }

  /** What a part starts with when it is set: its default, or as little as its plan allows. */
  freshBody(plan: FormPlan): DraftBody {
    if (plan.default !== undefined && !(plan.default === null && plan.nullable)) {
      return this.bodyFrom(plan, fromJsonValue(plan.default), 0);
    }
    switch (plan.kind) {
      case "string":
        return { kind: "text", text: "" };
      case "number":
        return { kind: "number", text: "" };
      case "boolean":
        return { kind: "boolean", value: false };
      case "const":
      case "null":
        return { kind: "fixed" };
      case "enum":
        return { kind: "choice", index: plan.options.length === 1 ? 0 : undefined };
      case "raw":
        return { kind: "raw", text: "" };
      case "object":
      case "array":
      case "variants":
        return this.#freshNested(plan);
    }
  }

  #freshNested(plan: ObjectPlan | ArrayPlan | VariantPlan): DraftBody {
    this.#open.add(plan);
    try {
      switch (plan.kind) {
        case "object":
          return {
            kind: "object",
            entries: plan.properties.map(({ name, required, schema }) => ({
              name,
              slot: this.fresh(schema, required),
            })),
          };
        case "array": {
          const count = Math.min(MAX_FRESH_ITEMS, Math.max(plan.prefix.length, plan.minItems ?? 0));
          return {
            kind: "array",
            items: Array.from({ length: count }, (_, at) => this.fresh(itemSchema(plan, at), true)),
          };
        }
        case "variants":
          return {
            kind: "variants",
            index: 0,
            slots: { 0: this.fresh(plan.variants[0]?.schema ?? true, true) },
          };
      }
    } finally {
      this.#open.delete(plan);
    }
  }

  /** A slot that holds this value; undefined means absent. */
  slotFrom(schema: SchemaRef, node: JsonNode | undefined, depth = 0): Slot {
    if (node === undefined) return absentSlot();
    const plan = this.#planner.plan(schema);
    if (node.kind === "null" && plan.nullable) return { state: "null", body: undefined };
    return { state: "set", body: this.bodyFrom(plan, node, depth) };
  }

  /** The body that holds this value: that of the plan when it fits, else a JSON field. */
  bodyFrom(plan: FormPlan, node: JsonNode, depth: number): DraftBody {
    const raw: DraftBody = { kind: "raw", text: printJson(node) };
    if (depth > MAX_DEPTH) return raw;
    switch (plan.kind) {
      case "string":
        return node.kind === "string" ? { kind: "text", text: node.value } : raw;
      case "number":
        return node.kind === "number" ? { kind: "number", text: node.text } : raw;
      case "boolean":
        return node.kind === "boolean" ? { kind: "boolean", value: node.value } : raw;
      case "null":
        return node.kind === "null" ? { kind: "fixed" } : raw;
      case "const":
        return sameNode(node, fromJsonValue(plan.value)) ? { kind: "fixed" } : raw;
      case "enum": {
        const index = plan.options.findIndex(({ value }) => sameNode(node, fromJsonValue(value)));
        return index < 0 ? raw : { kind: "choice", index };
      }
      case "object":
        return node.kind === "object" ? this.#objectFrom(plan, node, depth) : raw;
      case "array":
        if (node.kind !== "array") return raw;
        return {
          kind: "array",
          items: node.items.map((item, at) => this.slotFrom(itemSchema(plan, at), item, depth + 1)),
        };
      case "variants": {
        const index = bestVariant(this.#planner, plan, node);
        return {
          kind: "variants",
          index,
          slots: { [index]: this.slotFrom(variantSchema(plan, index), node, depth + 1) },
        };
      }
      case "raw":
        return raw;
    }
  }

  #objectFrom(
    plan: ObjectPlan,
    node: Extract<JsonNode, { readonly kind: "object" }>,
    depth: number,
  ): DraftBody {
    const planned = new Map(plan.properties.map((property) => [property.name, property]));
    const entries: DraftEntry[] = node.entries.map(([name, value]) => {
      const schema = planned.get(name)?.schema ?? (plan.additional === false ? true : plan.additional);
      return { name, slot: this.slotFrom(schema, value, depth + 1) };
    });
    const present = new Set(node.entries.map(([name]) => name));
    for (const { name } of plan.properties)
      if (!present.has(name)) entries.push({ name, slot: absentSlot() });
    return { kind: "object", entries };
  }
}

/** True for a body that waits for the person to type or choose. */
function isEmpty(body: DraftBody): boolean {
  if (body.kind === "choice") return body.index === undefined;
  return "text" in body && body.text === "";
}

/** The schema of the item at this position. */
export function itemSchema(plan: ArrayPlan, index: number): SchemaRef {
  const schema = plan.prefix[index] ?? plan.items;
  return schema === false ? true : schema;
}

/** The schema of the variant at this position. */
export function variantSchema(plan: VariantPlan, index: number): SchemaRef {
  return plan.variants[index]?.schema ?? true;
}

/** The variant that a value fits best; the first one when several fit alike. */
export function bestVariant(planner: FormPlanner, plan: VariantPlan, node: JsonNode): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, variant] of plan.variants.entries()) {
    const weight = weighProblems(planner, planner.plan(variant.schema), node);
    if (weight < least) {
      best = index;
      least = weight;
    }
    if (weight === 0) break;
  }
  return best;
}

/** A draft of a whole arguments object: what the value holds, and fresh required parts that it lacks. */
export function startDraft(planner: FormPlanner, root: SchemaRef, value: JsonValue | undefined): Slot {
  const builder = new DraftBuilder(planner);
  const fresh = builder.fresh(root, true);
  if (value === undefined) return fresh;
  const filled = builder.slotFrom(root, fromJsonValue(value));
  const { body } = filled;
  if (body?.kind === "object" && fresh.body?.kind === "object") {
    const byName = new Map(fresh.body.entries.map((entry) => [entry.name, entry.slot]));
    for (const entry of body.entries) {
      const start = byName.get(entry.name);
      if (entry.slot.state === "absent" && start !== undefined) Object.assign(entry.slot, start);
    }
  }
  return filled;
}
