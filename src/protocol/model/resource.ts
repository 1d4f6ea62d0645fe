import type { JsonObject } from "../../base/json.ts";

/** Who a piece of content is for and how much it matters, as the server claims. */
export interface ContentAnnotations {
  readonly audience?: readonly ("user" | "assistant")[];
  /** 0 to 1. */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

/**
 * One resource of a list. Its URI is a name for the server; it is never opened on this machine.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource
 */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  /** `title`, else the name. */
  readonly displayName: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Raw bytes. */
  readonly size?: number;
  readonly annotations?: ContentAnnotations;
  /** The whole entry of the list, for the inspector. */
  readonly raw: JsonObject;
}

/**
 * A family of resources: a URI template after RFC 6570.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates
 */
export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  /** `title`, else the name. */
  readonly displayName: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: ContentAnnotations;
  readonly raw: JsonObject;
}

/** One piece of what `resources/read` gave: text, or bytes in base64. What has an odd form is kept, with a problem. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly raw: JsonObject;
  /** An English sentence that says what is wrong with this piece. */
  readonly problem?: string;
}

/** What a finished `resources/read` gave. No contents is an empty resource, not a missing one. */
export interface ResourceResult {
  readonly contents: readonly ResourceContents[];
  readonly raw: JsonObject;
}
