import type { Clock, Timer } from "../base/clock.ts";
import type { Disposable } from "../base/disposable.ts";
import type { Log } from "../base/log.ts";
import { decideRestart, MAX_RESTARTS } from "./restartPolicy.ts";
import type { PlannedRestart, Problem } from "./serverState.ts";

export interface RestarterOptions {
  readonly clock: Clock;
  readonly log: () => Log;
  /** Starts the server again. */
  readonly restart: () => void;
}

/** Plans when one server is started again, and counts how often it was. */
export class Restarter implements Disposable {
  readonly #options: RestarterOptions;
  #restarts = 0;
  #connectedAtMs: number | undefined;
  #timer: Timer | undefined;

  constructor(options: RestarterOptions) {
    this.#options = options;
  }

  /** True from the end of a connection until the server is started again. */
  get isPlanned(): boolean {
    return this.#timer !== undefined;
  }

  /** A connection stands, from now on. */
  connected(): void {
    this.#connectedAtMs = this.#options.clock.now();
  }

  /** The connection has ended, or a restart has failed. Undefined when only a person starts the server again. */
  plan(problem: Problem): PlannedRestart | undefined {
    const { clock, log } = this.#options;
    const nowMs = clock.now();
    const heldMs = this.#connectedAtMs === undefined ? undefined : nowMs - this.#connectedAtMs;
    this.#connectedAtMs = undefined;
    const decision = decideRestart({ problem, heldMs, restarts: this.#restarts, random: Math.random() });
    if (decision.kind === "enough")
      log().write("warn", `Restarted ${String(MAX_RESTARTS)} times in a row; it is not restarted again`);
    if (decision.kind !== "again") return undefined;
    const { attempt, delayMs } = decision;
    this.#timer?.dispose();
    this.#timer = clock.after(delayMs, () => {
      this.#timer = undefined;
      this.#restarts = attempt;
      log().write("info", `Restart ${String(attempt)} of ${String(MAX_RESTARTS)} after an unexpected end`);
      this.#options.restart();
    });
    return { atMs: nowMs + delayMs, attempt, of: MAX_RESTARTS };
  }

  /** A person decides: nothing is planned, and the count begins anew. */
  reset(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#restarts = 0;
    this.#connectedAtMs = undefined;
  }

  dispose(): void {
    this.reset();
  }
}
