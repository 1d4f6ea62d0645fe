/**
 * A request was refused and there is a new credential since: the same call may be made once more, as a message of its
 * own. It goes from a transport to its channel and no further.
 */
export class AuthorizationRenewed extends Error {
  /** What the answer amounts to where the call is not made again. */
  readonly refusal: Error;

  constructor(refusal: Error) {
    super("The request was refused, and its authorization was renewed", { cause: refusal });
    this.refusal = refusal;
  }
}

/** Held by their errors alone: nothing is kept of one that nobody holds any more. */
const REFUSALS = new WeakSet<Error>();

/** Marks an error of whoever authorizes requests. @returns the same error */
export function markRefusal(error: Error): Error {
  REFUSALS.add(error);
  return error;
}

/**
 * True for an error of whoever authorizes requests: it is about who may ask, and says nothing of revisions, sessions
 * and streams. It passes through all layers as it is.
 */
export function isAuthorizationRefusal(error: unknown): boolean {
  return error instanceof Error && REFUSALS.has(error);
}
