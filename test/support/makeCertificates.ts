import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { webcrypto } from "node:crypto";

x509.cryptoProvider.set(webcrypto);

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 24 * 60 * 60 * 1000;

/** A certificate with its private key, both in PEM form. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** What a certificate says. */
export interface CertificateOptions {
  /** Names and addresses that it is made out to. */
  readonly names?: readonly string[];
  /** Days from now; negative ones lie in the past. */
  readonly fromDays?: number;
  readonly untilDays?: number;
}

/** A certificate authority of one test run. Its keys are made anew each time and guard nothing. */
export class TestAuthority {
  readonly cert: string;
  readonly #certificate: x509.X509Certificate;
  readonly #keys: webcrypto.CryptoKeyPair;

  private constructor(certificate: x509.X509Certificate, keys: webcrypto.CryptoKeyPair) {
    this.cert = certificate.toString("pem");
    this.#certificate = certificate;
    this.#keys = keys;
  }

  static async create(name = "Test authority"): Promise<TestAuthority> {
    const keys = await makeKeys();
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name: `CN=${name}`,
      keys,
      signingAlgorithm: ALGORITHM,
      ...validity({}),
      extensions: [
        new x509.BasicConstraintsExtension(true, 1, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      ],
    });
    return new TestAuthority(certificate, keys);
  }

  /** Signs a certificate for a server or a client. */
  async issue(options: CertificateOptions = {}): Promise<Certificate> {
    const keys = await makeKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      subject: `CN=${options.names?.[0] ?? "client"}`,
      issuer: this.#certificate.subject,
      signingKey: this.#keys.privateKey,
      publicKey: keys.publicKey,
      signingAlgorithm: ALGORITHM,
      ...validity(options),
      extensions: [alternativeNames(options.names ?? [])],
    });
    return toPem(certificate, keys);
  }
}

/** A certificate that nobody but its own key vouches for. */
export async function makeSelfSigned(options: CertificateOptions = {}): Promise<Certificate> {
  const keys = await makeKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${options.names?.[0] ?? "server"}`,
    keys,
    signingAlgorithm: ALGORITHM,
    ...validity(options),
    extensions: [alternativeNames(options.names ?? [])],
  });
  return toPem(certificate, keys);
}

async function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
}

function validity({ fromDays = -1, untilDays = 1 }: CertificateOptions): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now + fromDays * DAY_MS), notAfter: new Date(now + untilDays * DAY_MS) };
}

function alternativeNames(names: readonly string[]): x509.SubjectAlternativeNameExtension {
  return new x509.SubjectAlternativeNameExtension(
    names.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? ("ip" as const) : ("dns" as const), value })),
  );
}

async function toPem(certificate: x509.X509Certificate, keys: webcrypto.CryptoKeyPair): Promise<Certificate> {
  const pkcs8 = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
  return { cert: certificate.toString("pem"), key: x509.PemConverter.encode(pkcs8, "PRIVATE KEY") };
}
