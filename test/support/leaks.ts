import { type Disposable, watchLeaks } from "../../src/base/disposable.ts";

/**
 * Mocha root hooks that fail a run whose tests leave something behind: tracked disposables, child processes,
 * sockets, servers or pipes. Load with `--require test/support/leaks.ts`.
 *
 * What a suite makes in `before` is its own affair; what comes into being between the `beforeEach` and the
 * `afterEach` of a test must be gone after it. All leaks are reported together at the end of the run,
 * because a failing `afterEach` would keep the remaining tests from running.
 */
export const mochaHooks: Mocha.RootHookObject = {
  beforeEach() {
    alive.clear();
    before = countResources();
    watchLeaks({
      created: (disposable, stack) => alive.set(disposable, stack),
      disposed: (disposable) => alive.delete(disposable),
    });
  },

  async afterEach(this: Mocha.Context) {
    const left = await settle();
    watchLeaks(undefined);
    if (left.length === 0 || this.currentTest === undefined) return;
    leaks.push(`${this.currentTest.fullTitle()}\n${left.map((line) => `    ${line}`).join("\n")}`);
  },

  afterAll() {
    if (leaks.length > 0) throw new Error(`Tests left something behind:\n${leaks.join("\n")}`);
  },
};

/** Handles that must not survive a test, as Node names them. */
const KINDS = ["ProcessWrap", "TCPSocketWrap", "TCPServerWrap", "PipeWrap"] as const;
/** Closing a socket or reaping a process takes some turns of the event loop, on a busy machine many. */
const SETTLE_MS = 3_000;

const alive = new Map<Disposable, string>();
const leaks: string[] = [];
let before = countResources();

async function settle(): Promise<string[]> {
  const end = Date.now() + SETTLE_MS;
  let left = findLeft();
  while (left.length > 0 && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    left = findLeft();
  }
  return left;
}

function findLeft(): string[] {
  const now = countResources();
  const handles = KINDS.filter((kind) => now[kind] > before[kind]).map(
    (kind) => `${now[kind] - before[kind]} × ${kind}`,
  );
  const disposables = [...alive].map(
    ([disposable, stack]) => `${disposable.constructor.name} made ${origin(stack)}`,
  );
  return [...handles, ...disposables];
}

function countResources(): Record<(typeof KINDS)[number], number> {
  const active = process.getActiveResourcesInfo();
  const count = (kind: string): number => active.filter((name) => name === kind).length;
  return {
    ProcessWrap: count("ProcessWrap"),
    TCPSocketWrap: count("TCPSocketWrap"),
    TCPServerWrap: count("TCPServerWrap"),
    PipeWrap: count("PipeWrap"),
  };
}

/** The first frames outside the base layer: who asked for the disposable. */
function origin(stack: string): string {
  const frames = stack
    .split("\n")
    .slice(1)
    .filter((line) => !line.includes("/src/base/"));
  return frames
    .slice(0, 3)
    .map((line) => line.trim())
    .join(" ");
}
