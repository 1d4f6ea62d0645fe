/** What a form can do with one of its fields. */
export interface FieldHandle {
  readonly element: HTMLElement;
  /** Shows what is wrong, or clears it. */
  setProblem(message: string | undefined): void;
  focus(): void;
}

/** Finds the fields of a form by the JSON Pointer of their value. */
export class FieldRegistry {
  readonly #fields = new Map<string, FieldHandle>();

  add(path: string, handle: FieldHandle): void {
    this.#fields.set(path, handle);
  }

  /** Forgets the fields of a part that is about to be drawn anew, itself excepted. */
  dropBelow(path: string): void {
    for (const known of [...this.#fields.keys()])
      if (known.startsWith(`${path}/`)) this.#fields.delete(known);
  }

  /**
   * Shows problems at their fields, and clears all others. A problem without a field of its own is shown
   * at the nearest part around it. Answers the field of the first problem in the order of the page.
   */
  showProblems(problems: ReadonlyMap<string, string>): FieldHandle | undefined {
    const messages = new Map<FieldHandle, string[]>();
    for (const [path, message] of problems) {
      const found = this.#nearest(path);
      if (found === undefined) continue;
      const [handle, at] = found;
      const list = messages.get(handle) ?? [];
      const rest = path.slice(at.length);
      list.push(rest === "" ? message : `${rest}: ${message}`);
      messages.set(handle, list);
    }
    for (const handle of this.#fields.values()) handle.setProblem(messages.get(handle)?.join("\n"));
    return [...messages.keys()].sort(byPosition)[0];
  }

  #nearest(path: string): readonly [FieldHandle, string] | undefined {
    for (let at = path; ; at = at.slice(0, at.lastIndexOf("/"))) {
      const handle = this.#fields.get(at);
      if (handle !== undefined) return [handle, at];
      if (at === "") return undefined;
    }
  }
}

function byPosition(a: FieldHandle, b: FieldHandle): number {
  return a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}
