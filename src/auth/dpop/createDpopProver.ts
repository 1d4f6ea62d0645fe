import { createHash, randomUUID } from "node:crypto";

import type { CryptoKey, JWK } from "jose";

import type { Clock } from "../../base/clock.ts";
import type { ResponseHeaders } from "../../net/originPool.ts";
import { AuthError } from "../authError.ts";
import { readJwtClaims } from "../readJwtClaims.ts";
import type { DpopKey } from "../model/facts.ts";
import type { DpopProver, RequestToProve } from "./dpopProver.ts";

/** Origins whose nonce is kept. One server has two: that of its tokens and its own. */
const MAX_ORIGINS = 16;
/** RFC 9449 §8: `1*NQCHAR`. What is longer is no nonce that a header should carry. */
const NONCE = /^[\x21\x23-\x5B\x5D-\x7E]{1,2000}$/;

/** A prover for one key. The key is imported when it is first used, in a form that cannot be exported again. */
export function createDpopProver(key: DpopKey, clock: Clock): DpopProver {
  return new KeyProver(key, clock);
}

interface Imported {
  readonly jose: typeof import("../joseLibrary.ts");
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

class KeyProver implements DpopProver {
  readonly #key: DpopKey;
  readonly #clock: Clock;
  /** By origin; the one that was heard of longest ago comes first. */
  readonly #nonces = new Map<string, string>();
  #imported: Promise<Imported> | undefined;

  constructor(key: DpopKey, clock: Clock) {
    this.#key = key;
    this.#clock = clock;
  }

  async proof(request: RequestToProve): Promise<string> {
    const { jose, privateKey, publicJwk } = await this.#import();
    const url = new URL(request.url);
    const nonce = this.#nonces.get(url.origin);
    const claims = {
      jti: randomUUID(),
      htm: request.method,
      htu: `${url.origin}${url.pathname}`,
      ...(request.accessToken === undefined ? {} : { ath: digest(request.accessToken) }),
      ...(nonce === undefined ? {} : { nonce }),
    };
    return new jose.SignJWT(claims)
      .setProtectedHeader({ typ: "dpop+jwt", alg: this.#key.algorithm, jwk: publicJwk })
      .setIssuedAt(Math.floor(this.#clock.now() / 1000))
      .sign(privateKey);
  }

  async thumbprint(): Promise<string> {
    const { publicJwk } = await this.#import();
    const { calculateJwkThumbprint } = await import("../joseLibrary.ts");
    return calculateJwkThumbprint(publicJwk);
  }

  heardNonce(url: string | URL, headers: ResponseHeaders, sentProof?: string): boolean {
    const nonce = headers["dpop-nonce"];
    if (typeof nonce !== "string" || !NONCE.test(nonce)) return false;
    const { origin } = new URL(url);
    const before = sentProof === undefined ? this.#nonces.get(origin) : nonceOf(sentProof);
    this.#nonces.delete(origin);
    this.#nonces.set(origin, nonce);
    for (const oldest of this.#nonces.keys()) {
      if (this.#nonces.size <= MAX_ORIGINS) break;
      this.#nonces.delete(oldest);
    }
    return nonce !== before;
  }

  #import(): Promise<Imported> {
    this.#imported ??= importKey(this.#key);
    return this.#imported;
  }
}

async function importKey({ algorithm, jwk }: DpopKey): Promise<Imported> {
  const jose = await import("../joseLibrary.ts");
  try {
    const privateKey = await jose.importJWK(jwk, algorithm, { extractable: false });
    if (privateKey instanceof Uint8Array || privateKey.type !== "private")
      throw new TypeError("no private key");
    const { kty, crv, x, y } = jwk as JWK;
    // Every field is there: the key could not have been imported without.
    return { jose, privateKey, publicJwk: { kty, crv, x, y } as JWK };
  } catch {
    // What the library says of a broken key may quote it.
    throw new AuthError("bad-dpop-key", {});
  }
}

function digest(accessToken: string): string {
  return createHash("sha256").update(accessToken, "ascii").digest("base64url");
}

/** The nonce in a proof of our own; undefined when it has none. */
function nonceOf(proof: string): string | undefined {
  const nonce = readJwtClaims(proof)?.["nonce"];
  return typeof nonce === "string" ? nonce : undefined;
}
