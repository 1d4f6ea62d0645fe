/** What is known when a server answers 401. Tokens are access tokens. */
export interface UnauthorizedFacts {
  /** The one that was sent with the request. */
  readonly sent: string | undefined;
  /** The one that would be sent now. */
  readonly current: string | undefined;
  /** A token that was got because of a refusal and that the server has not taken yet. */
  readonly unproven: string | undefined;
  /** Whether a token was renewed because of a refusal only a moment ago, whatever the server said of it since. */
  readonly isJustRenewed: boolean;
  /** A token that was given up already. */
  readonly rejected: string | undefined;
  /** Whether there is a way to another token without a person. */
  readonly canRenew: boolean;
  /** The server wants the same token with a nonce that it has just given. */
  readonly hasNewNonce: boolean;
}

/**
 * `again`: there is something to send that was not sent before. `renew`: get another token, once. `reject`: the token is
 * good for nothing. `ask`: there is none, and only a person can get one. `wait`: the server takes tokens and refuses them
 * in turn, which no other token cures.
 */
export type UnauthorizedVerdict = "again" | "renew" | "reject" | "ask" | "wait";

/** Decides about a 401. Each token is renewed at most once for being refused, so that this never goes in circles. Pure. */
export function judgeUnauthorized(facts: UnauthorizedFacts): UnauthorizedVerdict {
  const { sent, current, unproven, rejected, canRenew, hasNewNonce, isJustRenewed } = facts;
  if (sent !== undefined && hasNewNonce) return "again";
  if (current === undefined) return canRenew ? "renew" : "ask";
  if (current === rejected) return "reject";
  if (sent !== current) return "again";
  if (!canRenew || current === unproven) return "reject";
  return isJustRenewed ? "wait" : "renew";
}
