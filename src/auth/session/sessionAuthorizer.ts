import { abortable } from "../../base/abortable.ts";
import { CallScope } from "../../base/callScope.ts";
import { NetError } from "../../net/netError.ts";
import type { ResponseHeaders } from "../../net/originPool.ts";
import type {
  RefusalVerdict,
  RefusedAnswer,
  RequestAuthorizer,
  RequestToAuthorize,
} from "../../net/requestAuthorizer.ts";
import type { Zone } from "../../net/zones.ts";
import { AuthError } from "../authError.ts";
import { cleanText } from "../cleanText.ts";
import { readChallenge } from "../discovery/readChallenge.ts";
import type { ChallengeFacts, TokenFacts } from "../model/facts.ts";
import type { Credential } from "../store/credential.ts";
import { type ForbiddenVerdict, judgeForbidden } from "./judgeForbidden.ts";
import { judgeUnauthorized } from "./judgeUnauthorized.ts";
import type { RenewalOutcome, Renewer } from "./renewer.ts";
import type { Saver } from "./saver.ts";
import type { SessionParts } from "./sessionParts.ts";
import { type TokenAge, tokenAge } from "./tokenAge.ts";

type Headers = Readonly<Record<string, string>>;

const NONE: Headers = {};

/** How long a request waits for a renewal while the token is good. */
const PATIENCE_MS = 3_000;

/** A refusal is no reason to renew a token more often than this: a server could have that done with every request. */
const PAUSE_MS = 30_000;

const AUTHORIZATION = /^(?:bearer|dpop) (.+)$/i;

/** Gives each request of a server the token of the moment, and decides about what the server refuses. */
export class SessionAuthorizer implements RequestAuthorizer {
  readonly #parts: SessionParts;
  readonly #saver: Saver;
  readonly #renewer: Renewer;

  /** When a token was renewed for being refused. */
  #renewedAtMs: number | undefined;

  constructor(parts: SessionParts, saver: Saver, renewer: Renewer) {
    this.#parts = parts;
    this.#saver = saver;
    this.#renewer = renewer;
  }

  get zone(): Zone | undefined {
    const { credential } = this.#parts.state.facts;
    return credential?.tokens === undefined ? undefined : credential.facts.zone;
  }

  get fakeIpRanges(): readonly string[] {
    return this.#parts.options.settings.overrides.fakeIpRanges;
  }

  /** Rejects with AuthError `refresh-unavailable` or `lock-timeout` when the token is over and there is no other now. */
  authorize(request: RequestToAuthorize, signal: AbortSignal): Headers | Promise<Headers> {
    if (!isSameEndpoint(request.url, this.#parts.options.settings.endpoint)) return NONE;
    const { syncing } = this.#saver;
    if (syncing !== undefined) return syncing.then(() => this.#authorize(request, signal));
    return this.#authorize(request, signal);
  }

  async refused(answer: RefusedAnswer, signal: AbortSignal): Promise<RefusalVerdict> {
    const challenge = readChallenge(answer.challenges);
    const sent = AUTHORIZATION.exec(answer.sent["authorization"] ?? "")?.[1];
    // Some servers say with a 401 that scopes are missing: the token is good, and no other one would do better.
    const isAboutScopes = answer.status === 403 || this.#judge(challenge, sent).kind === "lack";
    // And some answer 403 where no token was sent at all.
    const wantsToken = sent === undefined && challenge !== undefined;
    if (isAboutScopes && !wantsToken) return this.#forbidden(challenge, sent);
    return this.#unauthorized(answer, challenge, sent, signal);
  }

  answered({ url }: RequestToAuthorize, headers: ResponseHeaders): void {
    const { state } = this.#parts;
    const { credential, unproven, rejected, need } = state.facts;
    if (credential?.tokens === undefined) return;
    this.#parts.proverOf(credential.facts.dpop)?.heardNonce(url, headers);
    const { access } = credential.tokens;
    if (unproven === access) state.update({ unproven: undefined });
    if (rejected === access) state.update({ rejected: undefined });
    if (need === "zone-changed") state.update({ need: undefined });
  }

  failed(_request: RequestToAuthorize, error: Error): void {
    const isMoved = error instanceof NetError && error.code === "zone-changed";
    if (isMoved && this.zone !== undefined) this.#parts.state.update({ need: "zone-changed" });
  }

  #authorize(request: RequestToAuthorize, signal: AbortSignal): Headers | Promise<Headers> {
    const { credential } = this.#parts.state.facts;
    const tokens = credential?.tokens;
    if (credential === undefined || tokens === undefined) return NONE;
    const age = tokenAge(tokens, this.#parts.options.clock.now());
    if (age === "fresh") return this.#headersOf(request, credential, tokens);
    if (this.#canRenew(tokens)) return this.#renewed(request, tokens, age, signal);
    // The server's challenge then starts what is to be done.
    return age === "expired" ? NONE : this.#headersOf(request, credential, tokens);
  }

  async #renewed(
    request: RequestToAuthorize,
    old: TokenFacts,
    age: TokenAge,
    signal: AbortSignal,
  ): Promise<Headers> {
    const renewal = this.#renewer.renew(old, signal);
    const outcome = age === "due" ? await this.#soon(renewal, signal) : await renewal;
    const { credential } = this.#parts.state.facts;
    const tokens = credential?.tokens;
    const isGood = tokens !== undefined && tokenAge(tokens, this.#parts.options.clock.now()) !== "expired";
    if (credential !== undefined && isGood) return this.#headersOf(request, credential, tokens);
    if (outcome?.kind === "later") throw outcome.error;
    return NONE;
  }

  /** The outcome of a renewal, or undefined when it takes long: nobody waits for it who has a token that is good. */
  async #soon(renewal: Promise<RenewalOutcome>, signal: AbortSignal): Promise<RenewalOutcome | undefined> {
    const scope = new CallScope({
      clock: this.#parts.options.clock,
      maximumMs: PATIENCE_MS,
      timeoutError: () => new Error("not yet"),
    });
    try {
      return await abortable(renewal, scope.signal);
    } catch {
      signal.throwIfAborted();
      return undefined;
    } finally {
      scope.dispose();
    }
  }

  #headersOf(
    request: RequestToAuthorize,
    { facts }: Credential,
    { access, type }: TokenFacts,
  ): Headers | Promise<Headers> {
    if (type === "bearer") return { authorization: `Bearer ${access}` };
    const prover = this.#parts.proverOf(facts.dpop);
    if (prover === undefined) return NONE;
    return prover
      .proof({ method: request.method, url: request.url, accessToken: access })
      .then((dpop) => ({ authorization: `DPoP ${access}`, dpop }));
  }

  async #unauthorized(
    answer: RefusedAnswer,
    challenge: ChallengeFacts | undefined,
    sent: string | undefined,
    signal: AbortSignal,
  ): Promise<RefusalVerdict> {
    const { state } = this.#parts;
    const hasNewNonce = this.#hasNewNonce(answer, challenge);
    if (!hasNewNonce) state.update({ challenge });
    await this.#saver.sync();
    const tokens = this.#usable();
    const { unproven, rejected } = state.facts;
    const verdict = judgeUnauthorized({
      sent,
      current: tokens?.access,
      unproven,
      rejected,
      canRenew: this.#canRenew(tokens),
      hasNewNonce,
      isJustRenewed: this.#isJustRenewed(),
    });
    switch (verdict) {
      case "again":
        return { kind: "renewed" };
      case "renew":
        return this.#renewRefused(tokens, signal);
      case "wait":
        return refused(this.#notAgain());
      case "reject":
        state.update({ rejected: sent });
        return this.#signInNeeded();
      case "ask":
        if (state.facts.credential?.tokens === undefined) state.update({ need: state.facts.need ?? "first" });
        return this.#signInNeeded();
    }
  }

  async #renewRefused(old: TokenFacts | undefined, signal: AbortSignal): Promise<RefusalVerdict> {
    const { state } = this.#parts;
    const outcome = await this.#renewer.renew(old, signal);
    if (outcome.kind === "renewed") {
      this.#renewedAtMs = this.#parts.options.clock.now();
      state.update({ unproven: state.facts.credential?.tokens?.access });
      return { kind: "renewed" };
    }
    if (outcome.kind === "gone") {
      if (old !== undefined && state.facts.credential?.tokens?.access === old.access)
        state.update({ rejected: old.access });
      else state.update({ need: state.facts.need ?? "first" });
    }
    return { kind: "refused", error: outcome.error };
  }

  #judge(challenge: ChallengeFacts | undefined, sent: string | undefined): ForbiddenVerdict {
    return judgeForbidden(
      challenge,
      sent === undefined ? undefined : this.#parts.state.facts.credential?.facts,
    );
  }

  #forbidden(challenge: ChallengeFacts | undefined, sent: string | undefined): RefusalVerdict {
    const { state, serverName: server } = this.#parts;
    const { credential } = state.facts;
    const verdict = this.#judge(challenge, sent);
    switch (verdict.kind) {
      case "other":
        return { kind: "unknown" };
      case "lack": {
        state.update({ lack: verdict.lack });
        const missing = shortly(verdict.lack.missing);
        return refused(new AuthError("insufficient-scope", { server, missing }));
      }
      case "unnamed":
        return refused(new AuthError("insufficient-scope-unnamed", { server }));
      case "granted": {
        // The token of before may not have had them: nothing is wrong with the server then.
        if (sent !== credential?.tokens?.access) return { kind: "unknown" };
        const required = shortly(verdict.required);
        return refused(new AuthError("scope-already-granted", { server, required }));
      }
      case "withheld": {
        const issuer = credential?.facts.issuer.issuer ?? "";
        const scopes = shortly(verdict.missing);
        return refused(new AuthError("scope-withheld", { server, issuer, scopes }));
      }
    }
  }

  #hasNewNonce({ request, headers, sent }: RefusedAnswer, challenge: ChallengeFacts | undefined): boolean {
    const prover = this.#parts.proverOf(this.#parts.state.facts.credential?.facts.dpop);
    const isNew = prover?.heardNonce(request.url, headers, sent["dpop"]) === true;
    return isNew && challenge?.error === "use_dpop_nonce";
  }

  /** The tokens that a request gets now, or that would be renewed for it. */
  #usable(): TokenFacts | undefined {
    const tokens = this.#parts.state.facts.credential?.tokens;
    if (tokens === undefined || this.#canRenew(tokens)) return tokens;
    return tokenAge(tokens, this.#parts.options.clock.now()) === "expired" ? undefined : tokens;
  }

  #canRenew(tokens: TokenFacts | undefined): boolean {
    const { isUnattended, state } = this.#parts;
    if (isUnattended) return state.facts.need !== "signed-out";
    return tokens?.refresh !== undefined;
  }

  #isJustRenewed(): boolean {
    const sinceMs = this.#parts.options.clock.now() - (this.#renewedAtMs ?? Number.NEGATIVE_INFINITY);
    return sinceMs >= 0 && sinceMs < PAUSE_MS;
  }

  #notAgain(): AuthError {
    const { serverName: server, state } = this.#parts;
    const issuer = state.facts.credential?.facts.issuer.issuer ?? "";
    const reason = "it was renewed a moment ago, and the server takes and refuses it in turn";
    return new AuthError("refresh-unavailable", { server, issuer, reason });
  }

  #signInNeeded(): RefusalVerdict {
    return refused(new AuthError("sign-in-needed", { server: this.#parts.serverName }));
  }
}

/** Scopes for a message: a server may name many, and long ones. */
function shortly(scopes: readonly string[]): string {
  return cleanText(scopes.join(" "));
}

function refused(error: Error): RefusalVerdict {
  return { kind: "refused", error };
}

/** A redirect within the origin may add or drop a slash at the end; anywhere else is not where the token belongs. */
function isSameEndpoint(url: URL, endpoint: URL): boolean {
  return url.origin === endpoint.origin && withoutSlash(url.pathname) === withoutSlash(endpoint.pathname);
}

function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}
