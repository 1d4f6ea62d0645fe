import { type Deferred, deferred } from "../../base/deferred.ts";
import type { AnswerPage } from "../model/signInPorts.ts";
import { type ExpectedAnswer, type OwnAnswer, readAnswer } from "./readAnswer.ts";

/** What an answer has to match, and what is done when it refuses the scopes. */
export interface AwaitedAnswer extends ExpectedAnswer {
  /** A refusal of the scopes will be followed by a request without any. */
  readonly mayAskAgain: boolean;
}

interface Waiting {
  readonly awaited: AwaitedAnswer;
  readonly result: Deferred<OwnAnswer>;
}

/**
 * Takes the one answer that a sign-in waits for, whichever way it comes: through the listener or pasted by a person.
 * What does not carry the state of the sign-in changes nothing; what does ends the waiting, for better or worse, and
 * is never taken a second time.
 */
export class AnswerDesk {
  readonly #taken = new Set<string>();
  #waiting: Waiting | undefined;

  /** Whether an answer has come, good or bad. */
  get hasTaken(): boolean {
    return this.#taken.size > 0;
  }

  /** Waits for an answer from now on. One that is waited for already will not come. */
  expect(awaited: AwaitedAnswer): Promise<OwnAnswer> {
    const result = deferred<OwnAnswer>();
    this.#waiting = { awaited, result };
    return result.promise;
  }

  /** Waits for nothing any more. */
  close(): void {
    this.#waiting = undefined;
  }

  /** Looks at the query of an address that a browser came to, and says what the person should be told. */
  offer(query: string): AnswerPage {
    if (this.#waiting !== undefined) {
      const { awaited, result } = this.#waiting;
      const verdict = readAnswer(query, awaited);
      if (verdict.kind !== "unknown" && verdict.kind !== "unreadable") {
        this.#waiting = undefined;
        this.#taken.add(awaited.state);
        result.resolve(verdict);
        return pageOf(verdict, awaited);
      }
      if (verdict.kind === "unreadable") return "unreadable";
    }
    const state = new URLSearchParams(query).get("state");
    return state !== null && this.#taken.has(state) ? "already" : "unknown";
  }
}

function pageOf(answer: OwnAnswer, awaited: AwaitedAnswer): AnswerPage {
  if (answer.kind === "code") return "taken";
  if (answer.kind === "rejected") return "rejected";
  return awaited.mayAskAgain && answer.error === "invalid_scope" ? "again" : "refused";
}
