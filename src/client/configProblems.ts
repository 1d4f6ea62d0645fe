import { fillTemplate } from "../base/errors.ts";
import type { ConfigProblem } from "./serverConfig.ts";

/**
 * What can be wrong with an entry of the `servers` map. `path` is the place within the entry, as in `env.TOKEN`.
 * The host translates the templates.
 */
export const CONFIG_PROBLEMS = {
  "not-a-map": "The servers must be an object that maps names to servers.",
  "not-an-entry": "A server must be an object with “command” or “url”.",
  "name-empty": "A server needs a name that is not empty.",
  "name-too-long": "The name of a server may have at most {limit} characters.",
  "name-invisible": "The name of a server may not hold control characters or invisible ones.",
  "no-kind": "The server has neither “command” (a process) nor “url” (an HTTP endpoint).",
  "both-kinds": "The server has both “command” and “url”. It can be only one: a process or an HTTP endpoint.",
  "unknown-type": "“type” must be “stdio” or “http”, not “{value}”.",
  "sse-type":
    "The old HTTP+SSE transport (“type”: “sse”) is not supported. Most servers offer “http” at another address, often ending in /mcp.",
  "not-text": "“{path}” must be text.",
  "not-number": "“{path}” must be a number.",
  "not-integer": "“{path}” must be a whole number.",
  "not-boolean": "“{path}” must be true or false.",
  "not-list": "“{path}” must be a list.",
  "not-object": "“{path}” must be an object.",
  "not-inherit": "“{path}” must be true or a list of variable names.",
  "not-proxy": "“{path}” must be the address of a proxy, or false.",
  "not-roots": "“{path}” must be true, false or a list of folder names.",
  missing: "“{path}” is missing.",
  empty: "“{path}” must not be empty.",
  "one-of": "“{path}” must be one of {values}.",
  range: "“{path}” must be from {minimum} to {maximum}.",
  "not-url": "“{path}” must be an address that starts with http:// or https://.",
  "url-credentials":
    "“{path}” holds a user name or password. Send it in a header with a ${secret:NAME} placeholder instead.",
  "proxy-password":
    "“{path}” holds a password in plain text. Store it with “Signalbox: Set Secret…” and write ${secret:NAME} in its place.",
  "key-without-certificate": "“{path}” has no effect without “tls.cert”.",
  "header-name": "“{name}” is not a valid header name.",
  "header-value": "“{path}” holds a line break or another character that a header cannot carry.",
  "header-reserved": "“{name}” is set by Signalbox itself and cannot be configured.",
  "variable-name": "“{name}” cannot be the name of an environment variable.",
  "command-line":
    "“{path}” is one program, and no shell splits it: write “{program}” there and the rest into “args”, one by one.",
  "null-character": "“{path}” holds a null character.",
  "pin-below-minimum": "“protocol” names {protocol}, which is older than “minimumProtocol” {minimum}.",
  "unknown-key": "“{path}” is not a setting of a server. It has no effect.",
  "unknown-key-near": "“{path}” is not a setting of a server. Did you mean “{nearest}”?",
  "other-kind-key": "“{path}” has no effect on a server of type “{type}”.",
  "unknown-placeholder":
    "“{placeholder}” in “{path}” is not a placeholder of Signalbox. It is passed on as it is written.",
  "plain-secret":
    "“{path}” looks like a secret in plain text. Store it with “Signalbox: Set Secret…” and write ${secret:NAME} here.",
  "cannot-allow":
    "“{path}” has no effect here: a workspace cannot allow this for its own servers. Only you can, with “{command}”.",
  "user-only": "“{path}” is allowed in your user settings only: a workspace cannot decide this for you.",
  "user-only-placeholder":
    "“{path}” holds {placeholder}, which only your user settings may use for signing in.",
  "other-grant": "“{path}” has no effect unless “oauth.grant” is “{grant}”.",
  "oauth-unused":
    "“{path}” has no effect: the settings send a credential of their own, so nobody signs in to this server.",
  shadowed: "Less specific settings define this server too. The definition here is used.",
} as const;

export type ConfigProblemCode = keyof typeof CONFIG_PROBLEMS;

/** Says what is wrong at one place of one entry. `path` is added to the arguments. */
export function createProblem(
  severity: ConfigProblem["severity"],
  serverId: string,
  path: readonly (string | number)[],
  code: ConfigProblemCode,
  args: ConfigProblem["args"] = {},
): ConfigProblem {
  return {
    serverId,
    path,
    severity,
    template: CONFIG_PROBLEMS[code],
    args: { path: formatPath(path), ...args },
  };
}

/** The problem as an English sentence, for the command line and the log. */
export function describeProblem(problem: ConfigProblem): string {
  return fillTemplate(problem.template, problem.args);
}

/** A path as people write it: `env.TOKEN`, `args[2]`. */
export function formatPath(path: readonly (string | number)[]): string {
  let text = "";
  for (const key of path) {
    if (typeof key === "number") text += `[${String(key)}]`;
    else text += text === "" ? key : `.${key}`;
  }
  return text;
}
