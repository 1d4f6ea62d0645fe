import { readFile } from "node:fs/promises";
import { errorText } from "../base/errors.ts";
import { describeProblem } from "../client/configProblems.ts";
import { readJsonText } from "../client/import/readJsonText.ts";
import { nearestKey } from "../client/nearestKey.ts";
import { parseServers } from "../client/parseServers.ts";
import type { ConfigProblem, ServerConfig } from "../client/serverConfig.ts";
import { locateInText } from "../client/settingsEdit.ts";

/** The server that was asked for, or a sentence that says why there is none. */
export type ConfigFile =
  | { readonly kind: "server"; readonly config: ServerConfig; readonly warnings: readonly string[] }
  | { readonly kind: "failed"; readonly code: string; readonly message: string; readonly remedy: string };

const MAX_BYTES = 4 * 1024 * 1024;

/** Reads one server of a file that holds a `servers` map, or of a settings file of the editor. */
export async function readConfigFile(file: string, server: string): Promise<ConfigFile> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    return failed(
      "config-unreadable",
      `The configuration file ${file} cannot be read: ${errorText(error)}`,
      "Check the path after --config.",
    );
  }
  return selectServer(file, text, server);
}

/** The pure part of `readConfigFile`. */
export function selectServer(file: string, text: string, server: string): ConfigFile {
  if (text.length > MAX_BYTES)
    return failed(
      "config-unreadable",
      `${file} is larger than ${String(MAX_BYTES)} bytes.`,
      "Check the path after --config.",
    );
  const read = readJsonText(text.replace(/^\uFEFF/, ""));
  if (read?.kind === "broken") {
    return failed(
      "config-syntax",
      `${file}:${String(read.line)}:${String(read.column)} is not valid JSON.`,
      "Correct the file. Comments and trailing commas are allowed.",
    );
  }
  const key = ["servers", "signalbox.servers"].find((candidate) => read?.value[candidate] !== undefined);
  if (read === undefined || key === undefined) {
    return failed(
      "config-syntax",
      `${file} holds no “servers”.`,
      'It must be a JSON object with a map "servers" from names to servers.',
    );
  }
  const { servers, problems } = parseServers(read.value[key], "file");
  const describe = (problem: ConfigProblem): string => {
    const place = locateInText(text, [
      key,
      ...(problem.serverId === "" ? [] : [problem.serverId]),
      ...problem.path,
    ]);
    const where = place === undefined ? file : `${file}:${String(place.line)}:${String(place.column)}`;
    return `${where} ${describeProblem(problem)}`;
  };
  const general = problems.find((problem) => problem.serverId === "" && problem.path.length === 0);
  if (general !== undefined) return failed("invalid-config", describe(general), "Correct the file.");
  const own = problems.filter((problem) => problem.serverId === server);
  const errors = own.filter((problem) => problem.severity === "error").map(describe);
  if (errors.length > 0)
    return failed(
      "invalid-config",
      `“${server}” is not usable:\n  ${errors.join("\n  ")}`,
      "Correct the entry.",
    );
  const config = servers.find((candidate) => candidate.id === server);
  if (config === undefined)
    return unknownServer(
      file,
      server,
      servers.map(({ id }) => id),
    );
  return { kind: "server", config, warnings: own.map(describe) };
}

function unknownServer(file: string, server: string, names: readonly string[]): ConfigFile {
  const nearest = nearestKey(server, names);
  const known =
    names.length === 0
      ? "It holds none that is usable."
      : `It holds ${names.map((name) => `“${name}”`).join(", ")}.`;
  return failed(
    "no-such-server",
    `There is no server “${server}” in ${file}.`,
    nearest === undefined ? known : `Did you mean “${nearest}”? ${known}`,
  );
}

function failed(code: string, message: string, remedy: string): ConfigFile {
  return { kind: "failed", code, message, remedy };
}
