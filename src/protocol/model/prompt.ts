import type { JsonObject } from "../../base/json.ts";
import type { ContentBlock } from "./tool.ts";

/** One argument of a prompt. Values are texts, whatever they mean. */
export interface PromptArgument {
  readonly name: string;
  /** `title`, else the name. */
  readonly displayName: string;
  readonly description?: string;
  readonly required: boolean;
}

/** One prompt as the server described it. @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#prompt */
export interface Prompt {
  /** The exact name on the wire. */
  readonly name: string;
  /** `title`, else the name. */
  readonly displayName: string;
  readonly description?: string;
  readonly arguments: readonly PromptArgument[];
  readonly raw: JsonObject;
}

/** One message of a prompt: the server's words, whatever the role claims. */
export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentBlock;
}

/** What a finished `prompts/get` gave. */
export interface PromptResult {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  /** English sentences about messages in odd forms, which are kept all the same. */
  readonly warnings: readonly string[];
  readonly raw: JsonObject;
}
