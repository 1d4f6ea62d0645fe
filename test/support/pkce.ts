import { createHash } from "node:crypto";

/** The challenge that belongs to the verifier of a token request, by S256. */
export function challengeOf(tokenRequest: URLSearchParams): string {
  const verifier = tokenRequest.get("code_verifier") ?? "";
  return createHash("sha256").update(verifier).digest("base64url");
}
