import { ACCEPTED_ENCODINGS } from "../../../net/contentDecoder.ts";
import { isLoopbackHost } from "../../../net/hostAddress.ts";
import { NetError } from "../../../net/netError.ts";

/** Names that belong to HTTP or to this transport; a configuration cannot change what they say. */
const RESERVED: ReadonlySet<string> = new Set([
  "accept",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "last-event-id",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The headers of a server's configuration, ready to be sent with every request. */
export interface ConfiguredHeaders {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names that were left out because the protocol owns them. */
  readonly ignored: readonly string[];
}

/**
 * Checks configured headers and leaves out those that the protocol owns.
 * @throws NetError `invalid-header`, which names the header and never shows its value
 */
export function readConfiguredHeaders(
  configured: Readonly<Record<string, string>>,
  serverName: string,
): ConfiguredHeaders {
  const headers: Record<string, string> = { "user-agent": "signalbox" };
  const ignored: string[] = [];
  for (const [given, value] of Object.entries(configured)) {
    const name = given.toLowerCase();
    if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new NetError("invalid-header", { server: serverName, header: given });
    }
    if (RESERVED.has(name) || name.startsWith("mcp-")) ignored.push(given);
    else headers[name] = value.trim();
  }
  return { headers, ignored };
}

/** Headers of one request; later sets win, whatever the case of the names. */
export function mergeHeaders(...sets: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const set of sets) {
    for (const [name, value] of Object.entries(set)) merged[name.toLowerCase()] = value;
  }
  return merged;
}

/**
 * Which encodings of an answer to ask for: none on this machine, where encoding costs more than it saves. The
 * configured headers come after this, so that `Accept-Encoding: identity` turns it off.
 */
export function acceptedEncodings(url: URL): Readonly<Record<string, string>> {
  return isLoopbackHost(url.hostname) ? {} : { "accept-encoding": ACCEPTED_ENCODINGS };
}
