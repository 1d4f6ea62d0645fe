import assert from "node:assert/strict";
import { findAttackProblems, renderAttacks } from "../../../scripts/lib/attacks.mjs";
import { collectTags } from "../../../scripts/lib/duties.mjs";

const ATTACK = { no: 7, section: "Base", attack: "try | it", outcome: "refused" };
const shown = (id) => new Map([[id, [{ file: "test/a.test.ts", title: "refuses it" }]]]);

describe("the table of attacks", () => {
  it("finds its own tags and no others", () => {
    const text = ["// Attack: 7, 8", 'it("refuses it", () => {', "// Duty: 1.1", 'it("does it", () => {'];
    assert.deepEqual(collectTags(text.join("\n"), "Attack"), [
      { id: "7", title: "refuses it" },
      { id: "8", title: "refuses it" },
    ]);
  });

  it("names an attack without a test, a tag without an attack, and a number that is there twice", () => {
    assert.deepEqual(findAttackProblems([ATTACK], shown("7")), []);
    assert.match(findAttackProblems([ATTACK], new Map()).join(), /The attack 7 is shown by no test/);
    assert.match(findAttackProblems([], shown("9")).join(), /the attack 9, which does not exist/);
    assert.match(findAttackProblems([ATTACK, ATTACK], shown("7")).join(), /is there twice/);
  });

  it("is written with links, one part for each section", () => {
    assert.equal(
      renderAttacks([ATTACK], shown("7")),
      [
        "## Base",
        "",
        "| no. | what is tried | what has to come of it | shown by |",
        "|---|---|---|---|",
        "| 7 | try \\| it | refused | [refuses it](../test/a.test.ts) |",
      ].join("\n"),
    );
  });
});
