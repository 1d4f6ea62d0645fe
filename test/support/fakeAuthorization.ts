import { AuthError } from "../../src/auth/authError.ts";
import type { AuthSession, SignInWish, SignOutOutcome } from "../../src/auth/model/authSession.ts";
import type { AuthReport, AuthStatus } from "../../src/auth/model/authStatus.ts";
import { trackDisposable, untrackDisposable } from "../../src/base/disposable.ts";
import { Emitter } from "../../src/base/emitter.ts";
import type {
  RefusalVerdict,
  RefusedAnswer,
  RequestAuthorizer,
  RequestToAuthorize,
} from "../../src/net/requestAuthorizer.ts";
import type { Zone } from "../../src/net/zones.ts";

/** Authorizes with a token that the test sets, and decides as the test says. */
export class FakeAuthorizer implements RequestAuthorizer {
  zone: Zone | undefined;
  /** Undefined sends none. */
  token: string | undefined;
  /** `METHOD path` of each request that was asked about, in order. */
  readonly asked: string[] = [];
  readonly refusals: RefusedAnswer[] = [];
  /** Statuses are not told: only that there was an answer, by `METHOD path`. */
  readonly answers: string[] = [];
  /** Set to make the headers come later, or to refuse them. */
  before: ((signal: AbortSignal) => Promise<void>) | undefined;
  verdict: (answer: RefusedAnswer, signal: AbortSignal) => RefusalVerdict | Promise<RefusalVerdict> = () => ({
    kind: "unknown",
  });

  authorize(
    request: RequestToAuthorize,
    signal: AbortSignal,
  ): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>> {
    this.asked.push(nameOf(request));
    return this.before === undefined ? this.#headers() : this.before(signal).then(() => this.#headers());
  }

  async refused(answer: RefusedAnswer, signal: AbortSignal): Promise<RefusalVerdict> {
    this.refusals.push(answer);
    return this.verdict(answer, signal);
  }

  answered(request: RequestToAuthorize): void {
    this.answers.push(nameOf(request));
  }

  #headers(): Readonly<Record<string, string>> {
    return this.token === undefined ? {} : { authorization: `Bearer ${this.token}` };
  }
}

function nameOf({ method, url }: RequestToAuthorize): string {
  return `${method} ${url.pathname}`;
}

/**
 * An authorization without an authorization server: signing in gives the next token, `t-1`, `t-2` and so on. A refusal
 * renews when `renews` says so, else it wants a sign-in.
 */
export class FakeSession implements AuthSession {
  readonly authorizer = new FakeAuthorizer();
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  status: AuthStatus = { kind: "none" };
  account = "nobody";
  isUnattended = false;
  /** How many refusals are still answered by a new token. */
  renews = 0;
  readonly done: string[] = [];
  /** What a sign-in waits for, or how it fails. */
  onSignIn: (wish: SignInWish, signal: AbortSignal) => Promise<void> = () => Promise.resolve();
  isDisposed = false;
  #tokens = 0;

  constructor() {
    trackDisposable(this);
    this.authorizer.verdict = ({ status, sent }) => {
      if (status === 403) return { kind: "unknown" };
      // Somebody else was refused before and has renewed it.
      const { token } = this.authorizer;
      if (token !== undefined && sent["authorization"] !== `Bearer ${token}`) return { kind: "renewed" };
      if (this.renews > 0) {
        this.renews -= 1;
        this.renew();
        return { kind: "renewed" };
      }
      this.set({ kind: "needs-sign-in", reason: this.#tokens === 0 ? "first" : "revoked" });
      return { kind: "refused", error: new AuthError("sign-in-needed", { server: "s" }) };
    };
  }

  /** Puts another token in place of the one of now, for the same account. */
  renew(): void {
    this.#tokens += 1;
    this.authorizer.token = `t-${String(this.#tokens)}`;
  }

  set(status: AuthStatus): void {
    this.status = status;
    this.#changed.fire();
  }

  /** What signing in ends in, wherever it was done. */
  adopt(account: string): void {
    this.renew();
    this.account = account;
    this.set({ kind: "signed-in", issuer: "https://as.example", scopes: [], canRefresh: true });
  }

  load(): Promise<void> {
    this.done.push("load");
    return Promise.resolve();
  }

  async signIn(wish: SignInWish, signal: AbortSignal): Promise<void> {
    this.done.push(`sign in ${JSON.stringify(wish)}`);
    await this.onSignIn(wish, signal);
    this.adopt(`account-${String(this.#tokens + 1)}`);
  }

  stepUp(): Promise<void> {
    this.done.push("step up");
    this.adopt(`account-${String(this.#tokens + 1)}`);
    return Promise.resolve();
  }

  signOut(): Promise<SignOutOutcome> {
    this.done.push("sign out");
    this.authorizer.token = undefined;
    this.account = "nobody";
    this.set({ kind: "needs-sign-in", reason: "signed-out" });
    return Promise.resolve({ kind: "revoked" });
  }

  report(): AuthReport {
    return {
      serverName: "s",
      endpoint: "https://mcp.example/mcp",
      status: this.status,
      grant: "authorization_code",
      overrides: { assumePkceS256: false, fakeIpRanges: [] },
      store: "memory",
    };
  }

  dispose(): void {
    untrackDisposable(this);
    this.isDisposed = true;
    this.#changed.dispose();
  }
}
