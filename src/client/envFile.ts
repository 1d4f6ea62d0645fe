/** What a file of variables holds, and the lines that could not be read. */
export interface EnvFile {
  readonly variables: Readonly<Record<string, string>>;
  /** Line numbers, counted from 1. */
  readonly badLines: readonly number[];
}

const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([^\s=#'"`]+)[ \t]*=[ \t]*/;
const QUOTED = /^(?:"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|`([^`]*)`)[ \t]*(?:#[^\n]*)?(?:\n|$)/;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/**
 * Reads the dotenv format: `NAME=value`, `export`, comments, single, double and back quotes, values over several lines.
 * Values are taken as they are: nothing in them is expanded.
 */
export function parseEnvFile(source: string): EnvFile {
  const text = source.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const variables = new Map<string, string>();
  const badLines: number[] = [];
  let position = 0;
  let line = 1;
  while (position < text.length) {
    const newline = text.indexOf("\n", position);
    let end = newline < 0 ? text.length : newline + 1;
    const content = text.slice(position, end).trim();
    if (content !== "" && !content.startsWith("#")) {
      const assignment = readAssignment(text.slice(position), end - position);
      if (assignment === undefined) badLines.push(line);
      else {
        variables.set(assignment.name, assignment.value);
        end = position + assignment.length;
      }
    }
    line += countNewlines(text, position, end);
    position = end;
  }
  return { variables: Object.fromEntries(variables), badLines };
}

interface Assignment {
  readonly name: string;
  readonly value: string;
  /** Characters used up, the line end included. */
  readonly length: number;
}

/** Reads one assignment at the start of `rest`, whose first line is `lineLength` characters long. */
function readAssignment(rest: string, lineLength: number): Assignment | undefined {
  const start = ASSIGNMENT.exec(rest.slice(0, lineLength));
  if (start === null) return undefined;
  const [{ length: prefix }, name = ""] = start;
  const after = rest.slice(prefix);
  const quoted = QUOTED.exec(after);
  if (quoted !== null) {
    const [{ length }, double, single, back] = quoted;
    const value = double === undefined ? (single ?? back ?? "") : unescape(double);
    return { name, value, length: prefix + length };
  }
  const plain = rest.slice(prefix, lineLength);
  // A `#` begins a comment only after a space: tokens and colours hold it too.
  return { name, value: plain.replace(/(?:^|\s)#.*$/s, "").trim(), length: lineLength };
}

function unescape(text: string): string {
  return text.replaceAll(/\\([\s\S])/g, (whole, escaped: string) => {
    if (escaped === '"' || escaped === "\\" || escaped === "$") return escaped;
    return ESCAPES[escaped] ?? whole;
  });
}

function countNewlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let index = text.indexOf("\n", from); index >= 0 && index < to; index = text.indexOf("\n", index + 1))
    count += 1;
  return count;
}
