/** The start of a server's words for a message of ours, which must stay readable however much a server says. */
export function shorten(text: string, maximumLength = 200): string {
  return text.length > maximumLength ? `${text.slice(0, maximumLength)}…` : text;
}
