import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { Emitter, type Event } from "../../base/emitter.ts";
import type { ConfigSource, ParsedServers } from "../../client/serverConfig.ts";
import { hasSyntaxError } from "./jsonLocations.ts";
import { type ConfigLayer, mergeLayers, type MergedConfig } from "./mergeLayers.ts";
import { readSettingsFile, SERVERS_KEY } from "./settingsFiles.ts";

/** The servers as the settings define them right now. */
export interface ConfigWatcher extends Disposable {
  readonly current: MergedConfig;
  /** Layers whose file has a syntax error, so that their last good content is in use. */
  readonly stale: readonly ConfigLayer[];
  /** Fires after `current` was read anew. */
  readonly onDidChange: Event<void>;
  /** Reads anew, and resolves when every listener has seen it. */
  reload(): Promise<void>;
}

/** Reads `signalbox.servers` from every place that may define it, now and whenever it changes. */
export function watchConfig(
  context: vscode.ExtensionContext,
  parse: (raw: unknown, source: ConfigSource) => ParsedServers,
): ConfigWatcher {
  const store = new DisposableStore();
  const changed = store.add(new Emitter<void>());
  // The first read waits for no file, because activation must be quick.
  let layers = readLayers();
  let stale: readonly ConfigLayer[] = [];
  let current = mergeLayers(layers, parse);
  let queue = Promise.resolve();

  async function read(): Promise<void> {
    const next: ConfigLayer[] = [];
    const broken: ConfigLayer[] = [];
    for (const layer of readLayers()) {
      const good = layers.find((other) => placeOf(other) === placeOf(layer));
      const file = good === undefined ? undefined : await readSettingsFile(context, layer);
      const keeps = good !== undefined && file !== undefined && hasSyntaxError(file.text);
      next.push(keeps ? good : layer);
      if (keeps) broken.push(good);
    }
    if (store.isDisposed) return;
    layers = next;
    stale = broken;
    current = mergeLayers(layers, parse);
    changed.fire();
  }

  function reload(): Promise<void> {
    // One read after the other: a slow file must not put an older state over a newer one.
    queue = queue.then(read, read);
    return queue;
  }

  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SERVERS_KEY)) void reload();
    }),
  );
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void reload()));
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void reload()));

  return {
    get current() {
      return current;
    },
    get stale() {
      return stale;
    },
    onDidChange: changed.event,
    reload,
    dispose: () => {
      store.dispose();
    },
  };
}

function placeOf(layer: ConfigLayer): string {
  return layer.folder === undefined ? layer.source : `${layer.source} ${layer.folder}`;
}

/** Every place with the value that it gives, the least specific first. Untrusted places give nothing. */
function readLayers(): ConfigLayer[] {
  const whole = vscode.workspace.getConfiguration().inspect(SERVERS_KEY);
  const layers: ConfigLayer[] = [
    { source: "user", raw: whole?.globalValue },
    { source: "workspace", raw: whole?.workspaceValue },
  ];
  // Without a workspace file, the settings of the one folder are the workspace's.
  if (vscode.workspace.workspaceFile === undefined) return layers;
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const inspected = vscode.workspace.getConfiguration(undefined, folder.uri).inspect(SERVERS_KEY);
    layers.push({ source: "folder", folder: folder.uri.toString(), raw: inspected?.workspaceFolderValue });
  }
  return layers;
}
