import * as vscode from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import type { ServerPool } from "../../client/serverPool.ts";
import type { CommandId } from "../commands/table.ts";
import { oneLine, withoutLinks } from "../serverText.ts";
import type { SignInDesk } from "./signInDesk.ts";

/**
 * Runs a sign-in with a notification that can cancel it. While the browser is waited for, it offers to copy the address,
 * and to paste the one that the browser ended on.
 */
export async function withSignInProgress(
  desk: SignInDesk,
  serverName: string,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  await vscode.window.withProgress(optionsOf(serverName), async (progress, token) => {
    const controller = new AbortController();
    const listening = token.onCancellationRequested(() => {
      controller.abort(new vscode.CancellationError());
    });
    const tell = (): void => {
      progress.report({ message: stageWords(desk, serverName) });
    };
    const claim = desk.claim(serverName);
    const watching = desk.onDidChange(tell);
    try {
      tell();
      await run(controller.signal);
    } finally {
      watching.dispose();
      listening.dispose();
      claim?.dispose();
      desk.end(serverName);
    }
  });
}

/**
 * Shows the sign-ins that no command of signing in has begun: those of servers that are being connected. Cancelling one
 * ends the attempt to connect.
 */
export function followSignIns(pool: Pick<ServerPool, "disconnect">, desk: SignInDesk): Disposable {
  return desk.onDidChange(() => {
    for (const { serverName, address } of desk.waiting) {
      const claim = address === undefined ? undefined : desk.claim(serverName);
      if (claim !== undefined) void show(serverName, claim);
    }
  });

  async function show(serverName: string, claim: Disposable): Promise<void> {
    await vscode.window.withProgress(optionsOf(serverName), async (progress, token) => {
      const listening = token.onCancellationRequested(() => void pool.disconnect(serverName));
      progress.report({ message: stageWords(desk, serverName) });
      await untilOver(desk, serverName);
      listening.dispose();
      claim.dispose();
    });
  }
}

/** Resolves when a sign-in waits for nothing any more. */
function untilOver(desk: SignInDesk, serverName: string): Promise<void> {
  return new Promise((resolve) => {
    const watching = desk.onDidChange(() => {
      if (desk.waiting.some((one) => one.serverName === serverName)) return;
      watching.dispose();
      resolve();
    });
  });
}

function optionsOf(serverName: string): vscode.ProgressOptions {
  return {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t("Signing in to “{server}”", { server: withoutLinks(oneLine(serverName)) }),
    cancellable: true,
  };
}

function stageWords(desk: SignInDesk, serverName: string): string {
  const waiting = desk.waiting.find((one) => one.serverName === serverName);
  if (waiting?.address === undefined) return vscode.l10n.t("looking for its authorization server…");
  const copy = commandLink("signalbox.copySignInAddress", serverName);
  const paste = commandLink("signalbox.pasteSignInAddress", serverName);
  return vscode.l10n.t("waiting for the browser… [Copy Address]({copy}) or [Paste Final Address…]({paste})", {
    copy,
    paste,
  });
}

/** A link of a notification that runs a command on a server. A bracket in it would end the link. */
function commandLink(command: CommandId, serverName: string): string {
  const argument = encodeURIComponent(JSON.stringify([serverName]));
  return `command:${command}?${argument.replaceAll("(", "%28").replaceAll(")", "%29")}`;
}
