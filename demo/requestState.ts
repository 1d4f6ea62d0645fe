import { randomBytes, randomUUID } from "node:crypto";
import { SignJWT, errors, jwtVerify } from "jose";
import * as z from "zod";

/**
 * What a state says between two rounds of a call. The client carries it and can read it, so it holds nothing
 * secret; it cannot change it, so whatever it says was said by one of the replicas.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements
 */
export interface RequestState {
  /** The single-use number of this very state. */
  readonly id: string;
  readonly principal: string;
  readonly method: string;
  readonly tool: string;
  /** Digest of the call's arguments. */
  readonly argumentDigest: string;
  /** The round that was asked, from 1. */
  readonly round: number;
  /** The replicas that asked, in order. */
  readonly askedBy: readonly string[];
  /** What earlier rounds settled. */
  readonly settled: Readonly<Record<string, string | number>>;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** What the caller decides; id and expiry are added when the state is sealed. */
export type NewRequestState = Omit<RequestState, "id" | "expiresAt">;

/** Why a state was not accepted. */
export type StateProblem = "forged" | "expired" | "wrong-principal" | "wrong-method";

/** A state that must not be used. The message is for the server's own log. */
export class StateError extends Error {
  readonly problem: StateProblem;

  constructor(problem: StateProblem, cause?: unknown) {
    super(`The request state was refused: ${problem}.`, { cause });
    this.name = "StateError";
    this.problem = problem;
  }
}

/** A named secret. The first of a ring signs; all of them verify, so that keys can be changed without a pause. */
export interface StateKey {
  readonly kid: string;
  /** At least 32 bytes, base64url. */
  readonly secret: string;
}

/** Seals and opens states. The same ring must be known to every replica. */
export interface StateSealer {
  seal(state: NewRequestState): Promise<string>;
  /** Rejects with a StateError. Whether the state was used before is not known here. */
  open(
    sealed: string,
    expected: { readonly principal: string; readonly method: string },
  ): Promise<RequestState>;
}

const TYPE = "mcp-request-state+jwt";
const ISSUER = "signalbox-demo";
const LIFETIME_SECONDS = 600;
const ALGORITHM = "HS256";

const claimsSchema = z.object({
  jti: z.string().min(1),
  sub: z.string(),
  exp: z.number(),
  method: z.string(),
  tool: z.string(),
  digest: z.string(),
  round: z.number().int().min(1),
  askedBy: z.array(z.string()),
  settled: z.record(z.string(), z.union([z.string(), z.number()])),
});

/** A fresh key with a name of its own. */
export function generateStateKey(): StateKey {
  return { kid: randomBytes(6).toString("base64url"), secret: randomBytes(32).toString("base64url") };
}

/**
 * Makes a sealer over a ring of keys.
 * @param now Milliseconds since 1970, for tests.
 */
export function createStateSealer(ring: readonly StateKey[], now: () => number = Date.now): StateSealer {
  const [current] = ring;
  if (current === undefined) throw new RangeError("The key ring is empty.");
  const secrets = new Map(ring.map(({ kid, secret }) => [kid, Buffer.from(secret, "base64url")]));
  return {
    async seal(state) {
      const seconds = Math.floor(now() / 1000);
      return new SignJWT({
        method: state.method,
        tool: state.tool,
        digest: state.argumentDigest,
        round: state.round,
        askedBy: state.askedBy,
        settled: state.settled,
      })
        .setProtectedHeader({ alg: ALGORITHM, kid: current.kid, typ: TYPE })
        .setIssuer(ISSUER)
        .setSubject(state.principal)
        .setJti(randomUUID())
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + LIFETIME_SECONDS)
        .sign(Buffer.from(current.secret, "base64url"));
    },
    async open(sealed, expected) {
      const claims = await readClaims(sealed, secrets, now);
      if (claims.sub !== expected.principal) throw new StateError("wrong-principal");
      if (claims.method !== expected.method) throw new StateError("wrong-method");
      return {
        id: claims.jti,
        principal: claims.sub,
        method: claims.method,
        tool: claims.tool,
        argumentDigest: claims.digest,
        round: claims.round,
        askedBy: claims.askedBy,
        settled: claims.settled,
        expiresAt: claims.exp,
      };
    },
  };
}

async function readClaims(
  sealed: string,
  secrets: ReadonlyMap<string, Uint8Array>,
  now: () => number,
): Promise<z.infer<typeof claimsSchema>> {
  try {
    const { payload } = await jwtVerify(
      sealed,
      ({ kid }) => {
        const secret = kid === undefined ? undefined : secrets.get(kid);
        if (secret === undefined) throw new StateError("forged");
        return secret;
      },
      { algorithms: [ALGORITHM], typ: TYPE, issuer: ISSUER, currentDate: new Date(now()) },
    );
    return claimsSchema.parse(payload);
  } catch (error) {
    if (error instanceof StateError) throw error;
    throw new StateError(error instanceof errors.JWTExpired ? "expired" : "forged", error);
  }
}
