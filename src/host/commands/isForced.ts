/** True when a caller asked for no question. The editor passes arguments of its own, so anything may come. */
export function isForced(options: unknown): boolean {
  return typeof options === "object" && options !== null && "force" in options && options.force === true;
}
