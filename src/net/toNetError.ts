import { errorText } from "../base/errors.ts";
import type { ProxyServer } from "./chooseProxy.ts";
import { NetError, type NetErrorCode } from "./netError.ts";

/** System, TLS and undici codes, by what they mean to a person. */
const CODES: ReadonlyMap<string, NetErrorCode> = new Map([
  ["ENOTFOUND", "dns"],
  ["EAI_AGAIN", "dns"],
  ["EAI_FAIL", "dns"],
  ["EAI_NODATA", "dns"],
  ["EAI_NONAME", "dns"],
  ["ECONNREFUSED", "refused"],
  ["EHOSTUNREACH", "unreachable"],
  ["ENETUNREACH", "unreachable"],
  ["EHOSTDOWN", "unreachable"],
  ["ENETDOWN", "unreachable"],
  ["EADDRNOTAVAIL", "unreachable"],
  ["ETIMEDOUT", "connect-timeout"],
  ["UND_ERR_CONNECT_TIMEOUT", "connect-timeout"],
  ["ECONNRESET", "reset"],
  ["EPIPE", "reset"],
  ["UND_ERR_SOCKET", "reset"],
  ["UND_ERR_INFO", "reset"],
  ["ERR_HTTP2_STREAM_ERROR", "reset"],
  ["ERR_HTTP2_SESSION_ERROR", "reset"],
  ["ERR_HTTP2_GOAWAY_SESSION", "reset"],
  ["ERR_HTTP2_STREAM_CANCEL", "reset"],
  ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "reset"],
  ["UND_ERR_HEADERS_OVERFLOW", "bad-http"],
  ["ERR_HTTP2_ERROR", "bad-http"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls-self-signed"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "tls-unknown-authority"],
  ["UNABLE_TO_GET_ISSUER_CERT", "tls-unknown-authority"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "tls-unknown-authority"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls-unknown-authority"],
  ["CERT_UNTRUSTED", "tls-unknown-authority"],
  ["INVALID_CA", "tls-unknown-authority"],
  ["CERT_HAS_EXPIRED", "tls-expired"],
  ["CERT_NOT_YET_VALID", "tls-not-yet-valid"],
  ["HOSTNAME_MISMATCH", "tls-wrong-host"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "tls-wrong-host"],
  ["CERT_REVOKED", "tls"],
  ["CERT_SIGNATURE_FAILURE", "tls"],
  ["EPROTO", "tls"],
]);

/** OpenSSL and BoringSSL name the same alert differently; these parts they share. The first match decides. */
const TLS_PATTERNS: readonly (readonly [pattern: RegExp, code: NetErrorCode])[] = [
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|HTTPS_PROXY_REQUEST/, "tls-none"],
  [
    /ALERT_(?:CERTIFICATE|NO_CERTIFICATE|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|HANDSHAKE_FAILURE|ACCESS_DENIED)/,
    "tls-client-certificate",
  ],
  [/^ERR_(?:TLS|SSL)_/, "tls"],
];

/** Characters of the names in a certificate that are shown. */
const MAXIMUM_NAMES = 300;

/**
 * The funnel for what came after a connection was made: whatever a socket or undici threw becomes a NetError; one
 * that is already ours stays as it is.
 */
export function toNetError(error: unknown, url: string, serverName: string): NetError {
  if (error instanceof NetError) return error;
  const host = URL.canParse(url) ? new URL(url).host : url;
  const { code, source } = classify(error);
  return new NetError(code, { server: serverName, host, reason: errorText(source) }, { cause: error });
}

/** What was tried to reach a server. */
export interface ConnectTarget {
  readonly server: string;
  readonly host: string;
}

/** The funnel for a connection that did not come about: nothing of a request was sent. */
export function toConnectError(error: unknown, { server, host }: ConnectTarget): NetError {
  if (error instanceof NetError) return error;
  const { code, source } = classify(error);
  const reason = (code === "tls-wrong-host" ? namesInCertificate(source) : undefined) ?? errorText(source);
  const isClosed = code === "reset" || code === "bad-http" || code === "other";
  return new NetError(isClosed ? "connect-closed" : code, { server, host, reason }, { cause: error });
}

/** Whom a certificate was made out to, when the platform says so. A certificate may hold very many names. */
function namesInCertificate(error: unknown): string | undefined {
  const { cert } = error as { cert?: { subjectaltname?: unknown } };
  const names = cert?.subjectaltname;
  if (typeof names !== "string") return undefined;
  return names.length <= MAXIMUM_NAMES ? names : `${names.slice(0, MAXIMUM_NAMES)}…`;
}

/** The funnel for a proxy that could not be reached, or that broke off before it answered. */
export function toProxyError(error: unknown, target: ConnectTarget, proxy: ProxyServer): NetError {
  if (error instanceof NetError) return error;
  const { code, source } = classify(error);
  return new NetError(
    code.startsWith("tls") ? "proxy-tls" : "proxy-unreachable",
    { ...target, proxy: proxy.origin, place: proxy.place, reason: errorText(source) },
    { cause: error },
  );
}

interface Classified {
  readonly code: NetErrorCode;
  readonly source: unknown;
}

/** When several addresses were tried, what the one that exists said matters more than that another has no route. */
const TELLING: readonly NetErrorCode[] = ["refused", "connect-timeout"];

/** Looks through causes and the several addresses that were tried; the first meaningful code decides. */
function classify(error: unknown, depth = 0): Classified {
  if (depth > 4 || !(error instanceof Error)) return { code: "other", source: error };
  if (error instanceof AggregateError) {
    const tried = (error.errors as unknown[]).map((inner) => classify(inner, depth + 1));
    const telling = tried.find(({ code }) => TELLING.includes(code)) ?? tried.find(isMeaningful);
    if (telling !== undefined) return { code: telling.code, source: error };
  }
  const code = codeOf(error);
  if (code !== undefined && code !== "reset") return { code, source: error };
  const found = classify(error.cause, depth + 1);
  return found.code === "other" ? { code: code ?? "other", source: error } : found;
}

function isMeaningful({ code }: Classified): boolean {
  return code !== "other";
}

function codeOf(error: Error): NetErrorCode | undefined {
  // undici's parser error comes with or without a code, but always with its name.
  if (error.name === "HTTPParserError") return "bad-http";
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== "string") return undefined;
  return CODES.get(code) ?? TLS_PATTERNS.find(([pattern]) => pattern.test(code))?.[1];
}
