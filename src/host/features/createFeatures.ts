import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import type { PoolPorts } from "../../client/serverPool.ts";
import { createWorkspaceRoots, type WorkspaceRoots } from "../roots/workspaceRoots.ts";
import {
  createSamplingPanel,
  type SamplingPanel,
  type SamplingPanelServices,
} from "../sampling/samplingPanel.ts";
import { createFeatureStore, type FeatureStore, maySample } from "./allowedFeatures.ts";

/** What persons let servers use beside asking for input: a language model, and folders. */
export interface Features extends Disposable {
  readonly store: FeatureStore;
  readonly roots: WorkspaceRoots;
  readonly samplingPanel: SamplingPanel;
  /** What one server may use, as the pool asks when it connects it. */
  readonly forServer: NonNullable<PoolPorts["features"]>;
}

/** Makes all of it. Nothing is allowed until a person says so. */
export function createFeatures(services: SamplingPanelServices): Features {
  const own = new DisposableStore();
  const store = own.add(createFeatureStore(services.context.workspaceState));
  const samplingPanel = own.add(createSamplingPanel(services));
  const roots = own.add(createWorkspaceRoots(store));
  return {
    store,
    roots,
    samplingPanel,
    forServer: (config) => ({
      sampling: maySample(config, store.get(config)) ? samplingPanel.handler : null,
      roots: roots.providerFor(config),
    }),
    dispose: () => {
      own.dispose();
    },
  };
}
