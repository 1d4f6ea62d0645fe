import * as vscode from "vscode";
import type { Clock } from "../../base/clock.ts";
import type { Disposable } from "../../base/disposable.ts";

/** Somebody who changed a text this recently is typing, and keeps the focus. */
const TYPING_MS = 3_000;

/** Knows whether somebody is typing in an editor right now, so that no panel takes the keys from under their hands. */
export class TypingWatch implements Disposable {
  readonly #clock: Clock;
  readonly #subscription: vscode.Disposable;
  #lastTyped = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#subscription = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      // Output channels change by themselves; only the text under the cursor is somebody typing.
      if (document === vscode.window.activeTextEditor?.document) this.#lastTyped = this.#clock.now();
    });
  }

  get isTyping(): boolean {
    return this.#clock.now() - this.#lastTyped < TYPING_MS;
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
