import { createPrivateKey, type JsonWebKey, type KeyObject } from "node:crypto";

import type { CryptoKey, JWK } from "jose";

import { isJsonObject, parseJson } from "../../base/json.ts";
import { AuthError } from "../authError.ts";

/** A key that a client proves itself with. */
export interface ClientKey {
  readonly key: CryptoKey;
  /** As in `ES256`. */
  readonly algorithm: string;
  /** The `kid` of a JWK. */
  readonly id?: string;
}

/** A private key as the settings have it, and what it is to do. */
export interface KeyToImport {
  /** PEM or a JWK. A secret. */
  readonly text: string;
  /** The algorithm that the settings name. */
  readonly wanted?: string | undefined;
  /** What the authorization server takes; undefined when it does not say. */
  readonly taken?: readonly string[] | undefined;
}

/** Makes the error for a key that cannot be used. The reason quotes nothing of it. */
type Unusable = (reason: string) => AuthError;

const RSA = ["RS256", "PS256", "RS384", "PS384", "RS512", "PS512"];
const CURVES: ReadonlyMap<string, string> = new Map([
  ["prime256v1", "ES256"],
  ["secp384r1", "ES384"],
  ["secp521r1", "ES512"],
]);
const MIN_RSA_BITS = 2048;

/**
 * Imports a private key from PEM or a JWK, in a form that cannot be exported again. The algorithm is the one that is
 * wanted (`wanted`), that of the JWK, the first that the server takes and the key can do, or the key's usual one.
 * Rejects with AuthError `bad-client-key`.
 */
export async function importClientKey(
  serverName: string,
  { text, wanted, taken }: KeyToImport,
): Promise<ClientKey> {
  const unusable: Unusable = (reason) => new AuthError("bad-client-key", { server: serverName, reason });
  const { key, jwk } = readKey(text.trim(), unusable);
  const algorithm = chooseAlgorithm(algorithmsOf(key, unusable), wanted ?? jwk?.alg, taken, unusable);
  const jose = await import("../joseLibrary.ts");
  try {
    const imported = await jose.importJWK(key.export({ format: "jwk" }), algorithm, {
      extractable: false,
    });
    if (imported instanceof Uint8Array) throw new TypeError("a symmetric key");
    return { key: imported, algorithm, ...(typeof jwk?.kid === "string" ? { id: jwk.kid } : {}) };
  } catch {
    throw unusable(`it cannot be imported for ${algorithm}`);
  }
}

function readKey(text: string, unusable: Unusable): { readonly key: KeyObject; readonly jwk?: JWK } {
  if (text.startsWith("{")) return readJwk(text, unusable);
  if (/BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED/.test(text)) {
    throw unusable("it is protected by a passphrase; store it without one");
  }
  if (!text.includes("PRIVATE KEY-----")) throw unusable("it is neither a private key in PEM form nor a JWK");
  // A key that came through a variable or a JSON text often has its line breaks written out.
  const pem = text.includes("\n") ? text : text.replaceAll(String.raw`\n`, "\n");
  try {
    return { key: createPrivateKey(pem) };
  } catch {
    throw unusable("its PEM form cannot be read");
  }
}

function readJwk(text: string, unusable: Unusable): { readonly key: KeyObject; readonly jwk: JWK } {
  let jwk: unknown;
  try {
    jwk = parseJson(text);
  } catch {
    throw unusable("its JSON cannot be read");
  }
  if (!isJsonObject(jwk) || typeof jwk["d"] !== "string") {
    throw unusable("it is a JWK without a private part, or not a single JWK");
  }
  try {
    return { key: createPrivateKey({ key: jwk as JsonWebKey, format: "jwk" }), jwk };
  } catch {
    throw unusable("the JWK cannot be read");
  }
}

function algorithmsOf(key: KeyObject, unusable: Unusable): readonly string[] {
  const details = key.asymmetricKeyDetails;
  switch (key.asymmetricKeyType) {
    case "rsa":
      if ((details?.modulusLength ?? 0) >= MIN_RSA_BITS) return RSA;
      throw unusable(`an RSA key needs ${MIN_RSA_BITS} bits or more`);
    case "ec": {
      const algorithm = CURVES.get(details?.namedCurve ?? "");
      if (algorithm !== undefined) return [algorithm];
      break;
    }
    case "ed25519":
      return ["EdDSA", "Ed25519"];
    default:
  }
  throw unusable("keys of its kind cannot be used; take RSA, P-256, P-384, P-521 or Ed25519");
}

function chooseAlgorithm(
  able: readonly string[],
  wanted: string | undefined,
  taken: readonly string[] | undefined,
  unusable: Unusable,
): string {
  if (wanted !== undefined) {
    if (able.includes(wanted)) return wanted;
    throw unusable(`a key of its kind cannot sign with ${wanted.slice(0, 20)}`);
  }
  const usual = able.find((algorithm) => taken === undefined || taken.includes(algorithm));
  if (usual !== undefined) return usual;
  throw unusable("the authorization server takes none of the algorithms that it can sign with");
}
