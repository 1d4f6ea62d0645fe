import { AuthError } from "../auth/authError.ts";
import type { SignInWish } from "../auth/model/authSession.ts";
import { abortable } from "../base/abortable.ts";
import type { EngineError } from "../protocol/engineError.ts";
import { ClientError } from "./clientError.ts";

/** Who wants a connection. */
export interface ConnectWish {
  /** False when nobody asked for the server just now, so that nobody is asked to approve it. */
  readonly interactive: boolean;
  /** True when the server is started again on its own: then nobody is asked for anything. */
  readonly isRestart?: boolean;
  /** Set when a person wants to sign in, whether the server asks for that or not. */
  readonly signIn?: SignInWish;
}

export interface ConnectAttemptOptions {
  readonly wish: ConnectWish;
  /** Connects, until the signal is aborted. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly onOver: () => void;
  readonly cancelled: () => EngineError;
}

/** One attempt to connect, with all who wait for it. */
export class ConnectAttempt {
  readonly wish: ConnectWish;
  readonly #abort = new AbortController();
  readonly #promise: Promise<void>;
  readonly #cancelled: () => EngineError;
  #isOver = false;
  /** Callers that have not given up; with the last of them the attempt ends. */
  #waiting = 0;

  constructor({ wish, run, onOver, cancelled }: ConnectAttemptOptions) {
    this.wish = wish;
    this.#cancelled = cancelled;
    this.#promise = run(this.#abort.signal).finally(() => {
      this.#isOver = true;
      onOver();
    });
    // Callers that gave up do not hear how it ended.
    this.#promise.catch(() => undefined);
  }

  get isAborted(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Ends the attempt; those who wait for it hear that it was cancelled. */
  abort(): void {
    this.#abort.abort(this.#cancelled());
  }

  /** Resolves when the attempt is over, however it ended. */
  async over(): Promise<void> {
    await this.#promise.catch(() => undefined);
  }

  /** Resolves when connected; rejects with the problem, or when the caller gives up. */
  async join(signal?: AbortSignal): Promise<void> {
    this.#waiting += 1;
    try {
      await (signal === undefined ? this.#promise : abortable(this.#promise, signal));
    } catch (error) {
      throw signal?.aborted === true ? this.#cancelled() : error;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#isOver) this.abort();
    }
  }
}

/** True when an attempt failed for want of a person to ask. */
export function wasUnasked(error: unknown, wish: ConnectWish): boolean {
  if (error instanceof AuthError)
    return error.code === "sign-in-needed" && (!wish.interactive || wish.isRestart === true);
  if (!(error instanceof ClientError)) return false;
  if (error.code === "unset-variable") return wish.isRestart === true;
  return error.code === "not-approved" && !wish.interactive;
}
