import * as vscode from "vscode";
import { systemClock } from "../base/clock.ts";
import { withoutLinks } from "./serverText.ts";

/** What is done by then needs no notification. Milliseconds. */
const LATE_MS = 400;

/**
 * Runs something that a person waits for. A notification with a button to cancel appears when it takes its time;
 * cancelling aborts the signal with a CancellationError.
 */
export async function withLateProgress<T>(
  title: string,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const work = run(controller.signal);
  const ended = work.then(
    () => undefined,
    () => undefined,
  );
  const late = systemClock.after(LATE_MS, () => {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: withoutLinks(title),
      cancellable: true,
    };
    void vscode.window.withProgress(options, async (_progress, token) => {
      const listening = token.onCancellationRequested(() => {
        controller.abort(new vscode.CancellationError());
      });
      await ended;
      listening.dispose();
    });
  });
  try {
    return await work;
  } finally {
    late.dispose();
  }
}
