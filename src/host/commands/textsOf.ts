/** Texts by name that a caller of a command passed; undefined when it passed none. */
export function textsOf(value: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const texts = Object.entries(value).filter((each): each is [string, string] => typeof each[1] === "string");
  return Object.fromEntries(texts);
}
