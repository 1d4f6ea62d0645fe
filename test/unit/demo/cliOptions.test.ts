import assert from "node:assert/strict";
import { parseCliOptions, type CliOptions } from "../../../demo/cliOptions.ts";

describe("demo: command line", () => {
  const good: readonly (readonly [readonly string[], CliOptions])[] = [
    [["--stdio"], { mode: "stdio" }],
    [["--http", "0"], { mode: "http", port: 0, replicas: 2, control: false }],
    [
      ["--http", "8080", "--replicas", "3", "--control"],
      { mode: "http", port: 8080, replicas: 3, control: true },
    ],
    [["--replica", "A"], { mode: "replica", name: "A" }],
    [[], { mode: "help", problem: undefined }],
    [["--help"], { mode: "help", problem: undefined }],
  ];
  for (const [args, expected] of good) {
    it(`reads ${args.length === 0 ? "nothing" : args.join(" ")}`, () => {
      assert.deepEqual(parseCliOptions(args), expected);
    });
  }

  const bad = [
    ["--http"],
    ["--http", "-1"],
    ["--http", "65536"],
    ["--http", "0", "--replicas", "0"],
    ["--http", "0", "x"],
  ];
  for (const args of [...bad, ["--stdio", "x"], ["--replica"], ["--replica", "A", "B"], ["--sdtio"]]) {
    it(`says what is wrong with ${args.join(" ")}`, () => {
      const options = parseCliOptions(args);
      assert.ok(options.mode === "help" && options.problem !== undefined);
    });
  }
});
