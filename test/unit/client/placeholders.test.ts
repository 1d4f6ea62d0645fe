import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  findFalsePlaceholders,
  hasPlaceholder,
  parsePlaceholders,
} from "../../../src/client/placeholders.ts";

describe("parsePlaceholders", () => {
  it("cuts text and placeholders without losing anything", () => {
    const source = "a${env:HOST}/${workspaceFolder}${workspaceFolder:my app}$5 ${ ${userHome}}";
    const parts = parsePlaceholders(source);
    assert.equal(parts.map((part) => part.text).join(""), source);
    assert.deepEqual(
      parts.filter((part) => part.kind !== "text"),
      [
        { kind: "env", name: "HOST", text: "${env:HOST}" },
        { kind: "workspaceFolder", name: undefined, text: "${workspaceFolder}" },
        { kind: "workspaceFolder", name: "my app", text: "${workspaceFolder:my app}" },
        { kind: "userHome", text: "${userHome}" },
      ],
    );
  });

  for (const source of [
    "",
    "$5 ${",
    "${}",
    "${env}",
    "${env:}",
    "${userHome:x}",
    "${HOME}",
    "${x:-y}",
    "$ {env:A}",
    "${command:x}",
    "{env:A}",
    "${ENV:A}",
  ]) {
    it(`leaves ${JSON.stringify(source)} alone`, () => {
      assert.equal(hasPlaceholder(source), false);
      assert.deepEqual(parsePlaceholders(source), source === "" ? [] : [{ kind: "text", text: source }]);
    });
  }

  it("finds a placeholder inside braces that are not closed", () => {
    assert.deepEqual(
      parsePlaceholders("${a${secret:B}}").map((part) => part.text),
      ["${a", "${secret:B}", "}"],
    );
  });

  it("is linear in the length of the text", () => {
    assert.equal(parsePlaceholders("${env:".repeat(100_000)).length, 1);
    assert.equal(parsePlaceholders("${env:A}".repeat(10_000)).length, 10_000);
  });
});

describe("findFalsePlaceholders", () => {
  it("names what was meant as a placeholder but is none", () => {
    assert.deepEqual(findFalsePlaceholders("${env:} ${command:pick.it} ${userHome:x} ${file} ${/}"), [
      "${env:}",
      "${userHome:x}",
      "${command:pick.it}",
      "${file}",
      "${/}",
    ]);
    assert.deepEqual(findFalsePlaceholders("${HOME} ${x:-y} $5 ${ ${env:A} ${foo:bar}"), []);
  });
});
