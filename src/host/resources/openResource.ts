import * as vscode from "vscode";
import { formatBytes } from "../formatBytes.ts";
import { oneLine, withoutLinks } from "../serverText.ts";
import type { HostServices } from "../services.ts";
import type { InfoDocuments } from "../views/infoDocuments.ts";
import { translate } from "../wording.ts";
import { hexDump, isTextContent } from "./contentBytes.ts";
import { fetchResource, type FetchedResource, type WantedResource } from "./fetchResource.ts";
import { hasViewer, languageOfType } from "./mediaTypes.ts";
import { toAddressParts } from "./resourceAddress.ts";
import type { ResourceFiles } from "./resourceFiles.ts";
import type { WatchedResources } from "./watchedResources.ts";

/** What showing a resource needs. */
export interface ResourceParts {
  readonly services: Pick<HostServices, "pool" | "log">;
  readonly files: ResourceFiles;
  readonly watched: WatchedResources;
  readonly documents: InfoDocuments;
}

/** The editor gives up a little above this. */
const MAX_TEXT_BYTES = 48 * 1024 * 1024;
/** How much of other bytes is written out. */
const MAX_HEX_BYTES = 64 * 1024;

/**
 * Reads a resource and shows it: text in an editor, pictures, sound and video in the editor's viewers, the rest as
 * bytes or in a file. Answers the address of the document; undefined when there was nothing to open.
 */
export async function openResource(
  parts: ResourceParts,
  wanted: WantedResource,
): Promise<vscode.Uri | undefined> {
  const fetched = await fetchResource(parts.services, parts.files, wanted);
  return fetched === undefined ? undefined : showFetched(parts, fetched);
}

/** Shows what was read already. */
export async function showFetched(
  parts: ResourceParts,
  fetched: FetchedResource,
): Promise<vscode.Uri | undefined> {
  const { address, kept, fileName } = fetched;
  parts.watched.markSeen(address.serverId, address.uri);
  if (kept.contents.problem !== undefined) {
    void vscode.window.showWarningMessage(withoutLinks(`${fileName}: ${oneLine(kept.contents.problem)}`));
  }
  const uri = vscode.Uri.from(toAddressParts(address, fileName));
  if (isTextContent(kept.contents, kept.bytes) && !hasViewer(fileName)) {
    if (kept.bytes.length > MAX_TEXT_BYTES) {
      void offerOther(
        parts,
        fetched,
        vscode.l10n.t("{name} is too large for an editor ({size}).", factsOf(fetched)),
      );
      return undefined;
    }
    await showText(uri, kept.contents.mimeType);
    return uri;
  }
  if (hasViewer(fileName)) {
    await vscode.commands.executeCommand("vscode.open", uri);
    return uri;
  }
  void offerOther(parts, fetched, vscode.l10n.t("{name} is not text ({size}).", factsOf(fetched)));
  return undefined;
}

async function showText(uri: vscode.Uri, mimeType: string | undefined): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const language = languageOfType(mimeType);
  // The name has told the editor already, unless it has an end of its own.
  if (language !== undefined && document.languageId === "plaintext" && language !== "plaintext") {
    await vscode.languages.setTextDocumentLanguage(document, language).then(undefined, () => undefined);
  }
  await vscode.window.showTextDocument(document, { preview: true });
}

function factsOf({ kept, fileName }: FetchedResource): { readonly name: string; readonly size: string } {
  return { name: fileName, size: formatBytes(kept.bytes.length, translate) };
}

/** Offers what can be done with bytes that no editor shows. */
async function offerOther(parts: ResourceParts, fetched: FetchedResource, message: string): Promise<void> {
  const save = vscode.l10n.t("Save As…");
  const hex = vscode.l10n.t("Show Bytes");
  const chosen = await vscode.window.showInformationMessage(withoutLinks(message), save, hex);
  if (chosen === save) await saveFetched(fetched);
  if (chosen !== hex) return;
  const { bytes } = fetched.kept;
  const rest = bytes.length - MAX_HEX_BYTES;
  const more =
    rest > 0 ? `\n\n${vscode.l10n.t("… and {size} more.", { size: formatBytes(rest, translate) })}` : "";
  const title = vscode.l10n.t("Bytes of {name}", { name: fetched.fileName });
  await parts.documents.show(title, hexDump(bytes, MAX_HEX_BYTES) + more);
}

/** Writes a content where the person says. Answers the place, or undefined when none was chosen. */
export async function saveFetched({ kept, fileName }: FetchedResource): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await vscode.window.showSaveDialog({
    title: vscode.l10n.t("Save Resource As"),
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, fileName) }),
  });
  if (chosen === undefined) return undefined;
  await vscode.workspace.fs.writeFile(chosen, kept.bytes);
  void vscode.window.setStatusBarMessage(vscode.l10n.t("Saved {name}", { name: fileName }), 5_000);
  return chosen;
}
