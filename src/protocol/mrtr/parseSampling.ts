import { isJsonObject, type JsonObject, type JsonValue, readAmount } from "../../base/json.ts";
import type { SamplingMessage, SamplingRequest, SamplingTool } from "../model/sampling.ts";
import { findBrokenPair } from "./toolPairs.ts";
import { MalformedSampling, parseSamplingMessage } from "./parseSamplingMessage.ts";

/** What the parameters of one `sampling/createMessage` turned out to be. */
export type ParsedSampling =
  | { readonly kind: "request"; readonly request: SamplingRequest }
  /** It brings tools although they were not offered. */
  | { readonly kind: "undeclared-tools" }
  | { readonly kind: "invalid"; readonly reason: string };

const MAX_TOOLS = 128;
const CONTEXTS = ["none", "thisServer", "allServers"] as const;
const CHOICES = ["auto", "required", "none"] as const;

/**
 * Reads the parameters of `sampling/createMessage`, the same in all revisions; one without tools has none to offer.
 * What the specification does not allow is refused whole: a model gets what the server meant or nothing.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling
 */
export function parseSampling(params: JsonValue | undefined, offersTools: boolean): ParsedSampling {
  if (!isJsonObject(params)) return { kind: "invalid", reason: "there are no parameters" };
  const hasTools = params["tools"] !== undefined || params["toolChoice"] !== undefined;
  if (hasTools && !offersTools) return { kind: "undeclared-tools" };
  try {
    const request = readRequest(params, hasTools);
    if (!offersTools && usesTools(request.messages)) return { kind: "undeclared-tools" };
    const broken = findBrokenPair(request.messages);
    return broken === undefined ? { kind: "request", request } : { kind: "invalid", reason: broken };
  } catch (error) {
    if (error instanceof MalformedSampling) return { kind: "invalid", reason: error.message };
    throw error;
  }
}

function readRequest(params: JsonObject, hasTools: boolean): SamplingRequest {
  const { messages } = params;
  const maxTokens = readAmount(params["maxTokens"]);
  if (!Array.isArray(messages) || messages.length === 0) throw new MalformedSampling("there are no messages");
  if (maxTokens === undefined || maxTokens < 1) {
    throw new MalformedSampling("maxTokens is not a number of at least 1");
  }
  const systemPrompt = optional(params, "systemPrompt", isText, "a text");
  const temperature = optional(params, "temperature", isNumber, "a number");
  return {
    messages: messages.map((message: JsonValue, index) => parseSamplingMessage(message, index + 1)),
    maxTokens,
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(temperature !== undefined && { temperature }),
    stopSequences: optional(params, "stopSequences", isTexts, "a list of texts") ?? [],
    ...readPreferences(params["modelPreferences"]),
    includeContext: readChoice(params["includeContext"], CONTEXTS, "includeContext") ?? "none",
    tools: readTools(params["tools"]),
    toolChoice: hasTools ? readToolChoice(params["toolChoice"]) : undefined,
  };
}

function readPreferences(value: JsonValue | undefined): Pick<SamplingRequest, "modelHints" | "priorities"> {
  if (value === undefined) return { modelHints: [], priorities: {} };
  if (!isJsonObject(value)) throw new MalformedSampling("modelPreferences is not an object");
  const hints = value["hints"] ?? [];
  if (!Array.isArray(hints) || !hints.every(isJsonObject)) {
    throw new MalformedSampling("the hints are not a list of objects");
  }
  const [cost, speed, intelligence] = (
    ["costPriority", "speedPriority", "intelligencePriority"] as const
  ).map((key) => optional(value, key, isPriority, "a number from 0 to 1"));
  return {
    modelHints: hints.flatMap(({ name }) => (typeof name === "string" && name.trim() !== "" ? [name] : [])),
    priorities: {
      ...(cost !== undefined && { cost }),
      ...(speed !== undefined && { speed }),
      ...(intelligence !== undefined && { intelligence }),
    },
  };
}

function readTools(value: JsonValue | undefined): readonly SamplingTool[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new MalformedSampling("tools is not a list");
  if (value.length > MAX_TOOLS) throw new MalformedSampling(`there are more than ${String(MAX_TOOLS)} tools`);
  const names = new Set<string>();
  return value.map((tool) => {
    const { name, description, inputSchema } = isJsonObject(tool) ? tool : {};
    if (typeof name !== "string" || name === "") throw new MalformedSampling("a tool has no name");
    if (!isJsonObject(inputSchema)) throw new MalformedSampling(`the tool “${name}” has no inputSchema`);
    if (names.has(name)) throw new MalformedSampling(`the tool “${name}” is there twice`);
    names.add(name);
    return { name, inputSchema, ...(typeof description === "string" && { description }) };
  });
}

function readToolChoice(value: JsonValue | undefined): (typeof CHOICES)[number] {
  if (value === undefined) return "auto";
  if (!isJsonObject(value)) throw new MalformedSampling("toolChoice is not an object");
  return readChoice(value["mode"], CHOICES, "toolChoice.mode") ?? "auto";
}

function usesTools(messages: readonly SamplingMessage[]): boolean {
  return messages.some(({ content }) =>
    content.some(({ type }) => type === "tool_use" || type === "tool_result"),
  );
}

function readChoice<T extends string>(
  value: JsonValue | undefined,
  choices: readonly T[],
  name: string,
): T | undefined {
  if (value === undefined) return undefined;
  const choice = choices.find((one) => one === value);
  if (choice === undefined) throw new MalformedSampling(`${name} is none of ${choices.join(", ")}`);
  return choice;
}

function optional<T extends JsonValue>(
  params: JsonObject,
  key: string,
  isRight: (value: JsonValue) => value is T,
  what: string,
): T | undefined {
  const value = params[key];
  if (value === undefined) return undefined;
  if (!isRight(value)) throw new MalformedSampling(`${key} is not ${what}`);
  return value;
}

const isText = (value: JsonValue): value is string => typeof value === "string";
const isNumber = (value: JsonValue): value is number => typeof value === "number";
const isPriority = (value: JsonValue): value is number => isNumber(value) && value >= 0 && value <= 1;
const isTexts = (value: JsonValue): value is string[] => Array.isArray(value) && value.every(isText);
