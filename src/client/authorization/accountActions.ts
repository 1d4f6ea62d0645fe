import type { SignInWish, SignOutOutcome } from "../../auth/model/authSession.ts";
import type { AuthReport, AuthStatus } from "../../auth/model/authStatus.ts";
import type { ConnectWish } from "../connectAttempt.ts";
import { resolveApproved } from "../establish.ts";
import type { LiveServer } from "../liveServer.ts";
import type { ServerConfig } from "../serverConfig.ts";
import type { PoolPorts } from "../serverPool.ts";
import type { ServerAuthorization } from "./serverAuthorization.ts";

/** What signing in and out needs of the server. */
export interface AccountHolder {
  readonly config: ServerConfig;
  /** The connection that stands, unless another one is being made. */
  readonly standing: LiveServer | undefined;
  connect(wish: ConnectWish, signal?: AbortSignal): Promise<void>;
  disconnect(): Promise<void>;
  /** Reads everything again that other credentials may show. */
  readAnew(): void;
}

/** What a person does about the authorization of one server. */
export class AccountActions {
  readonly #holder: AccountHolder;
  readonly #authorization: ServerAuthorization;
  readonly #ports: PoolPorts;

  constructor(holder: AccountHolder, authorization: ServerAuthorization, ports: PoolPorts) {
    this.#holder = holder;
    this.#authorization = authorization;
    this.#ports = ports;
  }

  /** How the server's requests are authorized. */
  get status(): AuthStatus | undefined {
    return this.#authorization.statusOf(this.#holder.config);
  }

  get report(): AuthReport | undefined {
    return this.#authorization.report;
  }

  /** Signs in and connects with what that gave. A connection that stands is kept until it has succeeded. */
  async signIn(wish: SignInWish, signal?: AbortSignal): Promise<void> {
    const holder = this.#holder;
    this.#authorization.checkPossible(holder.config);
    if (holder.standing === undefined) {
      await holder.connect({ interactive: true, signIn: wish }, signal);
      return;
    }
    await this.#authorization.signIn(wish, signal);
    // It may be another account, which a session of the server may be bound to.
    await holder.disconnect();
    await holder.connect({ interactive: true }, signal);
  }

  /** Asks for the scopes that the last refusal named. A connection is kept, and the refused call is not made again. */
  async stepUp(signal?: AbortSignal): Promise<void> {
    const holder = this.#holder;
    this.#authorization.checkPossible(holder.config);
    await this.#authorization.stepUp(signal);
    if (holder.standing === undefined) await holder.connect({ interactive: true }, signal);
    else holder.readAnew();
  }

  /** Disconnects, revokes where that is possible, and deletes what was kept. */
  async signOut(signal: AbortSignal = new AbortController().signal): Promise<SignOutOutcome> {
    const { config } = this.#holder;
    this.#authorization.checkPossible(config);
    await this.#holder.disconnect();
    if (!this.#authorization.hasSession) {
      const resolved = await resolveApproved({
        config,
        wish: { interactive: true },
        ports: this.#ports,
        signal,
        onStep: () => undefined,
      });
      await this.#authorization.prepare(resolved, signal);
    }
    return this.#authorization.signOut(signal);
  }
}
