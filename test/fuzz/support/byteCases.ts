import fc from "fast-check";

/** Bytes that mean something to a reader of lines, of events or of UTF-8. */
const TELLING: readonly string[] = [
  "\n",
  "\r\n",
  "\r",
  "\n\n",
  "\r\r",
  "\u0000",
  ":",
  " ",
  "\ufeff",
  "\u2028",
];
/** What no UTF-8 text holds: a lone continuation, a start without its rest, a surrogate, an overlong slash, 0xff. */
const BROKEN: readonly (readonly number[])[] = [
  [0x80],
  [0xe2, 0x82],
  [0xed, 0xa0, 0x80],
  [0xc0, 0xaf],
  [0xff],
];

/** A stream of bytes made of given texts, line ends, any characters, and bytes that are no UTF-8. */
export function byteStream(...texts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<Buffer> {
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...TELLING).map((text) => Buffer.from(text, "utf8")) },
    ...texts.map((arbitrary) => ({
      weight: 3,
      arbitrary: arbitrary.map((text) => Buffer.from(text, "utf8")),
    })),
    {
      weight: 1,
      arbitrary: fc.string({ unit: "binary", maxLength: 12 }).map((text) => Buffer.from(text, "utf8")),
    },
    { weight: 1, arbitrary: fc.constantFrom(...BROKEN).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)) },
  );
  return fc.array(piece, { maxLength: 24 }).map((pieces) => Buffer.concat(pieces));
}

/** Sizes of chunks; they are used over and over until everything is handed on. */
export const chunkSizes: fc.Arbitrary<readonly number[]> = fc.array(fc.nat(24), { maxLength: 6 });

/** Cuts bytes into chunks of the given sizes, anywhere: within a character, a line end, a byte order mark. */
export function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const usable = sizes.some((size) => size > 0) ? sizes : [bytes.length + 1];
  const chunks: Buffer[] = [];
  for (let start = 0, at = 0; start < bytes.length; at += 1) {
    const size = usable[at % usable.length] ?? 1;
    // A reader may keep what it is given: as from a socket, the bytes are its own.
    chunks.push(Buffer.from(bytes.subarray(start, start + size)));
    start += size;
  }
  return chunks;
}
