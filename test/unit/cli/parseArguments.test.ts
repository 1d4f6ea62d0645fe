import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { parseArguments } from "../../../src/cli/parseArguments.ts";
import { checkArguments } from "../../../src/cli/readTarget.ts";

const RUN = {
  kind: "run",
  config: "f",
  format: "text",
  verbose: false,
  tasks: false,
  timeoutMs: undefined,
  answers: undefined,
};

describe("parseArguments", () => {
  it("reads commands for tools", () => {
    assert.deepEqual(parseArguments(["test", "s", "--config", "f"]), {
      ...RUN,
      command: "test",
      server: "s",
      target: "",
      args: undefined,
    });
    assert.deepEqual(
      parseArguments(["--config=f", "tools", "s", "--format", "json", "--verbose", "--tasks"]),
      {
        ...{
          ...RUN,
          command: "tools",
          server: "s",
          target: "",
          args: undefined,
          format: "json",
          verbose: true,
          tasks: true,
        },
      },
    );
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
        target: "t",
        args: { a: 1 },
        timeoutMs: 1_500,
        answers: [{ x: 1 }, "decline"],
      },
    );
    assert.deepEqual(parseArguments(["call", "s", "t", "-", "--config", "f"]), {
      ...RUN,
      command: "call",
      server: "s",
      target: "t",
      args: "stdin",
    });
  });

  it("reads commands for resources, prompts and completion", () => {
    const parse = (...argv: readonly string[]): object => parseArguments([...argv, "--config", "f"]);
    const run = (fields: object): object => ({ ...RUN, server: "s", target: "", args: undefined, ...fields });
    assert.deepEqual(parse("resources", "s"), run({ command: "resources" }));
    assert.deepEqual(parse("prompts", "s"), run({ command: "prompts" }));
    assert.deepEqual(parse("read", "s", "a:1"), run({ command: "read", target: "a:1" }));
    assert.deepEqual(
      parse("read", "s", "a:{x}", '{"x":["1"]}'),
      run({ command: "read", target: "a:{x}", args: { x: ["1"] } }),
    );
    assert.deepEqual(parse("prompt", "s", "p", "-"), run({ command: "prompt", target: "p", args: "stdin" }));
    assert.deepEqual(
      parse("complete", "s", "template", "a:{x}", "x", "1", '{"y":"2"}'),
      run({
        command: "complete",
        target: "a:{x}",
        args: { y: "2" },
        completion: { kind: "template", argument: "x", value: "1" },
      }),
    );
    assert.deepEqual(
      parse("complete", "s", "prompt", "p", "x"),
      run({ command: "complete", target: "p", completion: { kind: "prompt", argument: "x", value: "" } }),
    );
  });

  it("takes texts for prompts and completion, and lists of texts for templates too", () => {
    assert.equal(checkArguments("call", { a: 1 }), undefined);
    assert.equal(checkArguments("read", { a: "x", b: ["y"] }), undefined);
    assert.equal(checkArguments("prompt", { a: "x" }), undefined);
    assert.match(checkArguments("read", { a: [1] }) ?? "", /"a" must be a text/);
    assert.match(checkArguments("prompt", { a: ["x"] }) ?? "", /"a" must be a text/);
    assert.match(checkArguments("complete", { a: null }) ?? "", /"a" must be a text/);
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
    [["read", "s", "--config", "f"], /name of a resource is missing/],
    [["prompts", "s", "x", "--config", "f"], /"x" is one argument too many/],
    [["prompt", "s", "p", "[]", "--config", "f"], /must be a JSON object/],
    [["complete", "s", "tool", "t", "--config", "f"], /prompt or template/],
    [["complete", "s", "prompt", "--config", "f"], /name of a prompt is missing/],
    [["complete", "s", "prompt", "p", "--config", "f"], /name of an argument is missing/],
    [["complete", "s", "prompt", "p", "x", "v", "{}", "more", "--config", "f"], /too many/],
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
