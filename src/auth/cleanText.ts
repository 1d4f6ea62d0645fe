/**
 * Characters that are not seen or that change the order in which others are seen: controls, format characters,
 * separators other than the space, variation selectors, Hangul fillers, unpaired surrogates and unassigned ones.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0\uFE00-\uFE0F\u{E0100}-\u{E01EF}]|(?! )\p{Zs}/gu;

/**
 * The words of a server as one line of plain text: what is not seen becomes a space, and what is too long is cut with
 * an ellipsis. Anything but a string gives an empty text.
 */
export function cleanText(text: unknown, maxLength = 500): string {
  if (typeof text !== "string") return "";
  // Cut first: a text of megabytes is not worth looking through. Cleaning never makes a text longer.
  const cleaned = text
    .slice(0, maxLength * 4)
    .replaceAll(INVISIBLE, " ")
    .replaceAll(/ {2,}/g, " ")
    .trim();
  if (cleaned.length <= maxLength) return cleaned;
  return `${cleaned.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
