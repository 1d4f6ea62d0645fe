import type { JsonObject } from "../../src/base/json.ts";
import { DraftBuilder } from "../../src/shared/schemaForm/buildDraft.ts";
import type { Slot } from "../../src/shared/schemaForm/draft.ts";
import type { FormPlanner } from "../../src/shared/schemaForm/planSchema.ts";
import { el, fill } from "../dom.ts";
import { notice } from "../notice.ts";
import { FieldRegistry } from "./fieldRegistry.ts";
import { drawField } from "./fieldView.ts";
import type { FormContext } from "./formContext.ts";
import { drawObject } from "./objectView.ts";

export interface FormViewParts {
  readonly planner: FormPlanner;
  readonly schema: JsonObject;
  readonly slot: Slot;
  /** What a screen reader calls the whole form. */
  readonly label: string;
  readonly onChange: () => void;
}

/** A whole schema as a form over a draft. It changes the draft in place and owns nothing but its elements. */
export class FormView {
  readonly element: HTMLElement;
  readonly #registry = new FieldRegistry();

  constructor(parts: FormViewParts) {
    const { planner, schema, slot, label } = parts;
    const context: FormContext = {
      planner,
      registry: this.#registry,
      multiline: new WeakSet(),
      builder: () => new DraftBuilder(planner),
      changed: parts.onChange,
      drawField: (field) => drawField(context, field),
    };
    const plan = planner.planRoot();
    this.element = el("div", { class: "form", attributes: { role: "group", "aria-label": label } });
    if (plan.kind === "object" && slot.body?.kind === "object") {
      const problem = el("div", { class: "form-problem" });
      this.#registry.add("", {
        element: problem,
        setProblem: (message) => {
          fill(problem, message === undefined ? undefined : notice("error", message));
        },
        focus: () => {
          problem.scrollIntoView({ block: "nearest" });
        },
      });
      this.element.append(problem, drawObject({ context, path: "", label }, plan, slot.body).element);
    } else {
      this.element.append(context.drawField({ schema, slot, path: "", label, required: true }).element);
    }
  }

  /** Shows problems by path, and clears all others. True when the focus went to the first one. */
  showProblems(problems: ReadonlyMap<string, string>, focus: boolean): boolean {
    const first = this.#registry.showProblems(problems);
    if (focus) first?.focus();
    return focus && first !== undefined;
  }
}
