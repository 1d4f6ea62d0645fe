/** Scopes that are taken from one source, and characters of them. More than that is no wish but an attack. */
export const MAX_SCOPES = 100;
export const MAX_SCOPE_CHARACTERS = 8_192;

const SCOPE_TOKEN = /^[\u0021\u0023-\u005B\u005D-\u007E]+$/;

/**
 * True for what may be one scope: visible ASCII without quotation mark and backslash.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-3.3
 */
export function isScopeToken(text: string): boolean {
  return SCOPE_TOKEN.test(text);
}

/**
 * The scopes that a `scope` value names, in its order, each once; the first ones when there are too many. Undefined when
 * it names none, or holds anything that no scope may hold: half of what was meant is not what was meant.
 */
export function readScopes(text: string | undefined): readonly string[] | undefined {
  const tokens = (text ?? "").split(" ").filter((token) => token !== "");
  if (tokens.length === 0 || !tokens.every(isScopeToken)) return undefined;
  return capScopes(tokens);
}

/**
 * The scopes of a JSON array as in `scopes_supported`, each once, without what is no scope; undefined when it is no
 * array. `keep` stays in even where there are too many.
 */
export function readScopeList(value: unknown, keep?: string): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const tokens = value.filter((item): item is string => typeof item === "string" && isScopeToken(item));
  const capped = capScopes(tokens);
  if (keep === undefined || capped.includes(keep) || !tokens.includes(keep)) return capped;
  return [...capped.slice(0, -1), keep];
}

/** Each scope once, and no more of them than the bounds allow. */
export function capScopes(
  tokens: readonly string[],
  bounds: { readonly count: number; readonly characters: number } = {
    count: MAX_SCOPES,
    characters: MAX_SCOPE_CHARACTERS,
  },
): readonly string[] {
  const kept = new Set<string>();
  let characters = 0;
  for (const token of tokens) {
    if (kept.has(token)) continue;
    characters += token.length + 1;
    if (kept.size >= bounds.count || characters > bounds.characters) break;
    kept.add(token);
  }
  return [...kept];
}
