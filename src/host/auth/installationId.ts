import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorText } from "../../base/errors.ts";
import type { Log } from "../../base/log.ts";

const FILE = "installation-id";
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * The name of this place for keeping credentials: random, and the same for all windows that share the directory. It is
 * no secret. Where nothing can be written it is good for this window alone.
 */
export function readInstallationId(directory: string, log: Log): string {
  const file = join(directory, FILE);
  const known = read(file);
  if (known !== undefined) return known;
  const id = randomUUID();
  try {
    mkdirSync(directory, { recursive: true });
    // What is there and is no id was damaged; a file that another window has just written is one.
    const flag = existsSync(file) ? "w" : "wx";
    writeFileSync(file, `${id}\n`, { flag, mode: 0o600 });
    return id;
  } catch (error) {
    const theirs = read(file);
    if (theirs === undefined) log.write("warn", `${file} could not be written: ${errorText(error)}`);
    return theirs ?? id;
  }
}

function read(file: string): string | undefined {
  try {
    const text = readFileSync(file, "utf8").trim();
    return UUID.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
