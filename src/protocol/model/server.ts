import type { JsonObject } from "../../base/json.ts";
import type { AnyRevision, Era } from "./revision.ts";

/** A name and version, ours or the server's. The server's is a claim and decides nothing. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
}

/** What the server says it can do. Unknown keys are kept. */
export type ServerCapabilities = JsonObject;

/** One step of a negotiation, in the order it happened. */
export interface NegotiationStep {
  /** What was sent or seen: `server/discover`, `initialize`, `exit`, `remembered`, `pinned`. */
  readonly what: string;
  /** What came of it, as an English sentence with the evidence. */
  readonly outcome: string;
  /** Milliseconds since the negotiation began. */
  readonly atMs: number;
}

/** How the era was decided: what the user is shown and what is remembered. */
export interface Negotiation {
  readonly era: Era;
  readonly revision: AnyRevision;
  readonly how: "pinned" | "probed" | "remembered" | "fallback";
  /** One English sentence: the reason for the verdict. */
  readonly reason: string;
  readonly steps: readonly NegotiationStep[];
  /** Round trips spent before the server could be used. */
  readonly roundTrips: number;
  /** Processes started, stdio only; 2 when the first one died of the probe. */
  readonly processes: number;
  readonly server: Implementation | undefined;
  readonly capabilities: ServerCapabilities;
  readonly instructions: string | undefined;
}
