import type { Clock } from "../../base/clock.ts";
import type { JsonObject } from "../../base/json.ts";
import type { Log } from "../../base/log.ts";
import { EngineError } from "../engineError.ts";
import type { ClientFeatures, FeatureName } from "./clientFeatures.ts";

/** Requests for a model's answer that one server may make within a window of time. */
export const SAMPLING_PER_WINDOW = 30;
/** Questions that one server may put to a person within a window of time outside of any call. */
const QUESTIONS_PER_WINDOW = 20;
const WINDOW_MS = 60_000;

export interface FeatureUseOptions {
  readonly features: ClientFeatures;
  readonly serverName: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * What one connection lets its server use, how often it did, and what it wanted in vain.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling
 */
export class FeatureUse {
  readonly features: ClientFeatures;
  /** Hears of a feature that the server wants for the first time although it is off. */
  onWanted: ((feature: FeatureName) => void) | undefined;
  readonly #options: FeatureUseOptions;
  readonly #wanted = new Set<FeatureName>();
  readonly #warned = new Set<FeatureName>();
  readonly #samplings = new RateWindow(SAMPLING_PER_WINDOW);
  readonly #questions = new RateWindow(QUESTIONS_PER_WINDOW);

  constructor(options: FeatureUseOptions) {
    this.features = options.features;
    this.#options = options;
  }

  /** The features that are on. */
  get allowed(): readonly FeatureName[] {
    const { sampling, roots } = this.features;
    return [
      ...(sampling === null ? [] : ["sampling" as const]),
      ...(roots === null ? [] : ["roots" as const]),
    ];
  }

  /** The features that the server wanted although they are off. */
  get wanted(): readonly FeatureName[] {
    return [...this.#wanted];
  }

  /**
   * Notes that the server wanted something that was not declared, and gives the error for it: the person can switch
   * on what is off, but what this very call cannot offer is no setting.
   */
  notOffered(feature: FeatureName, method: string): EngineError {
    const server = this.#options.serverName;
    if (this.features[feature] !== null)
      return new EngineError("undeclared-input", { server, kind: feature, method });
    if (!this.#wanted.has(feature)) {
      this.#wanted.add(feature);
      this.#options.log.write("info", `The server wants ${feature}, which is off for it.`);
      this.onWanted?.(feature);
    }
    return new EngineError(feature === "sampling" ? "sampling-off" : "roots-off", { server, method });
  }

  /**
   * Counts a request for a model's answer.
   * @throws EngineError `sampling-too-often`
   */
  beginSampling(): void {
    const { clock, serverName: server } = this.#options;
    if (!this.#samplings.take(clock.now()))
      throw new EngineError("sampling-too-often", { server, limit: SAMPLING_PER_WINDOW });
    this.#warnOnce("sampling");
  }

  /** Whether the person may be asked now although no call is the reason. A call has its own bound, its rounds. */
  mayAskUncalled(): boolean {
    return this.#questions.take(this.#options.clock.now());
  }

  /** The folders in the form of the wire, which is the same in every revision. */
  async listRoots(signal: AbortSignal): Promise<JsonObject> {
    this.#warnOnce("roots");
    const roots = (await this.features.roots?.list(signal)) ?? [];
    return { roots: roots.map((root) => ({ ...root })) };
  }

  #warnOnce(feature: FeatureName): void {
    if (this.#warned.has(feature)) return;
    this.#warned.add(feature);
    this.#options.log.write("warn", `The server uses ${feature}, which MCP has deprecated since 2026-07-28.`);
  }
}

/** Lets something happen so many times within any window of time. */
class RateWindow {
  readonly #limit: number;
  /** When it happened last, the oldest first. */
  readonly #times: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  take(nowMs: number): boolean {
    while (this.#times.length > 0 && nowMs - (this.#times[0] ?? nowMs) >= WINDOW_MS) this.#times.shift();
    if (this.#times.length >= this.#limit) return false;
    this.#times.push(nowMs);
    return true;
  }
}
