import { absentSlot, type DraftBody, type DraftEntry } from "../../src/shared/schemaForm/draft.ts";
import type { ObjectPlan, PlannedProperty } from "../../src/shared/schemaForm/formPlan.ts";
import { appendPointer } from "../../src/shared/schemaForm/schemaContext.ts";
import { el, fill } from "../dom.ts";
import { t } from "../l10n.ts";
import { createButton, createIconButton, createTextField } from "../toolkit.ts";
import { drawInPages } from "./drawInPages.ts";
import type { DrawnControl, DrawnField, FormContext } from "./formContext.ts";

export interface NestedParts {
  readonly context: FormContext;
  readonly path: string;
  readonly label: string;
}

type ObjectBody = Extract<DraftBody, { readonly kind: "object" }>;

/** The properties of an object, then rows for further ones where the schema offers them. */
export function drawObject(parts: NestedParts, plan: ObjectPlan, body: ObjectBody): DrawnControl {
  const { context, path } = parts;
  const element = el("div", { class: "fields" });
  drawInPages(element, plan.properties, (property) => drawProperty(context, path, property, body).element);
  const extras = drawExtras(parts, plan, body);
  if (extras !== undefined) element.append(extras);
  if (element.childElementCount === 0) {
    const words = path === "" ? t("This tool takes no arguments.") : t("Nothing to fill in.");
    element.append(el("div", { class: "hint", text: words }));
  }
  return { element };
}

function drawProperty(
  context: FormContext,
  path: string,
  property: PlannedProperty,
  body: ObjectBody,
): DrawnField {
  const { name, required, schema } = property;
  let entry = body.entries.find((known) => known.name === name);
  if (entry === undefined) {
    entry = { name, slot: absentSlot() };
    body.entries.push(entry);
  }
  const title = context.planner.plan(schema).title;
  return context.drawField({
    schema,
    slot: entry.slot,
    path: appendPointer(path, name),
    label: title ?? name,
    required,
    ...(title === undefined || title === name ? {} : { key: name }),
  });
}

function drawExtras(parts: NestedParts, plan: ObjectPlan, body: ObjectBody): HTMLElement | undefined {
  const planned = new Set(plan.properties.map(({ name }) => name));
  const extras = (): DraftEntry[] =>
    body.entries.filter(({ name, slot }) => !planned.has(name) || rows.has(slot));
  // A row keeps its place even while its name is that of a planned property.
  const rows = new Set(body.entries.filter(({ name }) => !planned.has(name)).map(({ slot }) => slot));
  const isRoot = parts.path === "";
  // A tool whose schema says nothing about properties is a tool without arguments.
  const mayAdd = plan.offersAdditional === "explicitly" || (plan.offersAdditional === "silently" && !isRoot);
  if (rows.size === 0 && !mayAdd) return undefined;
  const list = el("div", { class: "fields" });
  const schema = plan.additional === false ? true : plan.additional;
  const draw = (): void => {
    const fields = extras().map((entry) =>
      drawExtra(parts, schema, entry, draw, () => {
        body.entries.splice(body.entries.indexOf(entry), 1);
        rows.delete(entry.slot);
        parts.context.changed();
        draw();
        add.focus();
      }),
    );
    fill(list, ...fields);
  };
  const add = createButton({
    label: t("Add property"),
    name: t("Add property to {name}", { name: parts.label }),
    icon: "add",
    onClick: () => {
      const slot = parts.context.builder().fresh(schema, true);
      rows.add(slot);
      body.entries.push({ name: freeName(body), slot });
      parts.context.changed();
      draw();
      list.lastElementChild?.querySelector<HTMLElement>("vscode-text-field")?.focus();
    },
  });
  draw();
  return el("div", { class: "field-extras" }, list, mayAdd ? add : undefined);
}

function drawExtra(
  parts: NestedParts,
  schema: ObjectPlan["additional"],
  entry: DraftEntry,
  redraw: () => void,
  remove: () => void,
): HTMLElement {
  const { context, path } = parts;
  const name = createTextField({
    label: t("Name of the property"),
    value: entry.name,
    onInput: (value) => {
      entry.name = value;
      context.changed();
    },
  });
  // The pointer of the value has changed with its name, so that its fields must be registered anew.
  name.addEventListener("change", redraw);
  const field = context.drawField({
    schema,
    slot: entry.slot,
    path: appendPointer(path, entry.name),
    label: entry.name,
    required: true,
    listed: true,
    after: createIconButton("remove", t("Remove {name}", { name: entry.name }), remove),
  });
  return el("div", { class: "extra" }, el("div", { class: "extra-name" }, name), field.element);
}

function freeName(body: ObjectBody): string {
  const taken = new Set(body.entries.map(({ name }) => name));
  for (let number = 1; ; number++)
    if (!taken.has(`name${number.toString()}`)) return `name${number.toString()}`;
}
