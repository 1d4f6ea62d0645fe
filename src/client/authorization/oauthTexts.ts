import type { OauthConfig } from "./oauthConfig.ts";
import { OAUTH_TEXTS, type OauthText } from "./oauthSchema.ts";

type Json = Readonly<Record<string, unknown>>;

/** Every text of `oauth` that may hold placeholders, with its place below `oauth`. */
export function listOauthTexts(
  oauth: OauthConfig | false | undefined,
): readonly (OauthText & { readonly text: string })[] {
  return OAUTH_TEXTS.flatMap((found) => {
    const text = found.path.reduce<unknown>(
      (value, key) => (value as Json | undefined)?.[key],
      oauth || undefined,
    );
    return typeof text === "string" ? [{ ...found, text }] : [];
  });
}

/** The same with every text of `listOauthTexts` replaced. */
export function mapOauthTexts(oauth: OauthConfig, map: (text: string) => string): OauthConfig {
  const mapped: Record<string, unknown> = { ...oauth };
  for (const { path, text } of listOauthTexts(oauth)) {
    const [first, second] = path;
    mapped[first] = second === undefined ? map(text) : { ...(mapped[first] as Json), [second]: map(text) };
  }
  return mapped;
}

/** The secrets among the texts, once they are filled in. */
export function listOauthSecrets(oauth: OauthConfig | false | undefined): readonly string[] {
  return listOauthTexts(oauth).flatMap(({ isSecret, text }) => (isSecret === true ? [text] : []));
}
