import { basicCredentials } from "./basicCredentials.ts";
import { bypassesProxy } from "./bypassesProxy.ts";
import { isLoopbackHost } from "./hostAddress.ts";
import type { NetworkSettings } from "./networkSettings.ts";

/** A proxy to send everything for one server through. */
export interface ProxyServer {
  /** As in `http://proxy.example:8080`: never with a user name or password. */
  readonly origin: string;
  /** The value of `Proxy-Authorization`; a secret. */
  readonly authorization: string | undefined;
  /** The setting or variable that names it, for messages. */
  readonly place: string;
}

/** How a server is reached. */
export type ProxyChoice =
  | { readonly kind: "direct" }
  | { readonly kind: "proxy"; readonly proxy: ProxyServer }
  /** What is set cannot be used. Going around it in silence could send data where it must not go. */
  | { readonly kind: "unusable"; readonly place: string; readonly reason: string };

const DIRECT: ProxyChoice = { kind: "direct" };

/**
 * Decides which proxy an address is reached through. The server's own setting comes first and holds for every
 * address. Then this machine itself is reached directly, and so is what the lists of exceptions name. Then the
 * editor's proxy counts, then the environment's: the variable of the scheme, else `ALL_PROXY`, each in lower case
 * first.
 */
export function chooseProxy(
  url: URL,
  own: string | false | undefined,
  { editor, environment }: NetworkSettings,
): ProxyChoice {
  if (own === false) return DIRECT;
  if (own !== undefined) return readProxy("proxy", own, undefined);
  if (isLoopbackHost(url.hostname) || !editor.proxySupport) return DIRECT;
  const noProxy = firstSet(environment, ["no_proxy", "NO_PROXY"]);
  if (bypassesProxy(url, [...editor.noProxy, noProxy?.value ?? ""])) return DIRECT;
  if (editor.proxy.trim() !== "") return readProxy("http.proxy", editor.proxy, editor.proxyAuthorization);
  const names = url.protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  const found = firstSet(environment, [...names, "all_proxy", "ALL_PROXY"]);
  return found === undefined ? DIRECT : readProxy(found.name, found.value, editor.proxyAuthorization);
}

function firstSet(
  environment: NetworkSettings["environment"],
  names: readonly string[],
): { readonly name: string; readonly value: string } | undefined {
  for (const name of names) {
    const value = environment[name]?.trim();
    if (value !== undefined && value !== "") return { name, value };
  }
  return undefined;
}

function readProxy(place: string, text: string, authorization: string | undefined): ProxyChoice {
  const trimmed = text.trim();
  const written = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  if (!URL.canParse(written)) return { kind: "unusable", place, reason: "it is not an address" };
  const url = new URL(written);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return { kind: "unusable", place, reason: `${url.protocol} is neither http nor https` };
  }
  const own = basicCredentials(url);
  return { kind: "proxy", proxy: { origin: url.origin, authorization: own ?? authorization, place } };
}
