import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, resolve } from "node:path";
import type { Placeholder } from "../client/placeholders.ts";
import type { PlaceholderPorts } from "../client/resolveConfig.ts";

const MAX_TEXT_FILE_BYTES = 1024 * 1024;

/** Where the command line takes the values of placeholders from: the environment and the current directory. */
export function createCliPlaceholders(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  packagePath: string,
): PlaceholderPorts {
  return {
    workspaceFolder: (name) => (name === undefined || name === basename(cwd) ? cwd : undefined),
    userHome: () => homedir(),
    startFolder: () => cwd,
    nodePath: () => process.execPath,
    extensionPath: () => packagePath,
    env: (name) => env[name],
    config: () => undefined,
    secret: (name) => Promise.resolve(env[variableFor("SECRET", name)]),
    input: (id) => {
      const value = env[variableFor("INPUT", id)];
      // Whether it is a password is not known here, so it is treated as one.
      return Promise.resolve(value === undefined ? undefined : { value, isSecret: true });
    },
    readTextFile: async (path, base) => {
      const file = resolve(cwd, base ?? "", path);
      if ((await stat(file)).size > MAX_TEXT_FILE_BYTES)
        throw new Error(`it is larger than ${String(MAX_TEXT_FILE_BYTES)} bytes`);
      return readFile(file, "utf8");
    },
    hint,
  };
}

/** `${secret:api-key}` is read from `SIGNALBOX_SECRET_API_KEY`. */
function variableFor(kind: "SECRET" | "INPUT", name: string): string {
  return `SIGNALBOX_${kind}_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;
}

function hint(placeholder: Placeholder): string | undefined {
  switch (placeholder.kind) {
    case "secret":
      return `Set the environment variable ${variableFor("SECRET", placeholder.name)}.`;
    case "input":
      return `Set the environment variable ${variableFor("INPUT", placeholder.name)}.`;
    case "env":
      return `Set the environment variable ${placeholder.name}.`;
    case "config":
      return "Settings of the editor are not known on the command line; write the value itself.";
    default:
      return undefined;
  }
}
