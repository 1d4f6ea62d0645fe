import assert from "node:assert/strict";
import { parseInputs } from "../../../../src/host/config/parseInputs.ts";

describe("the setting of inputs", () => {
  it("reads texts, passwords and choices", () => {
    const inputs = parseInputs([
      { type: "promptString", id: "team", description: "Team", password: true },
      { type: "pickString", id: "region", options: ["eu", { label: "US", value: "us" }], default: "us" },
    ]);
    assert.deepEqual([...inputs.keys()], ["team", "region"]);
    const team = inputs.get("team");
    assert.equal(team?.type === "promptString" && team.password, true);
  });

  it("leaves out what is no definition and keeps the rest", () => {
    const inputs = parseInputs([
      { type: "command", id: "x" },
      7,
      { type: "pickString", id: "y", options: [] },
      { type: "promptString", id: "ok" },
    ]);
    assert.deepEqual([...inputs.keys()], ["ok"]);
    assert.equal(parseInputs("none").size, 0);
  });
});
