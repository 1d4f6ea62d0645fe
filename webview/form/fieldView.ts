import type { DraftBody, Slot } from "../../src/shared/schemaForm/draft.ts";
import { type FormPlan, valueTitle } from "../../src/shared/schemaForm/formPlan.ts";
import { el, fill } from "../dom.ts";
import { t } from "../l10n.ts";
import { type Checkbox, createButton, createCheckbox } from "../toolkit.ts";
import { drawArray } from "./arrayView.ts";
import { FieldFrame } from "./fieldFrame.ts";
import type { DrawnControl, DrawnField, FieldParts, FormContext } from "./formContext.ts";
import { drawObject } from "./objectView.ts";
import { planHints, planType, rawReason } from "./planWords.ts";
import {
  drawBooleanList,
  drawCheckbox,
  drawEnum,
  drawFixed,
  drawNumber,
  drawRaw,
  drawText,
} from "./scalarControls.ts";
import { drawVariants } from "./variantView.ts";

/** Draws one part of the form, and again whenever its shape changes. */
export function drawField(context: FormContext, parts: FieldParts): DrawnField {
  const field = new FieldView(context, parts);
  field.draw();
  return field;
}

class FieldView implements DrawnField {
  readonly element = el("div", { class: "field-host" });
  readonly #context: FormContext;
  readonly #parts: FieldParts;
  readonly #plan: FormPlan;
  #frame: FieldFrame | undefined;
  #include: Checkbox | undefined;
  /** True when the person ticked the box, so that an empty text is meant. */
  #meant = false;
  #syncing = false;

  constructor(context: FormContext, parts: FieldParts) {
    this.#context = context;
    this.#parts = parts;
    this.#plan = context.planner.plan(parts.schema);
    this.#meant = parts.slot.state === "set";
  }

  focus(): void {
    this.#frame?.focus();
  }

  draw(focus = false): void {
    const { slot, path, label, key, required, after } = this.#parts;
    const plan = this.#plan;
    this.#context.registry.dropBelow(path);
    this.#include = this.#drawInclude();
    const before = this.#include;
    const nullBox = this.#drawNullBox();
    const tail = nullBox === undefined ? after : el("span", { class: "field-tail" }, nullBox, after);
    const frame = new FieldFrame({
      label,
      required: required && this.#parts.listed !== true,
      type: planType(plan),
      hints: planHints(plan, slot.state === "absent"),
      group: isNested(plan) && slot.body?.kind !== "raw",
      bare: this.#parts.bare === true,
      ...(key === undefined ? {} : { key }),
      ...(plan.description === undefined ? {} : { description: plan.description }),
      ...(before === undefined ? {} : { before }),
      ...(tail === undefined ? {} : { after: tail }),
    });
    this.#frame = frame;
    fill(this.element, frame.element);
    // Before the control is drawn: the chosen kind of a variant registers at the same path and takes over.
    this.#context.registry.add(path, frame);
    const control = slot.state === "null" && hasNullBox(plan) ? drawFixed("null") : this.#drawControl();
    frame.setControl(control?.element, control?.focusable);
    if (focus) frame.focus();
  }

  readonly #changed = (): void => {
    this.#context.changed();
  };

  #setState(state: Slot["state"]): void {
    const { slot } = this.#parts;
    if (slot.state === state) return;
    slot.state = state;
    if (state === "set") slot.body ??= this.#context.builder().freshBody(this.#plan);
    this.#changed();
  }

  #drawInclude(): Checkbox | undefined {
    const { slot, label, required } = this.#parts;
    if (isList(this.#plan, slot, required)) return undefined;
    const opens = !isTyped(this.#plan, slot.body);
    if (required && !(opens && slot.state === "absent")) return undefined;
    return createCheckbox({
      label: "",
      name: t("Include {name}", { name: label }),
      checked: slot.state !== "absent",
      onChange: (checked) => {
        if (this.#syncing || checked === (slot.state !== "absent")) return;
        this.#meant = checked;
        this.#setState(checked ? "set" : "absent");
        if (opens || !checked) this.draw(opens && checked);
      },
    });
  }

  #drawNullBox(): Checkbox | undefined {
    const { slot } = this.#parts;
    if (!this.#plan.nullable || !hasNullBox(this.#plan)) return undefined;
    return createCheckbox({
      label: "null",
      name: t("Set {name} to null", { name: this.#parts.label }),
      checked: slot.state === "null",
      onChange: (checked) => {
        if (checked === (slot.state === "null")) return;
        const empty = slot.body === undefined || ("text" in slot.body && slot.body.text === "");
        this.#setState(checked ? "null" : empty && isTyped(this.#plan, slot.body) ? "absent" : "set");
        this.draw();
      },
    });
  }

  /** Typing includes an optional part, and emptying it leaves it out again unless it was included on purpose. */
  readonly #typed = (text: string): void => {
    const { slot } = this.#parts;
    if (slot.body !== undefined && "text" in slot.body) slot.body.text = text;
    slot.state = text !== "" || this.#meant ? "set" : "absent";
    if (this.#include !== undefined) {
      this.#syncing = true;
      this.#include.checked = slot.state === "set";
      this.#syncing = false;
    }
    this.#changed();
  };

  #drawControl(): DrawnControl | undefined {
    const { slot, required } = this.#parts;
    const plan = this.#plan;
    const absent = slot.state === "absent";
    if (absent && !isTyped(plan, slot.body) && !isList(plan, slot, required)) return undefined;
    const body = (slot.body ??=
      (absent ? emptyBody(plan) : undefined) ?? this.#context.builder().freshBody(plan));
    return body.kind === "raw" ? this.#drawRaw(plan, body) : this.#drawBody(plan, body);
  }

  #drawBody(plan: FormPlan, body: DraftBody): DrawnControl | undefined {
    const { slot, label, required } = this.#parts;
    const list = { slot, label, required, nullable: plan.nullable, changed: this.#changed };
    if (plan.kind === "string" && body.kind === "text") return this.#drawText(plan, body);
    if (plan.kind === "number" && body.kind === "number") return drawNumber(body, label, this.#typed);
    if (plan.kind === "enum" && body.kind === "choice") return drawEnum(list, plan, body);
    if (plan.kind === "boolean" && body.kind === "boolean") {
      if (isList(plan, slot, required)) return drawBooleanList(list, body);
      return drawCheckbox(slot, body, label, this.#changed);
    }
    if (plan.kind === "const") return drawFixed(valueTitle(plan.value));
    if (plan.kind === "null") return drawFixed("null");
    return this.#drawNested(plan, body);
  }

  #drawNested(plan: FormPlan, body: DraftBody): DrawnControl | undefined {
    const { path, label } = this.#parts;
    const nested = { context: this.#context, path, label };
    if (plan.kind === "object" && body.kind === "object") return drawObject(nested, plan, body);
    if (plan.kind === "array" && body.kind === "array") return drawArray(nested, plan, body);
    if (plan.kind === "variants" && body.kind === "variants") return drawVariants(nested, plan, body);
    return undefined;
  }

  #drawText(
    plan: Extract<FormPlan, { kind: "string" }>,
    body: Extract<DraftBody, { kind: "text" }>,
  ): DrawnControl {
    const { slot, label, required } = this.#parts;
    const control = drawText({
      context: this.#context,
      plan,
      slot,
      body,
      label,
      onInput: this.#typed,
      redraw: () => {
        this.draw(true);
      },
    });
    if (!required || slot.state !== "absent" || (plan.minLength ?? 0) > 0 || plan.format !== undefined)
      return control;
    const empty = el("button", {
      class: "text-button use-empty",
      text: t("Use empty text"),
      attributes: { type: "button" },
    });
    empty.addEventListener("click", () => {
      this.#meant = true;
      this.#setState("set");
      empty.textContent = t("Empty text will be sent.");
      empty.classList.add("chosen");
    });
    control.element.addEventListener("input", () => {
      empty.remove();
    });
    return {
      element: el("div", {}, control.element, empty),
      focusable: control.focusable ?? control.element,
    };
  }

  #drawRaw(plan: FormPlan, body: Extract<DraftBody, { kind: "raw" }>): DrawnControl {
    const control = drawRaw(body, this.#parts.label, this.#typed);
    const reason = rawReason(plan.kind === "raw" ? plan.reason : { code: "mismatch" });
    const note = el("div", { class: "field-hint" }, reason);
    if (plan.kind !== "raw") {
      note.append(
        " ",
        createButton({
          label: t("Start over with fields"),
          onClick: () => {
            this.#parts.slot.body = this.#context.builder().freshBody(plan);
            this.#changed();
            this.draw(true);
          },
        }),
      );
    }
    return { element: el("div", {}, control.element, note), focusable: control.element };
  }
}

function isNested(plan: FormPlan): boolean {
  return plan.kind === "object" || plan.kind === "array" || plan.kind === "variants";
}

/** True for parts that are typed as text: their control is always there, and empty means absent. */
function isTyped(plan: FormPlan, body: DraftBody | undefined): boolean {
  return plan.kind === "string" || plan.kind === "number" || plan.kind === "raw" || body?.kind === "raw";
}

/** True for parts whose control is a list, which has an option for “not set”. */
function isList(plan: FormPlan, slot: Slot, required: boolean): boolean {
  if (slot.body?.kind === "raw") return false;
  if (plan.kind === "enum") return true;
  return plan.kind === "boolean" && (!required || plan.nullable || slot.state === "absent");
}

function hasNullBox(plan: FormPlan): boolean {
  return plan.kind !== "enum" && plan.kind !== "boolean";
}

/** A part that is not set starts empty, not with its default: a default is what the server takes by itself. */
function emptyBody(plan: FormPlan): DraftBody | undefined {
  switch (plan.kind) {
    case "string":
      return { kind: "text", text: "" };
    case "number":
      return { kind: "number", text: "" };
    case "raw":
      return { kind: "raw", text: "" };
    default:
      return undefined;
  }
}
