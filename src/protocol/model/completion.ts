/** What an argument belongs to whose value is being completed. */
export type CompletionTarget =
  | { readonly kind: "prompt"; readonly name: string }
  /** The template's text, or the URI of a resource. */
  | { readonly kind: "resource"; readonly uri: string };

/** Proposals for one argument, at most 100. @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion */
export interface Completion {
  readonly values: readonly string[];
  /** How many there are in all, where the server says so. */
  readonly total?: number;
  readonly hasMore: boolean;
}
