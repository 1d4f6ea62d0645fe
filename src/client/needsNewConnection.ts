import { stringifyJson } from "../base/json.ts";
import type { ServerConfig } from "./serverConfig.ts";

/** Settings that are followed without a new connection, which would end the calls under way. */
const FOLLOWED: ReadonlySet<string> = new Set<keyof ServerConfig>([
  "autostart",
  "chat",
  "logLevel",
  "restart",
  "tasks",
  "tools",
  "trace",
]);

/** Whether a server must be connected anew to do what its new definition says. */
export function needsNewConnection(before: ServerConfig, after: ServerConfig): boolean {
  return stringifyJson(withoutFollowed(before)) !== stringifyJson(withoutFollowed(after));
}

/** The definition without what is followed: what is the same in two of them is done in the same way. */
export function withoutFollowed<T extends ServerConfig>(config: T): T {
  return Object.fromEntries(Object.entries(config).filter(([key]) => !FOLLOWED.has(key))) as unknown as T;
}
