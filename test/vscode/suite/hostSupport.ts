import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Disposable } from "../../../src/base/disposable.ts";
import type { JsonObject } from "../../../src/base/json.ts";
import type { ServerState } from "../../../src/client/serverState.ts";
import type { SignalboxApi } from "../../../src/host/api.ts";

/** The extension's API; starts the extension when nothing else has. */
export async function activated(): Promise<SignalboxApi> {
  const extension = vscode.extensions.getExtension<SignalboxApi>("signalbox.signalbox");
  assert.ok(extension !== undefined, "the extension is installed");
  return extension.activate();
}

export function run<T>(command: string, ...args: unknown[]): Thenable<T> {
  return vscode.commands.executeCommand<T>(`signalbox.${command}`, ...args);
}

/** The entry of the server that comes with the extension. */
export const DEMO: JsonObject = {
  type: "stdio",
  command: "${nodePath}",
  args: ["${extensionPath}/dist/demo.mjs", "--stdio"],
};

/** Waits for something to become true, with a look whenever it may have. */
export async function until(
  isTrue: () => boolean,
  watch: (look: () => void) => Disposable,
  what: string,
): Promise<void> {
  if (isTrue()) return;
  await new Promise<void>((resolve, reject) => {
    const limit = setTimeout(() => {
      watching.dispose();
      reject(new Error(`Not in time: ${what}`));
    }, 15_000);
    const watching = watch(() => {
      if (!isTrue()) return;
      clearTimeout(limit);
      watching.dispose();
      resolve();
    });
  });
}

export function kindOf(state: ServerState | undefined): string | undefined {
  return state?.kind;
}

type Dialog = "showInformationMessage" | "showWarningMessage" | "showErrorMessage";

/** A dialog or notification that the extension showed, with its choices. */
export interface Shown {
  readonly message: string;
  readonly detail: string;
  readonly isModal: boolean;
  readonly choices: readonly string[];
}

/** What was shown in place of the editor's dialogs. */
export interface Dialogs {
  readonly shown: Shown[];
  readonly onDidShow: vscode.Event<void>;
  restore(): void;
}

/**
 * Plays the person in front of dialogs: `answer` picks a choice by its title, undefined closes it.
 * The returned list fills with what was shown; `restore` gives the dialogs back to the editor.
 */
export function answerDialogs(kind: Dialog, answer: (shown: Shown) => string | undefined): Dialogs {
  const shown: Shown[] = [];
  const changed = new vscode.EventEmitter<void>();
  const window = vscode.window as unknown as Record<string, unknown>;
  const original = window[kind];
  window[kind] = async (
    message: string,
    ...rest: readonly (string | vscode.MessageOptions | vscode.MessageItem)[]
  ) => {
    const isItem = (value: object): value is vscode.MessageItem => "title" in value;
    const options = rest.find(
      (each): each is vscode.MessageOptions => typeof each === "object" && !isItem(each),
    );
    const items = rest.filter(
      (each): each is string | vscode.MessageItem => typeof each === "string" || isItem(each),
    );
    const titleOf = (item: string | vscode.MessageItem): string =>
      typeof item === "string" ? item : item.title;
    const entry: Shown = {
      message,
      detail: options?.detail ?? "",
      isModal: options?.modal ?? false,
      choices: items.map(titleOf),
    };
    shown.push(entry);
    changed.fire();
    const chosen = answer(entry);
    return items.find((item) => titleOf(item) === chosen);
  };
  return {
    shown,
    onDidShow: changed.event,
    restore() {
      window[kind] = original;
      changed.dispose();
    },
  };
}
