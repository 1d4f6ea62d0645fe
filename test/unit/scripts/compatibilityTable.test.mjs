import assert from "node:assert/strict";
import { cellsOfRun, compareWithReadme, updateReadme } from "../../../scripts/lib/compatibilityTable.mjs";

const empty = `# Title

<!-- compatibility: written by \`npm run conformance:table\` -->
<!-- end of compatibility -->

The rest.
`;
const column = (passed, total) => ({ "2025-11-25": { passed, total } });

describe("the table of compatibility", () => {
  it("counts each required check as often as it must succeed", () => {
    const required = {
      "2025-11-25": {
        plain: { column: "json", checks: { a: 1, b: 3 } },
        stream: { column: "sse", checks: { a: 1 } },
        "auth/x": { column: "oauth", checks: { a: 1, b: 1 } },
      },
    };
    const result = (scenario, succeeded, bad = []) => ({ revision: "2025-11-25", scenario, succeeded, bad });
    const results = [
      result("plain", { a: 5, b: 2, more: 1 }),
      result("stream", { a: 1 }),
      // A check that succeeded and failed has not passed.
      result("auth/x", { a: 4 }, [{ id: "a" }]),
      result("nobody-knows", { a: 1 }),
    ];
    assert.deepEqual(cellsOfRun(results, required), {
      json: column(3, 4),
      sse: column(1, 1),
      oauth: column(0, 2),
    });
  });

  it("is written between its marks, with a dash where nothing was run", () => {
    const written = updateReadme(empty, { json: column(3, 4) });
    assert.match(written, /^# Title\n/);
    assert.match(written, /\n\| 2025-11-25 \| – \| 3\/4 \| – \| – \|\n/);
    assert.match(written, /\n\nThe rest\.\n$/);
    assert.throws(() => updateReadme("# Title\n", {}), /README\.md has no table/);
  });

  it("keeps the columns of other runs", () => {
    const written = updateReadme(updateReadme(empty, { stdio: column(7, 7) }), { oauth: column(0, 9) });
    assert.match(written, /\n\| 2025-11-25 \| 7\/7 \| – \| – \| 0\/9 \|\n/);
  });

  it("is compared word for word, and says what to run", () => {
    const written = updateReadme(empty, { stdio: column(7, 7) });
    assert.equal(compareWithReadme(written, { stdio: column(7, 7) }), undefined);
    assert.match(compareWithReadme(written, { stdio: column(6, 7) }), /6\/7[^]*npm run conformance:table/);
    assert.match(
      compareWithReadme(written.replace("stdio |", "Stdio |"), { stdio: column(7, 7) }),
      /says something else/,
    );
  });
});
