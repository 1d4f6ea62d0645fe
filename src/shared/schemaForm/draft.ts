/**
 * What a person has typed so far, whether or not it is a value yet. Plain JSON, so that a page can keep it.
 * Pages change drafts in place; every slot belongs to exactly one control.
 */
export interface Slot {
  /** `absent` sends nothing, `null` sends null. The body is kept either way, so that nothing typed is lost. */
  state: "absent" | "null" | "set";
  body: DraftBody | undefined;
}

export type DraftBody =
  | { readonly kind: "text"; text: string }
  /** A number as it was typed. */
  | { readonly kind: "number"; text: string }
  | { readonly kind: "boolean"; value: boolean }
  /** The position of the chosen option. */
  | { readonly kind: "choice"; index: number | undefined }
  /** A constant or null: there is nothing to type. */
  | { readonly kind: "fixed" }
  | { readonly kind: "object"; readonly entries: DraftEntry[] }
  | { readonly kind: "array"; readonly items: Slot[] }
  /** Every variant keeps what was typed into it. */
  | { readonly kind: "variants"; index: number; readonly slots: Record<string, Slot> }
  /** JSON text: for parts that have no controls, and for values that do not fit theirs. */
  | { readonly kind: "raw"; text: string };

export interface DraftEntry {
  name: string;
  readonly slot: Slot;
}

/** A slot without a value. */
export function absentSlot(): Slot {
  return { state: "absent", body: undefined };
}
