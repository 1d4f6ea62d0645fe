import type { Clock } from "../../base/clock.ts";
import { errorText } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";
import { eraOf } from "../model/revision.ts";
import type { Negotiation, NegotiationStep } from "../model/server.ts";
import { RpcError } from "../rpcError.ts";
import type { ProbeOutcome, ProbeVerdict } from "./classifyProbe.ts";
import type { SessionFacts } from "./eraSession.ts";

/** Writes down how an era was decided, so that a person can follow it: in the connection, and in the log as it happens. */
export class NegotiationRecord {
  roundTrips = 0;
  processes = 0;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #startedAt: number;
  readonly #steps: NegotiationStep[] = [];

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
    this.#startedAt = clock.now();
  }

  /** The outcome of the last step, for errors. */
  get lastOutcome(): string {
    return this.#steps.at(-1)?.outcome ?? "nothing was answered";
  }

  step(what: string, outcome: string): void {
    this.#steps.push({ what, outcome, atMs: this.#clock.now() - this.#startedAt });
    this.#log.write("info", `${what}: ${outcome}`);
  }

  probe(outcome: ProbeOutcome, verdict: ProbeVerdict): void {
    this.step("server/discover", `${describeOutcome(outcome)} ${describeVerdict(verdict)}`);
  }

  finish(facts: SessionFacts, how: Negotiation["how"], cause: string): Negotiation {
    const reason = `${facts.revision} is spoken because ${cause}.`;
    this.#log.write("info", reason);
    return {
      era: eraOf(facts.revision),
      revision: facts.revision,
      how,
      reason,
      steps: [...this.#steps],
      roundTrips: this.roundTrips,
      processes: this.processes,
      server: facts.server,
      capabilities: facts.capabilities,
      instructions: facts.instructions,
    };
  }
}

function describeOutcome(outcome: ProbeOutcome): string {
  switch (outcome.kind) {
    case "result":
      return "It answered with a result.";
    case "error": {
      const status = outcome.httpStatus === undefined ? "" : ` (HTTP ${String(outcome.httpStatus)})`;
      return `It answered with the error ${String(outcome.error.code)}${status}: ${new RpcError("server/discover", outcome.error).message.slice(0, 300)}.`;
    }
    case "http":
      return `It answered with HTTP ${String(outcome.status)} and no MCP message.`;
    case "exit":
    case "silence":
    case "broken":
      return errorText(outcome.error);
  }
}

function describeVerdict(verdict: ProbeVerdict): string {
  switch (verdict.kind) {
    case "modern":
      return "That is a modern server.";
    case "again":
      return "It asks for the same revision once more.";
    case "legacy":
      return `That is a legacy server: ${verdict.reason}.`;
    case "disjoint":
      return "It is a modern server without a revision in common.";
    case "failed":
      return "That says nothing about its era.";
  }
}
