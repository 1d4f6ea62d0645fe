export interface Cell {
  passed: number;
  total: number;
}

/** By revision. */
export type Column = Readonly<Record<string, Cell>>;

export function compareWithReadme(
  readme: string,
  columns: Readonly<Partial<Record<"stdio" | "json" | "sse" | "oauth", Column>>>,
): string | undefined;
