import { showInvisible } from "./invisibleText.ts";

/** Visible ASCII other than the double quote: readable without quotes, with one meaning. */
const PLAIN_WORD = /^[!#-~]+$/;

/**
 * A command line to be read by a person: every word as it is, or in double quotes where a blank, an unusual
 * or an unseen character stands in it. Two different command lines never look the same. No shell will read it.
 */
export function quoteCommandLine(words: readonly string[]): string {
  return words.map(quoteWord).join(" ");
}

/** One word of `quoteCommandLine`. */
export function quoteWord(word: string): string {
  if (PLAIN_WORD.test(word)) return word;
  return `"${showInvisible(word.replaceAll(/["\\]/g, "\\$&"))}"`;
}

/** A command line cut into words, or why that is not possible. */
export type SplitCommand =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "unclosed-quote" }
  /** Something that only a shell can do: a pipe, a second command, a substitution. */
  | { readonly kind: "shell-syntax"; readonly found: string };

const OPERATOR = /^(?:\|\|?|&&?|;|<|>>?|\(|\)|`|\$\()/;

/**
 * Cuts a command line as a POSIX shell would: quotes, backslashes and continued lines are understood,
 * variables are left as they are, and whatever needs a shell is refused.
 */
export function splitCommandLine(source: string): SplitCommand {
  // A backslash, or the back quote of PowerShell, at the end of a line continues it.
  const text = source.trim().replaceAll(/[ \t]*[\\`]\r?\n[ \t]*/g, " ");
  const words: string[] = [];
  let word: string | undefined;
  for (let position = 0; position < text.length;) {
    const token = nextToken(text, position);
    if (token.kind === "unclosed") return { kind: "unclosed-quote" };
    if (token.kind === "operator") return { kind: "shell-syntax", found: token.text };
    if (token.kind === "text") word = (word ?? "") + token.text;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
    position += token.length;
  }
  if (word !== undefined) words.push(word);
  return { kind: "words", words };
}

type Token =
  | { readonly kind: "text"; readonly text: string; readonly length: number }
  | { readonly kind: "blank"; readonly length: number }
  | { readonly kind: "operator"; readonly text: string; readonly length: number }
  | { readonly kind: "unclosed"; readonly length: number };

function nextToken(text: string, position: number): Token {
  const char = text[position] ?? "";
  if (char === "'" || char === '"') return readQuoted(text, position, char);
  if (char === "\\") return { kind: "text", text: readEscape(text[position + 1] ?? ""), length: 2 };
  if (/[ \t]/.test(char)) return { kind: "blank", length: 1 };
  if (/[\r\n]/.test(char)) return { kind: "operator", text: "a second line", length: 1 };
  const operator = OPERATOR.exec(text.slice(position, position + 2))?.[0];
  if (operator !== undefined) return { kind: "operator", text: operator, length: operator.length };
  return { kind: "text", text: char, length: 1 };
}

function readQuoted(text: string, start: number, quote: string): Token {
  let value = "";
  for (let position = start + 1; position < text.length; position += 1) {
    const char = text[position] ?? "";
    if (char === quote) return { kind: "text", text: value, length: position + 1 - start };
    const next = text[position + 1] ?? "";
    if (quote === '"' && char === "\\" && /["\\$`]/.test(next)) {
      value += next;
      position += 1;
    } else value += char;
  }
  return { kind: "unclosed", length: text.length - start };
}

/** Outside of quotes a backslash before a letter is far more often a Windows path than an escape. */
function readEscape(char: string): string {
  return /[\s"'\\$`|&;<>()]/.test(char) ? char : `\\${char}`;
}
