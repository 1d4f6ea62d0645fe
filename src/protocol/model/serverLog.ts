/** How much a server is asked to log, from everything to next to nothing: the levels of RFC 5424 as MCP names them. */
export const SERVER_LOG_LEVELS = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;

export type ServerLogLevel = (typeof SERVER_LOG_LEVELS)[number];
