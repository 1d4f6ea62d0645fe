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

function withoutFollowed(config: ServerConfig): object {
  return Object.fromEntries(Object.entries(config).filter(([key]) => !FOLLOWED.has(key)));
}
