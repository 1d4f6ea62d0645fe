/** What an element starts with. Texts are always text: there is no way to pass markup. */
export interface ElementParts {
  readonly class?: string;
  readonly id?: string;
  readonly text?: string;
  readonly title?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

export type Child = Node | string | undefined;

/** Makes an element with children; undefined children are left out. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  parts: ElementParts = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (parts.class !== undefined) element.className = parts.class;
  if (parts.id !== undefined) element.id = parts.id;
  if (parts.text !== undefined) element.textContent = parts.text;
  if (parts.title !== undefined) element.title = parts.title;
  for (const [name, value] of Object.entries(parts.attributes ?? {})) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

let lastId = 0;

/** An id that no other element of this document has. */
export function uniqueId(prefix: string): string {
  lastId += 1;
  return `${prefix}-${lastId.toString()}`;
}

/** Shows or hides an element for everybody, screen readers included. */
export function setHidden(element: HTMLElement, hidden: boolean): void {
  element.hidden = hidden;
}

/** Puts other children in place of those that an element has. */
export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren(...children.filter((child) => child !== undefined));
}
