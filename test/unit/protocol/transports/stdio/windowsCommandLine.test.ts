import assert from "node:assert/strict";

import { batchArguments } from "../../../../../src/protocol/transports/stdio/windowsCommandLine.ts";

/** What stands after the batch file on the command line. */
function lineFor(argument: string): string {
  return batchArguments("x.cmd", [argument]).at(-1)?.slice('""x.cmd" '.length, -1) ?? "";
}

/**
 * Reads a command line as cmd.exe does in its first phases: percent expansion, then special characters, which
 * mean something only outside quotes. Returns what a batch file sees as `%*`, and what cmd.exe would act on.
 */
function readByCmd(
  line: string,
  variables: Readonly<Record<string, string>>,
): { text: string; special: string[] } {
  const expanded = line.replace(/%([^%:]+)(:~,)?%/g, (whole, name: string, substring: string | undefined) => {
    if (substring !== undefined) return "";
    return variables[name.toUpperCase()] ?? whole;
  });
  const special: string[] = [];
  let quoted = false;
  for (const character of expanded) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && "&|<>^()".includes(character)) special.push(character);
  }
  return { text: expanded, special };
}

/** Reads arguments as the C runtime of Windows does. */
function readByRuntime(line: string): string[] {
  const args: string[] = [];
  let current = "";
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const backslashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0;
    const next = line[at + backslashes];
    if (backslashes > 0) {
      current += "\\".repeat(next === '"' ? Math.floor(backslashes / 2) : backslashes);
      at += backslashes - 1;
      if (next === '"' && backslashes % 2 === 1) {
        current += '"';
        at += 1;
      }
    } else if (next === '"') {
      if (quoted && line[at + 1] === '"') {
        current += '"';
        at += 1;
      } else quoted = !quoted;
    } else if (next === " " && !quoted) {
      args.push(current);
      current = "";
    } else current += next ?? "";
  }
  return [...args, current];
}

describe("batchArguments", () => {
  const values = [
    "plain",
    "",
    "a b & c",
    "%PATH%",
    "100%",
    "%",
    "%%",
    "^",
    "a^b",
    'say "hi" & del x',
    '"',
    '" & calc & "',
    "a|b>c<d",
    "(x)",
    "!x!",
    "C:\\dir\\",
    'C:\\dir\\"',
    "\\\\server\\share\\",
    'tail\\\\"x',
    "é — 读",
  ];
  for (const value of values) {
    it(`hands over ${JSON.stringify(value)} as given`, () => {
      const { text, special } = readByCmd(lineFor(value), { PATH: "C:\\expanded" });
      assert.deepEqual(special, []);
      assert.deepEqual(readByRuntime(text), [value]);
    });
  }

  it("switches delayed expansion and AutoRun off, and wraps the whole line in quotes", () => {
    assert.deepEqual(batchArguments("C:\\a b\\x.cmd", ["y"]), [
      "/d",
      "/e:on",
      "/v:off",
      "/s",
      "/c",
      '""C:\\a b\\x.cmd" "y""',
    ]);
  });
});
