import { isJsonObject, type JsonObject, type JsonValue, parseJson } from "../../base/json.ts";
import { parseAuthChallenges } from "../../net/authChallenges.ts";
import type { PinnedResponse } from "../../net/pinnedRequest.ts";

/** What an endpoint of an authorization server answered. The texts are the server's own: untrusted, and not cleaned. */
export type OAuthAnswer =
  /** Success. No field is null. */
  | { readonly kind: "fields"; readonly status: number; readonly fields: JsonObject }
  /** An error of RFC 6749 §5.2, whatever the status. */
  | { readonly kind: "error"; readonly status: number; readonly error: string; readonly description: string }
  /** Nothing that the protocol knows. `reason` quotes nothing of the body. */
  | { readonly kind: "odd"; readonly status: number; readonly reason: string };

/** The code of an error that has none. */
const UNNAMED = "unknown_error";

/**
 * Reads an answer as servers really send them: JSON, or form-encoded; errors with status 200; errors that are only in
 * `WWW-Authenticate`; fields that are null where they should be absent. An `error` decides before anything else.
 */
export function readOAuthAnswer(answer: PinnedResponse): OAuthAnswer {
  const { status } = answer;
  if (status >= 300 && status < 400) {
    return { kind: "odd", status, reason: `a redirect (HTTP ${status}), and none is followed` };
  }
  const fields = readFields(answer);
  const found = (fields === undefined ? undefined : errorOf(fields)) ?? challengedError(answer);
  if (found !== undefined) return { kind: "error", status, ...found };
  if (fields !== undefined && status < 300) return { kind: "fields", status, fields };
  return { kind: "odd", status, reason: `HTTP ${status} ${bodyKind(answer)}` };
}

/** An empty body of an answer of success, as from a revocation, counts as fields as well. */
function readFields({ status, headers, body }: PinnedResponse): JsonObject | undefined {
  const type = mediaType(headers["content-type"]);
  if (type === "application/x-www-form-urlencoded") return readForm(body);
  const text = body.replace(/^\uFEFF/, "").trim();
  if (text === "" && status < 300) return {};
  // JSON is often sent as text, and never begins like a page.
  return text.startsWith("{") ? readJson(text) : undefined;
}

function readJson(text: string): JsonObject | undefined {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null));
}

/** A name may stand only once (RFC 6749 §3.2): of two values nobody knows which is meant. */
function readForm(body: string): JsonObject | undefined {
  const parameters = new URLSearchParams(body.trim());
  const fields = new Map(parameters);
  return fields.size === parameters.size ? Object.fromEntries(fields) : undefined;
}

interface FoundError {
  readonly error: string;
  readonly description: string;
}

function errorOf(fields: JsonObject): FoundError | undefined {
  const { error } = fields;
  if (error === undefined || error === "" || error === false) return undefined;
  if (isJsonObject(error)) {
    // Not as the protocol has it, but as many interfaces report errors.
    return { error: text(error["code"]) || UNNAMED, description: text(error["message"]) };
  }
  return { error: text(error) || UNNAMED, description: text(fields["error_description"]) };
}

/** The error that a challenge names, where the body says nothing. */
function challengedError({ status, headers }: PinnedResponse): FoundError | undefined {
  if (status !== 400 && status !== 401) return undefined;
  const header = [headers["www-authenticate"] ?? []].flat().join(", ");
  for (const { params } of parseAuthChallenges(header)) {
    const error = params.get("error");
    if (error !== undefined && error !== "")
      return { error, description: params.get("error_description") ?? "" };
  }
  return undefined;
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function mediaType(header: string | string[] | undefined): string {
  return typeof header === "string" ? (header.split(";")[0] ?? "").trim().toLowerCase() : "";
}

function bodyKind({ headers, body }: PinnedResponse): string {
  if (body.trim() === "") return "without a body";
  const type = mediaType(headers["content-type"]);
  if (type === "text/html" || /^\s*<(?:!doctype|html)/i.test(body)) return "with a page for people";
  if (type.endsWith("json")) return "with JSON that cannot be used";
  return "with a body that cannot be used";
}
