import * as vscode from "vscode";

/**
 * Runs something with the signal of a CancellationToken: the one place where the editor's way of cancelling
 * becomes the engine's. The signal aborts with a CancellationError; nothing keeps listening afterwards.
 */
export async function withTokenSignal<T>(
  token: vscode.CancellationToken,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort(new vscode.CancellationError());
  };
  if (token.isCancellationRequested) abort();
  const listening = token.onCancellationRequested(abort);
  try {
    return await run(controller.signal);
  } finally {
    listening.dispose();
  }
}
