import * as vscode from "vscode";
import type { CredentialStoreSetting } from "./chooseCredentialStore.ts";

/** The settings below `signalbox.oauth`, which only the user can set. */
export interface OauthSettings {
  readonly clientMetadataUrl: string;
  readonly fakeIpRanges: readonly string[];
  readonly credentialStore: CredentialStoreSetting;
}

/** Reads them as they are now; what is of no use counts as not set. */
export function readOauthSettings(): OauthSettings {
  const read = (key: string): unknown => vscode.workspace.getConfiguration("signalbox.oauth").get(key);
  const url = read("clientMetadataUrl");
  const ranges = read("fakeIpRanges");
  const store = read("credentialStore");
  return {
    clientMetadataUrl: typeof url === "string" ? url : "",
    fakeIpRanges: Array.isArray(ranges) ? ranges.filter((range) => typeof range === "string") : [],
    credentialStore: store === "secret" || store === "file" ? store : "auto",
  };
}
