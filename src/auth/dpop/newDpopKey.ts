import type { DpopKey } from "../model/facts.ts";

/** Makes a key pair for ES256. */
export function newDpopKey(): Promise<DpopKey> {
  throw new Error("not built yet");
}
