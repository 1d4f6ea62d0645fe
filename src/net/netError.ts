import { CodedError, type MessageTemplate } from "../base/errors.ts";
import type { Zone } from "./zones.ts";

/**
 * What can go wrong between this machine and a server before or while an HTTP answer comes.
 * Arguments: `server` is its configured name, `host` its host and port, `reason` the cause in the system's words,
 * `proxy` the address of a proxy and `place` the setting or variable that names it; networks are named as a `Zone`.
 */
export const NET_ERRORS = {
  "invalid-url": {
    message: "The address of “{server}” cannot be used: {reason}",
    remedy: "Set “url” in the server's settings to an http or https address.",
  },
  "invalid-header": {
    message: "The header “{header}” of “{server}” holds characters that HTTP does not allow.",
    remedy: "Look for line breaks or non-ASCII characters in its value, also in the secret it names.",
  },
  dns: {
    message: "The host {host} of “{server}” was not found ({reason}).",
    remedy: "Check the address in the server's settings, and the network connection.",
  },
  refused: {
    message: "{host} refused the connection to “{server}” ({reason}).",
    remedy: "Start the server, or check the port in its settings.",
  },
  unreachable: {
    message: "{host} of “{server}” cannot be reached ({reason}).",
    remedy: "Check the network connection, VPN and firewall.",
  },
  "connect-timeout": {
    message: "{host} of “{server}” did not accept a connection in time.",
    remedy: "Check the address in the server's settings, the VPN and the firewall.",
  },
  "connect-closed": {
    message:
      "{host} closed the connection to “{server}” while it was being made ({reason}). Nothing was sent.",
    remedy: "Check the address and the port in the server's settings, the VPN and the firewall.",
  },
  "tls-self-signed": {
    message: "The certificate of {host} is self-signed, so that nobody vouches for “{server}” ({reason}).",
    remedy: "If you know that it is the right one, name its file in “tls.ca” of the server's settings.",
  },
  "tls-unknown-authority": {
    message: "The certificate of {host} was issued by an authority that is not trusted here ({reason}).",
    remedy:
      "For a private authority, or a network that inspects traffic, name its certificate in “tls.ca” of “{server}” or in NODE_EXTRA_CA_CERTS. If the authority is a public one, the server does not send its whole chain.",
  },
  "tls-expired": {
    message: "The certificate of {host} has expired ({reason}).",
    remedy: "Have the certificate of “{server}” renewed, and check the clock of this computer.",
  },
  "tls-not-yet-valid": {
    message: "The certificate of {host} is not valid yet ({reason}).",
    remedy: "Check the clock of this computer, and the certificate of “{server}”.",
  },
  "tls-wrong-host": {
    message: "The certificate of {host} is made out to another name: {reason}",
    remedy:
      "Use the name that the certificate holds in the address of “{server}”, or set “tls.serverName” to it if you know that it is the right server.",
  },
  "tls-client-certificate": {
    message:
      "{host} demands a client certificate, or does not accept the one that “{server}” is set to show ({reason}).",
    remedy: "Set “tls.cert” and “tls.key” of “{server}” to a certificate that it accepts.",
  },
  "tls-none": {
    message: "{host} of “{server}” does not speak TLS on that port ({reason}).",
    remedy: "Check the port, and whether the address should begin with http instead of https.",
  },
  "tls-settings": {
    message: "The certificates in “tls” of “{server}” cannot be used: {reason}",
    remedy: "Check the files that “tls.ca”, “tls.cert” and “tls.key” name.",
  },
  tls: {
    message: "No secure connection to {host} of “{server}” could be made: {reason}",
    remedy: "Look at the server's own log, and at what stands between it and this computer.",
  },
  "proxy-unusable": {
    message: "The proxy that “{place}” names for “{server}” cannot be used: {reason}",
    remedy:
      "Set it to an http or https address, or set “proxy” of the server to false for a direct connection.",
  },
  "proxy-unreachable": {
    message: "The proxy {proxy} of “{server}” cannot be reached ({reason}). It is named by “{place}”.",
    remedy:
      "Check “{place}” and the network connection, or set “proxy” of the server to false for a direct connection.",
  },
  "proxy-tls": {
    message: "No secure connection to the proxy {proxy} of “{server}” could be made: {reason}",
    remedy:
      "Check whether its address in “{place}” should begin with http instead of https. For a private authority, name its certificate in NODE_EXTRA_CA_CERTS.",
  },
  "proxy-login": {
    message: "The proxy {proxy} of “{server}” asks for a user name and a password ({reason}).",
    remedy:
      "Write them into “{place}” as http://name:password@host:port, or set “http.proxyAuthorization”. Only the method Basic is spoken.",
  },
  "proxy-refused": {
    message: "The proxy {proxy} does not let “{server}” connect to {host} ({reason}).",
    remedy:
      "Have the host and port allowed on the proxy. If the host can be reached directly, list it in “http.noProxy” or NO_PROXY, or set “proxy” of the server to false.",
  },
  reset: {
    message:
      "{host} closed the connection to “{server}” before it answered ({reason}). Whether the request was carried out is unknown.",
    remedy: "Look at the server's own log. Check the effect before you run it again.",
  },
  "bad-http": {
    message: "{host} of “{server}” answered with something that is not valid HTTP ({reason}).",
    remedy: "Check the address, and whether it should begin with https.",
  },
  "bad-encoding": {
    message:
      "{host} of “{server}” sent a body that is not what its encoding “{encoding}” says ({reason}). Whether the request was carried out is unknown.",
    remedy: "This is a fault of the server, or of what stands between it and this computer.",
  },
  "address-refused": {
    message: "“{server}” leads to an address that is not used for authorization: {reason}",
    remedy: "This is a fault of the server or of its authorization server; report it to its authors.",
  },
  insecure: {
    message:
      "“{server}” leads to {host} over http, where everybody on the way can read. It was not contacted.",
    remedy: "Authorization needs https; http is for addresses of this computer alone.",
  },
  "zone-escalation": {
    message:
      "“{server}” is in the {from} network and leads to {host}, which is in the {to} network. It was not contacted.",
    remedy:
      "A server must not lead further into your networks than it is itself. If you trust it all the same, send a token with an “Authorization” header in its settings.",
  },
  "zone-mixed": {
    message: "{host} of “{server}” has addresses in several networks ({addresses}). It was not contacted.",
    remedy:
      "Check what its name stands for, on this computer and in DNS: all addresses must be in one network.",
  },
  "zone-blocked": {
    message: "{host} of “{server}” has the address {address}, which no server has. It was not contacted.",
    remedy: "Check what its name stands for, on this computer and in DNS.",
  },
  "fake-address": {
    message:
      "{host} of “{server}” has the address {address}, as if a proxy on this computer answered every name with one of its own. It was not contacted.",
    remedy:
      "If you use such a proxy, name the range of its addresses in “signalbox.oauth.fakeIpRanges”, as in 198.18.0.0/15.",
  },
  "zone-changed": {
    message:
      "“{server}” is now in the {actual} network, and was in the {expected} network when you signed in. Nothing was sent to {host}.",
    remedy: "Check where its address leads, and sign in again if that is right.",
  },
  "address-changed": {
    message: "The connection to {host} of “{server}” led to {address}, which is none of its addresses.",
    remedy: "Look at what stands between it and this computer. Nothing was sent.",
  },
  "environment-proxy": {
    message:
      "{host} of “{server}” cannot be reached directly ({reason}), and the proxy that “{place}” names is not used for authorization.",
    remedy: "Set “http.proxy”, or “proxy” of the server, to the address of the proxy.",
  },
  "answer-too-large": {
    message: "The answer of {host} for “{server}” is larger than {limit} bytes.",
    remedy: "This is a fault of the server or of its authorization server; report it to its authors.",
  },
  "answer-timeout": {
    message: "{host} did not answer completely for “{server}” within {seconds} seconds.",
    remedy: "Try again later. If it happens again, look at the server's own log.",
  },
  "encoding-unwanted": {
    message:
      "{host} sent an answer for “{server}” in the encoding “{encoding}”, which it was told not to use.",
    remedy: "This is a fault of the server, or of what stands between it and this computer.",
  },
  other: { message: "The request to {host} of “{server}” failed: {reason}" },
} as const satisfies Record<string, MessageTemplate>;

export type NetErrorCode = keyof typeof NET_ERRORS;

/** Codes of failures that may come after the request was sent. */
const MAY_BE_SENT: ReadonlySet<NetErrorCode> = new Set([
  "reset",
  "bad-http",
  "bad-encoding",
  "answer-too-large",
  "answer-timeout",
  "encoding-unwanted",
  "other",
]);

/** What a message of this table may need. */
export interface NetErrorArgs {
  readonly server: string;
  readonly host?: string;
  readonly reason?: string;
  readonly header?: string;
  readonly encoding?: string;
  readonly proxy?: string;
  readonly place?: string;
  readonly from?: Zone;
  readonly to?: Zone;
  readonly expected?: Zone;
  readonly actual?: Zone | "blocked";
  readonly address?: string;
  readonly addresses?: string;
  readonly limit?: number;
  readonly seconds?: number;
}

/** A failure of the network, or of HTTP below the protocol. It says nothing about what the server speaks. */
export class NetError extends CodedError<NetErrorCode> {
  constructor(code: NetErrorCode, args: NetErrorArgs, options: { readonly cause?: unknown } = {}) {
    super(code, NET_ERRORS[code], { ...args }, options);
  }

  /** False when the request certainly did not reach the server, so that it may be sent again. */
  get mayHaveRun(): boolean {
    return MAY_BE_SENT.has(this.code);
  }
}
