import * as os from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import type { PlaceholderPorts } from "../../client/resolveConfig.ts";
import type { SecretVault } from "../services.ts";
import type { InputAnswers } from "./inputAnswers.ts";
import type { ConfigLayer } from "./mergeLayers.ts";

/** An `envFile` is a handful of lines and a certificate some kilobytes; a larger file is something else. Bytes. */
const MAX_TEXT_FILE = 1024 * 1024;

/** Where the values of placeholders come from in this window, for one server defined in one place. */
export function placeholderPorts(
  context: vscode.ExtensionContext,
  secrets: SecretVault,
  inputs: InputAnswers,
  origin: ConfigLayer | undefined,
): PlaceholderPorts {
  const scope = origin?.folder === undefined ? undefined : vscode.Uri.parse(origin.folder);
  return {
    workspaceFolder: (name) => workspaceFolder(name, scope),
    userHome: () => os.homedir(),
    // Programs look for code beside them, as npx does: nothing of a folder that is not trusted may be found so.
    startFolder: () =>
      (vscode.workspace.isTrusted ? workspaceFolder(undefined, scope) : undefined) ?? os.homedir(),
    nodePath: () => process.execPath,
    extensionPath: () => context.extensionPath,
    env: (name) => process.env[name],
    config: (key) => settingAsText(key, scope),
    secret: (name) => secrets.get(name),
    input: (id, signal) => inputs.ask(id, signal),
    readTextFile: (file, cwd) => readTextFile(file, cwd ?? workspaceFolder(undefined, scope)),
  };
}

/** The path of a folder on this machine. A virtual folder has none. */
function workspaceFolder(name: string | undefined, scope: vscode.Uri | undefined): string | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const own = scope === undefined ? undefined : vscode.workspace.getWorkspaceFolder(scope);
  const folder =
    name === undefined ? (own ?? folders[0]) : folders.find((candidate) => candidate.name === name);
  return folder?.uri.scheme === "file" ? folder.uri.fsPath : undefined;
}

function settingAsText(key: string, scope: vscode.Uri | undefined): string | undefined {
  const value: unknown = vscode.workspace.getConfiguration(undefined, scope).get(key);
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

async function readTextFile(file: string, base: string | undefined): Promise<string> {
  const absolute = base === undefined ? path.resolve(file) : path.resolve(base, file);
  const uri = vscode.Uri.file(absolute);
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > MAX_TEXT_FILE)
    throw new RangeError(vscode.l10n.t("The file is larger than {limit} bytes.", { limit: MAX_TEXT_FILE }));
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
