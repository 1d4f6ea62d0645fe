import type { JsonObject, JsonValue } from "../../base/json.ts";

/**
 * The questions of a task that nobody has dealt with yet. A task shows a question for as long as it is open, and for
 * a while after it was answered, so that most of what it shows is known; keys are never used twice in one task.
 */
export function newQuestions(
  asked: JsonObject | undefined,
  known: ReadonlySet<string>,
): JsonObject | undefined {
  const fresh = Object.entries(asked ?? {}).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined && !known.has(entry[0]),
  );
  return fresh.length === 0 ? undefined : Object.fromEntries(fresh);
}
