import type { EditorNetworkSettings } from "../../net/networkSettings.ts";

/**
 * The editor's settings about networks, from the keys below `http`. `proxyStrictSSL` is not among them:
 * certificates are verified in any case.
 */
export function readEditorNetwork(read: (key: string) => unknown): EditorNetworkSettings {
  const authorization = textOf(read("proxyAuthorization"));
  const noProxy = read("noProxy");
  return {
    proxy: textOf(read("proxy")),
    proxyAuthorization: authorization === "" ? undefined : authorization,
    noProxy: Array.isArray(noProxy) ? noProxy.filter((entry) => typeof entry === "string") : [],
    proxySupport: read("proxySupport") !== "off",
    systemCertificates: read("systemCertificates") !== false,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
