import path from "node:path";
import { errorText } from "../base/errors.ts";
import { isSecretHeader } from "../base/redact.ts";
import { listOauthSecrets } from "./authorization/oauthTexts.ts";
import { isHeaderValue, isHttpUrl } from "./checkServerTexts.ts";
import { ClientError } from "./clientError.ts";
import { describeProblem, createProblem, type ConfigProblemCode } from "./configProblems.ts";
import { parseEnvFile } from "./envFile.ts";
import { parsePlaceholders, type Placeholder } from "./placeholders.ts";
import type { ResolvedConfig, ServerConfig, StdioConfig } from "./serverConfig.ts";
import { listTexts, mapTexts } from "./serverTexts.ts";
import { readTlsTexts } from "./tlsTexts.ts";

/** A value that a person gave for `${input:…}`. */
export interface InputValue {
  readonly value: string;
  /** True for passwords: the value is masked wherever it would be shown. */
  readonly isSecret: boolean;
}

/** Where the values of placeholders come from. Undefined always means: not set. */
export interface PlaceholderPorts {
  /** The path of the folder with this name; without a name, of the only or first one. */
  workspaceFolder(name: string | undefined): string | undefined;
  userHome(): string | undefined;
  /**
   * Where a process starts that says nothing else, and where a relative `cwd` counts from: a folder of this machine
   * whose contents may decide what runs.
   */
  startFolder(): string;
  /** A Node that can run scripts: in VS Code the extension host's own executable. */
  nodePath(): string | undefined;
  /** Where Signalbox itself is installed. */
  extensionPath(): string | undefined;
  env(name: string): string | undefined;
  /** The value of a setting of the editor, as text. */
  config(key: string): string | undefined;
  secret(name: string, signal: AbortSignal): Promise<string | undefined>;
  /** Asks the person, unless the answer is known. Undefined when dismissed or not defined. */
  input(id: string, signal: AbortSignal): Promise<InputValue | undefined>;
  /** Reads an `envFile` or a certificate; a relative path counts from `cwd` or else from the workspace folder. */
  readTextFile(path: string, cwd: string | undefined, signal: AbortSignal): Promise<string>;
  /** What to do about an unset placeholder where the sentences of `PLACEHOLDER_HINTS` do not fit. */
  hint?(placeholder: Placeholder): string | undefined;
}

/** A command that is exactly this runs in the editor's own executable, which must be told to act as Node. */
const NODE_PATH_COMMAND = "${nodePath}";

/** The distinct placeholders of a definition, in the order in which they are filled. */
export function listPlaceholders(config: ServerConfig): readonly Placeholder[] {
  const found = new Map<string, Placeholder>();
  for (const { text } of listTexts(config)) {
    for (const part of parsePlaceholders(text)) {
      if (part.kind !== "text" && !found.has(part.text)) found.set(part.text, part);
    }
  }
  return [...found.values()];
}

/**
 * Fills in all placeholders of a definition, each of them once; what is filled in is not expanded again.
 * Persons are asked last, so that nobody types an answer for a server that cannot start anyway.
 *
 * @throws ClientError `unset-variable` naming the first placeholder without a value, `invalid-config` when the
 * result cannot be used.
 */
export async function resolveConfig(
  config: ServerConfig,
  ports: PlaceholderPorts,
  signal: AbortSignal,
): Promise<ResolvedConfig> {
  const values = new Map<string, string>();
  const secrets = new Set<string>();
  const placeholders = listPlaceholders(config);
  const asked = placeholders.filter((placeholder) => placeholder.kind === "input");
  for (const placeholder of [...placeholders.filter(({ kind }) => kind !== "input"), ...asked]) {
    signal.throwIfAborted();
    const found = await findValue(placeholder, ports, signal);
    if (found === undefined) {
      throw new ClientError("unset-variable", {
        server: config.id,
        placeholder: placeholder.text,
        hint: ports.hint?.(placeholder) ?? hintFor(placeholder),
      });
    }
    values.set(placeholder.text, found.value);
    if (found.isSecret) secrets.add(found.value);
  }
  const fill = (text: string): string =>
    parsePlaceholders(text)
      .map((part) => (part.kind === "text" ? part.text : (values.get(part.text) ?? part.text)))
      .join("");
  for (const secret of listSensitiveValues(config, values)) secrets.add(secret);
  const filled = mapTexts(config, fill);
  checkFilled(filled);
  const complete =
    filled.type === "stdio"
      ? await completeStdio(
          filled,
          config.type === "stdio" && config.command === NODE_PATH_COMMAND,
          ports,
          signal,
        )
      : await readTlsTexts(filled, ports, signal);
  for (const secret of [...listLiteralSecrets(complete), ...listNetworkSecrets(complete)])
    secrets.add(secret);
  return { ...complete, secrets: [...secrets].filter((secret) => secret !== "") };
}

async function findValue(
  placeholder: Placeholder,
  ports: PlaceholderPorts,
  signal: AbortSignal,
): Promise<InputValue | undefined> {
  const plain = (value: string | undefined): InputValue | undefined =>
    value === undefined ? undefined : { value, isSecret: false };
  switch (placeholder.kind) {
    case "workspaceFolder":
      return plain(ports.workspaceFolder(placeholder.name));
    case "userHome":
      return plain(ports.userHome());
    case "nodePath":
      return plain(ports.nodePath());
    case "extensionPath":
      return plain(ports.extensionPath());
    case "env":
      return plain(ports.env(placeholder.name));
    case "config":
      return plain(ports.config(placeholder.name));
    case "secret": {
      const value = await ports.secret(placeholder.name, signal);
      return value === undefined || value === "" ? undefined : { value, isSecret: true };
    }
    case "input":
      return ports.input(placeholder.name, signal);
  }
}

/** What to do about an unset placeholder. The host translates these sentences. */
export const PLACEHOLDER_HINTS = {
  workspaceFolder: "Open a folder, or write the path itself.",
  "workspaceFolder-name": "Add a folder with that name to the workspace, or write the path itself.",
  userHome: "Write the path itself.",
  nodePath: "Write the path of a Node.js executable.",
  extensionPath: "Write the path itself.",
  env: "Set that environment variable and start the editor again, or use a ${secret:NAME} placeholder.",
  config: "Set that setting, or write the value itself.",
  secret: "Set it with “Signalbox: Set Secret…”.",
  input: "Answer the question when it is asked, or define that input in “signalbox.inputs”.",
} as const;

function hintFor(placeholder: Placeholder): string {
  const isNamedFolder = placeholder.kind === "workspaceFolder" && placeholder.name !== undefined;
  return PLACEHOLDER_HINTS[isNamedFolder ? "workspaceFolder-name" : placeholder.kind];
}

/** Variables that are no secrets although they are passed on: masking their values would make logs unreadable. */
const PLAIN_VARIABLES: ReadonlySet<string> = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TZ", "PWD", "TMPDIR", "TEMP", "TMP"],
  ...["USERPROFILE", "USERNAME", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "SYSTEMROOT", "NODE_ENV"],
]);

/** Environment variables used in headers and variables are how people pass tokens; elsewhere they are paths. */
function listSensitiveValues(config: ServerConfig, values: ReadonlyMap<string, string>): readonly string[] {
  const record = config.type === "stdio" ? config.env : config.headers;
  return Object.values(record)
    .flatMap((text) => (text === null ? [] : parsePlaceholders(text)))
    .flatMap((part) =>
      part.kind === "env" && !PLAIN_VARIABLES.has(part.name.toUpperCase())
        ? [values.get(part.text) ?? ""]
        : [],
    );
}

/** Values with a telling name, written out by the person or found in an `envFile`. */
function listLiteralSecrets(config: ServerConfig): readonly string[] {
  const record = config.type === "stdio" ? config.env : config.headers;
  return Object.entries(record).flatMap(([name, value]) => {
    // Short values are switches and numbers; masking “true” would hide half of a log.
    if (value === null || value.length < 8 || !isSecretHeader(name)) return [];
    const credentials = /^(?:Bearer|Basic|Token)\s+(\S+)$/i.exec(value)?.[1];
    return credentials === undefined ? [value] : [value, credentials];
  });
}

function listNetworkSecrets(config: ServerConfig): readonly string[] {
  if (config.type !== "http") return [];
  const { url, proxy, tls, oauth } = config;
  return [
    ...listUrlSecrets(url),
    ...(typeof proxy === "string" ? listUrlSecrets(proxy) : []),
    ...(tls?.passphrase === undefined ? [] : [tls.passphrase]),
    ...listOauthSecrets(oauth),
  ];
}

/** Password and telling query values of an address, as they are written and as they are meant. */
function listUrlSecrets(address: string): readonly string[] {
  if (!URL.canParse(address)) return [];
  const { password, search } = new URL(address);
  const written = search
    .slice(1)
    .split("&")
    .map((part) => /^([^=]*)=(.*)$/s.exec(part))
    .flatMap((match) => (match !== null && isSecretHeader(match[1] ?? "") ? [match[2] ?? ""] : []));
  return [password, ...written].flatMap((text) => [text, ...new URLSearchParams(`v=${text}`).getAll("v")]);
}

/** Checks again what could not be checked while placeholders stood in the way. */
function checkFilled(config: ServerConfig): void {
  for (const { path, text } of listTexts(config)) {
    if (text.includes("\0")) refuse(config, path, "null-character");
    if (path[0] === "headers" && !isHeaderValue(text)) refuse(config, path, "header-value");
    if ((path[0] === "url" || path[0] === "proxy") && !isHttpUrl(text)) refuse(config, path, "not-url");
    if ((path[0] === "tls" || path[0] === "oauth") && text.trim() === "") refuse(config, path, "empty");
    if (path.length === 1 && path[0] !== "url" && text.trim() === "") refuse(config, path, "empty");
  }
}

function refuse(config: ServerConfig, path: readonly (string | number)[], code: ConfigProblemCode): never {
  throw new ClientError("invalid-config", {
    server: config.id,
    problem: describeProblem(createProblem("error", config.id, path, code)),
  });
}

/** Says where it starts, reads the `envFile`, which `env` overrides, and makes the editor's executable act as Node where it is the command. */
async function completeStdio(
  config: StdioConfig,
  runsEditorNode: boolean,
  ports: PlaceholderPorts,
  signal: AbortSignal,
): Promise<StdioConfig> {
  const { envFile, ...rest } = config;
  const cwd = path.resolve(ports.startFolder(), config.cwd ?? "");
  const fromFile = envFile === undefined ? {} : await readVariables(config.id, envFile, cwd, ports, signal);
  const asNode = runsEditorNode ? { ELECTRON_RUN_AS_NODE: "1" } : {};
  return { ...rest, cwd, env: { ...asNode, ...fromFile, ...config.env } };
}

async function readVariables(
  server: string,
  file: string,
  cwd: string,
  ports: PlaceholderPorts,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  let text: string;
  try {
    text = await ports.readTextFile(file, cwd, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new ClientError(
      "invalid-config",
      { server, problem: `“envFile” ${file} cannot be read: ${errorText(error)}` },
      { cause: error },
    );
  }
  const { variables, badLines } = parseEnvFile(text);
  const [bad] = badLines;
  if (bad !== undefined) {
    throw new ClientError("invalid-config", {
      server,
      problem: `line ${String(bad)} of “envFile” ${file} is not NAME=value.`,
    });
  }
  return variables;
}
