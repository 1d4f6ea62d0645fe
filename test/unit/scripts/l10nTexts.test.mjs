import assert from "node:assert/strict";
import { collectTexts, placeholdersOf } from "../../../scripts/lib/l10nTexts.mjs";

const textsOf = (...lines) => collectTexts("source.ts", lines.join("\n"));

describe("the texts of a source", () => {
  it("are the first arguments of the translating calls", () => {
    const { texts } = textsOf(
      'vscode.l10n.t("One {name}", { name });',
      'words.t(isOld ? "Old" : "New");',
      't("Joined " + "text");',
      'l10n.t({ message: "With a comment", comment: ["why"] });',
      'format("not this");',
    );
    assert.deepEqual(texts, ["One {name}", "Old", "New", "Joined text", "With a comment"]);
  });

  it("are the values of message tables, without their keys", () => {
    const { texts } = textsOf(
      'export const A_ERRORS = { gone: { message: "Gone.", remedy: "{hint}" } } as const satisfies Record<string, MessageTemplate>;',
      'const CONFIG_PROBLEMS = { "no-kind": "No kind." } as const;',
      'const OTHER = { key: "not this" };',
    );
    assert.deepEqual(texts, ["Gone.", "No kind."]);
  });

  it("are the templates that stand alone", () => {
    assert.deepEqual(textsOf('return { template: "“{name}” is hidden.", args: {} };').texts, [
      "“{name}” is hidden.",
    ]);
  });

  it("that are made at run time are listed apart", () => {
    assert.deepEqual(textsOf("t(problem.template);").unknown, ["source.ts: t(problem.template)"]);
  });

  it("have named placeholders, but not the settings' own ones", () => {
    assert.deepEqual(placeholdersOf("{b} and {a}, see ${secret:NAME}"), ["a", "b"]);
  });
});
