/** What of a request decides whether it may be an answer. */
export interface RequestFacts {
  readonly method: string;
  /** The request target, exactly as it was sent. */
  readonly target: string;
  readonly host: string | undefined;
  /** `Sec-Fetch-Dest`: what the browser is going to do with the page. */
  readonly destination: string | undefined;
}

/** Where answers are expected. */
export interface Place {
  /** Where the listener is, as in `/callback`. */
  readonly path: string;
  /** Host and port by which it may be called, in lower case. */
  readonly hosts: ReadonlySet<string>;
  /** The paths under which the browser goes there through something that forwards. */
  readonly outerPaths: readonly string[];
}

/** Whether the query of a request is looked at, or with which status it is turned away. */
export type RequestVerdict =
  | { readonly kind: "candidate"; readonly query: string }
  | { readonly kind: "refused"; readonly status: 400 | 403 | 404 | 405 | 414 };

/** A longer target is no answer of an authorization server. In characters. */
const MAX_TARGET_LENGTH = 8192;

/**
 * Judges a request before its query is looked at. Only what a browser sends when a person is led here comes through:
 * not what a page embeds, nor what reaches this machine under a foreign name (DNS rebinding).
 */
export function judgeRequest(request: RequestFacts, place: Place): RequestVerdict {
  if (request.target.length > MAX_TARGET_LENGTH) return { kind: "refused", status: 414 };
  if (request.host === undefined || !place.hosts.has(request.host.toLowerCase()))
    return { kind: "refused", status: 403 };
  const mark = request.target.indexOf("?");
  const path = mark === -1 ? request.target : request.target.slice(0, mark);
  if (!isPath(path, place)) return { kind: "refused", status: 404 };
  if (request.method !== "GET") return { kind: "refused", status: 405 };
  if (request.destination !== undefined && request.destination !== "document")
    return { kind: "refused", status: 403 };
  return { kind: "candidate", query: mark === -1 ? "" : request.target.slice(mark + 1) };
}

/**
 * What forwards requests may take its own prefix off the path, leave it, or take a part of it off: `/proxy/41737/callback`
 * may arrive as such or as `/callback`. So the path has to end with ours, and to be the end of the path outside.
 * Texts are compared as they came, so that nothing like `/..` is ever resolved.
 */
function isPath(path: string, place: Place): boolean {
  if (path === place.path) return true;
  if (!path.startsWith("/") || !path.endsWith(place.path)) return false;
  return place.outerPaths.some((outer) => outer.endsWith(path));
}
