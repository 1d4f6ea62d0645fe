import type * as vscode from "vscode";

const KEY = "signalbox.samplingModels";

/** Servers whose model is remembered; beyond that the oldest is forgotten. */
const MAX_SERVERS = 200;

/** Which model a person took for a server last. It only decides what is selected first. */
export interface ModelMemory {
  get(serverId: string): string | undefined;
  set(serverId: string, modelId: string): void;
}

/** Keeps it in the editor's state of this machine. */
export function createModelMemory(state: vscode.Memento): ModelMemory {
  const models = new Map(Object.entries(state.get<Record<string, string>>(KEY, {})));
  return {
    get: (serverId) => models.get(serverId),
    set(serverId, modelId) {
      models.delete(serverId);
      models.set(serverId, modelId);
      const oldest = models.keys().next();
      if (models.size > MAX_SERVERS && oldest.done !== true) models.delete(oldest.value);
      // Not awaited: losing one costs a click.
      void state.update(KEY, Object.fromEntries(models));
    },
  };
}
