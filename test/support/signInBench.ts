import { AuthError } from "../../src/auth/authError.ts";
import type { AuthContext } from "../../src/auth/model/authContext.ts";
import type { AuthSettings } from "../../src/auth/model/authSettings.ts";
import type { SignedIn } from "../../src/auth/model/facts.ts";
import type { SignInPlan, SignInPorts } from "../../src/auth/model/signInPorts.ts";
import { signIn, type SignInFacts } from "../../src/auth/signIn/signIn.ts";
import { makeSettings } from "./authFixtures.ts";
import { FakeClock } from "./fakeClock.ts";
import { pinnedNetwork } from "./pinnedHelpers.ts";
import { browse, type LastPage } from "./browse.ts";
import { type AuthScript, type ScriptedAuthServer, startScriptedAuthServer } from "./scriptedAuthServer.ts";

/** A person who agrees to everything and whose browser follows every redirect, unless a test says otherwise. */
export class Person implements SignInPorts {
  readonly plans: SignInPlan[] = [];
  readonly opened: { readonly url: string; readonly how: "open" | "show" }[] = [];
  readonly #walks: Promise<LastPage>[] = [];
  readonly pasteProblems: (AuthError | undefined)[] = [];

  confirm(plan: SignInPlan, _signal: AbortSignal): Promise<boolean> {
    this.plans.push(plan);
    return Promise.resolve(true);
  }

  chooseIssuer(issuers: readonly string[], _signal: AbortSignal): Promise<string | undefined> {
    return Promise.resolve(issuers[0]);
  }

  askClient(
    _facts: Parameters<SignInPorts["askClient"]>[0],
    _signal: AbortSignal,
  ): Promise<{ id: string; secret?: string } | undefined> {
    return Promise.resolve(undefined);
  }

  async open(url: string, how: "open" | "show", _signal: AbortSignal): Promise<void> {
    this.opened.push({ url, how });
    await this.browse(url);
  }

  /** What the browser does with the address. */
  async browse(url: string): Promise<void> {
    const walk = browse(url);
    this.#walks.push(walk);
    await walk;
  }

  /** The text of the page that the browser ended on in its n-th walk. It may arrive after the sign-in is done. */
  async pageSeen(walk = 0): Promise<string> {
    return (await this.#walks[walk])?.body ?? "";
  }

  externalUri(loopback: string): Promise<string> {
    return Promise.resolve(loopback);
  }

  pasteAddress(_signal: AbortSignal, problem?: AuthError): Promise<string> {
    this.pasteProblems.push(problem);
    return new Promise(() => undefined);
  }
}

/** What a sign-in needs, over the real network and with a clock that stands still. */
export class Bench {
  readonly clock = new FakeClock();
  readonly person = new Person();
  /** Every line of the log, the parts that are not for every log included. */
  readonly lines: string[] = [];
  readonly cancel = new AbortController();
  readonly settings: AuthSettings;
  context: AuthContext;

  constructor(endpoint: URL, change: Partial<AuthSettings> = {}) {
    this.settings = makeSettings({ serverName: "Files", endpoint, ...change });
    this.context = {
      settings: this.settings,
      network: pinnedNetwork({ serverName: "Files" }),
      zone: "loopback",
      clock: this.clock,
      log: {
        write: (level, text, sensitive) => {
          this.lines.push(`${level} ${text} ${sensitive === undefined ? "" : JSON.stringify(sensitive())}`);
        },
      },
      signal: this.cancel.signal,
    };
  }

  signIn(facts: Partial<SignInFacts> = {}): Promise<SignedIn> {
    return signIn(this.context, this.person, { challenge: undefined, wish: {}, before: undefined, ...facts });
  }

  /** Closes what waits for a reload of the last page. */
  dispose(): void {
    this.cancel.abort(new Error("The test is over"));
    this.clock.advance(2_000);
  }
}

/** Ends what tests have started, in the right order. */
export class SignInBenches {
  readonly #servers: ScriptedAuthServer[] = [];
  readonly #benches: Bench[] = [];

  async server(script: AuthScript = {}): Promise<ScriptedAuthServer> {
    const server = await startScriptedAuthServer(script);
    this.#servers.push(server);
    return server;
  }

  bench(server: Pick<ScriptedAuthServer, "endpoint">, change: Partial<AuthSettings> = {}): Bench {
    const bench = new Bench(server.endpoint, change);
    this.#benches.push(bench);
    return bench;
  }

  async end(): Promise<void> {
    for (const bench of this.#benches.splice(0)) bench.dispose();
    for (const server of this.#servers.splice(0)) await server.close();
  }
}

/** The error that a sign-in ends with. Any other end fails the test. */
export async function failureOf(promise: Promise<unknown>): Promise<AuthError> {
  const reason = await promise.then(
    () => new Error("It succeeded"),
    (error: unknown) => error,
  );
  if (reason instanceof AuthError) return reason;
  throw reason;
}
