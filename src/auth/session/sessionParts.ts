import { errorText } from "../../base/errors.ts";
import type { Zone } from "../../net/zones.ts";
import type { DpopProver } from "../dpop/dpopProver.ts";
import type { AuthContext } from "../model/authContext.ts";
import type { DpopKey, EarlierSignIn } from "../model/facts.ts";
import type { TokenClient } from "../token/tokenClient.ts";
import { RecordKeeper } from "../store/recordKeeper.ts";
import type { AuthSessionOptions } from "./authSessionOptions.ts";
import { type AuthSteps, authSteps } from "./authSteps.ts";
import { SessionState } from "./sessionState.ts";
import { tellCredentialSecrets } from "./tellSecrets.ts";

/** What all parts of one session share. */
export class SessionParts {
  readonly options: AuthSessionOptions;
  readonly steps: AuthSteps;
  readonly state: SessionState;
  readonly keeper: RecordKeeper;
  /** Names this session in what it writes. */
  readonly writer: string;
  #prover: { readonly id: unknown; readonly prover: DpopProver } | undefined;

  constructor(options: AuthSessionOptions, writer: string) {
    const { store, clock, log, scope, installationId, settings } = options;
    this.options = options;
    this.writer = writer;
    this.steps = { ...authSteps, ...options.steps };
    this.state = new SessionState((credential) => {
      tellCredentialSecrets(credential, (value) => {
        options.onSecret(value);
      });
    });
    this.keeper = new RecordKeeper({ store, clock, log, binding: { scope, installationId, settings } });
  }

  get serverName(): string {
    return this.options.settings.serverName;
  }

  get isUnattended(): boolean {
    return this.options.settings.grant.kind !== "authorization_code";
  }

  /** The context for what is done in the boundary of one zone. */
  contextIn(
    { zone, proxy }: { readonly zone: Zone; readonly proxy?: string | undefined },
    signal: AbortSignal,
  ): AuthContext {
    const { settings, network, clock, log } = this.options;
    return { settings, network, zone, clock, log, signal, ...(proxy === undefined ? {} : { proxy }) };
  }

  /** The token endpoint of an earlier sign-in: as its issuer published it then, and in the zone of then. */
  tokenClientOf(facts: EarlierSignIn, signal: AbortSignal): TokenClient {
    const { issuer, client, dpop } = facts;
    return this.steps.createTokenClient(this.contextIn(facts, signal), issuer, client, this.proverOf(dpop));
  }

  /**
   * Runs something alone among all windows, or, when the lock cannot be had, all the same: for what a person has done
   * and what must not be lost. Rejects only as the work does.
   */
  async runAlone<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    let begun: Promise<T> | undefined;
    try {
      return await this.options.lock.run(this.keeper.key, () => (begun = work()), signal);
    } catch (error) {
      if (begun !== undefined) return begun;
      this.options.log.write("warn", `Another window may be busy with the credential: ${errorText(error)}`);
      return work();
    }
  }

  /** One prover for one key, because it remembers what nonces the servers want. */
  proverOf(key: DpopKey | undefined): DpopProver | undefined {
    if (key === undefined) return undefined;
    // The same key comes back from the store as another object.
    const id = key.jwk["x"];
    if (this.#prover !== undefined && this.#prover.id === id) return this.#prover.prover;
    const prover = this.steps.createDpopProver(key, this.options.clock);
    this.#prover = { id, prover };
    return prover;
  }
}
