import assert from "node:assert/strict";
import { secretNamesIn } from "../../../../src/host/config/secretNamesIn.ts";

describe("names of secrets in settings", () => {
  it("are found wherever they stand", () => {
    const entry = {
      command: "run",
      args: ["--key=${secret:A}", ["${secret:B}"]],
      env: { T: "x${secret:C}y${secret:A}", U: "${env:D}" },
      url: null,
    };
    assert.deepEqual(secretNamesIn(entry), ["A", "B", "C", "A"]);
    assert.deepEqual(secretNamesIn(undefined), []);
  });
});
