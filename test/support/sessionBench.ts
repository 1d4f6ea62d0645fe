import type { AuthSession } from "../../src/auth/model/authSession.ts";
import type { AuthSettings } from "../../src/auth/model/authSettings.ts";
import type { CredentialLock, CredentialStore } from "../../src/auth/model/credentialStore.ts";
import type { AuthSteps } from "../../src/auth/session/authSteps.ts";
import { createAuthSession } from "../../src/auth/session/createAuthSession.ts";
import { createMemoryCredentialStore } from "../../src/auth/store/memoryCredentialStore.ts";
import { createMemoryLock } from "../../src/auth/store/memoryLock.ts";
import { parseAuthChallenges } from "../../src/net/authChallenges.ts";
import type { PinnedNetwork, PinnedResponse } from "../../src/net/pinnedRequest.ts";
import { CollectingLog } from "./collectingListener.ts";
import { makeSettings } from "./authFixtures.ts";
import { FakeClock } from "./fakeClock.ts";
import { pinnedNetwork } from "./pinnedHelpers.ts";
import { browse } from "./browse.ts";
import { type SessionScript, type SessionServer, startSessionServer } from "./sessionServer.ts";
import { Person } from "./signInBench.ts";
import { never } from "./transportHelpers.ts";

/** What windows share, and may be given otherwise. */
export interface WindowOptions {
  readonly store?: CredentialStore;
  readonly lock?: CredentialLock;
  readonly settings?: Partial<AuthSettings>;
  readonly scope?: string;
  readonly installationId?: string;
  readonly steps?: Partial<AuthSteps>;
  readonly network?: PinnedNetwork;
}

/** Sessions for one or more servers as several windows have them: one store, one lock, one clock that stands still. */
export class SessionBench {
  readonly clock = new FakeClock();
  readonly store = createMemoryCredentialStore();
  /** Every name that was locked. */
  readonly lockNames = new Set<string>();
  readonly lock: CredentialLock;
  readonly log = new CollectingLog();
  readonly secrets = new Set<string>();
  readonly #servers: SessionServer[] = [];
  readonly #sessions: AuthSession[] = [];

  constructor() {
    const lock = createMemoryLock(this.clock);
    this.lock = {
      run: (name, work, signal) => {
        this.lockNames.add(name);
        return lock.run(name, work, signal);
      },
    };
  }

  async server(script: SessionScript = {}): Promise<SessionServer> {
    const server = await startSessionServer(script);
    this.#servers.push(server);
    return server;
  }

  /** A window's session for a server, loaded. */
  async window(server: { readonly endpoint: URL }, options: WindowOptions = {}): Promise<SessionWindow> {
    const person = new Person();
    person.browse = async (url) => {
      await browse(url);
    };
    const network = options.network ?? pinnedNetwork({ serverName: "Files", log: this.log });
    const session = createAuthSession({
      settings: { ...settingsFor(server.endpoint), ...options.settings },
      scope: options.scope ?? "user",
      installationId: options.installationId ?? "installation",
      network,
      store: options.store ?? this.store,
      lock: options.lock ?? this.lock,
      ports: person,
      clock: this.clock,
      log: this.log,
      onSecret: (value) => this.secrets.add(value),
      ...(options.steps === undefined ? {} : { steps: options.steps }),
    });
    this.#sessions.push(session);
    await session.load(never);
    return new SessionWindow(session, person, network, options.settings?.endpoint ?? server.endpoint);
  }

  async end(): Promise<void> {
    for (const session of this.#sessions.splice(0)) session.dispose();
    // What waits for a browser that reloads its last page.
    this.clock.advance(2_000);
    for (const server of this.#servers.splice(0)) await server.close();
  }
}

/** One window: it sends requests as the transport does. */
export class SessionWindow {
  readonly session: AuthSession;
  readonly person: Person;
  readonly network: PinnedNetwork;
  readonly #endpoint: URL;

  constructor(session: AuthSession, person: Person, network: PinnedNetwork, endpoint: URL) {
    this.session = session;
    this.person = person;
    this.network = network;
    this.#endpoint = endpoint;
  }

  signIn(wish: Parameters<AuthSession["signIn"]>[0] = {}): Promise<void> {
    return this.session.signIn(wish, never);
  }

  /** One request with one more attempt where the session allows it. The status, or the error that it fails with. */
  async request(): Promise<number> {
    const first = await this.#send();
    if (first !== "renewed") return first;
    const second = await this.#send();
    return second === "renewed" ? 401 : second;
  }

  async #send(): Promise<number | "renewed"> {
    const { authorizer } = this.session;
    const request = { method: "POST", url: this.#endpoint } as const;
    const sent = await authorizer.authorize(request, never);
    const answer = await this.#post(sent);
    const { status, headers } = answer;
    if (status !== 401 && status !== 403) {
      authorizer.answered(request, headers);
      return status;
    }
    const header = headers["www-authenticate"];
    const challenges = parseAuthChallenges(typeof header === "string" ? header : "");
    const verdict = await authorizer.refused({ request, status, challenges, headers, sent }, never);
    if (verdict.kind === "refused") throw verdict.error;
    return verdict.kind === "renewed" ? "renewed" : status;
  }

  #post(headers: Readonly<Record<string, string>>): Promise<PinnedResponse> {
    const url = this.#endpoint.href;
    return this.network.send({ method: "POST", url, headers, body: "{}", from: "loopback", signal: never });
  }
}

export function settingsFor(endpoint: URL): AuthSettings {
  return makeSettings({ serverName: "Files", endpoint });
}
