import type { DraftBody, Slot } from "../../src/shared/schemaForm/draft.ts";
import type { EnumPlan, StringPlan } from "../../src/shared/schemaForm/formPlan.ts";
import { el, fill } from "../dom.ts";
import { t } from "../l10n.ts";
import {
  type ChoiceParts,
  createCheckbox,
  createDropdown,
  createIconButton,
  createTextArea,
  createTextField,
} from "../toolkit.ts";
import type { DrawnControl, FormContext } from "./formContext.ts";

type BodyOf<Kind extends DraftBody["kind"]> = Extract<DraftBody, { readonly kind: Kind }>;

export interface TextControlParts {
  readonly context: FormContext;
  readonly plan: StringPlan;
  readonly slot: Slot;
  readonly body: BodyOf<"text">;
  readonly label: string;
  readonly onInput: (text: string) => void;
  /** Draws the control anew and focuses it. */
  readonly redraw: () => void;
}

/** A text: in one line until it needs more. A one-line field would silently drop line breaks. */
export function drawText(parts: TextControlParts): DrawnControl {
  const { context, plan, slot, body, label, onInput, redraw } = parts;
  const placeholder = formatExample(plan.format);
  const words = { label, value: body.text, onInput, ...(placeholder === undefined ? {} : { placeholder }) };
  if (context.multiline.has(slot) || /[\r\n]/.test(body.text) || (plan.maxLength ?? 0) > 1_000) {
    const area = createTextArea({ ...words, rows: 4 });
    return { element: area };
  }
  const field = createTextField(words);
  const widen = (text: string): void => {
    context.multiline.add(slot);
    onInput(text);
    redraw();
  };
  field.addEventListener("paste", (event) => {
    const pasted = event.clipboardData?.getData("text") ?? "";
    if (!/[\r\n]/.test(pasted)) return;
    event.preventDefault();
    const inner = field.shadowRoot?.querySelector("input");
    const start = inner?.selectionStart ?? field.value.length;
    const end = inner?.selectionEnd ?? field.value.length;
    widen(field.value.slice(0, start) + pasted + field.value.slice(end));
  });
  if (plan.format !== undefined || (plan.maxLength ?? 1_000) < 80) return { element: field };
  const more = createIconButton("lines", t("Edit {name} in several lines", { name: label }), () => {
    widen(body.text);
  });
  return { element: el("div", { class: "text-row" }, field, more), focusable: field };
}

function formatExample(format: string | undefined): string | undefined {
  switch (format) {
    case "date":
      return "2026-07-28";
    case "date-time":
      return "2026-07-28T09:30:00Z";
    case "time":
      return "09:30:00Z";
    case "email":
      return "name@example.com";
    case "uri":
      return "https://example.com/path";
    default:
      return undefined;
  }
}

export function drawNumber(
  body: BodyOf<"number">,
  label: string,
  onInput: (text: string) => void,
): DrawnControl {
  return { element: createTextField({ label, value: body.text, onInput }) };
}

export function drawRaw(body: BodyOf<"raw">, label: string, onInput: (text: string) => void): DrawnControl {
  const rows = Math.min(16, Math.max(2, body.text.split("\n").length));
  return {
    element: createTextArea({
      label,
      value: body.text,
      rows,
      monospace: true,
      placeholder: t("JSON"),
      onInput,
    }),
  };
}

/** A required boolean: it always has a value, so a box is enough. */
export function drawCheckbox(
  slot: Slot,
  body: BodyOf<"boolean">,
  label: string,
  changed: () => void,
): DrawnControl {
  const words = el("span", {});
  const show = (): void => {
    words.textContent = body.value ? "true" : "false";
  };
  const box = createCheckbox({
    label: "",
    name: label,
    checked: body.value,
    onChange: (checked) => {
      body.value = checked;
      slot.state = "set";
      show();
      changed();
    },
  });
  show();
  return { element: el("div", { class: "check-row" }, box, words), focusable: box };
}

export interface ListControlParts {
  readonly slot: Slot;
  readonly label: string;
  readonly required: boolean;
  readonly nullable: boolean;
  readonly changed: () => void;
}

/** An optional or nullable boolean: a box has no third state that can be seen and heard. */
export function drawBooleanList(parts: ListControlParts, body: BodyOf<"boolean">): DrawnControl {
  return drawList(
    parts,
    ["true", "false"],
    body.value ? 0 : 1,
    (index) => {
      body.value = index === 0;
    },
    false,
  );
}

/** One of several values. */
export function drawEnum(parts: ListControlParts, plan: EnumPlan, body: BodyOf<"choice">): DrawnControl {
  const about = el("div", { class: "field-hint", attributes: { dir: "auto" } });
  const explain = (): void => {
    const text =
      parts.slot.state === "set" && body.index !== undefined
        ? plan.options[body.index]?.description
        : undefined;
    about.textContent = text ?? "";
    about.hidden = text === undefined;
  };
  const titles = plan.options.map(({ title }) => title);
  const control = drawList(
    {
      ...parts,
      changed: () => {
        explain();
        parts.changed();
      },
    },
    titles,
    body.index,
    (index) => {
      body.index = index;
    },
    body.index === undefined,
  );
  explain();
  return { element: el("div", {}, control.element, about), focusable: control.element };
}

/** A list of values, led by “not set” where that is allowed and followed by null. */
function drawList(
  parts: ListControlParts,
  titles: readonly string[],
  chosen: number | undefined,
  choose: (index: number) => void,
  unchosen: boolean,
): DrawnControl {
  const { slot, required, nullable, changed, label } = parts;
  const first = !required
    ? t("(not set)")
    : unchosen || slot.state === "absent"
      ? t("(choose one)")
      : undefined;
  const lead = first === undefined ? [] : [first];
  const options = [...lead, ...titles, ...(nullable ? ["null"] : [])];
  const selected = selectedOption(slot, chosen, lead.length, options.length);
  const onChange: ChoiceParts["onChange"] = (index) => {
    const at = index - lead.length;
    if (at < 0) slot.state = "absent";
    else if (at === titles.length) slot.state = "null";
    else {
      slot.state = "set";
      choose(at);
    }
    changed();
  };
  return { element: createDropdown({ label, options, selected, onChange }) };
}

function selectedOption(slot: Slot, chosen: number | undefined, lead: number, count: number): number {
  if (slot.state === "null") return count - 1;
  return slot.state === "absent" || chosen === undefined ? 0 : chosen + lead;
}

/** A value that cannot be changed. */
export function drawFixed(text: string): DrawnControl {
  const element = el("div", {});
  fill(element, el("code", { class: "fixed-value", text }));
  return { element };
}
