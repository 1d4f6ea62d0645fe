/** The name itself when it is free, else with the first number that makes it so. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name;
  for (let number = 2; ; number += 1) {
    const candidate = `${name}-${String(number)}`;
    if (!isTaken(candidate)) return candidate;
  }
}
