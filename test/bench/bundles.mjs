// The bundles whose size, import and load are measured: minified, with what is imported when it is first needed apart.
import { build } from "esbuild";
import { mkdirSync, writeFileSync } from "node:fs";
import { BUNDLES, esbuildOptions } from "../../scripts/lib/entries.mjs";
import { fromRoot } from "../../scripts/lib/paths.mjs";

const OUT = fromRoot("out", "bench");
const REQUIRE =
  'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
const common = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "warning",
  banner: { js: REQUIRE },
};

/** What an application that talks to servers over both transports imports of each client. */
const OFFICIAL = {
  officialV2: `
    export { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
    export { StdioClientTransport } from "@modelcontextprotocol/client/stdio";`,
  officialV1: `
    export { Client } from "@modelcontextprotocol/sdk/client/index.js";
    export { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
    export { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";`,
};

/** Builds everything, and answers the size of what an import of each client's bundle loads at once, in KiB. */
export async function buildBundles() {
  // The engine is measured as it ships: bundled.
  await build({
    ...common,
    entryPoints: [fromRoot("test", "bench", "clients", "signalbox.ts")],
    outfile: `${OUT}/signalbox.mjs`,
  });
  const apart = { ...common, minify: true, splitting: true, metafile: true, outExtension: { ".js": ".mjs" } };
  const entry = fromRoot("src", "client", "openConnection.ts");
  const sizes = {
    signalbox: loadedKib(
      await build({ ...apart, entryPoints: { engine: entry }, outdir: `${OUT}/signalbox` }),
    ),
  };
  for (const [client, contents] of Object.entries(OFFICIAL)) {
    const stdin = { contents, resolveDir: fromRoot("test", "peers"), sourcefile: "engine.mjs" };
    sizes[client] = loadedKib(
      await build({ ...apart, stdin, outdir: `${OUT}/${client}`, entryNames: "engine" }),
    );
  }
  const host = BUNDLES.find(({ out }) => out === "dist/host.cjs");
  const { outputFiles } = await build(esbuildOptions(host, { production: true }));
  mkdirSync(OUT, { recursive: true });
  writeFileSync(`${OUT}/host.cjs`, outputFiles[0].contents);
  return sizes;
}

function loadedKib({ metafile: { outputs } }) {
  const open = Object.keys(outputs).filter((file) => file.endsWith("/engine.mjs"));
  const loaded = new Set();
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    for (const { path, kind } of outputs[file].imports)
      if (kind === "import-statement" && outputs[path] !== undefined) open.push(path);
  }
  return [...loaded].reduce((bytes, file) => bytes + outputs[file].bytes, 0) / 1024;
}
