import { showInvisible } from "../../client/invisibleText.ts";

/** Everything that Markdown gives a meaning to. */
const MARKDOWN = /[\\`*_{}[\]()<>#+\-.!|~$@:&]/g;

/** Text from outside as plain words within Markdown: no links, no emphasis, no icons, no hidden characters. */
export function plainMarkdown(text: string): string {
  return escapeMarkdown(showInvisible(text));
}

/** A text on one line with everything escaped that Markdown gives a meaning to. */
export function escapeMarkdown(text: string): string {
  return text.replace(MARKDOWN, "\\$&");
}

/** Text from outside as a code span, whatever backticks it holds. */
export function codeSpan(text: string): string {
  const shown = showInvisible(text);
  const fence = "`".repeat(longestRun(shown) + 1);
  // The blanks keep backticks at the ends apart from the fence; Markdown drops one on each side.
  return `${fence} ${shown} ${fence}`;
}

/** Text from outside as a code block that it cannot end. Lines are kept, hidden characters are written out. */
export function codeBlock(text: string, language = ""): string {
  const shown = text.split("\n").map(showInvisible).join("\n");
  const fence = "`".repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}${language}\n${shown}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
