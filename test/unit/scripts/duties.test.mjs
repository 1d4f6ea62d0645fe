import assert from "node:assert/strict";
import { collectTags, findDutyProblems, renderDuties, replaceBetween } from "../../../scripts/lib/duties.mjs";

const DUTY = { id: "1.2", section: "Base", level: "must", era: "both", duty: "do | it", where: ["src/a.ts"] };
const shown = (id) => new Map([[id, [{ file: "test/a.test.ts", title: "does it" }]]]);

describe("the table of duties", () => {
  it("finds tags above tests, above groups, and within them", () => {
    const text = [
      "// Duty: 1.1",
      'describe("a group", () => {',
      "  // Duty: 1.2, 1.3",
      "  // Something else.",
      "  it(",
      '    "tests \\"one\\"",',
      "  const rows = [",
      "    // Duty: 1.4",
      '    ["row"],',
      "  // Duty: 1.5",
      "  it(`tests ${JSON.stringify({ a })} and ${b}`, () => {",
      '  describe("within", () => {',
      "    // Duty: 1.6",
      '    it("tests two", () => {',
      "// Duty: 1.7",
      "it(name, () => {",
    ];
    assert.deepEqual(collectTags(text.join("\n")), [
      { id: "1.1", title: "a group" },
      { id: "1.2", title: 'a group tests "one"' },
      { id: "1.3", title: 'a group tests "one"' },
      { id: "1.4", title: 'a group tests "one"' },
      { id: "1.5", title: "a group tests … and …" },
      { id: "1.6", title: "a group within tests two" },
      { id: "1.7", title: "…" },
    ]);
  });

  it("has nothing to complain about when everything is shown or explained", () => {
    assert.deepEqual(
      findDutyProblems([DUTY], shown("1.2"), () => true),
      [],
    );
    const { where: _, ...explained } = DUTY;
    assert.deepEqual(
      findDutyProblems([{ ...explained, where: [], why: "no icons" }], new Map(), () => true),
      [],
    );
  });

  it("names a tag without a duty, a duty without a test, a stale reason and a missing file", () => {
    const problems = (duty, tests, exists = true) => findDutyProblems([duty], tests, () => exists).join(" ");
    assert.match(
      problems(DUTY, new Map([...shown("1.2"), ...shown("9.9")])),
      /the duty 9\.9, which does not exist/,
    );
    assert.match(problems(DUTY, new Map()), /1\.2 is shown by no test/);
    assert.match(problems({ ...DUTY, why: "later" }, shown("1.2")), /no longer true/);
    assert.match(problems({ ...DUTY, where: [] }, shown("1.2")), /does not say where/);
    assert.match(problems(DUTY, shown("1.2"), false), /names src\/a\.ts, which does not exist/);
    assert.match(problems({ ...DUTY, level: "perhaps" }, shown("1.2")), /level “perhaps”/);
    assert.match(findDutyProblems([DUTY, DUTY], shown("1.2"), () => true).join(), /1\.2 is there twice/);
  });

  it("is written with links, one part for each section", () => {
    const table = renderDuties([DUTY], shown("1.2"));
    assert.match(table, /### Base/);
    assert.match(
      table,
      /\| 1\.2 \| both \| must \| do \\\| it \| \[a\]\(\.\.\/src\/a\.ts\) \| \[does it\]\(\.\.\/test\/a\.test\.ts\) \|/,
    );
  });

  it("replaces what stands between its marks and nothing else", () => {
    const text = "before\n<!-- x: begin -->\nold\n<!-- x: end -->\nafter";
    assert.equal(replaceBetween(text, "x", "new"), "before\n<!-- x: begin -->\nnew\n<!-- x: end -->\nafter");
    assert.throws(() => replaceBetween("nothing", "x", "new"), /marks/);
  });
});
