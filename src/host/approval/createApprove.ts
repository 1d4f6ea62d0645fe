import * as vscode from "vscode";
import { approvalDigest, storableLaunch } from "../../client/approval.ts";
import { ClientError } from "../../client/clientError.ts";
import type { ServerConfig } from "../../client/serverConfig.ts";
import type { PoolPorts } from "../../client/serverPool.ts";
import { withoutLinks } from "../serverText.ts";
import type { InfoDocuments } from "../views/infoDocuments.ts";
import { translate } from "../wording.ts";
import { approvalText } from "./approvalText.ts";
import type { ApprovalStore } from "./approvalStore.ts";

/**
 * Decides whether a server may start. The user's own settings need no question. A workspace has to be trusted, and each
 * of its servers has to be allowed once as it is written; when that changes, it is asked again with what is different.
 */
export function createApprove(store: ApprovalStore, documents: InfoDocuments): PoolPorts["approve"] {
  let queue: Promise<unknown> = Promise.resolve();

  async function approve(config: ServerConfig, signal: AbortSignal, isInteractive: boolean): Promise<void> {
    if (config.source === "user" || config.source === "file") return;
    if (!vscode.workspace.isTrusted) throw new ClientError("untrusted", { server: config.id });
    const digest = approvalDigest(config);
    if (store.get(config)?.digest === digest) return;
    if (!isInteractive) throw new ClientError("not-approved", { server: config.id });
    // One dialog at a time; the state is read again, because an earlier dialog may have been about the same server.
    const turn = queue.then(async () => {
      signal.throwIfAborted();
      const known = store.get(config);
      if (known?.digest === digest) return true;
      return ask(config, known?.lines, documents, signal);
    });
    queue = turn.catch(() => undefined);
    if (!(await turn)) throw new ClientError("not-approved", { server: config.id });
    signal.throwIfAborted();
    await store.set(config, { digest, lines: storableLaunch(config) });
  }

  return (config, signal, { interactive }) => approve(config, signal, interactive);
}

async function ask(
  config: ServerConfig,
  approved: Parameters<typeof approvalText>[1],
  documents: InfoDocuments,
  signal: AbortSignal,
): Promise<boolean> {
  const { title, detail, fitsDialog } = approvalText(config, approved, translate);
  const allow = vscode.l10n.t("Allow");
  if (fitsDialog)
    return (await vscode.window.showWarningMessage(title, { modal: true, detail }, allow)) === allow;
  const read = vscode.l10n.t("Show Everything");
  const tooLong = vscode.l10n.t("The definition is too long for this dialog. Read it before you allow it.");
  if ((await vscode.window.showWarningMessage(title, { modal: true, detail: tooLong }, read)) !== read)
    return false;
  await documents.show(
    vscode.l10n.t("Definition of {server}", { server: config.id }),
    `${title}\n\n${detail}\n`,
  );
  signal.throwIfAborted();
  // Not modal: the text beside it is to be read.
  return (
    (await vscode.window.showWarningMessage(withoutLinks(title), allow, vscode.l10n.t("Deny"))) === allow
  );
}
