import { CodedError, errorText, type MessageTemplate } from "../base/errors.ts";

/**
 * What can go wrong between this machine and a server before or while an HTTP answer comes.
 * Arguments: `server` is its configured name, `host` its host and port, `reason` the cause in the system's words.
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
  tls: {
    message: "No secure connection to {host} of “{server}” could be made: {reason}",
    remedy:
      "For a private certificate authority, name its certificate in NODE_EXTRA_CA_CERTS before the editor starts.",
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
  other: { message: "The request to {host} of “{server}” failed: {reason}" },
} as const satisfies Record<string, MessageTemplate>;

export type NetErrorCode = keyof typeof NET_ERRORS;

/** Codes of failures that come before anything of the request was sent. */
const NOT_SENT: ReadonlySet<NetErrorCode> = new Set([
  "invalid-url",
  "invalid-header",
  "dns",
  "refused",
  "unreachable",
  "connect-timeout",
  "tls",
]);

/** A failure of the network, or of HTTP below the protocol. It says nothing about what the server speaks. */
export class NetError extends CodedError<NetErrorCode> {
  constructor(
    code: NetErrorCode,
    args: {
      readonly server: string;
      readonly host?: string;
      readonly reason?: string;
      readonly header?: string;
    },
    options: { readonly cause?: unknown } = {},
  ) {
    super(code, NET_ERRORS[code], { ...args }, options);
  }

  /** False when the request certainly did not reach the server, so that it may be sent again. */
  get mayHaveRun(): boolean {
    return !NOT_SENT.has(this.code);
  }
}

/** System and undici codes, by what they mean to a person. */
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
  ["UND_ERR_HEADERS_OVERFLOW", "bad-http"],
  ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "reset"],
  ["EPROTO", "tls"],
  ["CERT_HAS_EXPIRED", "tls"],
  ["CERT_NOT_YET_VALID", "tls"],
  ["CERT_REVOKED", "tls"],
  ["CERT_UNTRUSTED", "tls"],
  ["CERT_SIGNATURE_FAILURE", "tls"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "tls"],
  ["UNABLE_TO_GET_ISSUER_CERT", "tls"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "tls"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
  ["HOSTNAME_MISMATCH", "tls"],
  ["INVALID_CA", "tls"],
]);

/** The funnel: whatever a socket or undici threw becomes a NetError; one that is already ours stays as it is. */
export function toNetError(error: unknown, url: string, serverName: string): NetError {
  if (error instanceof NetError) return error;
  const host = URL.canParse(url) ? new URL(url).host : url;
  const { code, source } = classify(error);
  return new NetError(code, { server: serverName, host, reason: errorText(source) }, { cause: error });
}

/** Looks through causes and the several addresses that were tried; the first meaningful code decides. */
function classify(error: unknown, depth = 0): { code: NetErrorCode; source: unknown } {
  if (depth > 4 || !(error instanceof Error)) return { code: "other", source: error };
  const code = codeOf(error);
  if (code !== undefined && code !== "reset") return { code, source: error };
  const inner: unknown[] = [
    error.cause,
    ...(error instanceof AggregateError ? (error.errors as unknown[]) : []),
  ];
  for (const candidate of inner) {
    const found = classify(candidate, depth + 1);
    if (found.code !== "other") return found;
  }
  return { code: code ?? "other", source: error };
}

function codeOf(error: Error): NetErrorCode | undefined {
  // undici's parser error comes with or without a code, but always with its name.
  if (error.name === "HTTPParserError") return "bad-http";
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== "string") return undefined;
  const known = CODES.get(code);
  if (known !== undefined) return known;
  return code.startsWith("ERR_TLS_") || code.startsWith("ERR_SSL_") ? "tls" : undefined;
}
