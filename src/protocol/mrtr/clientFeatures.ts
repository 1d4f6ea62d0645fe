import type { Event } from "../../base/emitter.ts";
import type { Root, SampledMessage, SamplingRequest } from "../model/sampling.ts";

/** A request for a model's answer, with the call that it belongs to. */
export interface SamplingAsk {
  readonly callId: string;
  /** The configured name of the server, never the name it gives itself. */
  readonly serverId: string;
  readonly method: string;
  /** The tool or prompt, or the resource's URI, that the call is about; undefined when a legacy server did not say. */
  readonly target: string | undefined;
  /** Counts from 1. */
  readonly round: number;
  readonly maxRounds: number;
  readonly request: SamplingRequest;
}

/** What came of a request for a model's answer. */
export type SamplingOutcome =
  | { readonly kind: "answered"; readonly message: SampledMessage }
  /** The person did not want it, before or after the model answered. */
  | { readonly kind: "refused" };

/** Lets a server use a model, after a person has read what is sent and what comes back. */
export interface SamplingHandler {
  /** Whether requests with tools can be answered. */
  readonly tools: boolean;
  /**
   * Asks the person and then a model. Rejects with a CodedError when no answer can be had, and with the signal's
   * reason when aborted; must stop asking as soon as that happens.
   */
  createMessage(ask: SamplingAsk, signal: AbortSignal): Promise<SamplingOutcome>;
}

/** The folders that a person lets a server know of. They inform the server; they fence nothing in. */
export interface RootsProvider {
  /** Only folders that are allowed and there, right now. */
  list(signal: AbortSignal): Promise<readonly Root[]>;
  /** Fires when `list` may give something else. */
  readonly onDidChange: Event<void>;
}

/** What a person lets one server use beside asking for input. Null is off: it is not declared. */
export interface ClientFeatures {
  readonly sampling: SamplingHandler | null;
  readonly roots: RootsProvider | null;
}

/** A feature that is off until a person allows it for a server. */
export type FeatureName = keyof ClientFeatures;

export const NO_FEATURES: ClientFeatures = { sampling: null, roots: null };
