import fc from "fast-check";

/** What a server reads: the text itself, or the UTF-8 in strict Base64 between the marks. */
export function decodeHeaderValue(value: string): string {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value) ?? [];
  return encoded === undefined ? value : Buffer.from(encoded, "base64").toString("utf8");
}

/** Visible ASCII with spaces and nothing at the ends that an intermediary may trim; never empty. */
export const LEGAL_HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Any text, and what is known to go wrong. */
export const textCases: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.string({ unit: "grapheme-ascii", maxLength: 20 }),
  // Code units one by one: halves of surrogate pairs are among them.
  fc.array(fc.nat(0xffff), { maxLength: 6 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    "",
    " ",
    "\t",
    "a\tb",
    "us west 1",
    "=?base64??=",
    "=?base64?YQ==?=",
    "=?BASE64?YQ==?=",
    "=?base64?a",
    "\r\nX: y",
  ),
  fc.string({ maxLength: 6 }).map((inner) => `=?base64?${inner}?=`),
);

/** The text as UTF-8 can carry it: half a surrogate pair is no character and becomes the replacement for it. */
export function asUtf8(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
