import { isJsonNumber, isJsonObject, type JsonValue, stringifyJson } from "../../src/base/json.ts";
import { el } from "../dom.ts";
import { icon } from "../icons.ts";
import { formatNumber, t } from "../l10n.ts";
import { createIconButton } from "../toolkit.ts";

/** Children made at once; the rest comes on demand. */
const PAGE = 100;
const MAX_TEXT = 2_000;
/** Lists of this many entries or fewer start open at the top. */
const MAX_OPEN = 30;

/**
 * A JSON value as a tree for mouse, keyboard and screen reader. Children are only made when their parent opens.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/treeview/
 */
export function createJsonTree(value: JsonValue, label: string, copy: (text: string) => void): HTMLElement {
  const tree = el("div", { class: "json-tree", attributes: { role: "tree", "aria-label": label } });
  const root = new TreeItem({ name: undefined, value, level: 1, position: 1, count: 1, copy });
  tree.append(root.element);
  root.element.tabIndex = 0;
  if (childCount(value) > 0 && childCount(value) <= MAX_OPEN) root.setOpen(true);
  tree.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLElement && event.target.getAttribute("role") === "treeitem")
      moveByKey(tree, event.target, event);
  });
  tree.addEventListener("focusin", (event) => {
    const item =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[role="treeitem"]') : null;
    if (item === null) return;
    for (const other of tree.querySelectorAll<HTMLElement>('[role="treeitem"][tabindex="0"]'))
      other.tabIndex = -1;
    item.tabIndex = 0;
  });
  return tree;
}

interface TreeItemParts {
  readonly name: string | number | undefined;
  readonly value: JsonValue;
  readonly level: number;
  readonly position: number;
  readonly count: number;
  readonly copy: (text: string) => void;
}

const items = new WeakMap<Element, TreeItem>();

class TreeItem {
  readonly element: HTMLElement;
  readonly #parts: TreeItemParts;
  #group: HTMLElement | undefined;

  constructor(parts: TreeItemParts) {
    this.#parts = parts;
    const { name, value, level, position, count, copy } = parts;
    const nested = childCount(value) > 0;
    const copyButton = createIconButton("copy", t("Copy value"), () => {
      copy(copyText(value));
    });
    copyButton.tabIndex = -1;
    const row = el(
      "div",
      { class: "tree-row" },
      el("span", { class: "tree-twistie" }, nested ? icon("chevron") : undefined),
      name === undefined ? undefined : el("span", { class: "tree-name", text: String(name) }),
      name === undefined ? undefined : el("span", { class: "tree-colon", text: ":" }),
      drawValue(value),
      copyButton,
    );
    row.addEventListener("click", (event) => {
      if (event.target instanceof Element && event.target.closest("vscode-button") !== null) return;
      this.element.focus();
      this.toggle();
    });
    const state: Record<string, string> = nested ? { "aria-expanded": "false" } : {};
    this.element = el(
      "div",
      {
        class: "tree-item",
        attributes: {
          role: "treeitem",
          tabindex: "-1",
          "aria-level": String(level),
          "aria-posinset": String(position),
          "aria-setsize": String(count),
          "aria-label": `${name === undefined ? "" : `${String(name)}: `}${valueWords(value)}`,
          ...state,
        },
      },
      row,
    );
    items.set(this.element, this);
  }

  get isOpen(): boolean {
    return this.element.getAttribute("aria-expanded") === "true";
  }

  copy(): void {
    this.#parts.copy(copyText(this.#parts.value));
  }

  toggle(): void {
    this.setOpen(!this.isOpen);
  }

  setOpen(open: boolean): void {
    if (childCount(this.#parts.value) === 0) return;
    this.element.setAttribute("aria-expanded", String(open));
    if (this.#group === undefined && open) {
      this.#group = el("div", { class: "tree-group", attributes: { role: "group" } });
      this.#addPage(this.#group, 0);
      this.element.append(this.#group);
    }
    if (this.#group !== undefined) this.#group.hidden = !open;
  }

  #addPage(group: HTMLElement, from: number): TreeItem | undefined {
    const { value, level, copy } = this.#parts;
    const all = childCount(value);
    const made = childEntries(value, from, PAGE).map(
      ([name, child], index) =>
        new TreeItem({ name, value: child, level: level + 1, position: from + index + 1, count: all, copy }),
    );
    group.append(...made.map(({ element }) => element));
    const end = from + made.length;
    if (end >= all) return made[0];
    const more = el("div", {
      class: "tree-item tree-more",
      text: t("Show {count} more", { count: Math.min(PAGE, all - end) }),
      attributes: { role: "treeitem", tabindex: "-1", "aria-level": String(level + 1) },
    });
    more.addEventListener("click", () => {
      more.remove();
      this.#addPage(group, end)?.element.focus();
    });
    group.append(more);
    return made[0];
  }
}

function moveByKey(tree: HTMLElement, item: HTMLElement, event: KeyboardEvent): void {
  if (event.altKey) return;
  const known = items.get(item);
  const handled =
    event.ctrlKey || event.metaKey
      ? copyByKey(known, event.key)
      : openByKey(item, known, event.key) || moveAlong(tree, item, event.key);
  if (!handled) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Copies the value of the item, unless a part of the page is selected, which is then what is meant. */
function copyByKey(known: TreeItem | undefined, key: string): boolean {
  if (key.toLowerCase() !== "c" || known === undefined || document.getSelection()?.isCollapsed === false)
    return false;
  known.copy();
  return true;
}

function openByKey(item: HTMLElement, known: TreeItem | undefined, key: string): boolean {
  switch (key) {
    case "Enter":
    case " ":
      if (known === undefined) item.click();
      else known.toggle();
      return true;
    case "ArrowRight":
      if (known?.isOpen === false) known.setOpen(true);
      else item.querySelector<HTMLElement>('[role="treeitem"]')?.focus();
      return true;
    case "ArrowLeft":
      if (known?.isOpen === true) known.setOpen(false);
      else item.parentElement?.closest<HTMLElement>('[role="treeitem"]')?.focus();
      return true;
    default:
      return false;
  }
}

function moveAlong(tree: HTMLElement, item: HTMLElement, key: string): boolean {
  const shown = [...tree.querySelectorAll<HTMLElement>('[role="treeitem"]')].filter(
    (each) => each.offsetParent !== null,
  );
  const at = shown.indexOf(item);
  const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1 }[key];
  if (target === undefined) return false;
  shown[target]?.focus();
  return true;
}

function childCount(value: JsonValue): number {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).length;
  return isJsonObject(value) ? Object.keys(value).length : 0;
}

function childEntries(value: JsonValue, from: number, count: number): [string | number, JsonValue][] {
  if (isJsonObject(value)) {
    return Object.keys(value)
      .slice(from, from + count)
      .map((name) => [name, value[name] ?? null]);
  }
  if (!Array.isArray(value)) return [];
  return (value as readonly JsonValue[]).slice(from, from + count).map((item, index) => [from + index, item]);
}

function drawValue(value: JsonValue): HTMLElement {
  if (typeof value === "string") {
    const text = value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
    return el("span", {
      class: "tree-value tree-string",
      text: JSON.stringify(text),
      attributes: { dir: "auto" },
    });
  }
  if (value === null || typeof value === "boolean")
    return el("span", { class: "tree-value tree-keyword", text: String(value) });
  if (isJsonNumber(value)) return el("span", { class: "tree-value tree-number", text: stringifyJson(value) });
  return el("span", { class: "tree-value tree-summary", text: valueWords(value) });
}

function valueWords(value: JsonValue): string {
  if (Array.isArray(value)) {
    const count = (value as readonly JsonValue[]).length;
    return count === 0 ? "[ ]" : t("list of {count}", { count: formatNumber(count) });
  }
  if (isJsonObject(value)) {
    const count = childCount(value);
    return count === 0 ? "{ }" : t("object with {count} entries", { count: formatNumber(count) });
  }
  const text = typeof value === "string" ? value : stringifyJson(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

/** Texts are copied as they are, anything else as JSON. */
function copyText(value: JsonValue): string {
  return typeof value === "string" ? value : stringifyJson(value, 2);
}
