import * as vscode from "vscode";
import type { ConfigLayer } from "./mergeLayers.ts";

/** The setting that holds the servers. */
export const SERVERS_KEY = "signalbox.servers";

/** The setting that holds the questions behind `${input:…}` placeholders. */
export const INPUTS_KEY = "signalbox.inputs";

/** A settings file as it is on disk, and where the servers are in it. */
export interface SettingsFile {
  readonly uri: vscode.Uri;
  readonly text: string;
  /** The path of keys to the `servers` map. */
  readonly root: readonly string[];
}

/** Reads the file behind a layer. Undefined when there is none, or when this window cannot reach it. */
export async function readSettingsFile(
  context: vscode.ExtensionContext,
  layer: Pick<ConfigLayer, "source" | "folder">,
): Promise<SettingsFile | undefined> {
  const { workspaceFile } = vscode.workspace;
  const isWorkspaceFile = layer.source === "workspace" && workspaceFile !== undefined;
  const root = isWorkspaceFile ? ["settings", SERVERS_KEY] : [SERVERS_KEY];
  for (const uri of candidates(context, layer)) {
    try {
      const bytes = await vscode.workspace.fs.readFile(uri);
      return { uri, text: new TextDecoder().decode(bytes), root };
    } catch {
      // Not there: the next place may be. A settings file that cannot be read costs only the line of a problem.
    }
  }
  return undefined;
}

function candidates(
  context: vscode.ExtensionContext,
  layer: Pick<ConfigLayer, "source" | "folder">,
): vscode.Uri[] {
  if (layer.source === "user") return userCandidates(context);
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  if (layer.source === "workspace" && workspaceFile !== undefined) return [workspaceFile];
  const folder = layer.folder === undefined ? workspaceFolders?.[0]?.uri : vscode.Uri.parse(layer.folder);
  return folder === undefined ? [] : [vscode.Uri.joinPath(folder, ".vscode", "settings.json")];
}

/**
 * There is no API for the place of the user's settings, but an open editor of them shows it, and the extension's own
 * storage lies beside them. `vscode-userdata` is the scheme under which the editor itself opens that file.
 */
function userCandidates(context: vscode.ExtensionContext): vscode.Uri[] {
  const open = vscode.workspace.textDocuments
    .map((document) => document.uri)
    .filter((uri) => uri.scheme === "vscode-userdata" && uri.path.endsWith("/settings.json"));
  const beside = vscode.Uri.joinPath(context.globalStorageUri, "..", "..", "settings.json");
  return [
    ...open,
    beside.with({ scheme: "vscode-userdata", authority: "" }),
    vscode.Uri.from({ scheme: "vscode-userdata", path: "/User/settings.json" }),
    beside,
  ];
}
