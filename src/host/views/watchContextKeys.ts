import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import type { SignInDesk } from "../auth/signInDesk.ts";
import { hasPrompts, hasResources, tasksOf } from "../listsOf.ts";
import { followPending } from "./followPending.ts";
import { hasSkills } from "../skills/skillsOf.ts";
import type { HostServices } from "../services.ts";

/** Keeps the context keys that menus, welcome texts and the walkthrough of the manifest ask for. */
export function watchContextKeys(services: HostServices, desk: SignInDesk): Disposable {
  const store = new DisposableStore();
  const known = new Map<string, boolean>();

  function set(key: string, value: boolean): void {
    if (known.get(key) === value) return;
    known.set(key, value);
    void vscode.commands.executeCommand("setContext", key, value);
  }

  const update = (): void => {
    const entries = services.pool.servers();
    set("signalbox.hasServers", entries.length > 0);
    set(
      "signalbox.hasConnected",
      entries.some((entry) => entry.state.kind === "connected"),
    );
    set("signalbox.hasResources", entries.some(hasResources));
    set("signalbox.hasPrompts", entries.some(hasPrompts));
    set("signalbox.hasSkills", entries.some(hasSkills));
    set(
      "signalbox.hasTasks",
      entries.some((entry) => tasksOf(entry).length > 0),
    );
  };
  store.add(services.pool.onDidChange(update));
  store.add(
    followPending(services, (count) => {
      set("signalbox.hasPendingInput", count > 0);
    }),
  );
  store.add(
    desk.onDidChange(() => {
      set("signalbox.isSigningIn", desk.waiting.length > 0);
    }),
  );
  update();
  return store;
}
