import type { Zone } from "../../net/zones.ts";
import { AuthError } from "../authError.ts";
import type { SignInWish } from "../model/authSession.ts";
import type { AuthContext } from "../model/authContext.ts";
import type { SignedIn } from "../model/facts.ts";
import { UnusedClient } from "../signIn/unusedClient.ts";
import { signedInAnew } from "./newCredential.ts";
import { probe } from "./probe.ts";
import type { Renewer } from "./renewer.ts";
import type { Saver } from "./saver.ts";
import type { SessionParts } from "./sessionParts.ts";
import type { ScopeLack } from "./sessionState.ts";
import { SharedRun } from "./sharedRun.ts";

/** Signs in, once at a time. What was signed in before stays in use until the new sign-in has succeeded. */
export class Signer {
  readonly #parts: SessionParts;
  readonly #saver: Saver;
  readonly #renewer: Renewer;
  /** A person who closed everything is asked nothing more. */
  readonly #run = new SharedRun<void>("abort");
  readonly #unused = new UnusedClient();

  constructor(parts: SessionParts, saver: Saver, renewer: Renewer) {
    this.#parts = parts;
    this.#saver = saver;
    this.#renewer = renewer;
  }

  signIn(wish: SignInWish, signal: AbortSignal): Promise<void> {
    const work = (flight: AbortSignal): Promise<void> => this.#signIn(wish, undefined, flight);
    // Whoever says how to sign in has often just seen the one under way get stuck in the browser.
    return isPlain(wish) ? this.#run.join(work, signal) : this.#run.replace(work, signal, this.#declined());
  }

  /** Does nothing when no refusal named scopes since the last sign-in. */
  async stepUp(signal: AbortSignal): Promise<void> {
    const { lack } = this.#parts.state.facts;
    if (lack === undefined) return;
    await this.#run.join((flight) => this.#signIn({}, lack, flight), signal);
  }

  /** Ends a sign-in under way. */
  cancel(): void {
    this.#run.abort(this.#declined());
  }

  #declined(): AuthError {
    return new AuthError("sign-in-declined", { server: this.#parts.serverName });
  }

  async #signIn(wish: SignInWish, lack: ScopeLack | undefined, signal: AbortSignal): Promise<void> {
    const { state, options, steps } = this.#parts;
    state.update({ signingInSinceMs: options.clock.now() });
    try {
      steps.checkAuthSettings(options.settings);
      this.#renewer.resume();
      await this.#saver.sync();
      signal.throwIfAborted();
      // Where the server is now: a person who signs in anew is shown it, and it is the boundary from then on.
      const where = await options.network.zoneOf(options.settings.endpoint, signal, { isBoundary: true });
      if (lack !== undefined) this.#checkZone(where.zone);
      const signedIn = await this.#getTokens(this.#parts.contextIn(where, signal), wish, lack);
      // Signing out meanwhile was the last word.
      signal.throwIfAborted();
      await this.#keep(signedIn);
    } finally {
      state.update({ signingInSinceMs: undefined });
    }
  }

  async #getTokens(context: AuthContext, wish: SignInWish, lack: ScopeLack | undefined): Promise<SignedIn> {
    const { state, options, steps, isUnattended } = this.#parts;
    const before = state.facts.credential?.facts;
    if (lack !== undefined) {
      const { challenge, scopes, missing: added } = lack;
      if (isUnattended) return steps.getUnattended(context, { ...challenge, scopes }, before);
      return steps.signIn(context, options.ports, {
        challenge,
        wish,
        before,
        stepUp: { scopes, added },
      });
    }
    const challenge = state.facts.challenge ?? (await probe(context));
    if (isUnattended) return steps.getUnattended(context, challenge, before);
    return steps.signIn(context, options.ports, { challenge, wish, before, unused: this.#unused });
  }

  /** More permission is for what was signed in to, and that is where it was. Throws AuthError `zone-changed`. */
  #checkZone(actual: Zone): void {
    const expected = this.#parts.state.facts.credential?.facts.zone;
    if (expected === undefined || expected === actual) return;
    throw new AuthError("zone-changed", { server: this.#parts.serverName, expected, actual });
  }

  /** What was got is kept, whoever has stopped waiting. Rejects with AuthError `store-failed`; it is in use then too. */
  async #keep(signedIn: SignedIn): Promise<void> {
    const { options, keeper, writer } = this.#parts;
    const failure = await this.#parts.runAlone(async () => {
      const stored = await keeper.read();
      const held = this.#parts.state.facts.credential?.rev ?? 0;
      const rev = Math.max(held, stored.kind === "usable" ? stored.credential.rev : 0) + 1;
      return this.#saver.save(signedInAnew(signedIn, rev, writer, options.clock.now()));
    }, new AbortController().signal);
    if (failure !== undefined) throw failure;
  }
}

/** True when it is left to settings and server how to sign in. */
function isPlain(wish: SignInWish): boolean {
  return wish.scopes === undefined && wish.newRegistration !== true && wish.otherAccount !== true;
}
