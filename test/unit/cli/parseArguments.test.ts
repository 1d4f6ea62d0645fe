import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { parseArguments } from "../../../src/cli/parseArguments.ts";

const RUN = {
  kind: "run",
  config: "f",
  format: "text",
  verbose: false,
  timeoutMs: undefined,
  answers: undefined,
};

describe("parseArguments", () => {
  it("reads the three commands", () => {
    assert.deepEqual(parseArguments(["test", "s", "--config", "f"]), {
      ...RUN,
      command: "test",
      server: "s",
      tool: "",
      args: {},
    });
    assert.deepEqual(parseArguments(["--config=f", "tools", "s", "--format", "json", "--verbose"]), {
      ...{ ...RUN, command: "tools", server: "s", tool: "", args: {}, format: "json", verbose: true },
    });
    assert.deepEqual(
      parseArguments([
        "call",
        "s",
        "t",
        '{"a":1}',
        "--config",
        "f",
        "--timeout",
        "1.5",
        "--answers",
        '[{"x":1},"decline"]',
      ]),
      {
        ...RUN,
        command: "call",
        server: "s",
        tool: "t",
        args: { a: 1 },
        timeoutMs: 1_500,
        answers: [{ x: 1 }, "decline"],
      },
    );
    assert.deepEqual(parseArguments(["call", "s", "t", "-", "--config", "f"]), {
      ...RUN,
      command: "call",
      server: "s",
      tool: "t",
      args: "stdin",
    });
  });

  it("shows help when asked or when nothing is asked", () => {
    for (const argv of [[], ["--help"], ["-h"], ["call", "--help"]])
      assert.deepEqual(parseArguments(argv), { kind: "help" });
  });

  const mistakes: readonly (readonly [argv: readonly string[], problem: RegExp])[] = [
    [["--config", "f"], /command is missing/],
    [["go", "s", "--config", "f"], /no command "go"/],
    [["test", "--config", "f"], /name of a server is missing/],
    [["test", "s"], /--config FILE is missing/],
    [["test", "s", "x", "--config", "f"], /"x" is one argument too many/],
    [["call", "s", "--config", "f"], /name of a tool is missing/],
    [["call", "s", "t", "{}", "x", "--config", "f"], /too many/],
    [["call", "s", "t", "null", "--config", "f"], /JSON object/],
    [["test", "s", "--config", "f", "--format", "xml"], /--format/],
    [["test", "s", "--config", "f", "--timeout", "0"], /--timeout/],
    [["test", "s", "--config", "f", "--timeout", ""], /--timeout/],
    [["test", "s", "--config", "f", "--answers", "["], /--answers is not JSON/],
    [["test", "s", "--config", "f", "--answers", "[1]"], /--answers must be/],
    [["test", "s", "--config"], /config/],
    [["test", "s", "--frob"], /--frob/],
  ];
  for (const [argv, problem] of mistakes) {
    it(`explains ${argv.join(" ")}`, () => {
      const invocation = parseArguments(argv);
      assert.equal(invocation.kind, "usage");
      assert.match(invocation.kind === "usage" ? invocation.problem : "", problem);
    });
  }
});
