import assert from "node:assert/strict";
import { orderTargets } from "../../../../demo/http/balancer.ts";

const A = { name: "A", port: 1 };
const B = { name: "B", port: 2 };
const C = { name: "C", port: 3 };

describe("demo: order of the replicas", () => {
  const cases: readonly (readonly [string, Parameters<typeof orderTargets>, string])[] = [
    ["starts with the first", [[A, B], 0, undefined], "AB"],
    ["takes turns", [[A, B], 1, undefined], "BA"],
    ["goes round", [[A, B, C], 5, undefined], "CAB"],
    ["has nobody to ask", [[], 7, undefined], ""],
    ["stays with the holder of a session", [[A, B], 0, "B.123"], "B"],
    ["asks anybody about the session of a dead replica", [[A], 3, "B.123"], "A"],
    ["does not take a longer name for the holder", [[A, B], 1, "AB.1"], "BA"],
  ];
  for (const [title, args, expected] of cases) {
    it(title, () => {
      assert.equal(
        orderTargets(...args)
          .map(({ name }) => name)
          .join(""),
        expected,
      );
    });
  }
});
