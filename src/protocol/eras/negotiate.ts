import { errorText } from "../../base/errors.ts";
import type { Clock } from "../../base/clock.ts";
import type { Channel } from "../channel.ts";
import { EngineError } from "../engineError.ts";
import { type AnyRevision, LATEST_LEGACY_REVISION, MODERN_REVISION } from "../model/revision.ts";
import type { Negotiation } from "../model/server.ts";
import type { Disposable } from "../../base/disposable.ts";
import { RpcError } from "../rpcError.ts";
import { classifyProbe, type ProbeOutcome, type ProbeVerdict } from "./classifyProbe.ts";
import { explainOtherRevision, initialize, type InitializeOptions } from "./legacy/initialize.ts";
import { acceptedLegacyRevisions } from "./legacy/handshake.ts";
import type { LegacyStart } from "./legacy/legacySession.ts";
import type { DiscoverResult } from "./modern/discover.ts";
import { ModernSession } from "./modern/modernSession.ts";
import { probe } from "./modern/probe.ts";
import type { Negotiated, NegotiateOptions, RememberedVerdict } from "./negotiateOptions.ts";
import { NegotiationRecord } from "./negotiationRecord.ts";

/** A legacy verdict is believed for this long before the server is probed again. */
const LEGACY_VERDICT_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Opens a connection and decides its era: by the setting, by memory, or by asking `server/discover`.
 * A named revision never falls back, and a server that was modern is never downgraded in silence.
 *
 * @throws EngineError, RpcError, NetError; the channel is closed on every failure
 */
export async function negotiate(options: NegotiateOptions): Promise<Negotiated> {
  const driver = new Negotiator(options);
  try {
    return await driver.run();
  } catch (error) {
    await driver.abandon();
    throw error;
  }
}

class Negotiator {
  readonly #options: NegotiateOptions;
  readonly #record: NegotiationRecord;
  readonly #accepted: readonly AnyRevision[];
  #channel: Channel | undefined;

  constructor(options: NegotiateOptions) {
    this.#options = options;
    this.#record = new NegotiationRecord(options.clock, options.log);
    this.#accepted = acceptedLegacyRevisions(options.minimumProtocol);
  }

  async abandon(): Promise<void> {
    await this.#channel?.close();
  }

  async run(): Promise<Negotiated> {
    const { protocol, remembered, clock } = this.#options;
    const channel = await this.#open();
    if (protocol === MODERN_REVISION) return this.#pinnedModern(channel);
    if (protocol !== "auto") return this.#pinnedLegacy(channel, protocol);
    if (remembered?.era === "legacy" && clock.now() - remembered.atMs < LEGACY_VERDICT_MS) {
      const again = await this.#rememberedLegacy(channel, remembered);
      if (again !== undefined) return again;
    }
    // Beside the probe, `initialize` could win against a modern server that is slow today.
    const mayHedge = this.#options.transport === "stdio" && remembered?.era !== "modern";
    return mayHedge ? this.#hedged(channel) : this.#unhedged(channel);
  }

  async #pinnedModern(channel: Channel): Promise<Negotiated> {
    const verdict = await this.#probe(channel);
    if (verdict.kind === "modern")
      return this.#modern(channel, verdict.discover, "pinned", "the setting pins it");
    if (verdict.kind === "failed" && verdict.error !== undefined) throw verdict.error;
    if (verdict.kind === "legacy" && verdict.failure !== undefined) throw verdict.failure;
    const reason = verdict.kind === "legacy" ? verdict.reason : this.#record.lastOutcome;
    throw this.#error("pinned-revision", { pinned: MODERN_REVISION, reason });
  }

  async #pinnedLegacy(channel: Channel, protocol: "legacy" | AnyRevision): Promise<Negotiated> {
    const pinned = protocol === "legacy" ? undefined : protocol;
    const start = await this.#initialize(channel, {
      offer: pinned ?? LATEST_LEGACY_REVISION,
      accepted: pinned === undefined ? this.#accepted : [pinned],
      mayRetry: pinned === undefined,
    }).catch((error: unknown) => {
      const reason = explainOtherRevision(error);
      throw reason === undefined ? error : this.#error("pinned-revision", { pinned: protocol, reason });
    });
    return this.#legacy(channel, start, "pinned", "the setting pins it");
  }

  /** Uses the verdict of last time; undefined when it no longer holds. */
  async #rememberedLegacy(channel: Channel, remembered: RememberedVerdict): Promise<Negotiated | undefined> {
    const when = new Date(remembered.atMs).toISOString();
    this.#record.step("remembered", `It spoke ${remembered.revision} on ${when}.`);
    try {
      const offer = this.#accepted.includes(remembered.revision)
        ? remembered.revision
        : LATEST_LEGACY_REVISION;
      const start = await this.#initialize(channel, { offer, accepted: this.#accepted, mayRetry: true });
      return await this.#legacy(channel, start, "remembered", `it was a legacy server on ${when}`);
    } catch (error) {
      // Only an answer of the server can disprove the memory; an outage is an outage.
      const answered =
        error instanceof RpcError ||
        (error instanceof EngineError && (error.httpStatus !== undefined || isDisproof(error)));
      if (!answered || this.#options.signal.aborted) throw error;
      return undefined;
    }
  }

  async #unhedged(channel: Channel): Promise<Negotiated> {
    const verdict = await this.#probe(channel);
    const settled = this.#settle(channel, verdict);
    if (settled !== undefined) return settled;
    return this.#fallBack(channel, verdict);
  }

  /**
   * Probes the real process. After some silence `initialize` goes out too, because some servers start slowly and some
   * never answer an unknown method; the first meaningful answer decides.
   */
  async #hedged(channel: Channel): Promise<Negotiated> {
    const { timeouts, clock } = this.#options;
    const stop = new AbortController();
    const probing = this.#probe(channel, stop.signal);
    const first = await orAfter(clock, timeouts.hedgeMs, probing);
    if (first !== undefined) {
      return this.#settle(channel, first) ?? this.#fallBack(channel, first);
    }
    this.#record.step(
      "initialize",
      `Sent beside the probe after ${String(timeouts.hedgeMs / 1000)} s of silence.`,
    );
    return this.#race(channel, probing, stop);
  }

  /** `stop` ends whichever of the two is still waiting when the other has decided. */
  async #race(channel: Channel, probing: Promise<ProbeVerdict>, stop: AbortController): Promise<Negotiated> {
    const starting = this.#initialize(
      channel,
      { offer: LATEST_LEGACY_REVISION, accepted: this.#accepted, mayRetry: true },
      stop.signal,
    ).then(
      (start) => ({ kind: "started", start }) as const,
      (error: unknown) => ({ kind: "refused", error }) as const,
    );
    const first = await Promise.race([probing, starting]);
    if (first.kind === "started") {
      stop.abort(this.#error("cancelled", { method: "server/discover" }));
      await probing;
      return this.#legacy(
        channel,
        first.start,
        "fallback",
        "initialize was answered and server/discover was not",
      );
    }
    const verdict = first.kind === "refused" ? await probing : first;
    if (verdict.kind !== "legacy" || verdict.respawn) {
      stop.abort(this.#error("cancelled", { method: "initialize" }));
      await starting;
      return this.#settle(channel, verdict) ?? this.#fallBack(channel, verdict);
    }
    const outcome = await starting;
    if (outcome.kind === "started") return this.#legacy(channel, outcome.start, "fallback", verdict.reason);
    throw this.#neither(verdict.reason, outcome.error);
  }

  /** Ends the negotiation when the verdict is final; undefined when `initialize` is next. */
  #settle(channel: Channel, verdict: ProbeVerdict): Negotiated | undefined {
    switch (verdict.kind) {
      case "modern":
        return this.#modern(channel, verdict.discover, "probed", "server/discover was answered");
      case "disjoint":
        throw this.#error("no-common-revision", {
          theirs: verdict.theirs === "" ? "no revision that it names" : verdict.theirs,
          ours: [MODERN_REVISION, ...this.#accepted].join(", "),
        });
      case "failed":
        throw verdict.error ?? this.#error("neither-era", { reason: this.#record.lastOutcome });
      case "again":
        throw this.#error("invalid-result", {
          method: "server/discover",
          reason: `it refuses ${MODERN_REVISION} and lists it as supported`,
        });
      case "legacy":
        return undefined;
    }
  }

  async #fallBack(channel: Channel, verdict: ProbeVerdict): Promise<Negotiated> {
    if (verdict.kind !== "legacy") throw this.#error("neither-era", { reason: this.#record.lastOutcome });
    const { remembered } = this.#options;
    if (remembered?.era === "modern") {
      if (verdict.failure !== undefined) throw verdict.failure;
      throw this.#error("was-modern", {
        revision: remembered.revision,
        until: new Date(remembered.atMs).toISOString().slice(0, 10),
      });
    }
    let live = channel;
    if (verdict.respawn) {
      await channel.close();
      live = await this.#open();
    }
    try {
      const start = await this.#initialize(live, {
        offer: verdict.offer ?? LATEST_LEGACY_REVISION,
        accepted: this.#accepted,
        mayRetry: true,
      });
      return await this.#legacy(live, start, "fallback", verdict.reason);
    } catch (error) {
      throw this.#neither(verdict.reason, error);
    }
  }

  /** The handshake's own error says most, unless it only says that this is no MCP server either. */
  #neither(probeReason: string, error: unknown): unknown {
    const isAnswer =
      error instanceof RpcError ||
      (error instanceof EngineError &&
        (error.code === "http-status" || error.code === "not-json-rpc" || error.code === "timeout"));
    if (!isAnswer) return error;
    const detail = error instanceof EngineError ? error.detail : undefined;
    return new EngineError(
      "neither-era",
      { server: this.#options.serverName, reason: `${probeReason}; initialize failed: ${errorText(error)}` },
      { cause: error, detail, httpStatus: error.httpStatus },
    );
  }

  async #open(): Promise<Channel> {
    this.#record.processes += 1;
    this.#channel = await this.#options.openChannel();
    return this.#channel;
  }

  /** Asks `server/discover`, twice when the server asks for the same revision again. */
  async #probe(channel: Channel, stop?: AbortSignal): Promise<ProbeVerdict> {
    const { transport, clientInfo, extensions, timeouts } = this.#options;
    const signal = stop === undefined ? this.#options.signal : AbortSignal.any([this.#options.signal, stop]);
    for (let attempt = 1; ; attempt += 1) {
      const outcome: ProbeOutcome = await probe(channel, {
        clientInfo,
        extensions,
        limitMs: timeouts.probeMs,
        signal,
      });
      this.#record.roundTrips += 1;
      const verdict = classifyProbe(outcome, { transport, accepted: this.#accepted });
      this.#record.probe(outcome, verdict);
      // An access error or a modern error is the server's own word, which says more than ours.
      if (verdict.kind === "failed" && verdict.error === undefined && outcome.kind === "error") {
        return { kind: "failed", error: new RpcError("server/discover", outcome.error, outcome.httpStatus) };
      }
      if (verdict.kind !== "again" || attempt > 1) return verdict;
    }
  }

  async #initialize(
    channel: Channel,
    how: Pick<InitializeOptions, "offer" | "accepted" | "mayRetry">,
    also?: AbortSignal,
  ): Promise<LegacyStart> {
    const { clientInfo, extensions, modes, timeouts, signal } = this.#options;
    return initialize(channel, {
      ...how,
      clientInfo,
      extensions,
      modes,
      limitMs: timeouts.connectMs,
      signal: also === undefined ? signal : AbortSignal.any([signal, also]),
      onStep: (outcome) => {
        this.#record.roundTrips += 1;
        this.#record.step("initialize", outcome);
      },
    });
  }

  #modern(channel: Channel, discover: DiscoverResult, how: Negotiation["how"], reason: string): Negotiated {
    const { clientInfo, extensions } = this.#options;
    const session = new ModernSession(channel, clientInfo, discover, extensions);
    return { session, negotiation: this.#record.finish(session.facts, how, reason) };
  }

  async #legacy(
    channel: Channel,
    start: LegacyStart,
    how: Negotiation["how"],
    reason: string,
  ): Promise<Negotiated> {
    const { modes, limits, timeouts, unrelatedAsker, use, log, serverName } = this.#options;
    const { clientInfo, extensions } = this.#options;
    // Whoever has no legacy server does not load what they ask for on their own.
    const { LegacySession } = await import("./legacy/legacySession.ts");
    const { ServerRequests } = await import("./legacy/serverRequests.ts");
    const session = new LegacySession({
      channel,
      start,
      inputBytes: limits.inputBytes,
      initialize: (revision, signal) =>
        initialize(channel, {
          offer: revision,
          accepted: [revision],
          mayRetry: false,
          clientInfo,
          extensions,
          modes,
          limitMs: timeouts.connectMs,
          signal,
          onStep: () => undefined,
        }),
      serverRequests: new ServerRequests({
        log,
        serverName,
        inputBytes: limits.inputBytes,
        revision: start.facts.revision,
        unrelated: unrelatedAsker,
        use,
      }),
    });
    await session.ready();
    return { session, negotiation: this.#record.finish(session.facts, how, reason) };
  }

  #error(code: ConstructorParameters<typeof EngineError>[0], args: Record<string, string>): EngineError {
    return new EngineError(code, { server: this.#options.serverName, ...args });
  }
}

/** An answer to `initialize` that no legacy server of an accepted revision gives. */
function isDisproof({ code }: EngineError): boolean {
  return code === "no-common-revision" || code === "invalid-result";
}

/** What the promise gives, or undefined when that takes longer. */
async function orAfter<T>(clock: Clock, delayMs: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: Disposable | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = clock.after(delayMs, () => {
      resolve(undefined);
    });
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer?.dispose();
  }
}
