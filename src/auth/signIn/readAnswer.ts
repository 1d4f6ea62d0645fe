import { cleanText } from "../cleanText.ts";

declare const checked: unique symbol;

/** A code that came with the right state, from the right issuer. Only `readAnswer` makes one. A secret. */
export interface CheckedCode {
  readonly code: string;
  readonly [checked]: true;
}

/** What the answer of an authorization server has to match. */
export interface ExpectedAnswer {
  readonly state: string;
  /** As the issuer's metadata writes it. */
  readonly issuer: string;
  /** Whether the metadata says that answers name their issuer (RFC 9207). */
  readonly issInAnswers: boolean;
}

/** An answer to the sign-in that is under way, whether it can be used or not. There is only one. */
export type OwnAnswer =
  | { readonly kind: "code"; readonly checked: CheckedCode }
  /** Texts of the authorization server, cleaned and shortened. */
  | { readonly kind: "refused"; readonly error: string; readonly description: string }
  | { readonly kind: "rejected"; readonly problem: "iss-missing" | "iss-mismatch" }
  | { readonly kind: "rejected"; readonly problem: "callback-invalid"; readonly reason: string };

/** What the query of an address turned out to be. */
export type AnswerVerdict =
  | OwnAnswer
  /** Does not belong to this sign-in, which goes on. */
  | { readonly kind: "unknown" }
  /** Looks like an answer whose parameters are where only a page can read them, or in an envelope of their own. */
  | { readonly kind: "unreadable" };

/** A longer query is no answer of an authorization server. In characters. */
export const MAX_ANSWER_LENGTH = 8192;

/**
 * Judges the query of an address that a browser came back with. The order matters: without the one right `state`
 * nothing else is looked at, and before the issuer is known to be the right one, nothing that it says is believed or
 * shown, its refusal included.
 */
export function readAnswer(query: string, expected: ExpectedAnswer): AnswerVerdict {
  if (query.length > MAX_ANSWER_LENGTH) return { kind: "unknown" };
  const parameters = new URLSearchParams(query);
  const states = parameters.getAll("state");
  if (states.length !== 1 || states[0] !== expected.state) return { kind: strangeKind(query, parameters) };
  const repeated = ["iss", "code", "error"].find((name) => parameters.getAll(name).length > 1);
  if (repeated !== undefined) return invalid(`it has several parameters “${repeated}”`);
  const problem = judgeIssuer(parameters.get("iss"), expected);
  if (problem !== undefined) return { kind: "rejected", problem };
  return readOutcome(parameters, expected.state);
}

/** What an address is that has no state of ours: perhaps an answer in a form that no listener gets to see. */
function strangeKind(query: string, parameters: URLSearchParams): "unknown" | "unreadable" {
  const isEnvelope = parameters.has("response") && !parameters.has("state");
  return query === "" || isEnvelope ? "unreadable" : "unknown";
}

/** RFC 9207 §2.4. Plain comparison of strings: two spellings of one address are two issuers. */
function judgeIssuer(
  iss: string | null,
  expected: ExpectedAnswer,
): "iss-missing" | "iss-mismatch" | undefined {
  if (iss === null) return expected.issInAnswers ? "iss-missing" : undefined;
  if (iss === "" && expected.issInAnswers) return "iss-missing";
  return iss === expected.issuer ? undefined : "iss-mismatch";
}

function readOutcome(parameters: URLSearchParams, state: string): OwnAnswer {
  const code = parameters.get("code");
  const error = parameters.get("error");
  if (code !== null && error !== null) return invalid("it has both a code and an error");
  if (error !== null) {
    // A server may quote what it was sent.
    const clean = (text: string | null, length: number): string =>
      cleanText(text?.replaceAll(state, "…"), length);
    const description = clean(parameters.get("error_description"), 500);
    return { kind: "refused", error: clean(error, 100), description };
  }
  if (parameters.has("response")) return invalid("it is wrapped into a token (JARM), which nobody asked for");
  if (code === null || code === "") return invalid("it has neither a code nor an error");
  return { kind: "code", checked: { code } as CheckedCode };
}

function invalid(reason: string): OwnAnswer {
  return { kind: "rejected", problem: "callback-invalid", reason };
}
