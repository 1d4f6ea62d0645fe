/** Characters that change how the text around them is drawn, or that draw nothing at all. */
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;

/** Longest piece of server text on one line of the editor's own interface. Characters. */
const MAX_LINE = 300;

/**
 * Text from a server as one line of the editor's interface. Line breaks and characters that reorder or hide text
 * become blanks: a tool must not be able to dress up as something else.
 */
export function oneLine(text: string, max = MAX_LINE): string {
  const plain = text.replace(INVISIBLE, " ").replace(/ {2,}/g, " ").trim();
  return plain.length <= max ? plain : `${plain.slice(0, max - 1)}…`;
}

/** The same for a quick pick, which would draw `$(name)` as an icon. */
export function pickLabel(text: string): string {
  return oneLine(text).replaceAll("$(", "\\$(");
}

/**
 * Text for a notification that is not modal, or for what stands below an input box: there the editor makes links of
 * `[text](address)`, and one to a command runs it on a click. Nothing that a server, a setting or a file name says may
 * become one.
 */
export function withoutLinks(text: string): string {
  return text.replaceAll("](", "] (");
}
