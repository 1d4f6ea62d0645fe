import { existsSync, readdirSync } from "node:fs";
import { cp, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import * as esbuild from "esbuild";
import { ROOT, fromRoot } from "./paths.mjs";

/** What runs inside the extension host: one CommonJS file that finds `vscode` and `mocha` there. */
const IN_HOST = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node22",
  mainFields: ["module", "main"],
  external: ["vscode", "mocha"],
  sourcemap: "inline",
  logLevel: "warning",
  supported: { "dynamic-import": false },
  // The bundles are CommonJS, which has no `import.meta`; sources use these two parts of it.
  define: { "import.meta.dirname": "__dirname", "import.meta.filename": "__filename" },
};

/** Bundles the in-editor suite into a folder; answers the file that exports `run`. */
export async function bundleSuite(folder) {
  await mkdir(folder, { recursive: true });
  const suites = readdirSync(fromRoot("test", "vscode", "suite"), { recursive: true })
    .filter((file) => file.endsWith(".test.ts"))
    .sort();
  if (suites.length === 0) throw new Error("There are no tests in test/vscode/suite.");
  const contents = suites
    .map((file) => `import ${JSON.stringify(`./test/vscode/suite/${file.split(path.sep).join("/")}`)};`)
    .join("\n");
  const index = path.join(folder, "index.cjs");
  await Promise.all([
    esbuild.build({ ...IN_HOST, entryPoints: ["test/vscode/index.ts"], outfile: index }),
    esbuild.build({
      ...IN_HOST,
      stdin: { contents, resolveDir: ROOT },
      outfile: path.join(folder, "suite.cjs"),
    }),
  ]);
  return index;
}

/** Builds the extensions that only tests need, and answers their folders. */
export async function prepareFixtures() {
  const folders = [];
  const fixtures = fromRoot("test", "vscode", "fixtures");
  for (const name of existsSync(fixtures) ? readdirSync(fixtures).sort() : []) {
    const folder = path.join(fixtures, name);
    const manifest = path.join(folder, "package.json");
    if (!existsSync(manifest)) continue;
    const { main, engines } = JSON.parse(await readFile(manifest, "utf8"));
    if (engines?.vscode === undefined) continue;
    const outfile = path.join(folder, main);
    const source = ["extension.ts", "src/extension.ts", `${path.basename(main, path.extname(main))}.ts`]
      .map((name) => path.join(folder, name))
      .find((file) => existsSync(file));
    if (source !== undefined) await esbuild.build({ ...IN_HOST, entryPoints: [source], outfile });
    folders.push(folder);
  }
  return folders;
}

/** Makes the folder that the tests open: a copy of test/vscode/fixtures/workspace, or an empty one. */
export async function makeTestWorkspace(folder) {
  const fixture = fromRoot("test", "vscode", "fixtures", "workspace");
  await mkdir(folder, { recursive: true });
  if (existsSync(fixture)) await cp(fixture, folder, { recursive: true });
  return folder;
}
