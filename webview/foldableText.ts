import { el, uniqueId } from "./dom.ts";
import { icon } from "./icons.ts";
import { t } from "./l10n.ts";

const FOLD_LINES = 6;
const FOLD_CHARACTERS = 480;

/** A server's text, as plain text with its line breaks. A long one starts folded. */
export function foldableText(text: string, className = ""): HTMLElement {
  const id = uniqueId("text");
  const body = el("div", { class: `server-text ${className}`, id, text, attributes: { dir: "auto" } });
  if (text.length <= FOLD_CHARACTERS && text.split("\n").length <= FOLD_LINES) return body;
  const toggle = el("button", { class: "text-button", attributes: { type: "button", "aria-controls": id } });
  const set = (open: boolean): void => {
    body.classList.toggle("folded", !open);
    toggle.setAttribute("aria-expanded", String(open));
    toggle.textContent = open ? t("Show less") : t("Show all");
  };
  toggle.addEventListener("click", () => {
    set(body.classList.contains("folded"));
  });
  set(false);
  return el("div", {}, body, toggle);
}

/** Something that is shown on demand, such as evidence or raw data. The content is made when it is first opened. */
export function disclosure(label: string, make: () => Node, open = false): HTMLDetailsElement {
  const summary = el("summary", {}, icon("chevron"), label);
  const details = el("details", { class: "disclosure" }, summary);
  const show = (): void => {
    if (details.open && details.childElementCount === 1) details.append(make());
  };
  details.addEventListener("toggle", show);
  if (open) {
    details.open = true;
    show();
  }
  return details;
}
