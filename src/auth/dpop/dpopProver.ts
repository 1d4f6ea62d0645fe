import type { ResponseHeaders } from "../../net/originPool.ts";

/** A request that a proof is made for. */
export interface RequestToProve {
  readonly method: string;
  /** Absolute. Its query and fragment are not part of the proof. */
  readonly url: string | URL;
  /** The access token that goes with the request; none at the token endpoint. */
  readonly accessToken?: string;
}

/** Proves with each request that this client holds the key that its tokens are bound to (RFC 9449). */
export interface DpopProver {
  /** A fresh proof for the `DPoP` header, good for this one request. Rejects with AuthError `bad-dpop-key`. */
  proof(request: RequestToProve): Promise<string>;
  /** The thumbprint of the key (RFC 7638), for `dpop_jkt`. Rejects as `proof`. */
  thumbprint(): Promise<string>;
  /**
   * Keeps the nonce that an answer's `DPoP-Nonce` gives for further proofs to its origin. True when a proof made now
   * would carry another nonce than the one that was sent, so that sending again may help; without `sentProof` it is
   * compared with the nonce that was known before.
   */
  heardNonce(url: string | URL, headers: ResponseHeaders, sentProof?: string): boolean;
}
