import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { SchemaProblem, SchemaText } from "../schema/schemaTexts.ts";

/** Hints of the server about a tool. They are claims: shown, never trusted. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** One tool as the server described it; texts and schemas are untrusted and kept as they came. */
export interface Tool {
  /** The exact name on the wire. */
  readonly name: string;
  /** `title`, else `annotations.title`, else the name. */
  readonly displayName: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  /** The whole entry of the list, for the inspector. */
  readonly raw: JsonObject;
}

/** A tool that is withheld, and why. */
export interface RejectedTool {
  readonly name: string;
  readonly reason: string;
}

/** Everything `tools/list` gave, in the server's order. */
export interface ToolCatalog {
  readonly tools: readonly Tool[];
  readonly rejectedTools: readonly RejectedTool[];
  /** Oddities that cost nothing: a cursor that went round in a circle, a page that failed. */
  readonly warnings: readonly string[];
}

/** One piece of a result. An unknown type is kept whole, never dropped. */
export type ContentBlock =
  | { readonly type: "text"; readonly text: string; readonly raw: JsonObject }
  | {
      readonly type: "image" | "audio";
      readonly data: string;
      readonly mimeType: string;
      readonly raw: JsonObject;
    }
  | {
      readonly type: "resource_link";
      readonly uri: string;
      readonly name: string;
      readonly title?: string;
      readonly description?: string;
      readonly mimeType?: string;
      readonly size?: number;
      readonly raw: JsonObject;
    }
  | {
      readonly type: "resource";
      readonly uri: string;
      readonly mimeType?: string;
      readonly text?: string;
      readonly blob?: string;
      readonly raw: JsonObject;
    }
  | { readonly type: "unknown"; readonly name: string; readonly raw: JsonObject };

/**
 * How `structuredContent` compares with the tool's `outputSchema`.
 * `unchecked` says why it could not be compared, `missing` that a schema promised what did not come.
 */
export type StructuredCheck =
  | { readonly kind: "none" }
  | { readonly kind: "valid" }
  | { readonly kind: "invalid"; readonly problems: readonly SchemaProblem[] }
  | { readonly kind: "missing" }
  | { readonly kind: "unchecked"; readonly reason: SchemaText };

/** What a finished call gave. `isError` is the tool's own failure, not one of the protocol. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly isError: boolean;
  readonly structuredContent?: JsonValue;
  readonly structuredCheck: StructuredCheck;
  /** The whole result object, for the inspector. */
  readonly raw: JsonObject;
}

/** A tool's result and the number of rounds of input it took. */
export interface CalledTool {
  readonly result: ToolResult;
  readonly rounds: number;
}

/** Progress as the server reports it; both numbers are the server's own scale. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}
