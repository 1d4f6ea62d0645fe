/** The kinds of things a server lists beside its tools. */
export type ListName = "tools" | "prompts" | "resources";

/** All usable entries of a list in the server's order, and what was odd about it. */
export interface Listing<T> {
  readonly items: readonly T[];
  /** English sentences: entries that were left out, a cursor that went round in a circle, a page that failed. */
  readonly warnings: readonly string[];
}
