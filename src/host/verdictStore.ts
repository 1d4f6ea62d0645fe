import type * as vscode from "vscode";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import type { VerdictStore } from "../client/serverPool.ts";

const KEY = "signalbox.verdicts";

/** Endpoints whose era is remembered. Beyond that the oldest is forgotten and probed again. */
const MAX_VERDICTS = 500;

/** Remembers how servers were negotiated, in the editor's state of this machine. */
export function createVerdictStore(state: vscode.Memento): VerdictStore {
  // A copy in memory, because writes to the state take effect at once here but later in the state.
  const verdicts = new Map<string, JsonObject>();
  const stored: unknown = state.get(KEY);
  if (isJsonObject(stored)) {
    for (const [key, verdict] of Object.entries(stored))
      if (isJsonObject(verdict)) verdicts.set(key, verdict);
  }
  return {
    get: (key) => verdicts.get(key),
    set(key, verdict) {
      verdicts.delete(key);
      if (verdict !== undefined) verdicts.set(key, verdict);
      const oldest = verdicts.keys().next();
      if (verdicts.size > MAX_VERDICTS && oldest.done !== true) verdicts.delete(oldest.value);
      // Not awaited: losing one costs a round trip at the next start.
      void state.update(KEY, Object.fromEntries(verdicts));
    },
  };
}
