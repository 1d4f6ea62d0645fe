/**
 * True for standard base64, as `blob` has to be. Line ends are allowed, because some encoders break lines, and the
 * padding may be missing. Linear in the length: nothing here goes back.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4648#section-4
 */
export function isBase64(text: string): boolean {
  const end = text.search(/[^A-Za-z0-9+/\r\n]/);
  const digits = end === -1 ? text : text.slice(0, end);
  const padding = end === -1 ? "" : text.slice(end).trimEnd();
  const length = countDigits(digits);
  if (padding === "") return length % 4 !== 1;
  return (padding === "=" && length % 4 === 3) || (padding === "==" && length % 4 === 2);
}

function countDigits(text: string): number {
  return text.includes("\n") || text.includes("\r") ? text.replaceAll(/[\r\n]/g, "").length : text.length;
}
