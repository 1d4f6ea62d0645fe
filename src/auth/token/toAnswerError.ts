import { AuthError } from "../authError.ts";
import type { Asker, CleanAnswer } from "./askServer.ts";
import { refusedClient } from "./refusedClient.ts";

/** An answer that gives nothing. */
export type FailedAnswer = Exclude<CleanAnswer, { readonly kind: "fields" }>;

/** The client is not, or no longer, known; the second is GitHub's. */
const UNKNOWN_CLIENT: ReadonlySet<string> = new Set(["invalid_client", "incorrect_client_credentials"]);

/** Errors that say nothing about what was asked. */
const PASSING: ReadonlySet<string> = new Set(["server_error", "temporarily_unavailable", "slow_down"]);

/** The error for an answer: `client-unknown`, `client-refused`, `token-refused` or `bad-token-answer`. */
export function toAnswerError({ context, issuer, client }: Asker, answer: FailedAnswer): AuthError {
  const names = { server: context.settings.serverName, issuer: issuer.issuer };
  if (answer.kind === "odd") return new AuthError("bad-token-answer", { ...names, reason: answer.reason });
  const { status, error, description } = answer;
  if (UNKNOWN_CLIENT.has(error)) return refusedClient(client, { ...names, error, description });
  return new AuthError("token-refused", { ...names, status, error, description });
}

/** An answer in a few words: the status, and what the server said. */
export function describeAnswer(answer: CleanAnswer): string {
  switch (answer.kind) {
    case "fields":
      return `HTTP ${answer.status}`;
    case "odd":
      return answer.reason;
    case "error":
      return [`HTTP ${answer.status}`, answer.error, answer.description]
        .filter((part) => part !== "")
        .join(" ");
  }
}

/** `token-unavailable` for an answer that says nothing about what was asked and may pass; undefined for others. */
export function toUnavailable({ context, issuer }: Asker, answer: CleanAnswer): AuthError | undefined {
  if (!isServerFault(answer) && !isBusy(answer)) return undefined;
  const names = { server: context.settings.serverName, issuer: issuer.issuer };
  return new AuthError("token-unavailable", { ...names, reason: describeAnswer(answer) });
}

/** The server failed by itself: what it did with the request is unknown. An error that says more decides first. */
export function isServerFault(answer: CleanAnswer): boolean {
  return answer.status >= 500 && (answer.kind !== "error" || PASSING.has(answer.error));
}

/** It wants to be left alone for a while. */
export function isBusy(answer: CleanAnswer): boolean {
  if (answer.kind === "error" && PASSING.has(answer.error)) return true;
  return answer.kind !== "fields" && (answer.status === 429 || answer.status === 408);
}
