/** Methods that a client may call in 2025-11-25 and 2025-06-18; tasks are in the former alone. Absence is the deletion. */
export const LEGACY_METHODS: ReadonlySet<string> = new Set([
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
  "prompts/list",
  "prompts/get",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
  "logging/setLevel",
  "completion/complete",
  // Of an extension: only where the server announces it.
  "skills/list",
  "skills/get",
  "tasks/get",
  "tasks/result",
  "tasks/cancel",
]);
