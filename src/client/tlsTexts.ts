import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";

import { errorText } from "../base/errors.ts";
import type { TlsOptions } from "../net/networkSettings.ts";
import { splitCertificates } from "../net/splitCertificates.ts";
import { ClientError } from "./clientError.ts";
import type { PlaceholderPorts } from "./resolveConfig.ts";
import type { HttpConfig } from "./serverConfig.ts";

/** A text in PEM form, and where it came from. */
interface PemText {
  readonly text: string;
  /** The file; for a text that stands in the settings, the setting. */
  readonly source: string;
}

type PemSetting = "ca" | "cert" | "key";

/**
 * Reads the files that `tls` names, and checks that they hold what they should and belong together: before
 * anything is connected, where each mistake can still be told from a refusal of the server.
 * @throws ClientError `tls-file`, `tls-not-pem`, `tls-key`, `tls-key-missing`, `tls-pair`
 */
export async function readTlsTexts(
  config: HttpConfig,
  ports: Pick<PlaceholderPorts, "readTextFile">,
  signal: AbortSignal,
): Promise<HttpConfig> {
  const { tls, id } = config;
  if (tls === undefined) return config;
  const read = (setting: PemSetting): Promise<PemText | undefined> =>
    readPem(id, setting, tls[setting], ports, signal);
  const ca = await read("ca");
  const cert = await read("cert");
  const key = tls.cert === undefined ? undefined : await read("key");
  if (ca !== undefined) readCertificates(id, "ca", ca);
  const texts: TlsOptions = {
    ...tls,
    ...(ca !== undefined && { ca: ca.text }),
    ...(cert !== undefined && readIdentity(id, cert, key ?? cert, tls.passphrase)),
  };
  return { ...config, tls: texts };
}

async function readPem(
  server: string,
  setting: PemSetting,
  value: string | undefined,
  ports: Pick<PlaceholderPorts, "readTextFile">,
  signal: AbortSignal,
): Promise<PemText | undefined> {
  if (value === undefined) return undefined;
  const name = `tls.${setting}`;
  if (value.includes("-----BEGIN ")) return { text: value, source: name };
  try {
    return { text: await ports.readTextFile(value, undefined, signal), source: value };
  } catch (error) {
    signal.throwIfAborted();
    const args = { server, setting: name, source: value, reason: errorText(error) };
    throw new ClientError("tls-file", args, { cause: error });
  }
}

function readCertificates(server: string, setting: PemSetting, pem: PemText): readonly X509Certificate[] {
  const args = { server, setting: `tls.${setting}`, source: pem.source };
  const texts = splitCertificates(pem.text);
  if (texts.length === 0) throw new ClientError("tls-not-pem", { ...args, label: "CERTIFICATE" });
  try {
    return texts.map((text) => new X509Certificate(text));
  } catch (error) {
    throw new ClientError("tls-file", { ...args, reason: errorText(error) }, { cause: error });
  }
}

/** The certificate to show and the key that proves it, which may stand in the same file. */
function readIdentity(
  server: string,
  cert: PemText,
  key: PemText,
  passphrase: string | undefined,
): Pick<TlsOptions, "cert" | "key"> {
  const [first] = readCertificates(server, "cert", cert);
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key.text)) {
    if (key === cert) throw new ClientError("tls-key-missing", { server });
    const args = { server, setting: "tls.key", source: key.source, label: "PRIVATE KEY" };
    throw new ClientError("tls-not-pem", args);
  }
  const privateKey = readKey(server, key === cert ? "cert" : "key", key, passphrase);
  if (first?.checkPrivateKey(privateKey) !== true)
    throw new ClientError("tls-pair", { server, key: key.source, cert: cert.source });
  return { cert: cert.text, key: key.text };
}

function readKey(
  server: string,
  setting: PemSetting,
  { text, source }: PemText,
  passphrase: string | undefined,
): KeyObject {
  try {
    return createPrivateKey({ key: text, passphrase });
  } catch (error) {
    const args = { server, setting: `tls.${setting}`, source, reason: errorText(error) };
    throw new ClientError("tls-key", args, { cause: error });
  }
}
