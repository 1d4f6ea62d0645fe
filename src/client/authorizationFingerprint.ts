import { createHmac, randomBytes } from "node:crypto";
import { stringifyJson } from "../base/json.ts";
import type { ResolvedConfig } from "./serverConfig.ts";

/** New for each process, so that a fingerprint says nothing outside of it and cannot be compared with guesses. */
const KEY = randomBytes(32);

/**
 * Names what authorizes requests to a server: the same text for the same definition with the same values filled in,
 * headers, variables and certificates among them. Private results are kept under it, and nothing of a secret can be
 * read from it.
 */
export function authorizationFingerprint(config: ResolvedConfig): string {
  return createHmac("sha256", KEY).update(stringifyJson(config)).digest("base64url");
}
