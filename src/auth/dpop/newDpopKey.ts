import { webcrypto } from "node:crypto";

import type { DpopKey } from "../model/facts.ts";

/** Makes a key pair for ES256, the one algorithm that every server with DPoP takes. What it gives is secret. */
export async function newDpopKey(): Promise<DpopKey> {
  const { subtle } = webcrypto;
  const pair = await subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
  const { kty, crv, x, y, d } = await subtle.exportKey("jwk", pair.privateKey);
  return { algorithm: "ES256", jwk: { kty, crv, x, y, d } };
}
