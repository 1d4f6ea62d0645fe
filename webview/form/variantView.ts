import { variantSchema } from "../../src/shared/schemaForm/buildDraft.ts";
import type { DraftBody, Slot } from "../../src/shared/schemaForm/draft.ts";
import type { VariantPlan } from "../../src/shared/schemaForm/formPlan.ts";
import { el, fill } from "../dom.ts";
import { t } from "../l10n.ts";
import { createDropdown } from "../toolkit.ts";
import type { DrawnControl } from "./formContext.ts";
import type { NestedParts } from "./objectView.ts";
import { variantName } from "./planWords.ts";

type VariantBody = Extract<DraftBody, { readonly kind: "variants" }>;

/**
 * A picker of kinds and the fields of the chosen one. What was typed into the others is kept.
 * The chosen kind has the same pointer as the part itself and takes its problems over.
 */
export function drawVariants(parts: NestedParts, plan: VariantPlan, body: VariantBody): DrawnControl {
  const { context, path, label } = parts;
  const place = el("div", { class: "variant" });
  const draw = (): void => {
    context.registry.dropBelow(path);
    const schema = variantSchema(plan, body.index);
    const kept: Slot | undefined = body.slots[body.index];
    const slot = kept ?? context.builder().fresh(schema, true);
    body.slots[body.index] = slot;
    const chosen = plan.variants[body.index];
    const title = chosen === undefined ? label : variantName(chosen.title);
    fill(place, context.drawField({ schema, slot, path, label: title, required: true, bare: true }).element);
  };
  const picker = createDropdown({
    label: t("Kind of {name}", { name: label }),
    options: plan.variants.map(({ title }) => variantName(title)),
    selected: body.index,
    onChange: (index) => {
      body.index = index;
      context.changed();
      draw();
    },
  });
  draw();
  return { element: el("div", {}, picker, place), focusable: picker };
}
