import ts from "typescript";
import tseslint from "typescript-eslint";

/** Layers that must work without an editor. The architecture test is the authority; this is for the eyes. */
const ENGINE = ["src/base/**", "src/net/**", "src/protocol/**", "src/client/**", "src/shared/**"];

const PLAIN =
  ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike | ts.TypeFlags.Null;

/**
 * JSON from a server may hold bigints: `JSON.parse` would round them and `JSON.stringify` throws for them.
 * Only what is surely no such value, such as a text that is put in quotes, may be given to `JSON.stringify`.
 */
const losslessJson = {
  meta: {
    type: "problem",
    messages: {
      parse: "Use parseJson, which keeps every digit of an integer.",
      stringify: "Use stringifyJson: JSON.stringify throws for a bigint.",
    },
  },
  create(context) {
    const services = context.sourceCode.parserServices;
    const checker = services.program.getTypeChecker();
    const isPlain = (type) => {
      if (type.isUnion()) return type.types.every(isPlain);
      if (checker.isArrayType(type) || checker.isTupleType(type))
        return checker.getTypeArguments(type).every(isPlain);
      return (type.flags & PLAIN) !== 0;
    };
    return {
      'CallExpression[callee.object.name="JSON"][callee.property.name="parse"]'(node) {
        context.report({ node, messageId: "parse" });
      },
      'CallExpression[callee.object.name="JSON"][callee.property.name="stringify"]'(node) {
        if (!isPlain(services.getTypeAtLocation(node.arguments[0])))
          context.report({ node, messageId: "stringify" });
      },
    };
  },
};

const shipped = {
  files: ["src/**/*.ts", "webview/**/*.ts"],
  ignores: ["src/base/json.ts"],
  plugins: { signalbox: { rules: { "lossless-json": losslessJson } } },
  rules: { "signalbox/lossless-json": "error" },
};

const strict = {
  files: ["src/**/*.ts", "webview/**/*.ts", "demo/**/*.ts", "test/**/*.ts"],
  extends: [tseslint.configs.strictTypeChecked],
  languageOptions: {
    parserOptions: { project: ["tsconfig.json", "webview/tsconfig.json"], tsconfigRootDir: process.cwd() },
  },
  rules: {
    "@typescript-eslint/consistent-type-imports": [
      "error",
      { fixStyle: "inline-type-imports", disallowTypeAnnotations: false },
    ],
    "@typescript-eslint/explicit-module-boundary-types": "error",
    "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    // Numbers read well in messages, and nothing surprising happens to them.
    "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    "@typescript-eslint/no-confusing-void-expression": [
      "error",
      { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
    ],
    "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    // A switch counts once: a long list of plain cases is easy to read.
    complexity: ["error", { max: 15, variant: "modified" }],
    "max-lines": ["error", { max: 350, skipBlankLines: false, skipComments: false }],
    "max-lines-per-function": ["error", { max: 60, skipComments: true }],
    "no-console": "error",
    "no-restricted-exports": ["error", { restrictDefaultExports: { direct: true, named: true } }],
    eqeqeq: "error",
  },
};

const engine = {
  files: ENGINE,
  rules: {
    "no-restricted-imports": [
      "error",
      {
        paths: [
          { name: "vscode", message: "The engine works without an editor; only the host sees vscode." },
        ],
      },
    ],
  },
};

/** Programs talk to whoever started them, on standard output and standard error. */
const programs = {
  files: ["src/cli.ts", "src/cli/**/*.ts", "src/conformanceClient.ts", "demo/**/*.ts"],
  rules: { "no-console": "off" },
};

/** In tests a function is a list of cases, and a stub may be async for the sake of its type. */
const tests = {
  files: ["test/**/*.ts"],
  rules: {
    "max-lines-per-function": "off",
    "max-lines": ["error", { max: 500 }],
    "@typescript-eslint/explicit-module-boundary-types": "off",
    "@typescript-eslint/require-await": "off",
    "@typescript-eslint/no-confusing-void-expression": "off",
    "@typescript-eslint/no-empty-function": "off",
    // Scripted servers look into messages freely, and `assert` narrows what the types then call unnecessary.
    "@typescript-eslint/no-unsafe-member-access": "off",
    "@typescript-eslint/no-unsafe-assignment": "off",
    "@typescript-eslint/no-unsafe-argument": "off",
    "@typescript-eslint/no-unsafe-return": "off",
    "@typescript-eslint/no-unsafe-call": "off",
    "@typescript-eslint/no-unnecessary-condition": "off",
    "no-console": "off",
  },
};

export default tseslint.config(
  { ignores: ["**/node_modules/**", "dist/**", "out/**", ".vscode-test/**", "test/lint/**"] },
  strict,
  shipped,
  engine,
  programs,
  tests,
);
