import type { SecretsVerdict } from "./secretsLast.ts";

/** The setting `signalbox.oauth.credentialStore`. */
export type CredentialStoreSetting = "auto" | "secret" | "file";

/** What decides where credentials are kept. */
export interface StoreFacts {
  readonly setting: CredentialStoreSetting;
  readonly verdict: SecretsVerdict;
  /** True where the editor runs in a browser. */
  readonly isWeb: boolean;
}

/** Where credentials are kept, and whether the person has to be told that it is not the usual place. */
export function chooseStoreKind({ setting, verdict, isWeb }: StoreFacts): {
  readonly kind: "secret-storage" | "file";
  readonly announce: boolean;
} {
  if (setting === "secret") return { kind: "secret-storage", announce: false };
  if (setting === "file") return { kind: "file", announce: false };
  // In a browser it is the exception that secrets last, so files are used until it is known.
  const isFile = verdict === "vanish" || (verdict === "unknown" && isWeb);
  return isFile ? { kind: "file", announce: true } : { kind: "secret-storage", announce: false };
}
