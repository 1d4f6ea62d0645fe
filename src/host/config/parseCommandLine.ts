/** A command line cut into its words, or where it went wrong. */
export type CommandLine =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "unclosed"; readonly quote: '"' | "'" };

/**
 * Cuts a command line as a person types it: blanks separate, single and double quotes group.
 * A backslash escapes only a quote or a blank, so that Windows paths survive unquoted.
 * Nothing is expanded: no shell will see this.
 */
export function parseCommandLine(text: string): CommandLine {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charAt(i);
    const next = text.charAt(i + 1);
    if (char === "\\" && quote !== "'" && isEscapable(next, quote)) {
      word = (word ?? "") + next;
      i += 1;
    } else if (quote !== undefined) {
      if (char === quote) quote = undefined;
      else word = (word ?? "") + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + char;
    }
  }
  if (quote !== undefined) return { kind: "unclosed", quote };
  if (word !== undefined) words.push(word);
  return { kind: "words", words };
}

function isEscapable(char: string, quote: '"' | undefined): boolean {
  if (quote === '"') return char === '"';
  return char === '"' || char === "'" || char === " ";
}
