import { fileURLToPath } from "node:url";
import { type Disposable, watchLeaks } from "../../../src/base/disposable.ts";
import { Emitter } from "../../../src/base/emitter.ts";
import type { ServerNotice } from "../../../src/protocol/model/notice.ts";
import type { SamplingAsk } from "../../../src/protocol/mrtr/clientFeatures.ts";
import type { ElicitationRequest, InputResponse } from "../../../src/protocol/mrtr/inputRequired.ts";
import {
  type Connected,
  createPeerPool,
  createPerson,
  httpPeer,
  type PeerPool,
  type ScriptedPerson,
  stdioPeer,
} from "../peerPool.ts";
import type { Cell, EmptyCell } from "./cells.ts";

/** One connection to a server of the matrix, with a person, a model and folders of its own. */
export interface CellRun {
  readonly cell: Cell;
  readonly peer: PeerPool;
  readonly person: ScriptedPerson;
  /** What the person does with the next questions. */
  answer: (request: ElicitationRequest) => InputResponse;
  /** What the model was asked. */
  readonly asks: SamplingAsk[];
  readonly connected: Connected;
}

export type Check = (run: CellRun) => Promise<void>;

/** What became of each check of a cell: undefined is well. */
export type Outcomes = ReadonlyMap<string, Error | undefined>;

/** The folder that servers are told of. */
export const ROOT = { uri: "file:///work/here", name: "here" };

function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/${name}.ts`, import.meta.url));
}

/** The arguments of Node for a fixture that serves over HTTP. */
export function httpFixture(generation: Cell["generation"]): readonly string[] {
  return ["--disable-warning=ExperimentalWarning", fixture("httpFixture"), generation];
}

/** Where the servers of each generation answer over HTTP. */
export type Bases = Readonly<Record<Cell["generation"], string>>;

/** A pool for one cell, not connected yet. */
export function createCellPool(
  { generation, form, revision, protocol }: Cell | EmptyCell,
  bases: Bases,
  ...rest: RestOf<typeof createPeerPool>
): PeerPool {
  const config =
    form === "stdio" || form === "modern-stdio"
      ? stdioPeer(["--disable-warning=ExperimentalWarning", fixture("stdioFixture"), generation, form])
      : httpPeer(`${bases[generation]}/${form}/${revision}`);
  return createPeerPool({ ...config, protocol, logLevel: "info" }, ...rest);
}

type RestOf<F extends (...args: never) => unknown> =
  Parameters<F> extends [unknown, ...infer Rest] ? Rest : never;

/** Runs all checks of a cell one after the other over one connection, and ends it. */
export async function runCell(
  cell: Cell,
  bases: Bases,
  checks: Readonly<Record<string, Check>>,
): Promise<Outcomes> {
  const rootsChanged = new Emitter<void>();
  const asks: SamplingAsk[] = [];
  const person = createPerson((request) => run?.answer(request) ?? { action: "cancel" });
  // Nobody tells when something in a browser is done: the person says so.
  const patient = { ...person, waitElsewhere: () => Promise.resolve(true) };
  const features = {
    sampling: {
      tools: true,
      createMessage: async (ask: SamplingAsk) => {
        asks.push(ask);
        const content = [{ type: "text" as const, text: "hello" }];
        return { kind: "answered" as const, message: { content, model: "m-1", stopReason: "endTurn" } };
      },
    },
    roots: { list: () => Promise.resolve([ROOT]), onDidChange: rootsChanged.event },
  };
  const peer = createCellPool(cell, bases, patient, features);
  let run: CellRun | undefined;
  const outcomes = new Map<string, Error | undefined>();
  try {
    const connected = await peer.connect();
    run = { cell, peer, person, asks, connected, answer: () => ({ action: "cancel" }) };
    for (const [name, check] of Object.entries(checks)) {
      person.rounds.length = 0;
      asks.length = 0;
      outcomes.set(name, await failureOf(() => within(check(run as CellRun), peer)));
    }
  } catch (error) {
    for (const name of Object.keys(checks)) outcomes.set(name, error as Error);
  } finally {
    await peer.pool.close();
    rootsChanged.dispose();
  }
  return outcomes;
}

async function failureOf(work: () => Promise<void>): Promise<Error | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

const CHECK_LIMIT_MS = 20_000;

/** A check that waits for what never comes fails with the last lines of the log. */
async function within(work: Promise<void>, { log }: PeerPool): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`Nothing came within ${CHECK_LIMIT_MS} ms. The log:\n${log.slice(-12).join("\n")}`));
    }, CHECK_LIMIT_MS);
  });
  await Promise.race([work, late]).finally(() => {
    clearTimeout(timer);
  });
}

/** The next notice of a kind, from now on. */
export function nextNotice<K extends ServerNotice["kind"]>(
  { peer }: CellRun,
  kind: K,
): { readonly arrived: Promise<Extract<ServerNotice, { kind: K }>>; readonly dispose: () => void } {
  let dispose = (): void => {};
  const arrived = new Promise<Extract<ServerNotice, { kind: K }>>((resolve) => {
    const subscription = peer.pool.onDidNotice(({ notice }) => {
      if (notice.kind === kind) resolve(notice as Extract<ServerNotice, { kind: K }>);
    });
    dispose = () => {
      subscription.dispose();
    };
  });
  return { arrived, dispose };
}

/** Runs work for each item, some at once. */
export async function inLanes<T>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}

/** Collects what is created and not disposed while work is done. */
export async function findLeaks(work: () => Promise<void>): Promise<string[]> {
  const alive = new Map<Disposable, string>();
  watchLeaks({
    created: (disposable, stack) => alive.set(disposable, stack),
    disposed: (disposable) => alive.delete(disposable),
  });
  try {
    await work();
  } finally {
    watchLeaks(undefined);
  }
  return [...alive].map(([disposable, stack]) => `${disposable.constructor.name} ${stack}`);
}
