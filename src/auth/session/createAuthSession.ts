import { randomUUID } from "node:crypto";
import { abortable } from "../../base/abortable.ts";
import type { Timer } from "../../base/clock.ts";
import { DisposableStore, trackDisposable, untrackDisposable } from "../../base/disposable.ts";
import { errorText } from "../../base/errors.ts";
import type { Event } from "../../base/emitter.ts";
import type { AuthSession, SignInWish, SignOutOutcome } from "../model/authSession.ts";
import type { AuthReport, AuthStatus } from "../model/authStatus.ts";
import type { AuthSessionOptions } from "./authSessionOptions.ts";
import { Renewer } from "./renewer.ts";
import { Saver } from "./saver.ts";
import { SessionAuthorizer } from "./sessionAuthorizer.ts";
import { SessionParts } from "./sessionParts.ts";
import { showReport } from "./showReport.ts";
import { showStatus } from "./showStatus.ts";
import { Signer } from "./signer.ts";
import { signOut } from "./signOut.ts";
import { tellSettingsSecrets } from "./tellSecrets.ts";

/** The authorization of one server. The caller disposes it; new settings need a new one. */
export function createAuthSession(options: AuthSessionOptions): AuthSession {
  return new Session(options);
}

/** Timers cannot be set for longer than 24.8 days. */
const MAX_TIMER_MS = 2_000_000_000;

class Session implements AuthSession {
  readonly authorizer: SessionAuthorizer;
  readonly onDidChange: Event<void>;
  readonly #parts: SessionParts;
  readonly #saver: Saver;
  readonly #signer: Signer;
  readonly #owned = new DisposableStore();
  #expiry: { readonly atMs: number; readonly timer: Timer } | undefined;

  constructor(options: AuthSessionOptions) {
    tellSettingsSecrets(options.settings, (value) => {
      options.onSecret(value);
    });
    this.#parts = new SessionParts(options, randomUUID());
    const { state, keeper } = this.#parts;
    this.#saver = new Saver(this.#parts);
    const renewer = new Renewer(this.#parts, this.#saver);
    this.#signer = new Signer(this.#parts, this.#saver, renewer);
    this.authorizer = new SessionAuthorizer(this.#parts, this.#saver, renewer);
    this.onDidChange = state.onDidChange;
    this.#owned.add(state);
    this.#owned.add(this.#saver);
    this.#owned.add(
      state.onDidChange(() => {
        this.#watchExpiry();
      }),
    );
    this.#owned.add(
      keeper.onDidChange(() => {
        void this.#saver.sync();
      }),
    );
    trackDisposable(this);
  }

  get status(): AuthStatus {
    const { state, options, isUnattended } = this.#parts;
    return showStatus(state.facts, isUnattended, options.clock.now());
  }

  get account(): string {
    return this.#parts.state.facts.credential?.account ?? "";
  }

  get isUnattended(): boolean {
    return this.#parts.isUnattended;
  }

  async load(signal: AbortSignal): Promise<void> {
    try {
      await abortable(this.#load(), signal);
    } catch (error) {
      this.#parts.options.log.write("warn", `The stored credential was not read: ${errorText(error)}`);
    }
  }

  signIn(wish: SignInWish, signal: AbortSignal): Promise<void> {
    return this.#signer.signIn(wish, signal);
  }

  stepUp(signal: AbortSignal): Promise<void> {
    return this.#signer.stepUp(signal);
  }

  signOut(signal: AbortSignal): Promise<SignOutOutcome> {
    this.#signer.cancel();
    return signOut(this.#parts, this.#saver, signal);
  }

  report(): AuthReport {
    const { settings, store } = this.#parts.options;
    return showReport(settings, this.status, store.kind, this.#parts.state.facts.credential);
  }

  dispose(): void {
    untrackDisposable(this);
    this.#signer.cancel();
    this.#expiry?.timer.dispose();
    this.#expiry = undefined;
    this.#owned.dispose();
  }

  async #load(): Promise<void> {
    const { keeper, state } = this.#parts;
    const stored = await keeper.read();
    if (stored.kind !== "unusable") {
      this.#saver.apply(stored);
      return;
    }
    // What is in use came into being here, after that.
    if (state.facts.credential === undefined) await this.#saver.remove(stored.why);
  }

  /** A token that ends without another one changes the status with nobody doing anything. */
  #watchExpiry(): void {
    const { state, options } = this.#parts;
    const atMs = this.#owned.isDisposed ? undefined : state.facts.credential?.tokens?.expiresAtMs;
    if (atMs === this.#expiry?.atMs) return;
    this.#expiry?.timer.dispose();
    this.#expiry = undefined;
    const inMs = (atMs ?? 0) - options.clock.now();
    if (atMs === undefined || inMs <= 0 || inMs > MAX_TIMER_MS) return;
    const timer = options.clock.after(inMs, () => {
      state.noteTime();
    });
    this.#expiry = { atMs, timer };
  }
}
