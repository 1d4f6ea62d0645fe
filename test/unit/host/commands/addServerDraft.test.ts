import assert from "node:assert/strict";
import { isHeaderName, planServer, suggestName } from "../../../../src/host/commands/addServerDraft.ts";
import { freeName } from "../../../../src/host/commands/freeName.ts";

describe("a server that is being added", () => {
  it("is a command with its arguments, quotes taken away", () => {
    const plan = planServer({
      kind: "stdio",
      commandLine: `npx -y some-server "C:\\My Files" 'a b'`,
      name: "files",
    });
    assert.deepEqual(plan, {
      entries: {
        files: { type: "stdio", command: "npx", args: ["-y", "some-server", "C:\\My Files", "a b"] },
      },
      secrets: {},
    });
  });

  it("has no empty list of arguments", () => {
    assert.deepEqual(planServer({ kind: "stdio", commandLine: "server", name: "s" })?.entries, {
      s: { type: "stdio", command: "server" },
    });
  });

  it("is an address, without headers when it needs no credential", () => {
    assert.deepEqual(planServer({ kind: "http", url: "https://x.test/mcp", auth: "none", name: "x" }), {
      entries: { x: { type: "http", url: "https://x.test/mcp" } },
      secrets: {},
    });
  });

  it("keeps a token out of the entry, with or without its scheme", () => {
    for (const headerValue of ["t0ken-value", "Bearer t0ken-value"]) {
      const plan = planServer({
        kind: "http",
        url: "https://x.test/mcp",
        auth: "bearer",
        headerValue,
        name: "my server",
      });
      assert.deepEqual(plan?.secrets, { "my-server.Authorization": "t0ken-value" });
      assert.ok(!JSON.stringify(plan.entries).includes("t0ken-value"));
      assert.deepEqual(plan.entries["my server"]?.["headers"], {
        Authorization: "Bearer ${secret:my-server.Authorization}",
      });
    }
  });

  it("sends another header as it is", () => {
    const plan = planServer({
      kind: "http",
      url: "https://x.test",
      auth: "header",
      headerName: "X-API-Key",
      headerValue: "k3y",
      name: "x",
    });
    assert.deepEqual(plan?.entries["x"]?.["headers"], { "X-API-Key": "${secret:x.X-API-Key}" });
    assert.deepEqual(plan.secrets, { "x.X-API-Key": "k3y" });
  });

  it("is not there before it has a name", () => {
    assert.equal(planServer({ kind: "stdio", commandLine: "x" }), undefined);
  });

  it("is given a name that says what it is, and that is free", () => {
    assert.equal(suggestName({ kind: "stdio", commandLine: "npx -y @scope/server-memory@1.2.3" }), "memory");
    assert.equal(suggestName({ kind: "http", url: "https://mcp.example.com/mcp" }), "example");
    assert.equal(
      freeName("demo", (name) => ["demo", "demo-2"].includes(name)),
      "demo-3",
    );
  });

  it("takes header names only that can be sent", () => {
    assert.deepEqual(["X-API-Key", "Authorization", "bad name", "", "a:b", "ü"].map(isHeaderName), [
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
