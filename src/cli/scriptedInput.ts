import { isJsonNumber, isJsonObject, type JsonObject, parseJson } from "../base/json.ts";
import type {
  FormValue,
  InputHandler,
  ElicitationRequest,
  InputResponse,
} from "../protocol/mrtr/inputRequired.ts";

/** What is answered to one round: values, or a refusal of everything in it. */
export type ScriptedAnswer = JsonObject | "decline" | "cancel";

/** Reads the option `--answers`; gives a sentence when it is wrong. */
export function parseAnswers(text: string): readonly ScriptedAnswer[] | string {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return `--answers is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  const entries: readonly unknown[] = Array.isArray(value) ? value : [undefined];
  const isAnswer = (entry: unknown): entry is ScriptedAnswer =>
    isJsonObject(entry) || entry === "decline" || entry === "cancel";
  return entries.every(isAnswer)
    ? entries
    : '--answers must be a JSON array of objects, "decline" or "cancel".';
}

/**
 * Answers rounds from a list, one entry a round. An entry holds the values of the form, or, where a round asks for
 * several things, the values below the server's key of each. When the list is at its end, the answer is `cancel`.
 * Addresses to open are always cancelled: nobody is there to open them.
 */
export function createScriptedInput(answers: readonly ScriptedAnswer[]): InputHandler {
  let next = 0;
  return {
    modes: { form: true, url: false },
    handle: ({ requests }) => {
      const answer = answers[next] ?? "cancel";
      next += 1;
      const responses = requests.map((request): [string, InputResponse] => [
        request.key,
        respond(request, answer, requests.length),
      ]);
      return Promise.resolve(new Map(responses));
    },
  };
}

function respond(request: ElicitationRequest, answer: ScriptedAnswer, count: number): InputResponse {
  if (request.kind === "url") return { action: "cancel" };
  if (typeof answer === "string") return { action: answer };
  const own = answer[request.key];
  if (own === "decline" || own === "cancel") return { action: own };
  if (isJsonObject(own)) return { action: "accept", content: toContent(own) };
  return count === 1 ? { action: "accept", content: toContent(answer) } : { action: "cancel" };
}

function toContent(values: JsonObject): Record<string, FormValue> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, FormValue][] => {
      if (typeof value === "string" || isJsonNumber(value) || typeof value === "boolean")
        return [[name, value]];
      return Array.isArray(value) ? [[name, value.map(String)]] : [];
    }),
  );
}
