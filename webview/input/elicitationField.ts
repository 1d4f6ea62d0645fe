import type { FormField } from "../../src/protocol/mrtr/inputRequired.ts";
import { el } from "../dom.ts";
import { FieldFrame, type FrameParts } from "../form/fieldFrame.ts";
import { rangeHint } from "../form/planWords.ts";
import { t } from "../l10n.ts";
import {
  createCheckbox,
  createDropdown,
  createRadioGroup,
  createTextArea,
  createTextField,
} from "../toolkit.ts";
import { drawDate } from "./dateControl.ts";

/** What a control holds before it is checked. Plain JSON, so that the page can keep it. */
export type RawValue = string | boolean | readonly string[] | null;

/** Half a date: there is something, but no value yet. No text field can hold this. */
const UNFINISHED = "\u0000";
/** Options up to which all are shown at once. */
const MAX_RADIOS = 5;

type FieldOf<Kind extends FormField["kind"]> = Extract<FormField, { readonly kind: Kind }>;

export interface ElicitationFieldParts<Field extends FormField = FormField> {
  readonly field: Field;
  readonly value: RawValue;
  readonly onInput: (value: RawValue) => void;
}

/** What a field starts with: the server's default, or nothing. */
export function startValue(field: FormField): RawValue {
  switch (field.kind) {
    case "text":
      return field.default ?? "";
    case "number":
      return field.default === undefined ? "" : String(field.default);
    case "boolean":
      return field.default ?? false;
    case "choice":
      return field.default ?? null;
    case "choices":
      return field.default ?? [];
  }
}

/** The value for the check: null is how the page keeps “nothing chosen”. */
export function toChecked(value: RawValue | undefined): unknown {
  return value ?? undefined;
}

/** Draws one field of an elicitation form. */
export function drawElicitationField(parts: ElicitationFieldParts): FieldFrame {
  const { field } = parts;
  switch (field.kind) {
    case "text":
      return drawText({ ...parts, field });
    case "number":
      return drawNumber({ ...parts, field });
    case "boolean":
      return drawBoolean({ ...parts, field });
    case "choice":
      return drawChoice({ ...parts, field });
    case "choices":
      return drawChoices({ ...parts, field });
  }
}

function frame(field: FormField, hints: readonly string[], more: Partial<FrameParts> = {}): FieldFrame {
  return new FieldFrame({
    label: field.title,
    required: field.required,
    hints,
    group: false,
    bare: false,
    ...(field.required ? {} : { type: t("optional") }),
    ...(field.description === undefined ? {} : { description: field.description }),
    ...more,
  });
}

function drawText({ field, value, onInput }: ElicitationFieldParts<FieldOf<"text">>): FieldFrame {
  const text = typeof value === "string" ? value : "";
  const view = frame(field, textHints(field));
  const { format } = field;
  if (format === "date" || format === "date-time") {
    const date = drawDate({
      format,
      label: field.title,
      value: text === UNFINISHED ? "" : text,
      onInput: (next) => {
        onInput(next ?? UNFINISHED);
      },
    });
    view.setControl(date.element, date.focusable);
    return view;
  }
  const words = { label: field.title, value: text, onInput };
  const long = format === undefined && ((field.maxLength ?? 0) > 200 || /[\r\n]/.test(text));
  view.setControl(
    long ? createTextArea({ ...words, rows: 4 }) : createTextField({ ...words, ...example(format) }),
  );
  return view;
}

function example(format: FieldOf<"text">["format"]): { placeholder?: string } {
  if (format === "email") return { placeholder: "name@example.com" };
  return format === "uri" ? { placeholder: "https://example.com/path" } : {};
}

function textHints({ minLength, maxLength, pattern }: FieldOf<"text">): string[] {
  const hints: string[] = [];
  if (minLength !== undefined && minLength > 0)
    hints.push(t("At least {limit} characters", { limit: minLength }));
  if (maxLength !== undefined) hints.push(t("At most {limit} characters", { limit: maxLength }));
  if (pattern !== undefined) hints.push(t("Pattern: {pattern}", { pattern: pattern.slice(0, 200) }));
  return hints;
}

function drawNumber({ field, value, onInput }: ElicitationFieldParts<FieldOf<"number">>): FieldFrame {
  const hints = [field.integer ? t("Whole number") : t("Number"), ...rangeHint(field.minimum, field.maximum)];
  const view = frame(field, hints);
  view.setControl(
    createTextField({ label: field.title, value: typeof value === "string" ? value : "", onInput }),
  );
  return view;
}

function drawBoolean({ field, value, onInput }: ElicitationFieldParts<FieldOf<"boolean">>): FieldFrame {
  const view = frame(field, [], { bare: true, className: "field-check" });
  view.setControl(createCheckbox({ label: field.title, checked: value === true, onChange: onInput }));
  return view;
}

function drawChoice({ field, value, onInput }: ElicitationFieldParts<FieldOf<"choice">>): FieldFrame {
  const view = frame(field, []);
  const chosen = field.options.findIndex((option) => option.value === value);
  const titles = field.options.map(({ title }) => title);
  if (titles.length > MAX_RADIOS) {
    const lead = field.required ? t("(choose one)") : t("(no answer)");
    const onChange = (index: number): void => {
      onInput(field.options[index - 1]?.value ?? null);
    };
    view.setControl(
      createDropdown({ label: field.title, options: [lead, ...titles], selected: chosen + 1, onChange }),
    );
    return view;
  }
  // An optional choice must be able to go back to no answer, which radio buttons alone cannot.
  const options = field.required ? titles : [...titles, t("(no answer)")];
  const none = field.required ? undefined : titles.length;
  const group = createRadioGroup({
    label: field.title,
    options,
    selected: chosen < 0 ? none : chosen,
    onChange: (index) => {
      onInput(field.options[index]?.value ?? null);
    },
  });
  const first = group.querySelector<HTMLElement>("vscode-radio[checked], vscode-radio");
  view.setControl(group, first ?? group);
  return view;
}

function drawChoices({ field, value, onInput }: ElicitationFieldParts<FieldOf<"choices">>): FieldFrame {
  const view = frame(field, countHint(field), { group: true });
  const chosen = new Set(Array.isArray(value) ? (value as readonly string[]) : []);
  const boxes = field.options.map((option) =>
    createCheckbox({
      label: option.title,
      checked: chosen.has(option.value),
      onChange: (checked) => {
        if (checked) chosen.add(option.value);
        else chosen.delete(option.value);
        onInput(field.options.map((each) => each.value).filter((each) => chosen.has(each)));
      },
    }),
  );
  view.setControl(el("div", { class: "check-list" }, ...boxes), boxes[0]);
  return view;
}

function countHint({ minItems, maxItems }: FieldOf<"choices">): string[] {
  if (minItems !== undefined && maxItems !== undefined) {
    return minItems === maxItems
      ? [t("Choose {count}", { count: minItems })]
      : [t("Choose {minimum} to {maximum}", { minimum: minItems, maximum: maxItems })];
  }
  if (minItems !== undefined) return [t("Choose at least {count}", { count: minItems })];
  return maxItems === undefined ? [] : [t("Choose at most {count}", { count: maxItems })];
}
