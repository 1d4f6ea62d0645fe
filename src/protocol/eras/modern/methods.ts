/** Methods that a client may call in 2026-07-28, with the parameter that `Mcp-Name` repeats. Absence is the deletion. */
export const MODERN_METHODS: Readonly<Record<string, { readonly nameParam?: string }>> = {
  "server/discover": {},
  "tools/list": {},
  "tools/call": { nameParam: "name" },
  "prompts/list": {},
  "prompts/get": { nameParam: "name" },
  "resources/list": {},
  "resources/templates/list": {},
  "resources/read": { nameParam: "uri" },
  "completion/complete": {},
  "skills/list": {},
  "skills/get": {},
  "tasks/get": { nameParam: "taskId" },
  "tasks/update": { nameParam: "taskId" },
  "tasks/cancel": { nameParam: "taskId" },
};
