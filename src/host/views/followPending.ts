import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import type { HostServices } from "../services.ts";

/** Tells how much waits for a person in all panels, now and whenever it changes. */
export function followPending(
  { inputHandler, samplingPanel }: Pick<HostServices, "inputHandler" | "samplingPanel">,
  show: (count: number) => void,
): Disposable {
  const tell = (): void => {
    show(inputHandler.pendingCount + samplingPanel.pendingCount);
  };
  const store = new DisposableStore();
  store.add(inputHandler.onDidChangePending(tell));
  store.add(samplingPanel.onDidChangePending(tell));
  tell();
  return store;
}
