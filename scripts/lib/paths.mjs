import path from "node:path";
import { fileURLToPath } from "node:url";

/** The top folder of the project. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Everything that scripts fetch or start lives below this ignored folder. */
export const TOOLS = path.join(ROOT, ".vscode-test");

/** Build products and artefacts of test runs. */
export const DIST = path.join(ROOT, "dist");
export const OUT = path.join(ROOT, "out");

/** A path below the top folder. */
export function fromRoot(...parts) {
  return path.join(ROOT, ...parts);
}
