import { AuthError } from "../authError.ts";
import type { AuthContext } from "../model/authContext.ts";
import type { SignInPorts } from "../model/signInPorts.ts";
import type { AnswerDesk, AwaitedAnswer } from "./answerDesk.ts";
import { askPerson } from "./askPerson.ts";
import type { OwnAnswer } from "./readAnswer.ts";
import { readPasted } from "./readPasted.ts";

/** A visit of the browser to an authorization server. */
export interface Visit {
  /** A secret: who has it can answer in the place of the authorization server. */
  readonly url: string;
  readonly how: "open" | "show";
  /** Where the browser may end: what a person pastes has to begin with one of these. */
  readonly addresses: readonly string[];
}

/** How often a pasted text that cannot be the answer is asked for again. */
const MAX_PASTES = 5;

/**
 * Sends the browser off and waits for it to come back, or for a person to paste where it ended: the first that carries
 * the state of this visit counts.
 *
 * @throws AuthError `sign-in-timeout`, the reason of the signal, or what a port rejects with.
 */
export async function awaitAnswer(
  context: AuthContext,
  ports: SignInPorts,
  desk: AnswerDesk,
  awaited: AwaitedAnswer,
  visit: Visit,
): Promise<OwnAnswer> {
  try {
    return await askPerson(context, (signal) => {
      // It may come back at once.
      const answer = desk.expect(awaited);
      const opened = ports.open(visit.url, visit.how, signal);
      const pasting = takePastes(context, ports, desk, visit.addresses, signal);
      return Promise.race([answer, failureOf(opened), failureOf(pasting)]);
    });
  } finally {
    desk.close();
  }
}

async function takePastes(
  context: AuthContext,
  ports: SignInPorts,
  desk: AnswerDesk,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { serverName: server } = context.settings;
  let problem: AuthError | undefined;
  for (let count = 0; count < MAX_PASTES; count += 1) {
    const text = await ports.pasteAddress(signal, problem);
    if (signal.aborted) return;
    const reason = offerPasted(text, desk, addresses);
    if (reason === undefined) return;
    problem = new AuthError("callback-invalid", { server, reason });
    context.log.write("warn", problem.message);
  }
}

/** Undefined when it was taken; otherwise why not. */
function offerPasted(text: string, desk: AnswerDesk, addresses: readonly string[]): string | undefined {
  const pasted = readPasted(text, addresses);
  if (pasted.kind === "unusable") return pasted.reason;
  switch (desk.offer(pasted.query)) {
    case "unknown":
      return "it does not belong to the sign-in that is under way";
    case "already":
      return "it has been used before";
    case "unreadable":
      return "the authorization server put the answer where it does not belong";
    case "taken":
    case "refused":
    case "again":
    case "rejected":
      return undefined;
  }
}

/** Settles only when a promise fails. */
function failureOf(promise: Promise<unknown>): Promise<never> {
  return new Promise((_resolve, reject) => {
    promise.catch(reject);
  });
}
