import type { Credential } from "../store/credential.ts";
import type { KeptRecord } from "../store/recordKeeper.ts";

/** What is in use here, and how it stands to the store. */
export interface HeldCredential {
  readonly credential: Credential | undefined;
  /** True while the store does not have it as it is. */
  readonly isUnsaved: boolean;
  /** True when the store has had this sign-in before, as it was then. */
  readonly wasSaved: boolean;
}

/** What becomes of what is in use: it stays, the stored one takes its place, or it is given up. */
export type Comparison =
  | { readonly kind: "keep" }
  | { readonly kind: "adopt"; readonly credential: Credential }
  | { readonly kind: "drop"; readonly why: "signed-out" | "settings-changed" };

const KEEP: Comparison = { kind: "keep" };

/**
 * Compares what is in use with what is stored: another window may have renewed it, signed in anew or signed out. The
 * store decides, but for what it could not take yet. Pure.
 */
export function compareCredentials(held: HeldCredential, stored: KeptRecord): Comparison {
  switch (stored.kind) {
    case "failed":
      return KEEP;
    case "absent":
      return mayBeMissing(held) ? KEEP : { kind: "drop", why: "signed-out" };
    case "unusable":
      return held.credential === undefined ? KEEP : { kind: "drop", why: "settings-changed" };
    case "usable":
      return isStoredBetter(held, stored.credential)
        ? { kind: "adopt", credential: stored.credential }
        : KEEP;
  }
}

function mayBeMissing({ credential, isUnsaved, wasSaved }: HeldCredential): boolean {
  return credential === undefined || (isUnsaved && !wasSaved);
}

function isStoredBetter({ credential, isUnsaved }: HeldCredential, stored: Credential): boolean {
  if (credential === undefined) return true;
  if (stored.account !== credential.account)
    return !isUnsaved || stored.signedInAtMs > credential.signedInAtMs;
  if (stored.rev !== credential.rev) return stored.rev > credential.rev;
  return stored.writer !== credential.writer;
}
