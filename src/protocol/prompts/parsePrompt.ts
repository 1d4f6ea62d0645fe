import { isJsonObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { readNames } from "../lists/readTexts.ts";
import type { Prompt, PromptArgument } from "../model/prompt.ts";

/** Reads one entry of `prompts/list`; a text says why it cannot be used. */
export function parsePrompt(entry: JsonObject): Prompt | string {
  const names = readNames(entry);
  if (names === undefined) return "it has no name";
  const list = entry["arguments"];
  if (list !== undefined && !Array.isArray(list)) return "its arguments are not a list";
  const args: PromptArgument[] = [];
  for (const item of (list ?? []) as readonly JsonValue[]) {
    const argument = isJsonObject(item) ? readNames(item) : undefined;
    if (argument === undefined) return "an argument has no name";
    args.push({ ...argument, required: isJsonObject(item) && item["required"] === true });
  }
  return { ...names, arguments: args, raw: entry };
}
