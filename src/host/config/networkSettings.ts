import * as vscode from "vscode";
import type { NetworkSettings } from "../../net/networkSettings.ts";

/**
 * What the editor and its environment say about networks at this moment. `http.proxyStrictSSL` is not among it:
 * certificates are verified in any case.
 */
export function readNetworkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration("http");
  const text = (key: string): string => {
    const value: unknown = http.get(key);
    return typeof value === "string" ? value : "";
  };
  const noProxy: unknown = http.get("noProxy");
  return {
    editor: {
      proxy: text("proxy"),
      proxyAuthorization: text("proxyAuthorization") === "" ? undefined : text("proxyAuthorization"),
      noProxy: Array.isArray(noProxy) ? noProxy.filter((entry) => typeof entry === "string") : [],
      proxySupport: text("proxySupport") !== "off",
      systemCertificates: http.get("systemCertificates") !== false,
    },
    environment: process.env,
  };
}
