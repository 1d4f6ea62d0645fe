import type { Clock } from "../../base/clock.ts";
import type { DpopKey } from "../model/facts.ts";
import type { DpopProver } from "./dpopProver.ts";

/** A prover for one key. */
export function createDpopProver(_key: DpopKey, _clock: Clock): DpopProver {
  throw new Error("not built yet");
}
