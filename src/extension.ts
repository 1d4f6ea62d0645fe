import type * as vscode from "vscode";
import type { SignalboxApi } from "./host/api.ts";
import type { Composed } from "./host/compose.ts";

let composed: Composed | undefined;

/** Called by VS Code. Everything else is loaded here, so that starting the editor costs one small file. */
export async function activate(context: vscode.ExtensionContext): Promise<SignalboxApi> {
  const { compose } = await import("./host/compose.ts");
  composed = compose(context);
  return composed.api;
}

/** Called by VS Code, which waits a few seconds for it: connections are ended and processes stopped. */
export async function deactivate(): Promise<void> {
  await composed?.close();
  composed = undefined;
}
