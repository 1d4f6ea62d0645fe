import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..", "..", "..");

/** Statements that load a module at once: neither types alone nor `import()`. */
function loadedAtOnce(text: string): string[] {
  const statements = text.matchAll(
    /^(?:import|export)\s(?!type\s)[^;]*?from\s+"([^"]+)"|^import\s+"([^"]+)"/gm,
  );
  return [...statements].map(([, from, bare]) => from ?? bare ?? "");
}

describe("the libraries for signing in", () => {
  const sources = globSync("src/**/*.ts", { cwd: ROOT }).map((file) => ({
    file,
    loaded: loadedAtOnce(readFileSync(join(ROOT, file), "utf8")),
  }));

  it("are named in one place each", () => {
    const naming = sources.filter(({ loaded }) =>
      loaded.some((from) => /^(?:jose|oauth4webapi)$/.test(from)),
    );
    assert.deepEqual(naming.map(({ file }) => file).sort(), [
      "src/auth/joseLibrary.ts",
      "src/auth/oauthLibrary.ts",
    ]);
  });

  it("are loaded by nobody before they are needed", () => {
    const loading = sources.filter(({ loaded }) =>
      loaded.some((from) => /(?:jose|oauth)Library\.ts$/.test(from)),
    );
    assert.deepEqual(
      loading.map(({ file }) => file),
      [],
    );
  });

  it("would be seen if they were loaded otherwise", () => {
    assert.deepEqual(
      loadedAtOnce(
        'import type { A } from "a";\nimport {\n  b,\n} from "b";\nexport { c } from "c";\nimport "d";',
      ),
      ["b", "c", "d"],
    );
    assert.deepEqual(loadedAtOnce('  const x = await import("../joseLibrary.ts");'), []);
  });
});
