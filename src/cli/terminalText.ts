/** Controls other than line end and tab, and characters that change the direction of what follows. */
const UNSAFE =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g;

/** A server's text made harmless for a terminal: escape sequences become visible instead of taking effect. */
export function toTerminalText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(UNSAFE, (found) => `\\u{${found.charCodeAt(0).toString(16)}}`);
}
