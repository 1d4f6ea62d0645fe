/**
 * Characters that are not seen or that change the order in which others are seen: controls, format characters,
 * separators other than the space, variation selectors, Hangul fillers, unpaired surrogates and unassigned ones.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0\uFE00-\uFE0F\u{E0100}-\u{E01EF}]|(?! )\p{Zs}/gu;

/** True when a text holds a character that a reader cannot see. */
export function hasInvisible(text: string): boolean {
  return text.search(INVISIBLE) >= 0;
}

/** The text with every unseen character written as `\u{…}`, so that what is read is what is there. */
export function showInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}
