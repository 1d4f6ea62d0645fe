import { checkForm } from "../../src/shared/formCheck.ts";
import type { InputAnswer, InputRequestView } from "../../src/shared/inputMessages.ts";
import { describeProblem } from "../../src/shared/problems.ts";
import { type Child, el, setHidden } from "../dom.ts";
import { foldableText } from "../foldableText.ts";
import type { FieldFrame } from "../form/fieldFrame.ts";
import { t } from "../l10n.ts";
import { notice } from "../notice.ts";
import { createButton, createCheckbox, createRadioGroup } from "../toolkit.ts";
import { drawElicitationField, type RawValue, startValue, toChecked } from "./elicitationField.ts";

/** What the person has entered for one request so far. */
export interface RequestDraft {
  values: Record<string, RawValue>;
  /** The choice within a round of several requests; undefined while a URL request has none. */
  choice: "accept" | "open" | "decline" | undefined;
}

export interface SectionParts {
  readonly request: InputRequestView;
  readonly draft: RequestDraft;
  /** True when the round has other requests, so that this one has a choice of its own. */
  readonly choosable: boolean;
  readonly heading: string | undefined;
  readonly onInput: () => void;
  readonly copy: (text: string) => void;
}

/** One request of a round, as a section of the page. */
export interface RequestSection {
  readonly element: HTMLElement;
  /** The answer, or undefined when something is missing or wrong; then the problems are shown. */
  answer(): InputAnswer | undefined;
  showProblem(field: string, message: string): void;
  focusProblem(): boolean;
}

/** A draft with the server's defaults. */
export function startDraft(request: InputRequestView): RequestDraft {
  if (request.kind === "url") return { values: {}, choice: undefined };
  return {
    values: Object.fromEntries(request.form.fields.map((field) => [field.name, startValue(field)])),
    choice: "accept",
  };
}

export function drawSection(parts: SectionParts): RequestSection {
  const { request } = parts;
  return request.kind === "form"
    ? new FormSection({ ...parts, request })
    : new UrlSection({ ...parts, request });
}

type PartsOf<Kind extends InputRequestView["kind"]> = SectionParts & {
  readonly request: Extract<InputRequestView, { readonly kind: Kind }>;
};

function sectionElement({ request, heading }: SectionParts, ...children: readonly Child[]): HTMLElement {
  return el(
    "section",
    { class: "request", attributes: { "aria-label": heading ?? t("Request") } },
    heading === undefined ? undefined : el("h2", { text: heading }),
    drawQuote(request.message),
    ...request.warnings.map((warning) => notice("warning", warning)),
    ...children,
  );
}

/** The server's own words, marked as such. */
export function drawQuote(message: string): HTMLElement {
  return el(
    "figure",
    { class: "quote" },
    el("figcaption", { text: t("The server says:") }),
    el("blockquote", {}, foldableText(message)),
  );
}

class FormSection implements RequestSection {
  readonly element: HTMLElement;
  readonly #parts: PartsOf<"form">;
  readonly #frames = new Map<string, FieldFrame>();
  #checking = false;

  constructor(parts: PartsOf<"form">) {
    this.#parts = parts;
    const { request, draft } = parts;
    const fields = request.form.fields.map((field) => {
      const view = drawElicitationField({
        field,
        value: draft.values[field.name] ?? null,
        onInput: (value) => {
          draft.values[field.name] = value;
          if (this.#checking) this.#check();
          parts.onInput();
        },
      });
      this.#frames.set(field.name, view);
      return view.element;
    });
    const required = request.form.fields.some((field) => field.required);
    const legend = required ? el("p", { class: "hint", text: t("* required") }) : undefined;
    const body = el("div", { class: "fields" }, ...fields, legend);
    setHidden(body, draft.choice === "decline");
    this.element = sectionElement(parts, body, this.#drawDecline(body));
  }

  answer(): InputAnswer | undefined {
    const { request, draft } = this.#parts;
    if (draft.choice === "decline") return { key: request.key, action: "decline" };
    this.#checking = true;
    const content = this.#check();
    return content === undefined ? undefined : { key: request.key, action: "accept", content };
  }

  showProblem(field: string, message: string): void {
    this.#checking = true;
    this.#frames.get(field)?.setProblem(message);
  }

  focusProblem(): boolean {
    for (const view of this.#frames.values()) {
      if (!view.element.classList.contains("has-problem")) continue;
      view.focus();
      return true;
    }
    return false;
  }

  #check(): ReturnType<typeof checkForm>["content"] | undefined {
    const { request, draft } = this.#parts;
    const raw = Object.fromEntries(
      Object.entries(draft.values).map(([name, value]) => [name, toChecked(value)]),
    );
    const { content, problems } = checkForm(request.form, raw);
    for (const [name, view] of this.#frames) {
      const problem = problems.get(name);
      view.setProblem(problem === undefined ? undefined : describeProblem(problem, t));
    }
    return problems.size === 0 ? content : undefined;
  }

  #drawDecline(body: HTMLElement): HTMLElement | undefined {
    const { draft, choosable, onInput } = this.#parts;
    if (!choosable) return undefined;
    return createCheckbox({
      label: t("Decline this request"),
      checked: draft.choice === "decline",
      onChange: (declined) => {
        draft.choice = declined ? "decline" : "accept";
        setHidden(body, declined);
        onInput();
      },
    });
  }
}

class UrlSection implements RequestSection {
  readonly element: HTMLElement;
  readonly #parts: PartsOf<"url">;
  readonly #problem = el("div", { class: "field-problem", attributes: { role: "alert" } });
  #group: HTMLElement | undefined;

  constructor(parts: PartsOf<"url">) {
    this.#parts = parts;
    const { before, host, after } = parts.request.url;
    const whole = before + host + after;
    const copy = createButton({
      label: t("Copy Address"),
      icon: "copy",
      onClick: () => {
        parts.copy(whole);
      },
    });
    setHidden(this.#problem, true);
    this.element = sectionElement(
      parts,
      el("p", { text: t("The server asks you to open this address in your browser:") }),
      // Never a link: it is opened only by its own button, and only by the host.
      el(
        "div",
        { class: "url" },
        before,
        host === "" ? undefined : el("strong", { class: "url-host", text: host }),
        after,
      ),
      host === ""
        ? undefined
        : el("p", { class: "url-target" }, t("It leads to:"), " ", el("strong", { text: host })),
      el("div", { class: "block-tools" }, copy),
      this.#drawChoice(),
      this.#problem,
    );
  }

  answer(): InputAnswer | undefined {
    const { request, draft } = this.#parts;
    if (draft.choice === "open" && request.canOpen) return { key: request.key, action: "open" };
    if (draft.choice === "decline") return { key: request.key, action: "decline" };
    this.showProblem("", t("Choose one."));
    return undefined;
  }

  showProblem(_field: string, message: string): void {
    this.#problem.textContent = message;
    setHidden(this.#problem, false);
  }

  focusProblem(): boolean {
    if (this.#problem.hidden) return false;
    this.#group?.querySelector<HTMLElement>("vscode-radio")?.focus();
    return true;
  }

  #drawChoice(): HTMLElement | undefined {
    const { request, draft, choosable, onInput } = this.#parts;
    if (!choosable) return undefined;
    const choices: readonly (readonly [NonNullable<RequestDraft["choice"]>, string])[] = [
      ...(request.canOpen ? [["open", t("Open it in the browser when I submit")] as const] : []),
      ["decline", t("Decline this request")],
    ];
    const selected = choices.findIndex(([choice]) => choice === draft.choice);
    this.#group = createRadioGroup({
      label: t("What to do with this address"),
      options: choices.map(([, words]) => words),
      selected: selected < 0 ? undefined : selected,
      onChange: (index) => {
        draft.choice = choices[index]?.[0];
        setHidden(this.#problem, true);
        onInput();
      },
    });
    return this.#group;
  }
}
