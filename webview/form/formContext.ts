import type { DraftBuilder } from "../../src/shared/schemaForm/buildDraft.ts";
import type { Slot } from "../../src/shared/schemaForm/draft.ts";
import type { SchemaRef } from "../../src/shared/schemaForm/formPlan.ts";
import type { FormPlanner } from "../../src/shared/schemaForm/planSchema.ts";
import type { FieldRegistry } from "./fieldRegistry.ts";

/** What the parts of one form share. */
export interface FormContext {
  readonly planner: FormPlanner;
  readonly registry: FieldRegistry;
  /** Texts that are edited in several lines. */
  readonly multiline: WeakSet<Slot>;
  builder(): DraftBuilder;
  /** To be called after every change of a draft. */
  changed(): void;
  /** Draws one part with its label. */
  drawField(parts: FieldParts): DrawnField;
}

/** One part of a form: where its schema and draft are, and what stands around it. */
export interface FieldParts {
  readonly schema: SchemaRef;
  readonly slot: Slot;
  /** JSON Pointer of the value. */
  readonly path: string;
  readonly label: string;
  readonly key?: string;
  readonly required: boolean;
  readonly after?: HTMLElement;
  /** True for items of a list, which are there because somebody added them. */
  readonly listed?: boolean;
  /** True when the label already stands nearby. */
  readonly bare?: boolean;
}

export interface DrawnField {
  readonly element: HTMLElement;
  focus(): void;
}

/** A control, and the element in it that takes the focus. */
export interface DrawnControl {
  readonly element: HTMLElement;
  readonly focusable?: HTMLElement;
}
