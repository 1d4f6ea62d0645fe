import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import ts from "typescript";

const ROOT = resolve(import.meta.dirname, "..", "..");

interface Rule {
  /** The layers that this one may import, beside itself. */
  readonly imports: readonly string[];
  /** Layers of which it may import types alone: they leave nothing in what is built. */
  readonly types?: readonly string[];
}

/** The architecture, as data. */
const MAY_IMPORT: Readonly<Record<string, Rule>> = {
  "src/base": { imports: [] },
  "src/net": { imports: ["src/base"] },
  "src/protocol": { imports: ["src/base", "src/net"] },
  "src/auth": { imports: ["src/base", "src/net"] },
  "src/client": { imports: ["src/base", "src/net", "src/protocol", "src/auth"] },
  "src/shared": { imports: ["src/base"], types: ["src/protocol"] },
  "src/cli": { imports: ["src/base", "src/net", "src/protocol", "src/auth", "src/client"] },
  "src/conformance": { imports: ["src/base", "src/net", "src/protocol", "src/auth", "src/client"] },
  "src/host": {
    imports: ["src/base", "src/net", "src/protocol", "src/auth", "src/client", "src/shared"],
  },
  webview: { imports: ["src/base", "src/shared"], types: ["src/protocol"] },
  demo: { imports: [] },
};

/** Modules that only these places may see. A place is a folder or a file. */
const MAY_SEE: readonly { readonly module: RegExp; readonly places: readonly string[] }[] = [
  { module: /^vscode$/, places: ["src/host", "src/extension.ts"] },
  { module: /^(node:)?child_process$/, places: ["src/protocol/transports/stdio", "demo"] },
  { module: /^(node:)?(http|https|http2)$/, places: ["src/auth/loopback", "demo"] },
  { module: /^oauth4webapi$/, places: ["src/auth"] },
  { module: /^jose$/, places: ["src/auth", "demo"] },
  { module: /^ipaddr\.js$/, places: ["src/net"] },
  { module: /^(undici|(node:)?(dns|tls)(\/.*)?)$/, places: ["src/net", "src/protocol/transports/http"] },
  { module: /^@modelcontextprotocol\//, places: ["demo"] },
  { module: /^@vscode\/webview-ui-toolkit/, places: ["webview"] },
  { module: /^(node:)?(fs|os|path|net|process|worker_threads)(\/.*)?$/, places: ["src", "demo"] },
];

const BASE_FILES = 12;

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

describe("architecture", () => {
  const edges = readEdges();

  it("walks the sources", () => {
    assert.ok(edges.length > 20, `only ${edges.length} imports were found`);
  });

  it("imports point downwards only", () => {
    assert.deepEqual(layerOffences(edges), []);
  });

  it("modules are seen only where they belong", () => {
    assert.deepEqual(moduleOffences(edges), []);
  });

  it("the base stays small", () => {
    const files = globSync("src/base/*", { cwd: ROOT });
    assert.ok(files.length <= BASE_FILES, `${files.length} files in src/base`);
  });

  it("no test reaches into a folder of the page and the host at once", () => {
    const pageTests = edges.filter(({ from }) => from.startsWith("test/webview/"));
    assert.deepEqual(pageTests.filter(({ to }) => isWithin(to, "src/host")).map(show), []);
  });
});

describe("the architecture check", () => {
  const edge = (from: string, to: string, typeOnly = false): Edge => ({ from, to, typeOnly });

  it("reports an import that points upwards", () => {
    assert.deepEqual(layerOffences([edge("src/protocol/x.ts", "src/client/y.ts")]), [
      "src/protocol/x.ts → src/client/y.ts",
    ]);
  });

  it("reports a type that is imported upwards", () => {
    assert.equal(layerOffences([edge("src/base/x.ts", "src/protocol/y.ts", true)]).length, 1);
  });

  it("lets a page share types with the protocol, and nothing else", () => {
    assert.deepEqual(layerOffences([edge("src/shared/x.ts", "src/protocol/y.ts", true)]), []);
    assert.equal(layerOffences([edge("src/shared/x.ts", "src/protocol/y.ts")]).length, 1);
  });

  it("reports an engine that sees the editor, starts processes or opens ports", () => {
    assert.equal(moduleOffences([edge("src/client/x.ts", "vscode", true)]).length, 1);
    assert.equal(moduleOffences([edge("src/host/x.ts", "node:child_process")]).length, 1);
    assert.equal(moduleOffences([edge("src/net/x.ts", "node:http")]).length, 1);
    assert.deepEqual(moduleOffences([edge("src/protocol/transports/stdio/x.ts", "node:child_process")]), []);
  });

  it("tells type imports from others, statement by statement and name by name", () => {
    const found = importsOf(
      [
        'import type { A } from "./a.ts";',
        'import { type B } from "./b.ts";',
        'import { type C, d } from "./c.ts";',
        'export type { E } from "./e.ts";',
        'export { f } from "./f.ts";',
        'const g = import("./g.ts");',
        'import "./h.ts";',
        'let i: import("./i.ts").I;',
      ].join("\n"),
    );
    assert.deepEqual(
      found.map(({ specifier, typeOnly }) => `${specifier} ${typeOnly ? "type" : "value"}`),
      [
        "./a.ts type",
        "./b.ts type",
        "./c.ts value",
        "./e.ts type",
        "./f.ts value",
        "./g.ts value",
        "./h.ts value",
        "./i.ts type",
      ],
    );
  });
});

function layerOffences(edges: readonly Edge[]): string[] {
  return edges
    .filter(({ from, to, typeOnly }) => {
      const layer = layerOf(from);
      const target = layerOf(to);
      const rule = layer === undefined ? undefined : MAY_IMPORT[layer];
      if (rule === undefined || target === undefined || target === layer) return false;
      return !(rule.imports.includes(target) || (typeOnly && rule.types?.includes(target) === true));
    })
    .map(show);
}

function moduleOffences(edges: readonly Edge[]): string[] {
  return edges
    .filter(({ from }) => !isWithin(from, "test"))
    .filter(({ from, to }) =>
      MAY_SEE.some(({ module, places }) => module.test(to) && !places.some((place) => isWithin(from, place))),
    )
    .map(show);
}

function layerOf(file: string): string | undefined {
  return Object.keys(MAY_IMPORT).find((layer) => isWithin(file, layer));
}

function isWithin(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}

function show({ from, to }: Edge): string {
  return `${from} → ${to}`;
}

function readEdges(): Edge[] {
  return globSync("{src,webview,demo,test}/**/*.ts", {
    cwd: ROOT,
    exclude: (name) => name === "node_modules",
  })
    .map((file) => file.split(sep).join("/"))
    .flatMap((from) =>
      importsOf(readFileSync(join(ROOT, from), "utf8")).map(({ specifier, typeOnly }) => ({
        from,
        to: specifier.startsWith(".") ? toProjectPath(join(ROOT, dirname(from), specifier)) : specifier,
        typeOnly,
      })),
    );
}

function toProjectPath(path: string): string {
  return relative(ROOT, path).split(sep).join("/");
}

/** Every module that a source names, whichever way it names it. */
function importsOf(text: string): { specifier: string; typeOnly: boolean }[] {
  const found: { specifier: string; typeOnly: boolean }[] = [];
  const add = (node: ts.Node | undefined, typeOnly: boolean): void => {
    if (node !== undefined && ts.isStringLiteralLike(node)) found.push({ specifier: node.text, typeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && isLoader(node.expression)) add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("source.ts", text, ts.ScriptTarget.ESNext));
  return found;
}

function isLoader(node: ts.Expression): boolean {
  return node.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(node) && node.text === "require");
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = clause.namedBindings;
  return (
    clause.name === undefined &&
    names !== undefined &&
    ts.isNamedImports(names) &&
    names.elements.length > 0 &&
    names.elements.every((element) => element.isTypeOnly)
  );
}
