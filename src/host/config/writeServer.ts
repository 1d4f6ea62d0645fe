import * as vscode from "vscode";
import { isJsonObject, type JsonObject } from "../../base/json.ts";
import type { ConfigLayer } from "./mergeLayers.ts";
import { INPUTS_KEY, SERVERS_KEY } from "./settingsFiles.ts";

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

/** Writes entries into one place and keeps all others; undefined removes one. */
export async function writeEntries(
  place: ConfigPlace,
  entries: Readonly<Record<string, JsonObject | undefined>>,
): Promise<void> {
  const next: Record<string, unknown> = { ...readMap(place) };
  for (const [id, entry] of Object.entries(entries)) {
    if (entry === undefined) Reflect.deleteProperty(next, id);
    else next[id] = entry;
  }
  // An empty map is removed as a whole, so that the file looks as it did before the first server.
  const value = Object.keys(next).length === 0 ? undefined : next;
  await configurationOf(place).update(SERVERS_KEY, value, targetOf(place));
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
