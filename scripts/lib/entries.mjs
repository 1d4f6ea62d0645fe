import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { fromRoot } from "./paths.mjs";

/**
 * ES modules that bundle CommonJS packages need a `require`. It is made from the bundle's own address.
 */
const REQUIRE_BANNER =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);';

/** Node programs of their own: plain ES modules that run on Node 20 and later. */
const program = {
  platform: "node",
  format: "esm",
  target: "node20",
  banner: { js: REQUIRE_BANNER },
  mainFields: ["module", "main"],
};

/** What the extension host loads. It runs Node 22 or later in every supported VS Code. */
const hostModule = {
  platform: "node",
  // The CommonJS face of some packages hides its own files from a bundler; their module face does not.
  mainFields: ["module", "main"],
  format: "cjs",
  target: "node22",
  external: ["vscode", "./host.cjs"],
  // `import()` of the second bundle has to become `require`, which is the loader that knows `vscode`.
  supported: { "dynamic-import": false },
};

const page = {
  platform: "browser",
  format: "iife",
  target: "chrome134",
  loader: { ".ttf": "dataurl", ".svg": "text" },
};

/** Every bundle: its entry, what it becomes, and the esbuild options that differ. */
export const BUNDLES = [
  { entry: "src/extension.ts", out: "dist/extension.cjs", options: { ...hostModule, plugins: [lazyHost()] } },
  { entry: "src/host/compose.ts", out: "dist/host.cjs", options: hostModule },
  { entry: "webview/toolRun/main.ts", out: "dist/webview/toolRun.js", options: page },
  { entry: "webview/input/main.ts", out: "dist/webview/input.js", options: page },
  { entry: "webview/sampling/main.ts", out: "dist/webview/sampling.js", options: page },
  { entry: "demo/main.ts", out: "dist/demo.mjs", options: program },
  { entry: "demo/legacyMain.ts", out: "dist/demo-legacy.mjs", options: program },
  { entry: "src/cli.ts", out: "dist/cli.mjs", options: program },
  { entry: "src/conformanceClient.ts", out: "dist/conformance-client.mjs", options: program },
];

/** The activation bundle stays small: the host is a bundle of its own that is loaded on first use. */
function lazyHost() {
  return {
    name: "lazy-host",
    setup(build) {
      build.onResolve({ filter: /\/host\/compose\.ts$/ }, (request) =>
        request.kind === "dynamic-import" ? { path: "./host.cjs", external: true } : undefined,
      );
    },
  };
}

/** The esbuild options of one bundle. */
export function esbuildOptions({ entry, out, options }, { production }) {
  return {
    absWorkingDir: fromRoot(),
    entryPoints: [entry],
    outfile: fromRoot(out),
    bundle: true,
    write: false,
    metafile: true,
    logLevel: "silent",
    charset: "utf8",
    legalComments: "none",
    minify: production,
    // Maps are for development; the packaged extension goes without.
    sourcemap: production ? false : "inline",
    sourcesContent: false,
    define: { "process.env.NODE_ENV": production ? '"production"' : '"development"' },
    ...options,
  };
}

export function entryExists({ entry }) {
  return existsSync(fromRoot(entry));
}

/**
 * Writes a built file when it differs from what is there, in one step,
 * so that a VS Code that is loading it never sees half of it.
 */
export async function writeWhenChanged(file, contents) {
  const before = await readFile(file).catch(() => undefined);
  if (before !== undefined && digest(before) === digest(contents)) return false;
  await mkdir(path.dirname(file), { recursive: true });
  const scratch = `${file}.${process.pid}.tmp`;
  await writeFile(scratch, contents);
  await rename(scratch, file);
  return true;
}

function digest(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}
