import type * as vscode from "vscode";
import * as z from "zod";
import type { Disposable } from "../../base/disposable.ts";
import { Emitter, type Event } from "../../base/emitter.ts";
import { approvalDigest } from "../../client/approval.ts";
import type { ServerConfig } from "../../client/serverConfig.ts";

const KEY = "signalbox.features";

const allowed = z.object({
  digest: z.string(),
  sampling: z.boolean().optional(),
  folders: z.array(z.string()).optional(),
});

/** What a person allowed one server in this workspace. */
export interface AllowedFeatures {
  /** True when it may ask a language model. */
  readonly sampling?: boolean | undefined;
  /** URIs of the folders that it is told of; undefined when nothing was chosen. */
  readonly folders?: readonly string[] | undefined;
}

/**
 * What persons allowed servers in this workspace. It is bound to what the server is: once another command or address
 * stands behind the name, nothing is allowed any more.
 */
export interface FeatureStore extends Disposable {
  /** Fires when something was allowed or forbidden. */
  readonly onDidChange: Event<void>;
  get(config: ServerConfig): AllowedFeatures;
  /** Changes what is given and keeps the rest. */
  set(config: ServerConfig, change: AllowedFeatures): Promise<void>;
}

/** Keeps them in the editor's state for this workspace, which is outside of it and cannot be forged there. */
export function createFeatureStore(state: vscode.Memento): FeatureStore {
  const readAll = (): Readonly<Record<string, unknown>> => state.get<Record<string, unknown>>(KEY, {});
  const keyOf = (config: ServerConfig): string => `${config.source} ${config.id}`;
  const get = (config: ServerConfig): AllowedFeatures => {
    const all = readAll();
    const key = keyOf(config);
    const { success, data } = allowed.safeParse(Object.hasOwn(all, key) ? all[key] : undefined);
    return success && data.digest === approvalDigest(config) ? data : {};
  };
  const changed = new Emitter<void>();
  return {
    onDidChange: changed.event,
    get,
    async set(config, change) {
      const next = { ...get(config), ...change, digest: approvalDigest(config) };
      await state.update(KEY, { ...readAll(), [keyOf(config)]: next });
      changed.fire();
    },
    dispose: () => {
      changed.dispose();
    },
  };
}

/**
 * Whether a server may ask a language model: by the person's own settings, or, for one that a workspace defines,
 * by what the person allowed here. A workspace can only forbid.
 */
export function maySample(config: ServerConfig, granted: AllowedFeatures): boolean {
  if (config.source === "workspace" || config.source === "folder") {
    return config.sampling !== "off" && granted.sampling === true;
  }
  return config.sampling === "ask";
}
