import { randomUUID } from "node:crypto";
import type { SignedIn } from "../model/facts.ts";
import type { Credential } from "../store/credential.ts";

/** The credential of a fresh sign-in: nobody knows whether the same person has signed in again, so it is another account. */
export function signedInAnew(signedIn: SignedIn, rev: number, writer: string, nowMs: number): Credential {
  const { tokens, ...facts } = signedIn;
  return { account: randomUUID(), rev, writer, facts, tokens, signedInAtMs: nowMs, refreshedAtMs: nowMs };
}

/** A credential with other tokens, or without any. */
export function withTokens(
  credential: Credential,
  tokens: SignedIn["tokens"] | undefined,
  change: Pick<Credential, "rev" | "writer"> & Partial<Pick<Credential, "facts" | "refreshedAtMs">>,
): Credential {
  const { tokens: _old, ...rest } = credential;
  return { ...rest, ...change, ...(tokens === undefined ? {} : { tokens }) };
}
