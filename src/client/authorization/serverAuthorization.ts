import { AuthError } from "../../auth/authError.ts";
import type { AuthSession, SignInWish, SignOutOutcome } from "../../auth/model/authSession.ts";
import type { AuthReport, AuthStatus } from "../../auth/model/authStatus.ts";
import { CallScope } from "../../base/callScope.ts";
import type { Clock } from "../../base/clock.ts";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import type { RequestAuthorizer } from "../../net/requestAuthorizer.ts";
import { authorizationFingerprint } from "../authorizationFingerprint.ts";
import { ClientError } from "../clientError.ts";
import { withoutFollowed } from "../needsNewConnection.ts";
import type { ResolvedConfig, ServerConfig } from "../serverConfig.ts";
import type { PoolPorts } from "../serverPool.ts";
import { authorizationKind } from "./authorizationKind.ts";
import { createExternalAuthorizer } from "./externalAuthorizer.ts";

/** How long a person may take to sign in, in minutes. */
const SIGN_IN_MINUTES = 10;

export interface ServerAuthorizationOptions {
  readonly serverId: string;
  readonly clock: Clock;
  readonly ports: Pick<PoolPorts, "authorize" | "authorizationSettings">;
  /** The status changed. */
  readonly onDidChange: () => void;
  /**
   * There are credentials, and what was refused before may be allowed now. `isOther` when somebody else is signed in than
   * before, and not by `signIn` or `stepUp`.
   */
  readonly onSignedIn: (isOther: boolean) => void;
}

/**
 * The authorization of one server through all of its connections: the session that is kept as long as its definition,
 * filled in, is the same; or the credential of the settings; or nothing.
 */
export class ServerAuthorization implements Disposable {
  readonly #options: ServerAuthorizationOptions;
  /** What belongs to the session, and the session itself. */
  #owned: DisposableStore | undefined;
  #session: AuthSession | undefined;
  /** Names the definition that was prepared last, with its values. */
  #definition = "";
  #account = "";
  #isRejected = false;
  /** Sign-ins of this window under way. */
  #own = 0;
  #preparing: Promise<unknown> = Promise.resolve();
  #disposed = false;

  constructor(options: ServerAuthorizationOptions) {
    this.#options = options;
  }

  /** How the requests of a server with this definition are authorized. */
  statusOf(config: ServerConfig): AuthStatus | undefined {
    switch (authorizationKind(config)) {
      case "none":
        return undefined;
      case "external":
        return { kind: "external", isRejected: this.#isRejected };
      case "session":
        if (this.#options.ports.authorize === undefined) return undefined;
        return this.#session?.status ?? { kind: "none" };
    }
  }

  /** Names what requests are authorized with now. Nothing of a secret can be read from it. */
  get fingerprint(): string {
    return `${this.#definition} ${this.#session?.account ?? ""}`;
  }

  get report(): AuthReport | undefined {
    return this.#session?.report();
  }

  /** Whether tokens can be had without a person. */
  get isUnattended(): boolean {
    return this.#session?.isUnattended === true;
  }

  /** Whether there is anything to sign in to. */
  get hasSession(): boolean {
    return this.#session !== undefined;
  }

  /** @throws ClientError `own-credential`, `nothing-to-sign-in` where nobody can sign in to a server with this definition */
  checkPossible(config: ServerConfig): void {
    const kind = authorizationKind(config);
    const server = this.#options.serverId;
    if (kind === "external") throw new ClientError("own-credential", { server });
    if (kind === "none" || this.#options.ports.authorize === undefined)
      throw new ClientError("nothing-to-sign-in", { server });
  }

  /** Gets ready for requests with these values, and says who authorizes them; undefined where nobody does. */
  prepare(config: ResolvedConfig, signal: AbortSignal): Promise<RequestAuthorizer | undefined> {
    const prepared = this.#preparing.then(() => this.#prepare(config, signal));
    this.#preparing = prepared.catch(() => undefined);
    return prepared;
  }

  /**
   * Signs in, within ten minutes. What was signed in before stays in use when it fails.
   * Rejects with AuthError, NetError or ClientError `nothing-to-sign-in`.
   */
  async signIn(wish: SignInWish, signal: AbortSignal | undefined): Promise<void> {
    await this.#withPerson(signal, (session, within) => session.signIn(wish, within));
  }

  /** Asks for the scopes that the last refusal named. Rejects as `signIn` does. */
  async stepUp(signal: AbortSignal | undefined): Promise<void> {
    await this.#withPerson(signal, (session, within) => session.stepUp(within));
  }

  async signOut(signal: AbortSignal): Promise<SignOutOutcome> {
    return this.#required().signOut(signal);
  }

  dispose(): void {
    this.#disposed = true;
    this.#drop();
  }

  async #prepare(config: ResolvedConfig, signal: AbortSignal): Promise<RequestAuthorizer | undefined> {
    const { serverId, ports } = this.#options;
    const common = ports.authorizationSettings?.() ?? "";
    const definition = `${authorizationFingerprint(withoutFollowed(config))} ${common}`;
    if (definition !== this.#definition) {
      this.#drop();
      this.#isRejected = false;
      const kind = authorizationKind(config);
      const session = kind === "session" ? await ports.authorize?.(config) : undefined;
      if (session !== undefined) this.#adopt(session);
      // Only now: what could not be made is tried again, and not done without.
      this.#definition = definition;
    }
    if (authorizationKind(config) === "external")
      return createExternalAuthorizer({
        serverName: serverId,
        onJudged: (isRejected) => {
          this.#judged(isRejected);
        },
      });
    const session = this.#session;
    await session?.load(signal);
    signal.throwIfAborted();
    return session?.authorizer;
  }

  #adopt(session: AuthSession): void {
    if (this.#disposed) {
      session.dispose();
      throw new Error(`The authorization of ${this.#options.serverId} was disposed while it was made`);
    }
    this.#session = session;
    this.#account = session.account;
    this.#owned = new DisposableStore();
    this.#owned.add(session);
    this.#owned.add(
      session.onDidChange(() => {
        this.#changed(session);
      }),
    );
  }

  #changed(session: AuthSession): void {
    const isOther = session.account !== this.#account && this.#own === 0;
    this.#account = session.account;
    const { status } = session;
    // Only then: what is refused again would change the status again, and so on.
    if (status.kind === "signed-in" && status.refreshProblem === undefined) this.#options.onSignedIn(isOther);
    this.#options.onDidChange();
  }

  #judged(isRejected: boolean): void {
    if (this.#isRejected === isRejected) return;
    this.#isRejected = isRejected;
    this.#options.onDidChange();
  }

  #required(): AuthSession {
    if (this.#session !== undefined) return this.#session;
    throw new ClientError("nothing-to-sign-in", { server: this.#options.serverId });
  }

  async #withPerson(
    signal: AbortSignal | undefined,
    run: (session: AuthSession, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const { clock, serverId } = this.#options;
    const session = this.#required();
    const scope = new CallScope({
      clock,
      signals: [signal],
      maximumMs: SIGN_IN_MINUTES * 60_000,
      timeoutError: () => new AuthError("sign-in-timeout", { server: serverId, minutes: SIGN_IN_MINUTES }),
    });
    this.#own += 1;
    try {
      await run(session, scope.signal);
    } finally {
      this.#own -= 1;
      this.#account = session.account;
      scope.dispose();
    }
  }

  #drop(): void {
    this.#owned?.dispose();
    this.#owned = undefined;
    this.#session = undefined;
    this.#account = "";
    this.#definition = "";
  }
}
