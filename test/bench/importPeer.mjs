import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../peers/package.json", import.meta.url));

/** Imports a package that is installed for the peers only. */
export function importPeer(name) {
  return import(pathToFileURL(require.resolve(name)).href);
}
