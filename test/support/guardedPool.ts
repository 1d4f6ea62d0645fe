import assert from "node:assert/strict";
import type { JsonObject } from "../../src/base/json.ts";
import type { PoolPorts } from "../../src/client/serverPool.ts";
import type { ServerState } from "../../src/client/serverState.ts";
import { FakeSession } from "./fakeAuthorization.ts";
import { type Guard, GuardedServer } from "./guardedServer.ts";
import { firstText, TestPool } from "./testPool.ts";

/** A pool with one server `s` that guards its door, and the authorization that the pool uses. */
export interface Setup {
  readonly server: GuardedServer;
  readonly session: FakeSession;
  readonly test: TestPool;
  /** How often an authorization was made. */
  readonly made: string[];
}

export async function setUp(
  era: "modern" | "legacy",
  guard: Guard,
  entry: JsonObject = {},
  ports: Partial<PoolPorts> = {},
): Promise<Setup & AsyncDisposable> {
  const server = await GuardedServer.start(era, guard);
  const session = new FakeSession();
  const made: string[] = [];
  const test = new TestPool({ s: { url: server.url, ...entry } }, undefined, {
    authorize: (config) => {
      made.push(config.type === "http" ? config.url : "");
      return session;
    },
    ...ports,
  });
  return {
    server,
    session,
    test,
    made,
    [Symbol.asyncDispose]: async () => {
      await test[Symbol.asyncDispose]();
      await server.close();
      assert.deepEqual(server.http.failures, []);
    },
  };
}

/** Waits until something is so after a change of the pool. */
export async function until(test: TestPool, isMet: () => boolean): Promise<void> {
  while (!isMet()) await test.changed();
}

/** Waits for requests, which are no change of the pool. */
export async function untilServed(isMet: () => boolean): Promise<void> {
  while (!isMet()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** The steps and states that a server goes through from now on. */
export function steps(test: TestPool): { readonly seen: string[]; readonly stop: () => void } {
  const seen: string[] = [];
  const subscription = test.pool.onDidChange(() => {
    const state = test.state();
    const word = state.kind === "connecting" ? state.step : state.kind;
    if (seen.at(-1) !== word) seen.push(word);
  });
  return { seen, stop: () => subscription.dispose() };
}

export function problemOf(state: ServerState): string {
  return "problem" in state && "code" in state.problem ? state.problem.code : state.kind;
}

export const call = async ({ test }: Pick<Setup, "test">): Promise<string> =>
  firstText((await test.pool.callTool("s", "t", {}, { origin: "panel" })).result);
