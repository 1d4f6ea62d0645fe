import { type Child, el, fill, setHidden } from "../dom.ts";
import { foldableText } from "../foldableText.ts";
import { icon } from "../icons.ts";
import { t } from "../l10n.ts";
import { describeControl } from "../toolkit.ts";
import type { FieldHandle } from "./fieldRegistry.ts";

export interface FrameParts {
  /** The name as a person reads it: the server's title, or the property's name. */
  readonly label: string;
  /** The property's exact name, when the label is a title. */
  readonly key?: string;
  /** The kind of value, in words. */
  readonly type?: string;
  readonly required: boolean;
  readonly description?: string;
  readonly hints: readonly string[];
  /** Stands before the label: the box that includes an optional part. */
  readonly before?: HTMLElement;
  /** Stands at the end of the label's line. */
  readonly after?: HTMLElement;
  /** True for parts with fields of their own: they form a group with a heading. */
  readonly group: boolean;
  /** True when the label already stands nearby; it is then only for screen readers. */
  readonly bare: boolean;
  readonly className?: string;
}

/** The parts around a control: label, description, hints and the problem, connected for screen readers. */
export class FieldFrame implements FieldHandle {
  readonly element: HTMLElement;
  readonly #slot = el("div", { class: "field-control" });
  readonly #problem = el("div", { class: "field-problem" });
  readonly #words: string;
  #control: HTMLElement | undefined;
  #message: string | undefined;

  constructor(parts: FrameParts) {
    this.#words = [parts.description, ...parts.hints].filter((text) => text !== undefined).join(" ");
    const label = el("span", { class: "field-label", text: parts.label, attributes: { dir: "auto" } });
    label.addEventListener("click", () => {
      if (!parts.group) this.focus();
    });
    this.element = el(
      "div",
      {
        class: `field${parts.group ? " field-group" : ""}${parts.bare ? " field-bare" : ""} ${parts.className ?? ""}`,
        attributes: parts.group ? { role: "group", "aria-label": parts.label } : {},
      },
      el(
        "div",
        { class: "field-head" },
        parts.before,
        label,
        parts.required ? el("span", { class: "field-required", text: "*", title: t("required") }) : undefined,
        parts.key === undefined ? undefined : el("code", { class: "field-key", text: parts.key }),
        parts.type === undefined ? undefined : el("span", { class: "field-type", text: parts.type }),
        parts.after,
      ),
      parts.description === undefined ? undefined : foldableText(parts.description, "field-description"),
      this.#slot,
      parts.hints.length === 0
        ? undefined
        : el("div", { class: "field-hint", text: parts.hints.join(" · ") }),
      this.#problem,
    );
    setHidden(this.#problem, true);
  }

  /** Puts the control in; `focusable` is the one that gets the focus and the description, when it is not `content`. */
  setControl(content: Child, focusable?: HTMLElement): void {
    fill(this.#slot, content);
    this.#control = focusable ?? (content instanceof HTMLElement ? content : undefined);
    // The toolkit builds the inside of its controls when they enter the document.
    queueMicrotask(() => {
      this.#describe();
    });
  }

  setProblem(message: string | undefined): void {
    if (message === this.#message) return;
    this.#message = message;
    this.element.classList.toggle("has-problem", message !== undefined);
    setHidden(this.#problem, message === undefined);
    fill(this.#problem, ...(message === undefined ? [] : [icon("error"), el("span", { text: message })]));
    this.#describe();
  }

  focus(): void {
    this.element.scrollIntoView({ block: "nearest" });
    const target = this.#control?.isConnected === true ? this.#control : undefined;
    (
      target ?? this.element.querySelector<HTMLElement>("vscode-checkbox, vscode-button, vscode-text-field")
    )?.focus();
  }

  #describe(): void {
    if (this.#control === undefined) return;
    const words = [this.#message, this.#words].filter((text) => text !== undefined && text !== "").join(" ");
    describeControl(this.#control, words, this.#message !== undefined);
  }
}
