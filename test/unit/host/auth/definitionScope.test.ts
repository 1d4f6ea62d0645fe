import assert from "node:assert/strict";
import { definitionScope } from "../../../../src/host/auth/definitionScope.ts";

describe("the place of a definition", () => {
  it("is the user's, or one workspace or folder", () => {
    assert.equal(definitionScope("user", { source: "user" }, "file:///w"), "user");
    assert.equal(definitionScope("workspace", { source: "workspace" }, "file:///w"), "workspace file:///w");
    const folder = { source: "folder", folder: "file:///w/a" } as const;
    assert.equal(definitionScope("folder", folder, "file:///w"), "folder file:///w/a");
  });

  // Attack: 54
  it("is none of those when another definition of the name has taken the place of this one", () => {
    const all = ["user", "workspace", "folder"] as const;
    for (const source of all)
      for (const origin of [undefined, ...all.filter((other) => other !== source)]) {
        const scope = definitionScope(source, origin && { source: origin, folder: "f" }, "w");
        assert.equal(scope, `outdated ${source}`);
      }
  });
});
