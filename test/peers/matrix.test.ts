import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { childrenOf } from "../scenario/demo/demoProcess.ts";
import {
  type Bases,
  createCellPool,
  findLeaks,
  httpFixture,
  inLanes,
  type Outcomes,
  runCell,
} from "./matrix/cellRun.ts";
import { CELLS, EMPTY_CELLS, FORM_TITLES, SDK_NAMES, type Cell, type EmptyCell } from "./matrix/cells.ts";
import { CHECKS } from "./matrix/checks.ts";

/** Cells that run at once: most of a cell is waiting for the other side. */
const LANES = 3;

function titleOf({ generation, form, revision }: Cell | EmptyCell): string {
  return `${SDK_NAMES[generation]}, ${FORM_TITLES[form]}, ${revision}`;
}

/**
 * Servers on both generations of the official SDK, each way they can be served, in each revision they speak.
 * All cells run beforehand, some at once; each check of each cell is then reported as a test of its own.
 */
describe("matrix", function () {
  this.timeout(120_000);
  const outcomes = new Map<Cell, Outcomes>();
  const children: ChildProcess[] = [];
  let bases: Bases;
  let leaks: string[] = [];
  let left: readonly number[] = [];

  before(async () => {
    const [one, two] = await Promise.all([startHttp("one"), startHttp("two")]);
    bases = { one, two };
    const before = childrenOf(process.pid);
    leaks = await findLeaks(() =>
      inLanes(CELLS, LANES, async (cell) => {
        outcomes.set(cell, await runCell(cell, bases, CHECKS));
      }),
    );
    left = childrenOf(process.pid).filter((pid) => !before.includes(pid));
  });

  after(async () => {
    await Promise.all(
      children.map(async (child) => {
        const gone = once(child, "exit");
        child.stdin?.end();
        await gone;
      }),
    );
  });

  async function startHttp(generation: Cell["generation"]): Promise<string> {
    const child = spawn(process.execPath, httpFixture(generation), { stdio: ["pipe", "pipe", "inherit"] });
    children.push(child);
    child.stdout.setEncoding("utf8");
    const ended = once(child, "exit").then(() => {
      throw new Error(`The fixture of generation ${generation} ended before it was ready.`);
    });
    // Ends in the end, when nobody waits any more.
    ended.catch(() => undefined);
    const [line] = (await Promise.race([once(child.stdout, "data"), ended])) as [string];
    return line.trim();
  }

  for (const cell of CELLS) {
    describe(titleOf(cell), () => {
      for (const name of Object.keys(CHECKS)) {
        it(name, () => {
          const failure = outcomes.get(cell)?.get(name);
          if (failure !== undefined) throw failure;
          assert.ok(outcomes.get(cell)?.has(name));
        });
      }
    });
  }

  for (const cell of EMPTY_CELLS) {
    it(`${titleOf(cell)}: refused, for ${cell.reason}`, async () => {
      const { pool } = createCellPool(cell, bases);
      try {
        await assert.rejects(pool.connect("peer"), {
          code: "pinned-revision",
          message: new RegExp(`is pinned to ${cell.revision}, but answered: .*${cell.answer}`),
        });
      } finally {
        await pool.close();
      }
    });
  }

  it("leaves no process and nothing undisposed", () => {
    assert.deepEqual(leaks, []);
    assert.deepEqual(left, []);
  });
});
