import { isJsonObject, stringifyJson } from "../../base/json.ts";
import type { Log, LogLevel } from "../../base/log.ts";
import type { JsonRpcNotification } from "../jsonrpc/message.ts";

const LEVELS: ReadonlyMap<string, LogLevel> = new Map([
  ["debug", "debug"],
  ["info", "info"],
  ["notice", "info"],
  ["warning", "warn"],
  ["error", "error"],
  ["critical", "error"],
  ["alert", "error"],
  ["emergency", "error"],
]);
const MAX_TEXT = 4_000;

/** Writes a server's log notification to its log, cut to a bearable length. Unknown notifications are ignored. */
export function logServerMessage(log: Log, message: JsonRpcNotification): void {
  if (message.method !== "notifications/message") {
    log.write("debug", `Ignored the notification ${message.method.slice(0, 200)}.`);
    return;
  }
  const { level, data, logger } = message.params ?? {};
  const text =
    typeof data === "string" ? data : isJsonObject(data) || data !== undefined ? stringifyJson(data) : "";
  const name = typeof logger === "string" ? `${logger.slice(0, 100)}: ` : "";
  log.write(
    (typeof level === "string" ? LEVELS.get(level) : undefined) ?? "info",
    `[server] ${name}${text.slice(0, MAX_TEXT)}`,
  );
}
