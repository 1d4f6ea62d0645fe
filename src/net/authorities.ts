import { readFile } from "node:fs/promises";
import * as tls from "node:tls";
import { Worker } from "node:worker_threads";

import { systemClock } from "../base/clock.ts";
import { errorText } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import type { NetworkSettings } from "./networkSettings.ts";
import { splitCertificates } from "./splitCertificates.ts";

/** A file of certificates is some hundred kilobytes at most; a larger one is something else. Bytes. */
const MAXIMUM_FILE = 8 * 1024 * 1024;

/** How long the system's store may take to be read before it is done without. */
const SYSTEM_MS = 10_000;

/** What the platform may offer: Node 20 cannot tell the authorities of the operating system. */
const platform: { readonly getCACertificates?: typeof tls.getCACertificates } = tls;

const loaded = new Map<string, Promise<readonly string[]>>();

/**
 * Every certificate authority that is trusted for all servers, in PEM form: those that Node brings, those of
 * `NODE_EXTRA_CA_CERTS`, and, where the settings say so, those of the operating system. They are read once per
 * process. What cannot be read is left out, and the log says so: fewer authorities are never less safe.
 */
export function loadAuthorities(settings: NetworkSettings, log: Log): Promise<readonly string[]> {
  const { editor, environment } = settings;
  const file = environment["NODE_EXTRA_CA_CERTS"] ?? "";
  const key = `${String(editor.systemCertificates)} ${file}`;
  let result = loaded.get(key);
  if (result === undefined) {
    result = load(file, editor.systemCertificates, log);
    loaded.set(key, result);
  }
  return result;
}

async function load(file: string, withSystem: boolean, log: Log): Promise<readonly string[]> {
  const [extra, system] = await Promise.all([
    file === "" ? [] : readExtra(file, log),
    withSystem ? readSystem(log) : [],
  ]);
  const standard = platform.getCACertificates?.("default") ?? tls.rootCertificates;
  return [...new Set([...standard, ...system, ...extra])];
}

/** An editor that is not started from a shell learns this variable too late for Node to heed it. */
async function readExtra(file: string, log: Log): Promise<readonly string[]> {
  try {
    const text = await readFile(file, "utf8");
    if (text.length > MAXIMUM_FILE) throw new RangeError(`it is larger than ${String(MAXIMUM_FILE)} bytes`);
    const certificates = splitCertificates(text);
    if (certificates.length === 0) throw new Error("it holds no certificate in PEM form");
    return certificates;
  } catch (error) {
    log.write("warn", `NODE_EXTRA_CA_CERTS names ${file}, which cannot be used: ${errorText(error)}`);
    return [];
  }
}

/** Reading the system's store takes a tenth of a second and more, in one piece: not on the thread of the editor. */
async function readSystem(log: Log): Promise<readonly string[]> {
  if (platform.getCACertificates === undefined) return [];
  const source =
    'require("node:worker_threads").parentPort.postMessage(require("node:tls").getCACertificates("system"))';
  try {
    return await new Promise<readonly string[]>((resolve, reject) => {
      const worker = new Worker(source, { eval: true, execArgv: [] });
      const limit = systemClock.after(SYSTEM_MS, () => {
        void worker.terminate();
      });
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => {
        limit.dispose();
        reject(new Error("the reader ended without an answer"));
      });
    });
  } catch (error) {
    log.write("warn", `The certificate authorities of the system cannot be read: ${errorText(error)}`);
    return [];
  }
}
