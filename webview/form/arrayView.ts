import { itemSchema } from "../../src/shared/schemaForm/buildDraft.ts";
import type { DraftBody } from "../../src/shared/schemaForm/draft.ts";
import type { ArrayPlan } from "../../src/shared/schemaForm/formPlan.ts";
import { appendPointer } from "../../src/shared/schemaForm/schemaContext.ts";
import { el, fill } from "../dom.ts";
import { t } from "../l10n.ts";
import { type Button, createButton, createIconButton } from "../toolkit.ts";
import { checkListPlan, drawCheckList } from "./checkListView.ts";
import { drawInPages } from "./drawInPages.ts";
import type { DrawnControl, DrawnField } from "./formContext.ts";
import type { NestedParts } from "./objectView.ts";

type ArrayBody = Extract<DraftBody, { readonly kind: "array" }>;

/** The items of a list, with buttons to move and remove each and to add one. */
export function drawArray(parts: NestedParts, plan: ArrayPlan, body: ArrayBody): DrawnControl {
  const options = checkListPlan(parts, plan, body);
  return options === undefined
    ? new ArrayView(parts, plan, body).control
    : drawCheckList(parts, options, body);
}

class ArrayView {
  readonly control: DrawnControl;
  readonly #parts: NestedParts;
  readonly #plan: ArrayPlan;
  readonly #body: ArrayBody;
  readonly #list = el("div", { class: "fields items" });
  readonly #add: Button;
  #fields: DrawnField[] = [];

  constructor(parts: NestedParts, plan: ArrayPlan, body: ArrayBody) {
    this.#parts = parts;
    this.#plan = plan;
    this.#body = body;
    this.#add = createButton({
      label: t("Add item"),
      name: t("Add item to {name}", { name: parts.label }),
      icon: "add",
      onClick: () => {
        this.#insert();
      },
    });
    this.control = { element: el("div", { class: "array" }, this.#list, this.#add) };
    this.#draw();
  }

  #draw(): void {
    const { context, path } = this.#parts;
    context.registry.dropBelow(path);
    fill(this.#list);
    this.#fields = [];
    drawInPages(this.#list, this.#body.items, (slot, index) => {
      const schema = itemSchema(this.#plan, index);
      const field = context.drawField({
        schema,
        slot,
        path: appendPointer(path, index),
        label: context.planner.plan(schema).title ?? t("Item {number}", { number: index + 1 }),
        required: true,
        listed: true,
        after: this.#drawTools(index),
      });
      this.#fields[index] = field;
      return field.element;
    });
    const { prefix, items, maxItems } = this.#plan;
    const limit = Math.min(
      maxItems ?? Number.POSITIVE_INFINITY,
      items === false ? prefix.length : Number.POSITIVE_INFINITY,
    );
    this.#add.hidden = this.#body.items.length >= limit;
  }

  /** Items that have a schema of their own place stay in it. */
  #drawTools(index: number): HTMLElement {
    const tools = el("span", { class: "item-tools", attributes: { role: "group" } });
    const fixed = this.#plan.prefix.length;
    const number = index + 1;
    if (index > fixed)
      tools.append(
        createIconButton("up", t("Move item {number} up", { number }), () => {
          this.#move(index, index - 1);
        }),
      );
    if (index >= fixed && number < this.#body.items.length) {
      tools.append(
        createIconButton("down", t("Move item {number} down", { number }), () => {
          this.#move(index, index + 1);
        }),
      );
    }
    if (index >= fixed || number === this.#body.items.length) {
      tools.append(
        createIconButton("remove", t("Remove item {number}", { number }), () => {
          this.#remove(index);
        }),
      );
    }
    return tools;
  }

  #insert(): void {
    const { context } = this.#parts;
    const index = this.#body.items.length;
    this.#body.items.push(context.builder().fresh(itemSchema(this.#plan, index), true));
    context.changed();
    this.#draw();
    this.#fields[index]?.focus();
  }

  #move(from: number, to: number): void {
    const [slot] = this.#body.items.splice(from, 1);
    if (slot !== undefined) this.#body.items.splice(to, 0, slot);
    this.#parts.context.changed();
    this.#draw();
    this.#fields[to]?.focus();
  }

  #remove(index: number): void {
    this.#body.items.splice(index, 1);
    this.#parts.context.changed();
    this.#draw();
    const next = this.#fields[Math.min(index, this.#body.items.length - 1)];
    if (next === undefined) this.#add.focus();
    else next.focus();
  }
}
