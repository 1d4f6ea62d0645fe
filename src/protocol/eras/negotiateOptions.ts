import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/disposable.ts";
import type { Log } from "../../base/log.ts";
import type { Channel } from "../channel.ts";
import type { Limits, Timeouts } from "../limits.ts";
import { type AnyRevision, type Era, eraOf, type ProtocolSetting } from "../model/revision.ts";
import type { Implementation, Negotiation } from "../model/server.ts";
import type { FeatureUse } from "../mrtr/featureUse.ts";
import type { InputAsker } from "../mrtr/inputAsker.ts";
import type { InputModes } from "../mrtr/inputRequired.ts";
import type { EraSession } from "./eraSession.ts";

/** What was found out about the same server before. */
export interface RememberedVerdict {
  readonly era: Era;
  readonly revision: AnyRevision;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

export interface NegotiateOptions {
  readonly serverName: string;
  readonly transport: "stdio" | "http";
  readonly protocol: ProtocolSetting;
  readonly minimumProtocol: AnyRevision;
  /** Starts a transport; called once more when a process ended on the probe. */
  readonly openChannel: () => Promise<Channel>;
  readonly clientInfo: Implementation;
  /** Extensions that are declared from the first request on, beside those that single requests declare. */
  readonly extensions?: readonly string[];
  /** What a legacy session may declare for its whole life. */
  readonly modes: InputModes | undefined;
  /** For questions of a legacy server that belong to no call. */
  readonly unrelatedAsker: (() => InputAsker & Disposable) | undefined;
  readonly use: FeatureUse;
  readonly limits: Limits;
  readonly timeouts: Timeouts;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly remembered: RememberedVerdict | undefined;
}

/** A session and how it came about. */
export interface Negotiated {
  readonly session: EraSession;
  readonly negotiation: Negotiation;
}

/** The era of a negotiation as it is remembered. */
export function toVerdict(negotiation: Negotiation, atMs: number): RememberedVerdict {
  return { era: eraOf(negotiation.revision), revision: negotiation.revision, atMs };
}
