import type { AuthSession } from "../../src/auth/model/authSession.ts";
import type { CredentialLock, CredentialStore } from "../../src/auth/model/credentialStore.ts";
import type { SignInPlan, SignInPorts } from "../../src/auth/model/signInPorts.ts";
import { createAuthSession } from "../../src/auth/session/createAuthSession.ts";
import { createMemoryCredentialStore } from "../../src/auth/store/memoryCredentialStore.ts";
import { createMemoryLock } from "../../src/auth/store/memoryLock.ts";
import { type Clock, systemClock, type Timer } from "../../src/base/clock.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { Redactor } from "../../src/base/redact.ts";
import { routeOf } from "../../src/client/createTransport.ts";
import type { ResolvedConfig } from "../../src/client/serverConfig.ts";
import type { PoolPorts } from "../../src/client/serverPool.ts";
import { toAuthSettings } from "../../src/client/toAuthSettings.ts";
import { createPinnedNetwork } from "../../src/net/createPinnedNetwork.ts";
import { NO_EDITOR } from "../../src/net/networkSettings.ts";
import type { ResolveHost } from "../../src/net/pinnedRequest.ts";
import { CollectingLog } from "./collectingListener.ts";
import { TestPool } from "./testPool.ts";

/** What a window is made of; everything may be left out. */
export interface AuthWindowOptions {
  /** Shared by windows of one installation. */
  readonly store?: CredentialStore;
  readonly lock?: CredentialLock;
  /** In place of the window's own, which can be put ahead. */
  readonly clock?: Clock;
  /** What the browser does with an address that is opened in it. It goes nowhere when left out. */
  readonly browse?: (url: string) => Promise<unknown>;
  readonly clientMetadataUrl?: string;
  readonly fakeIpRanges?: readonly string[];
  readonly resolve?: ResolveHost;
  /** Where the servers are defined. */
  readonly scope?: string;
  readonly installationId?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: Partial<PoolPorts>;
}

/**
 * The system's clock, which a test may put ahead. After a sign-in the listener answers for two more seconds, which the
 * watch over leaks would have every test wait for: here they are over at once.
 */
export class MovableClock implements Clock {
  aheadMs = 0;

  now(): number {
    return systemClock.now() + this.aheadMs;
  }

  after(delayMs: number, run: () => void): Timer {
    return systemClock.after(delayMs === 2_000 ? 20 : delayMs, run);
  }
}

/** The system's clock, without the two seconds. */
export const briskClock: Clock = new MovableClock();

/** A person at the prompts of a window. A test may change what they do. */
export class PersonAtPrompts implements SignInPorts {
  readonly plans: SignInPlan[] = [];
  /** Every address that was to be opened, or shown. */
  readonly opened: { readonly url: string; readonly how: "open" | "show" }[] = [];
  agrees: boolean | ((plan: SignInPlan) => boolean) = true;
  issuer: ((issuers: readonly string[]) => string | undefined) | undefined;
  client: { readonly id: string; readonly secret?: string } | undefined;
  browse: (url: string) => Promise<unknown> = () => Promise.resolve();
  /** What is pasted; undefined pastes nothing. */
  pasted: Promise<string> | undefined;
  /** What went wrong in the browser. */
  readonly troubles: unknown[] = [];

  confirm(plan: SignInPlan): Promise<boolean> {
    this.plans.push(plan);
    return Promise.resolve(typeof this.agrees === "boolean" ? this.agrees : this.agrees(plan));
  }

  chooseIssuer(issuers: readonly string[]): Promise<string | undefined> {
    return Promise.resolve(this.issuer?.(issuers));
  }

  askClient(): Promise<{ readonly id: string; readonly secret?: string } | undefined> {
    return Promise.resolve(this.client);
  }

  open(url: string, how: "open" | "show"): Promise<void> {
    this.opened.push({ url, how });
    if (how === "open") this.browse(url).catch((error: unknown) => this.troubles.push(error));
    return Promise.resolve();
  }

  externalUri(loopback: string): Promise<string> {
    return Promise.resolve(loopback);
  }

  pasteAddress(signal: AbortSignal): Promise<string> {
    return (
      this.pasted ??
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      })
    );
  }

  /** The parameters of the address that was opened last. */
  get query(): URLSearchParams {
    const last = this.opened.at(-1);
    if (last === undefined) throw new Error("Nothing was opened.");
    return new URL(last.url).searchParams;
  }
}

/** One window of the editor as far as authorization goes: the real pool and session, with a person and a browser. */
export class AuthWindow {
  readonly person = new PersonAtPrompts();
  readonly clock = new MovableClock();
  readonly servers: TestPool;
  readonly sessions: AuthSession[] = [];
  /** Every secret that the log is told to hide. */
  readonly secrets = new Set<string>();
  /** What the authorization layer logged, before anything is hidden. */
  readonly log = new CollectingLog();
  /** Hides what the host's log would. */
  readonly redactor = new Redactor();
  readonly store: CredentialStore;
  readonly #options: AuthWindowOptions;
  readonly #lock: CredentialLock;

  constructor(servers: Readonly<Record<string, JsonObject>>, options: AuthWindowOptions = {}) {
    this.#options = options;
    this.store = options.store ?? createMemoryCredentialStore();
    this.#lock = options.lock ?? createMemoryLock(options.clock ?? this.clock);
    if (options.browse !== undefined) this.person.browse = options.browse;
    this.servers = new TestPool(servers, undefined, {
      authorize: (config) => this.#authorize(config),
      ...(options.clock === undefined ? {} : { clock: options.clock }),
      ...options.ports,
    });
  }

  /** The session that was made last. */
  get session(): AuthSession {
    const last = this.sessions.at(-1);
    if (last === undefined) throw new Error("No session was made.");
    return last;
  }

  /** Signs in as the command does, and connects. */
  async signIn(wish: Parameters<AuthSession["signIn"]>[0] = {}, id = "s"): Promise<void> {
    await this.servers.pool.signIn(id, wish);
  }

  async call(tool: string, args: JsonObject = {}, id = "s"): Promise<string> {
    const { result } = await this.servers.pool.callTool(id, tool, args, { origin: "api" });
    const [block] = result.content;
    return block !== undefined && "text" in block ? block.text : "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.servers[Symbol.asyncDispose]();
  }

  #authorize(config: ResolvedConfig): AuthSession | undefined {
    const { clientMetadataUrl, fakeIpRanges = [], scope, installationId } = this.#options;
    const settings = toAuthSettings(config, { clientMetadataUrl, fakeIpRanges });
    if (settings === undefined || config.type !== "http") return undefined;
    const { environment = {}, resolve } = this.#options;
    const session = createAuthSession({
      settings,
      scope: scope ?? "user",
      installationId: installationId ?? "installation",
      network: createPinnedNetwork({
        serverName: config.id,
        endpoint: settings.endpoint,
        route: routeOf(config),
        network: () => ({ editor: NO_EDITOR, environment }),
        fakeIpRanges,
        log: this.log,
        ...(resolve === undefined ? {} : { resolve }),
      }),
      store: this.store,
      lock: this.#lock,
      ports: this.person,
      clock: this.#options.clock ?? this.clock,
      log: this.log,
      onSecret: (value) => {
        this.secrets.add(value);
        this.redactor.add(value);
      },
    });
    this.sessions.push(session);
    return session;
  }
}
