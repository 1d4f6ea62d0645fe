import { type JsonValue, stringifyJson } from "../../base/json.ts";
import type { RawReason } from "./schemaContext.ts";

/** A schema that is only planned when it is shown; recursion in schemas ends here. */
export type SchemaRef = JsonValue;

/** What every part of a form has. Titles and descriptions are the server's words: text, never markup. */
export interface PlanWords {
  readonly title?: string;
  readonly description?: string;
  readonly default?: JsonValue;
  readonly examples: readonly JsonValue[];
  /** True when JSON `null` is a value of its own beside those that the plan describes. */
  readonly nullable: boolean;
}

/** How one schema is shown as controls. */
export type FormPlan =
  | StringPlan
  | NumberPlan
  | (PlanWords & { readonly kind: "boolean" })
  | (PlanWords & { readonly kind: "null" })
  | (PlanWords & { readonly kind: "const"; readonly value: JsonValue })
  | EnumPlan
  | ObjectPlan
  | ArrayPlan
  | VariantPlan
  | RawPlan;

export type StringPlan = PlanWords & {
  readonly kind: "string";
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
};

export type NumberPlan = PlanWords & {
  readonly kind: "number";
  readonly integer: boolean;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly exclusiveMinimum?: number | bigint;
  readonly exclusiveMaximum?: number | bigint;
  readonly multipleOf?: number | bigint;
};

export type EnumPlan = PlanWords & { readonly kind: "enum"; readonly options: readonly EnumOption[] };

export interface EnumOption {
  readonly value: JsonValue;
  readonly title: string;
  readonly description?: string;
}

export interface PlannedProperty {
  readonly name: string;
  readonly required: boolean;
  readonly schema: SchemaRef;
}

export type ObjectPlan = PlanWords & {
  readonly kind: "object";
  readonly properties: readonly PlannedProperty[];
  /** The schema of further properties; false when there may be none. */
  readonly additional: SchemaRef;
  /** Whether the schema speaks of further properties, leaves everything open, or only tolerates them. */
  readonly offersAdditional: "explicitly" | "silently" | "no";
  readonly minProperties?: number;
  readonly maxProperties?: number;
};

export type ArrayPlan = PlanWords & {
  readonly kind: "array";
  /** Schemas by position; the items after them follow `items`. */
  readonly prefix: readonly SchemaRef[];
  /** False when there may be no items beyond the prefix. */
  readonly items: SchemaRef;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems: boolean;
};

export type VariantPlan = PlanWords & {
  readonly kind: "variants";
  readonly variants: readonly PlannedVariant[];
};

export interface PlannedVariant {
  readonly title: VariantTitle;
  readonly schema: SchemaRef;
}

/** A variant's name: the server's words, a type to be named in the user's language, or a number. */
export type VariantTitle =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "type"; readonly type: string }
  | { readonly kind: "number"; readonly number: number };

export type RawPlan = PlanWords & { readonly kind: "raw"; readonly reason: RawReason };

/** A value as the name of an option: texts as they are, anything else as JSON. */
export function valueTitle(value: JsonValue): string {
  return typeof value === "string" ? value : stringifyJson(value);
}
