import * as vscode from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import { readAddress, type ResourceAddress } from "./resourceAddress.ts";
import type { WatchedResources } from "./watchedResources.ts";

/** A resource that a tab of this window shows. */
export interface OpenResource {
  readonly address: ResourceAddress;
  readonly uri: vscode.Uri;
}

/** The resources that tabs show, those behind other tabs too. */
export function openResources(
  tabs: readonly vscode.Tab[] = vscode.window.tabGroups.all.flatMap((group) => group.tabs),
): readonly OpenResource[] {
  return tabs.flatMap((tab) => {
    const uri = uriOfTab(tab);
    const address = uri === undefined ? undefined : readAddress(uri);
    return uri === undefined || address === undefined ? [] : [{ address, uri }];
  });
}

/** Whether a tab shows a resource, or one of its contents. */
export function isResourceOpen(serverId: string, uri: string): boolean {
  return openResources().some(({ address }) => address.serverId === serverId && address.uri === uri);
}

/** What a tab begins to show is seen, also when it was not opened in the Servers view. */
export function markSeenInTabs(watched: WatchedResources): Disposable {
  return vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
    for (const { address } of openResources(opened)) watched.markSeen(address.serverId, address.uri);
  });
}

/** The file that a tab shows, in an editor or in a viewer. */
export function uriOfTab(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const { input } = tab ?? {};
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom
    ? input.uri
    : undefined;
}
