import type { Disposable } from "../../base/disposable.ts";
import { Emitter, type Event } from "../../base/emitter.ts";
import type { SignInReason } from "../model/authStatus.ts";
import type { ChallengeFacts } from "../model/facts.ts";
import type { Credential } from "../store/credential.ts";

/** Scopes that a refusal wants, and what would be asked for. */
export interface ScopeLack {
  readonly challenge: ChallengeFacts;
  /** What the refusal named. */
  readonly required: readonly string[];
  /** What is not granted of it. */
  readonly missing: readonly string[];
  /** Everything that a step-up asks for. */
  readonly scopes: readonly string[];
}

/** What a session knows. */
export interface SessionFacts {
  /** What is used; undefined when nobody is signed in. */
  readonly credential: Credential | undefined;
  /** True while the store does not have the credential as it is. */
  readonly isUnsaved: boolean;
  /** Why signing in is needed, though there may be a credential. */
  readonly need: SignInReason | undefined;
  /** The last challenge that came for want of a credential: the next sign-in starts from it. */
  readonly challenge: ChallengeFacts | undefined;
  readonly lack: ScopeLack | undefined;
  /** The access token that was got because of a refusal, until the server has taken it. */
  readonly unproven: string | undefined;
  /** The access token that the server refuses though it is new, or cannot be renewed. */
  readonly rejected: string | undefined;
  readonly signingInSinceMs: number | undefined;
  readonly refreshProblem: string | undefined;
  readonly storeProblem: string | undefined;
}

const NOTHING: SessionFacts = {
  credential: undefined,
  isUnsaved: false,
  need: undefined,
  challenge: undefined,
  lack: undefined,
  unproven: undefined,
  rejected: undefined,
  signingInSinceMs: undefined,
  refreshProblem: undefined,
  storeProblem: undefined,
};

/** The one state of a session. Everybody reads it, and changes it here. */
export class SessionState implements Disposable {
  #facts = NOTHING;
  readonly #emitter = new Emitter<void>();
  readonly #onCredential: (credential: Credential) => void;

  /** `onCredential` sees each credential before it is used. */
  constructor(onCredential: (credential: Credential) => void) {
    this.#onCredential = onCredential;
  }

  get facts(): SessionFacts {
    return this.#facts;
  }

  readonly onDidChange: Event<void> = (listener) => this.#emitter.event(listener);

  update(change: Partial<SessionFacts>): void {
    const next = { ...this.#facts, ...change };
    const names = Object.keys(next) as (keyof SessionFacts)[];
    if (names.every((name) => next[name] === this.#facts[name])) return;
    if (next.credential !== undefined && next.credential !== this.#facts.credential)
      this.#onCredential(next.credential);
    this.#facts = next;
    this.#emitter.fire();
  }

  /** Time has passed that changes what is shown. */
  noteTime(): void {
    this.#emitter.fire();
  }

  /** A credential takes the place of the one before: what was known of that one is over. */
  use(credential: Credential, isUnsaved = false): void {
    const before = this.#facts.credential;
    const isSameToken = before?.tokens?.access === credential.tokens?.access;
    const isSameAccount = before?.account === credential.account;
    this.update({
      credential,
      isUnsaved,
      refreshProblem: undefined,
      need: credential.tokens === undefined ? "revoked" : undefined,
      ...(isSameToken ? {} : { unproven: undefined, rejected: undefined }),
      ...(isSameAccount ? {} : { lack: undefined, challenge: undefined }),
      ...(isUnsaved ? {} : { storeProblem: undefined }),
    });
  }

  /** Nobody is signed in any more. */
  forget(need: SignInReason | undefined): void {
    this.update({
      credential: undefined,
      isUnsaved: false,
      need,
      lack: undefined,
      unproven: undefined,
      rejected: undefined,
      refreshProblem: undefined,
      storeProblem: undefined,
    });
  }

  dispose(): void {
    this.#emitter.dispose();
  }
}
