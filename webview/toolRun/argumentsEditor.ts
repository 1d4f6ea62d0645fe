import type { JsonObject } from "../../src/base/json.ts";
import { describeProblem } from "../../src/shared/problems.ts";
import { DraftBuilder, startDraft } from "../../src/shared/schemaForm/buildDraft.ts";
import { checkNode, type PathProblem } from "../../src/shared/schemaForm/checkNode.ts";
import type { Slot } from "../../src/shared/schemaForm/draft.ts";
import {
  type JsonNode,
  parseJsonText,
  printJson,
  toJsonObject,
} from "../../src/shared/schemaForm/jsonText.ts";
import { FormPlanner } from "../../src/shared/schemaForm/planSchema.ts";
import { readDraft } from "../../src/shared/schemaForm/readDraft.ts";
import { el, fill, setHidden } from "../dom.ts";
import { FormView } from "../form/formView.ts";
import { t } from "../l10n.ts";
import { notice } from "../notice.ts";
import { createTextArea, type TextArea } from "../toolkit.ts";

/** What is being typed, kept when the page is hidden. */
export interface EditorState {
  readonly mode: "form" | "json";
  readonly slot: Slot;
  /** The text of the JSON view; undefined when the form is the newer one. */
  readonly text: string | undefined;
  /** The JSON that the draft of the form gave last. */
  readonly written: string | undefined;
}

export interface ArgumentsEditorParts {
  readonly schema: JsonObject;
  readonly initial: JsonObject;
  readonly state: EditorState | undefined;
  readonly onChange: () => void;
}

/** The arguments as they are now. `blocked`: something typed is no value yet, so there is nothing to send. */
export interface ReadArguments {
  readonly arguments: JsonObject | undefined;
  readonly problems: ReadonlyMap<string, string>;
  readonly blocked: boolean;
}

/** One value in two views: a form made from the schema, and JSON text. */
export class ArgumentsEditor {
  readonly element: HTMLElement;
  readonly #parts: ArgumentsEditorParts;
  readonly #planner: FormPlanner;
  readonly #body = el("div", { class: "editor-body" });
  readonly #note = el("div", { class: "editor-note" });
  readonly #tabs: Readonly<Record<EditorState["mode"], HTMLButtonElement>>;
  readonly #jsonProblem = el("div", { class: "field-problem", attributes: { role: "alert" } });
  #mode: EditorState["mode"];
  #slot: Slot;
  #text: string | undefined;
  #written: string | undefined;
  #form: FormView | undefined;
  #area: TextArea | undefined;

  constructor(parts: ArgumentsEditorParts) {
    this.#parts = parts;
    this.#planner = new FormPlanner(parts.schema);
    const { state } = parts;
    this.#mode = state?.mode ?? "form";
    this.#slot = state?.slot ?? startDraft(this.#planner, parts.schema, parts.initial);
    this.#text = state?.text;
    this.#written = state?.written;
    this.#tabs = { form: this.#drawTab("form", t("Form")), json: this.#drawTab("json", t("JSON")) };
    const heading = el("h2", { id: "arguments-heading", text: t("Arguments") });
    const toggle = el(
      "div",
      { class: "segmented", attributes: { role: "group", "aria-label": t("Show arguments as") } },
      this.#tabs.form,
      this.#tabs.json,
    );
    this.element = el(
      "section",
      { class: "arguments", attributes: { "aria-labelledby": "arguments-heading" } },
      el("div", { class: "section-head" }, heading, toggle),
      this.#note,
      this.#body,
    );
    this.#draw();
  }

  get state(): EditorState {
    return { mode: this.#mode, slot: this.#slot, text: this.#text, written: this.#written };
  }

  /** Reads and checks what is typed. */
  read(): ReadArguments {
    if (this.#mode === "json") return this.#readJson();
    const { node, problems, incomplete } = readDraft(this.#planner, this.#parts.schema, this.#slot);
    const value = node?.kind === "object" ? toJsonObject(node) : undefined;
    return { arguments: value, problems: describe(problems), blocked: incomplete || value === undefined };
  }

  #readJson(): ReadArguments {
    const { node, problem } = this.#parseText();
    if (node === undefined)
      return { arguments: undefined, problems: new Map([["", problem]]), blocked: true };
    const problems = checkNode(this.#planner, this.#planner.planRoot(), node);
    // A number without a finite value would be sent as null.
    const blocked = problems.some(({ code }) => code === "number");
    return { arguments: toJsonObject(node), problems: describe(problems), blocked };
  }

  /** Shows problems by path; an empty map clears them. */
  showProblems(problems: ReadonlyMap<string, string>, focus: boolean): void {
    if (this.#mode === "form") {
      this.#form?.showProblems(problems, focus);
      return;
    }
    fill(
      this.#jsonProblem,
      ...[...problems].map(([path, message]) =>
        el("div", { text: path === "" ? message : `${path}: ${message}` }),
      ),
    );
    setHidden(this.#jsonProblem, problems.size === 0);
    if (focus && problems.size > 0) this.#area?.focus();
  }

  #drawTab(mode: EditorState["mode"], label: string): HTMLButtonElement {
    const tab = el("button", { class: "segment", text: label, attributes: { type: "button" } });
    tab.addEventListener("click", () => {
      if (this.#mode === mode) return;
      if (mode === "json") this.#toJson();
      else this.#toForm();
    });
    return tab;
  }

  #toJson(): void {
    const { node, problems, incomplete } = readDraft(this.#planner, this.#parts.schema, this.#slot);
    this.#written = printJson(node ?? { kind: "object", entries: [] });
    this.#text = this.#written;
    this.#mode = "json";
    this.#draw();
    if (incomplete) {
      const places = problems.map(({ path }) => path || "/").join(", ");
      fill(
        this.#note,
        notice(
          "info",
          t("Not in this JSON, because it is not complete: {places}. The form still has what you typed.", {
            places,
          }),
        ),
      );
    }
    this.#area?.focus();
    this.#parts.onChange();
  }

  #toForm(): void {
    const { node, problem } = this.#parseText();
    if (node === undefined) {
      fill(this.#note, notice("warning", t("The form cannot show this yet: {problem}", { problem })));
      this.#area?.focus();
      return;
    }
    // The draft of the form holds more than its JSON, such as what was typed into parts that are left out.
    if (this.#text !== this.#written)
      this.#slot = new DraftBuilder(this.#planner).slotFrom(this.#parts.schema, node);
    this.#text = undefined;
    this.#mode = "form";
    this.#draw();
    this.#tabs.form.focus();
    this.#parts.onChange();
  }

  #parseText():
    | { readonly node: Extract<JsonNode, { readonly kind: "object" }>; readonly problem?: undefined }
    | { readonly node?: undefined; readonly problem: string } {
    const parsed = parseJsonText(this.#text ?? "");
    if (!parsed.ok) {
      const { line, column, code } = parsed.problem;
      return { problem: syntaxSentence(code, line, column) };
    }
    if (parsed.node.kind !== "object")
      return { problem: t("Arguments are a JSON object: text in braces { }.") };
    return { node: parsed.node };
  }

  #draw(): void {
    for (const [mode, tab] of Object.entries(this.#tabs))
      tab.setAttribute("aria-pressed", String(mode === this.#mode));
    fill(this.#note);
    fill(this.#jsonProblem);
    setHidden(this.#jsonProblem, true);
    if (this.#mode === "json") {
      this.#form = undefined;
      this.#area = this.#drawArea();
      fill(this.#body, this.#area, this.#jsonProblem);
      return;
    }
    this.#area = undefined;
    this.#form = new FormView({
      planner: this.#planner,
      schema: this.#parts.schema,
      slot: this.#slot,
      label: t("Arguments"),
      onChange: this.#parts.onChange,
    });
    fill(this.#body, this.#form.element);
  }

  #drawArea(): TextArea {
    const value = this.#text ?? "{}";
    this.#text = value;
    const rows = Math.min(24, Math.max(8, value.split("\n").length + 1));
    return createTextArea({
      label: t("Arguments as JSON"),
      value,
      rows,
      monospace: true,
      onInput: (text) => {
        this.#text = text;
        fill(this.#note);
        this.#parts.onChange();
      },
    });
  }
}

function syntaxSentence(code: string, line: number, column: number): string {
  if (code === "duplicate")
    return t("The same name stands twice in one object: line {line}, column {column}.", { line, column });
  if (code === "deep") return t("Nested too deeply: line {line}, column {column}.", { line, column });
  return t("Not valid JSON: line {line}, column {column}.", { line, column });
}

function describe(problems: readonly PathProblem[]): ReadonlyMap<string, string> {
  return new Map(problems.map((problem) => [problem.path, describeProblem(problem, t)]));
}
