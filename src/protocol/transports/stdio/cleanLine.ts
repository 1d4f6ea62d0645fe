/** A line without what some programs write before their first frame: a byte order mark, switches of terminal modes. */
export function cleanLine(text: string): string {
  return text.startsWith("{") ? text : text.replace(/^(?:\ufeff|\u001b\[[0-9;?]*[A-Za-z])+/, "");
}
