import { el } from "./dom.ts";

/** Tells screen readers about changes that others see. */
export class Announcer {
  readonly element: HTMLElement;

  constructor() {
    this.element = el("div", {
      class: "visually-hidden",
      attributes: { role: "status", "aria-live": "polite" },
    });
  }

  /** Reads a sentence out. The same sentence twice in a row is read once. */
  say(sentence: string): void {
    if (this.element.textContent !== sentence) this.element.textContent = sentence;
  }
}
