import type { Timer } from "../../base/clock.ts";
import type { Disposable } from "../../base/disposable.ts";
import { errorText } from "../../base/errors.ts";
import type { AuthError } from "../authError.ts";
import type { SignInReason } from "../model/authStatus.ts";
import type { Credential } from "../store/credential.ts";
import type { KeptRecord } from "../store/recordKeeper.ts";
import { compareCredentials } from "./compareCredentials.ts";
import type { SessionParts } from "./sessionParts.ts";

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

/** Brings state and store together: writes what is new here, takes over what is new there. */
export class Saver implements Disposable {
  readonly #parts: SessionParts;
  /** The account that the store has had. */
  #savedAccount: string | undefined;
  #retry: Timer | undefined;
  #retryMs = FIRST_RETRY_MS;
  #sync: Promise<void> | undefined;
  /** Counts what was done here to the store: a look at it from before that says nothing any more. */
  #epoch = 0;
  #isDisposed = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** The look at the store that is under way. */
  get syncing(): Promise<void> | undefined {
    return this.#sync;
  }

  /** Takes over what another window did. Several at once share one look at the store. Never rejects. */
  sync(): Promise<void> {
    this.#sync ??= this.#look().finally(() => {
      this.#sync = undefined;
    });
    return this.#sync;
  }

  /** Takes over what the store has, where that is newer. */
  apply(stored: KeptRecord): void {
    const { state } = this.#parts;
    const { credential, isUnsaved } = state.facts;
    const wasSaved = credential !== undefined && credential.account === this.#savedAccount;
    const comparison = compareCredentials({ credential, isUnsaved, wasSaved }, stored);
    if (comparison.kind === "adopt") {
      this.#savedAccount = comparison.credential.account;
      state.use(comparison.credential);
    } else if (comparison.kind === "drop") {
      state.forget(comparison.why);
    }
  }

  /**
   * Stores a credential, then uses it; only inside the lock. When it cannot be stored it is used all the same, because
   * the one before is no longer good, the failure is given back, and it is tried again until it succeeds.
   */
  async save(credential: Credential): Promise<AuthError | undefined> {
    const { keeper, state } = this.#parts;
    this.#epoch += 1;
    try {
      await keeper.write(credential);
    } catch (error) {
      this.#noteFailure(credential, error as AuthError);
      return error as AuthError;
    }
    this.#epoch += 1;
    this.#savedAccount = credential.account;
    this.#retryMs = FIRST_RETRY_MS;
    this.#stopRetry();
    state.use(credential);
    return undefined;
  }

  /** Deletes what is stored, and forgets what is used. Rejects with AuthError `store-delete-failed`. */
  async remove(need: SignInReason): Promise<void> {
    const { keeper, state } = this.#parts;
    this.#epoch += 1;
    this.#stopRetry();
    state.forget(need);
    try {
      await keeper.remove();
    } finally {
      this.#epoch += 1;
      this.#savedAccount = undefined;
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#stopRetry();
  }

  async #look(): Promise<void> {
    for (;;) {
      const epoch = this.#epoch;
      const stored = await this.#parts.keeper.read();
      if (epoch !== this.#epoch) continue;
      this.apply(stored);
      return;
    }
  }

  #noteFailure(credential: Credential, error: AuthError): void {
    const { state, options } = this.#parts;
    options.log.write("error", errorText(error));
    state.use(credential, true);
    state.update({ storeProblem: error.message });
    this.#stopRetry();
    if (this.#isDisposed) return;
    this.#retry = options.clock.after(this.#retryMs, () => {
      this.#retry = undefined;
      void this.#tryAgain();
    });
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
  }

  async #tryAgain(): Promise<void> {
    const { options, keeper, state } = this.#parts;
    try {
      await options.lock.run(
        keeper.key,
        async () => {
          this.apply(await keeper.read());
          const { credential, isUnsaved } = state.facts;
          if (credential !== undefined && isUnsaved) await this.save(credential);
        },
        new AbortController().signal,
      );
    } catch (error) {
      const { credential, isUnsaved } = state.facts;
      if (credential !== undefined && isUnsaved) this.#noteFailure(credential, error as AuthError);
    }
  }

  #stopRetry(): void {
    this.#retry?.dispose();
    this.#retry = undefined;
  }
}
