import { itemSchema } from "../../src/shared/schemaForm/buildDraft.ts";
import type { DraftBody } from "../../src/shared/schemaForm/draft.ts";
import type { ArrayPlan, EnumPlan } from "../../src/shared/schemaForm/formPlan.ts";
import { el } from "../dom.ts";
import { createCheckbox } from "../toolkit.ts";
import type { DrawnControl } from "./formContext.ts";
import type { NestedParts } from "./objectView.ts";

type ArrayBody = Extract<DraftBody, { readonly kind: "array" }>;
type ChoiceBody = Extract<DraftBody, { readonly kind: "choice" }>;

const MAX_OPTIONS = 20;

/**
 * The options of a list whose items are different ones of a few: they can be shown at once, each with a box.
 * Undefined for any other list, and for one that holds something else already.
 */
export function checkListPlan(parts: NestedParts, plan: ArrayPlan, body: ArrayBody): EnumPlan | undefined {
  if (!plan.uniqueItems || plan.prefix.length > 0 || plan.items === false) return undefined;
  const items = parts.context.planner.plan(itemSchema(plan, 0));
  const fits = items.kind === "enum" && !items.nullable && items.options.length <= MAX_OPTIONS;
  if (!fits) return undefined;
  const indexes = body.items.map(({ state, body: item }) =>
    state === "set" && item?.kind === "choice" ? item.index : -1,
  );
  const usable = indexes.every((index) => index !== -1) && new Set(indexes).size === indexes.length;
  return usable || body.items.every(({ state }) => state === "absent") ? items : undefined;
}

/** Draws the options with boxes. Items stand in the order in which they were ticked. */
export function drawCheckList(parts: NestedParts, options: EnumPlan, body: ArrayBody): DrawnControl {
  // Items that a fresh list starts with, because the schema demands some, are chosen by ticking.
  const chosen = body.items.filter(({ state }) => state === "set");
  body.items.splice(0, body.items.length, ...chosen);
  const at = (index: number): number =>
    body.items.findIndex(({ body: item }) => item?.kind === "choice" && item.index === index);
  const boxes = options.options.map(({ title }, index) =>
    createCheckbox({
      label: title,
      checked: at(index) >= 0,
      onChange: (checked) => {
        const place = at(index);
        if (checked === place >= 0) return;
        const item: ChoiceBody = { kind: "choice", index };
        if (checked) body.items.push({ state: "set", body: item });
        else body.items.splice(place, 1);
        parts.context.changed();
      },
    }),
  );
  const [first] = boxes;
  return {
    element: el("div", { class: "check-list" }, ...boxes),
    ...(first === undefined ? {} : { focusable: first }),
  };
}
