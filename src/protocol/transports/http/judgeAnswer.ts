import { type AuthChallenge, parseAuthChallenges } from "../../../net/authChallenges.ts";
import type { ResponseHeaders } from "../../../net/originPool.ts";
import { EngineError } from "../../engineError.ts";
import { isErrorResponse, type JsonRpcResponse, type RequestId } from "../../jsonrpc/message.ts";
import { shorten } from "../../shorten.ts";
import { isTextOf, type ParsedMessage, parseMessage } from "../parseMessage.ts";

/** Redirects that one request follows. */
const MAXIMUM_HOPS = 3;
/** Characters of an odd answer that are kept as evidence. */
const EVIDENCE_LENGTH = 2_000;

/** Status and the headers that matter. */
export interface AnswerHead {
  readonly status: number;
  /** Lower case, without parameters; empty when there is none. */
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly location: string | undefined;
  readonly contentLength: number | undefined;
  readonly sessionId: string | undefined;
  /** `Retry-After` as it was sent: seconds, or a date. */
  readonly retryAfter: string | undefined;
  /** `WWW-Authenticate`, several of them joined; empty when there is none. */
  readonly challenge: string;
}

/** Who asked, for the errors. */
export interface AnswerContext {
  readonly serverName: string;
  /** The method, or what else was sent, as the person should read it. */
  readonly method: string;
}

/** Takes the headers that matter out of a response. */
export function readHead(status: number, headers: ResponseHeaders): AnswerHead {
  const first = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === "string" ? value : value?.[0];
  };
  const length = first("content-length");
  const challenge = headers["www-authenticate"] ?? "";
  return {
    status,
    contentType: (first("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "",
    contentEncoding: (first("content-encoding") ?? "").trim().toLowerCase(),
    location: first("location"),
    contentLength: length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined,
    sessionId: first("mcp-session-id"),
    retryAfter: first("retry-after"),
    challenge: typeof challenge === "string" ? challenge : challenge.join(", "),
  };
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** What to do about a redirect; `none` when the answer is none, or none that could be followed or named. */
export type RedirectVerdict =
  | { readonly kind: "none" }
  | { readonly kind: "follow"; readonly url: URL }
  | { readonly kind: "refuse"; readonly error: EngineError };

/**
 * A message, and the credentials with it, goes to the configured origin only. Within it, 307 and 308 keep
 * method and body and are followed; 301 to 303 would turn the message into a GET.
 */
export function judgeRedirect(
  head: AnswerHead,
  from: URL,
  hops: number,
  context: AnswerContext,
): RedirectVerdict {
  const { status, location } = head;
  if (status < 300 || status > 399 || location === undefined || !URL.canParse(location, from.href)) {
    return { kind: "none" };
  }
  const target = new URL(location, from.href);
  if (target.origin !== from.origin) {
    const shown = `${target.origin}${target.pathname}`;
    const error = new EngineError(
      "redirected",
      { server: context.serverName, target: shown },
      { httpStatus: status },
    );
    return { kind: "refuse", error };
  }
  if ((status !== 307 && status !== 308) || hops >= MAXIMUM_HOPS) return { kind: "none" };
  return { kind: "follow", url: target };
}

/** How long a server that has too much to do asks to wait, in seconds; undefined when it does not say. */
export function readRetryAfter(head: StatusHead, nowMs: number): number | undefined {
  const { status, retryAfter = "" } = head;
  if (status !== 429 && status !== 503) return undefined;
  if (/^\d{1,9}$/.test(retryAfter.trim())) return Number(retryAfter);
  // A lone number of another form would be read as a year.
  const date = /[a-z]/i.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - nowMs) / 1000));
}

type StatusHead = Pick<AnswerHead, "status" | "retryAfter">;

/** Parameters of a challenge that tell a person something; others may hold what is for machines only. */
const TELLING = ["realm", "scope", "error", "error_description", "error_uri", "resource_metadata"];

/** What the server says of the authorization that it wants, a line for each way, in its own words. */
export function describeChallenges(challenges: readonly AuthChallenge[]): string {
  return challenges
    .slice(0, 5)
    .map(({ scheme, params }) => {
      const told = TELLING.flatMap((name) => {
        const text = params.get(name);
        return text === undefined ? [] : [`${name}=${JSON.stringify(shorten(text))}`];
      });
      return `WWW-Authenticate: ${[shorten(scheme), ...told].join(" ")}`;
    })
    .join("\n");
}

/** The error for a status that is no success and has no JSON-RPC body. */
export function statusError(
  head: StatusHead & Partial<Pick<AnswerHead, "challenge">>,
  body: string,
  context: AnswerContext,
): EngineError {
  const { serverName: server, method } = context;
  const { status } = head;
  const options = { httpStatus: status, detail: evidence(body) };
  const seconds = readRetryAfter(head, Date.now());
  if (seconds !== undefined) return new EngineError("busy", { server, method, status, seconds }, options);
  if (status === 401 || status === 403) {
    const detail = [describeChallenges(parseAuthChallenges(head.challenge ?? "")), evidence(body) ?? ""]
      .filter((text) => text !== "")
      .join("\n");
    const asked = { httpStatus: status, detail: detail === "" ? undefined : detail };
    // Who is known and may not is not helped by saying who they are.
    return new EngineError(
      status === 401 ? "authorization-required" : "forbidden",
      { server, status },
      asked,
    );
  }
  return new EngineError("http-status", { server, method, status }, options);
}

/** The response that a whole body holds, or the error that it amounts to. `parsed` is what the body turned out to be. */
export function judgeBody(
  head: AnswerHead,
  body: string,
  requestId: RequestId,
  context: AnswerContext,
  parsed: ParsedMessage = parseMessage(body),
): JsonRpcResponse | EngineError {
  // Some servers put these into a JSON-RPC error: what counts is that no message was looked at.
  if (head.status === 401 || readRetryAfter(head, Date.now()) !== undefined)
    return statusError(head, body, context);
  const success = isSuccess(head.status);
  if (parsed.kind === "response") {
    const { message } = parsed;
    if (isErrorResponse(message)) {
      // The POST tells which request failed, so that servers may leave the id out. On an error status some
      // put a text of their own there.
      if (!success || message.id === undefined || message.id === null) return message;
    }
    if (success && (message.id === requestId || isTextOf(message.id, requestId))) return message;
  }
  if (!success) return statusError(head, body, context);
  const reason = reasonFor(head, body, parsed);
  return new EngineError(
    "not-json-rpc",
    { server: context.serverName, method: context.method, reason },
    { httpStatus: head.status, detail: evidence(body) },
  );
}

function reasonFor(head: AnswerHead, body: string, parsed: ParsedMessage): string {
  if (body.trim() === "") return `HTTP ${String(head.status)} with an empty body`;
  switch (parsed.kind) {
    case "not-json":
      return head.contentType === "application/json" || head.contentType === ""
        ? "a body that is not JSON"
        : `a body of type ${head.contentType}`;
    case "invalid":
      return parsed.reason;
    case "response":
      return "an answer to another request";
    case "request":
    case "notification":
      return "a message that is no answer";
  }
}

function evidence(body: string): string | undefined {
  return body === "" ? undefined : body.slice(0, EVIDENCE_LENGTH);
}
