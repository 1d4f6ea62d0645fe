import * as vscode from "vscode";
import { systemClock } from "../../base/clock.ts";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import { editEntries, hasCommentsIn } from "./editEntries.ts";
import type { ConfigLayer } from "./mergeLayers.ts";
import { INPUTS_KEY, readSettingsFile, SERVERS_KEY, type SettingsFile } from "./settingsFiles.ts";

/** A place in the settings that can be written. */
export type ConfigPlace = Pick<ConfigLayer, "source" | "folder">;

/** The entry of one server as it is written in one place. */
export function readEntry(place: ConfigPlace, serverId: string): JsonObject | undefined {
  const entry = readMap(place)[serverId];
  return isJsonObject(entry) ? entry : undefined;
}

/** True when that place defines a server of this name, usable or not. */
export function hasEntry(place: ConfigPlace, serverId: string): boolean {
  return Object.hasOwn(readMap(place), serverId);
}

/**
 * Writes entries into one place and keeps all others; undefined removes one. Comments among the entries survive.
 * Resolves when the editor's configuration has the change.
 */
export async function writeEntries(
  context: vscode.ExtensionContext,
  place: ConfigPlace,
  entries: Readonly<Record<string, JsonObject | undefined>>,
): Promise<void> {
  const file = await readSettingsFile(context, place);
  if (file !== undefined && hasCommentsIn(file.text, file.root) && (await editFile(file, entries))) return;
  const next: Record<string, unknown> = { ...readMap(place) };
  for (const [id, entry] of Object.entries(entries)) {
    if (entry === undefined) Reflect.deleteProperty(next, id);
    else next[id] = entry;
  }
  // An empty map is removed as a whole, so that the file looks as it did before the first server.
  const value = Object.keys(next).length === 0 ? undefined : next;
  await configurationOf(place).update(SERVERS_KEY, value, targetOf(place));
}

/** Edits the text of a settings file. False when it is being edited by hand, or cannot be written this way. */
async function editFile(
  file: SettingsFile,
  entries: Readonly<Record<string, JsonObject | undefined>>,
): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(file.uri);
  if (document.isDirty || document.getText() !== file.text) return false;
  const next = editEntries(file.text, file.root, entries);
  const edit = new vscode.WorkspaceEdit();
  const end = document.positionAt(file.text.length);
  edit.replace(file.uri, new vscode.Range(new vscode.Position(0, 0), end), next);
  const seen = awaitConfiguration();
  try {
    return (await vscode.workspace.applyEdit(edit)) && (await document.save()) && (await seen.changed);
  } finally {
    seen.dispose();
  }
}

/** Longest wait for the editor to read a settings file that was written. Milliseconds. */
const READ_LIMIT_MS = 5_000;

/** Resolves when the editor has read the servers anew; true even when it is slow, because the file is written. */
function awaitConfiguration(): Disposable & { readonly changed: Promise<boolean> } {
  const store = new DisposableStore();
  const changed = new Promise<boolean>((resolve) => {
    const done = (): void => {
      resolve(true);
    };
    store.add(systemClock.after(READ_LIMIT_MS, done));
    store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SERVERS_KEY)) done();
      }),
    );
  });
  return {
    changed,
    dispose: () => {
      store.dispose();
    },
  };
}

/** Adds definitions of inputs to one place; ids that are there already keep their definition. */
export async function addInputs(place: ConfigPlace, inputs: readonly JsonObject[]): Promise<void> {
  const inspected = configurationOf(place).inspect(INPUTS_KEY);
  const value = valueIn(place, inspected);
  const before: readonly unknown[] = Array.isArray(value) ? value : [];
  const known = new Set(before.filter(isJsonObject).map((input) => input["id"]));
  const added = inputs.filter((input) => !known.has(input["id"]));
  if (added.length > 0)
    await configurationOf(place).update(INPUTS_KEY, [...before, ...added], targetOf(place));
}

function readMap(place: ConfigPlace): JsonObject {
  const value = valueIn(place, configurationOf(place).inspect(SERVERS_KEY));
  return isJsonObject(value) ? value : {};
}

function valueIn(
  place: ConfigPlace,
  inspected: ReturnType<vscode.WorkspaceConfiguration["inspect"]>,
): unknown {
  switch (place.source) {
    case "user":
      return inspected?.globalValue;
    case "workspace":
      return inspected?.workspaceValue;
    case "folder":
      return inspected?.workspaceFolderValue;
  }
}

function configurationOf(place: ConfigPlace): vscode.WorkspaceConfiguration {
  const scope = place.folder === undefined ? undefined : vscode.Uri.parse(place.folder);
  return vscode.workspace.getConfiguration(undefined, scope);
}

function targetOf(place: ConfigPlace): vscode.ConfigurationTarget {
  switch (place.source) {
    case "user":
      return vscode.ConfigurationTarget.Global;
    case "workspace":
      return vscode.ConfigurationTarget.Workspace;
    case "folder":
      return vscode.ConfigurationTarget.WorkspaceFolder;
  }
}
