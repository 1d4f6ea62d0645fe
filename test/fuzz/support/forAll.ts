import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";

/** Cases of each property; `npm run test:fuzz:all` sets 100,000. */
const CASES = Number(process.env["SIGNALBOX_FUZZ_CASES"] ?? 2_000);
/** `random`, or the seed of a failure that is to be seen again. The same cases each time, so that chance fails no build. */
const SEED = process.env["SIGNALBOX_FUZZ_SEED"] ?? "20260728";
/** One case takes less than a millisecond; this is a hang, also on a busy machine. */
const CASE_MS = 5_000;
/** What may be left after all cases of a property: caches and the like, not something of each case. */
const LEFT_BYTES = 48 * 1024 * 1024;

/**
 * Holds a property against many cases. A failure prints the smallest case that was found, the seed and the path.
 * Fails as well when a single case hangs, or when memory grows with the number of cases.
 *
 * @param options.casesInOne how many cases one value holds, where making it is dear
 */
export function forAll<T>(
  cases: fc.Arbitrary<T>,
  holds: (value: T) => void,
  options: { readonly casesInOne?: number } = {},
): void {
  const before = usedBytes();
  fc.assert(
    fc.property(cases, (value) => {
      const start = performance.now();
      holds(value);
      assertQuick(start);
    }),
    parameters<[T]>(options.casesInOne),
  );
  assertSmall(before);
}

/** The same for what answers later. */
export async function forAllAsync<T>(
  cases: fc.Arbitrary<T>,
  holds: (value: T) => Promise<void>,
): Promise<void> {
  const before = usedBytes();
  await fc.assert(
    fc.asyncProperty(cases, async (value) => {
      const start = performance.now();
      await holds(value);
      assertQuick(start);
    }),
    { ...parameters<[T]>(), plugins: [fc.timeout(2 * CASE_MS)] },
  );
  assertSmall(before);
}

function parameters<T>(casesInOne = 1): fc.Parameters<T> {
  return { numRuns: Math.ceil(CASES / casesInOne), ...(SEED !== "random" && { seed: Number(SEED) }) };
}

function assertQuick(start: number): void {
  const ms = performance.now() - start;
  assert.ok(ms < CASE_MS, `one case took ${ms.toFixed(0)} ms`);
}

function assertSmall(before: number): void {
  const left = usedBytes() - before;
  assert.ok(left < LEFT_BYTES, `${(left / 1024 / 1024).toFixed(0)} MiB are left after all cases`);
}

/** What is used after everything unreachable is gone. */
function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
