/** Every text in a value, as deep as it goes: keys, values, and of errors their stacks, causes and all they carry. */
export function textsOf(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number" || typeof value === "bigint") return [String(value)];
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  if (value instanceof URL) return [value.href];
  if (value instanceof Map) return [...value].flatMap((entry) => textsOf(entry, seen));
  if (value instanceof Set) return [...value].flatMap((item) => textsOf(item, seen));
  const names = Object.getOwnPropertyNames(value).filter((name) => name !== "length");
  return names.flatMap((name) => [name, ...textsOf((value as Record<string, unknown>)[name], seen)]);
}
