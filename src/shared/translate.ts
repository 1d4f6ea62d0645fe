import { fillTemplate, type MessageArgs } from "../base/errors.ts";

/** Turns an English sentence with arguments in braces into the user's language. */
export type Translate = (english: string, args?: MessageArgs) => string;

/**
 * A translator over a bundle of English sentences and their translations.
 * A sentence without a translation stays English, so that nothing is lost.
 */
export function createTranslate(bundle: Readonly<Record<string, string>>): Translate {
  const translations = new Map(Object.entries(bundle));
  return (english, args = {}) => fillTemplate(translations.get(english) ?? english, args);
}
