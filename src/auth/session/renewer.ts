import { CallScope } from "../../base/callScope.ts";
import { errorText } from "../../base/errors.ts";
import { AuthError } from "../authError.ts";
import type { TokenFacts } from "../model/facts.ts";
import type { Credential } from "../store/credential.ts";
import { refreshVerdict } from "../token/refreshVerdict.ts";
import { signedInAnew, withTokens } from "./newCredential.ts";
import type { Saver } from "./saver.ts";
import type { SessionParts } from "./sessionParts.ts";
import { SharedRun } from "./sharedRun.ts";
import { tokenAge } from "./tokenAge.ts";

/**
 * `renewed`: there is another token. `later`: it failed for a reason that may pass, and everything is kept. `gone`: there
 * will be no other token this way.
 */
export type RenewalOutcome =
  | { readonly kind: "renewed" }
  | { readonly kind: "later"; readonly error: Error }
  | { readonly kind: "gone"; readonly error: Error };

/** Shorter than the time after which a lock counts as forgotten. */
const LIMIT_MS = 25_000;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 300_000;

/**
 * Gets other tokens without a person: with the refresh token, or anew where the settings have all that it takes. Once at
 * a time among all requests of this session, and, by the lock, among all windows: whoever comes second finds the tokens
 * of the first in the store. A renewal that has begun goes on to its end whoever waits for it, because the token that it
 * was made with may be good no more.
 */
export class Renewer {
  readonly #parts: SessionParts;
  readonly #saver: Saver;
  readonly #run = new SharedRun<RenewalOutcome>("finish");
  #pause: { readonly outcome: RenewalOutcome; readonly fromMs: number; readonly untilMs: number } | undefined;
  #failures = 0;

  constructor(parts: SessionParts, saver: Saver) {
    this.#parts = parts;
    this.#saver = saver;
  }

  /** Renews a token, or gets the first one. After a failure the same answer is given for a while. */
  async renew(old: TokenFacts | undefined, signal: AbortSignal): Promise<RenewalOutcome> {
    const paused = this.#paused();
    if (paused !== undefined) {
      // Meanwhile another window may have done it.
      await this.#saver.sync();
      return this.#isRenewed(old) ? RENEWED : paused;
    }
    return this.#run.join((flight) => this.#renewWithin(old, flight), signal);
  }

  /** Forgets earlier failures: a person wants it tried now. */
  resume(): void {
    this.#pause = undefined;
    this.#failures = 0;
  }

  async #renewWithin(old: TokenFacts | undefined, signal: AbortSignal): Promise<RenewalOutcome> {
    const { options, keeper } = this.#parts;
    const scope = new CallScope({
      clock: options.clock,
      signals: [signal],
      maximumMs: LIMIT_MS,
      timeoutError: (limitMs) => this.#unavailable(`no answer within ${limitMs / 1000} s`),
    });
    try {
      const outcome = await options.lock.run(
        keeper.key,
        () => this.#renewAlone(old, scope.signal),
        scope.signal,
      );
      return this.#note(outcome);
    } catch (error) {
      return this.#note({ kind: "later", error: this.#toUnavailable(error) });
    } finally {
      scope.dispose();
    }
  }

  /** Inside the lock. */
  async #renewAlone(old: TokenFacts | undefined, signal: AbortSignal): Promise<RenewalOutcome> {
    const { keeper, state, isUnattended } = this.#parts;
    this.#saver.apply(await keeper.read());
    if (this.#isRenewed(old)) return RENEWED;
    const { credential, need } = state.facts;
    if (isUnattended && need !== "signed-out") return this.#fetch(credential, signal);
    const tokens = credential?.tokens;
    if (credential === undefined || tokens?.refresh === undefined) return this.#gone();
    return this.#refresh(credential, tokens.refresh, signal);
  }

  async #refresh(credential: Credential, refresh: string, signal: AbortSignal): Promise<RenewalOutcome> {
    const { facts, rev } = credential;
    let tokens;
    try {
      const { resource } = facts.resource;
      tokens = await this.#parts.tokenClientOf(facts, signal).refresh({ refresh, resource });
    } catch (error) {
      return this.#failed(credential, error);
    }
    return this.#keep(
      credential,
      withTokens(credential, tokens, {
        rev: rev + 1,
        writer: this.#parts.writer,
        facts: { ...facts, granted: tokens.scopes ?? facts.granted },
        refreshedAtMs: this.#parts.options.clock.now(),
      }),
    );
  }

  async #fetch(before: Credential | undefined, signal: AbortSignal): Promise<RenewalOutcome> {
    const { options, steps, state, writer } = this.#parts;
    const nowMs = options.clock.now();
    try {
      steps.checkAuthSettings(options.settings);
      const where =
        before?.facts ??
        (await options.network.zoneOf(options.settings.endpoint, signal, { isBoundary: true }));
      const context = this.#parts.contextIn(where, signal);
      const signedIn = await steps.getUnattended(context, state.facts.challenge, before?.facts);
      const fresh = signedInAnew(signedIn, (before?.rev ?? 0) + 1, writer, nowMs);
      const { account, signedInAtMs } = before ?? fresh;
      return await this.#keep(before, { ...fresh, account, signedInAtMs });
    } catch (error) {
      if (!mayPass(error)) return { kind: "gone", error: error as Error };
      // Before the first token there is none that could have expired.
      const isFirst = before === undefined && error instanceof AuthError && error.code !== "lock-timeout";
      return { kind: "later", error: isFirst ? error : this.#toUnavailable(error) };
    }
  }

  /** Stores new tokens, unless somebody signed out or signed in anew without waiting for the lock. */
  async #keep(before: Credential | undefined, renewed: Credential): Promise<RenewalOutcome> {
    const { keeper, state } = this.#parts;
    this.#saver.apply(await keeper.read());
    const { credential: now, need } = state.facts;
    const isOver = before === undefined ? need === "signed-out" : now?.account !== before.account;
    if (isOver) return now?.tokens === undefined ? this.#gone() : RENEWED;
    await this.#saver.save({ ...renewed, rev: Math.max(renewed.rev, (now?.rev ?? 0) + 1) });
    return RENEWED;
  }

  async #failed(credential: Credential, error: unknown): Promise<RenewalOutcome> {
    const verdict = refreshVerdict(error);
    if (verdict === "later") return { kind: "later", error: this.#toUnavailable(error) };
    const { keeper, state, writer, options } = this.#parts;
    options.log.write("warn", `The token cannot be renewed: ${errorText(error)}`);
    this.#saver.apply(await keeper.read());
    if (this.#isRenewed(credential.tokens)) return RENEWED;
    if (state.facts.credential === undefined) return this.#gone();
    // Settings that are wrong, say: the token that is there stays good until its end.
    if (verdict === "refused") return { kind: "gone", error: error as Error };
    if (verdict === "client-unknown") {
      await this.#saver.remove("client-unknown").catch((failure: unknown) => {
        options.log.write("error", errorText(failure));
      });
      return { kind: "gone", error: error as Error };
    }
    await this.#saver.save(withTokens(credential, undefined, { rev: credential.rev + 1, writer }));
    return this.#gone();
  }

  /** Whether there is another token than this one to be used. */
  #isRenewed(old: TokenFacts | undefined): boolean {
    const { tokens } = this.#parts.state.facts.credential ?? {};
    if (tokens === undefined || tokens.access === old?.access) return false;
    return tokenAge(tokens, this.#parts.options.clock.now()) !== "expired";
  }

  #note(outcome: RenewalOutcome): RenewalOutcome {
    const { state, options, isUnattended } = this.#parts;
    if (outcome.kind === "renewed") {
      this.resume();
      return outcome;
    }
    options.log.write("warn", errorText(outcome.error));
    const hasTokens = state.facts.credential?.tokens !== undefined;
    if (outcome.kind === "later" || isUnattended || hasTokens) {
      const fromMs = options.clock.now();
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, MAX_PAUSE_MS);
      this.#failures += 1;
      this.#pause = { outcome, fromMs, untilMs: fromMs + pauseMs };
      if (hasTokens) state.update({ refreshProblem: outcome.error.message });
    }
    return outcome;
  }

  #paused(): RenewalOutcome | undefined {
    if (this.#pause === undefined) return undefined;
    const nowMs = this.#parts.options.clock.now();
    // A clock that was set back must not make the pause longer.
    return nowMs >= this.#pause.fromMs && nowMs < this.#pause.untilMs ? this.#pause.outcome : undefined;
  }

  #gone(): RenewalOutcome {
    return { kind: "gone", error: new AuthError("sign-in-needed", { server: this.#parts.serverName }) };
  }

  #toUnavailable(error: unknown): Error {
    const server = this.#parts.serverName;
    // The lock knows its own name for the server only.
    if (error instanceof AuthError && error.code === "lock-timeout")
      return new AuthError("lock-timeout", { server });
    if (error instanceof AuthError && error.code === "refresh-unavailable") return error;
    return this.#unavailable(errorText(error));
  }

  #unavailable(reason: string): AuthError {
    const issuer = this.#parts.state.facts.credential?.facts.issuer.issuer ?? "";
    return new AuthError("refresh-unavailable", { server: this.#parts.serverName, issuer, reason });
  }
}

const RENEWED: RenewalOutcome = { kind: "renewed" };

/** Errors of the network, and of servers that say so themselves; what is wrong with settings or metadata stays wrong. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof AuthError)) return true;
  return (
    error.code === "refresh-unavailable" ||
    error.code === "token-unavailable" ||
    error.code === "issuer-unavailable" ||
    error.code === "exchange-uncertain" ||
    error.code === "lock-timeout"
  );
}
