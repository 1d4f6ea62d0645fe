import type { AuthChallenge } from "./authChallenges.ts";
import type { ResponseHeaders } from "./originPool.ts";
import type { Zone } from "./zones.ts";

/** One HTTP request that is about to be sent. */
export interface RequestToAuthorize {
  readonly method: "POST" | "GET" | "DELETE";
  readonly url: URL;
}

/** An answer that refused a request for want of authorization. */
export interface RefusedAnswer {
  readonly request: RequestToAuthorize;
  readonly status: 401 | 403;
  /** What `WWW-Authenticate` says; empty when it says nothing that can be read. */
  readonly challenges: readonly AuthChallenge[];
  readonly headers: ResponseHeaders;
  /** The headers that `authorize` gave for the request. */
  readonly sent: Readonly<Record<string, string>>;
}

/**
 * What to do about a refusal: `renewed` allows one more attempt, as a new message, because there is a credential that
 * was not sent before; `refused` fails the request with this error; `unknown` leaves it to the caller.
 */
export type RefusalVerdict =
  | { readonly kind: "renewed" }
  | { readonly kind: "refused"; readonly error: Error }
  | { readonly kind: "unknown" };

/**
 * Authorizes the requests of one server. It is asked for every single request, so that a credential that was renewed
 * is used at once, and it sees the answers that refuse one.
 */
export interface RequestAuthorizer {
  /** Where the server has to be for credentials to be sent; undefined sends none, wherever it is. Read per connection. */
  readonly zone: Zone | undefined;
  /** Ranges in CIDR notation that count as public in answers of DNS: fake addresses of a local proxy. */
  readonly fakeIpRanges?: readonly string[];
  /** Headers for one request, names in lower case; empty sends it without. Rejects when it must not be sent. */
  authorize(
    request: RequestToAuthorize,
    signal: AbortSignal,
  ): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** Decides about an answer of 401 or 403. Waits for a renewal that is under way, within its own limits. */
  refused(answer: RefusedAnswer, signal: AbortSignal): Promise<RefusalVerdict>;
  /** Sees the headers of every other answer: they may hold what the next request needs. */
  answered(request: RequestToAuthorize, headers: ResponseHeaders): void;
  /** Sees why a request could not be sent, or got no answer: the server may be in another network than before. */
  failed?(request: RequestToAuthorize, error: Error): void;
}
