const PREFIX = "=?base64?";
const SUFFIX = "?=";

/**
 * A text as the value of `Mcp-Name` or `Mcp-Param-*`: as it is when HTTP carries it unchanged, otherwise as
 * Base64 of its UTF-8 bytes between markers. A text that looks encoded already is encoded once more, so that
 * the receiver gets back exactly what was given. The empty text is encoded too: some servers drop empty headers.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export function encodeHeaderValue(text: string): string {
  return isPlain(text) ? text : `${PREFIX}${Buffer.from(text, "utf8").toString("base64")}${SUFFIX}`;
}

function isPlain(text: string): boolean {
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return false;
  return !(text.startsWith(PREFIX) && text.endsWith(SUFFIX));
}
