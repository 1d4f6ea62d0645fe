import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { ContentBlock } from "./tool.ts";

/** One piece of a message to a model. Everything in it is the server's: untrusted. */
export type SamplingBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: JsonObject;
      /** Kept as it came, so that nothing is lost between turns. */
      readonly meta?: JsonObject;
    }
  | {
      readonly type: "tool_result";
      readonly toolUseId: string;
      readonly content: readonly ContentBlock[];
      readonly structuredContent?: JsonValue;
      readonly isError: boolean;
      readonly meta?: JsonObject;
    };

/** One turn of the conversation that a server wants continued. */
export interface SamplingMessage {
  readonly role: "user" | "assistant";
  readonly content: readonly SamplingBlock[];
}

/** A tool that the model may ask for. The server carries it out; it is none of the tools of the client. */
export interface SamplingTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
}

/**
 * What a server wants a model to do, in the same form for every revision.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling
 */
export interface SamplingRequest {
  readonly messages: readonly SamplingMessage[];
  readonly systemPrompt?: string;
  /** The most that may be generated. */
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly stopSequences: readonly string[];
  /** Parts of names of models, the most wanted first. */
  readonly modelHints: readonly string[];
  /** From 0 to 1, as the server claims them. */
  readonly priorities: { readonly cost?: number; readonly speed?: number; readonly intelligence?: number };
  /** Context of other servers is never added, whatever is wanted. */
  readonly includeContext: "none" | "thisServer" | "allServers";
  readonly tools: readonly SamplingTool[];
  /** Undefined when the request is one without tools: its answer is then one text. */
  readonly toolChoice: "auto" | "required" | "none" | undefined;
}

/** One piece of a model's answer. */
export type SampledBlock = Extract<SamplingBlock, { type: "text" | "tool_use" }>;

/** What a model answered, as the person let it pass. */
export interface SampledMessage {
  readonly content: readonly SampledBlock[];
  readonly model: string;
  readonly stopReason?: string;
}

/** A folder that a server is told about. */
export interface Root {
  /** Always with the scheme `file`. */
  readonly uri: string;
  readonly name?: string;
}
