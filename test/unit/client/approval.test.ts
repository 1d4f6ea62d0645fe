import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { approvalDigest, describeLaunch, diffLaunch, storableLaunch } from "../../../src/client/approval.ts";
import { parseServer } from "../../../src/client/parseServers.ts";
import type { ServerConfig } from "../../../src/client/serverConfig.ts";

function configOf(entry: unknown, id = "s"): ServerConfig {
  const { config, problems } = parseServer(id, entry, "workspace");
  assert.ok(config, JSON.stringify(problems));
  return config;
}

const STDIO = {
  command: "run",
  args: ["a"],
  cwd: "/w",
  env: { A: "1", B: null },
  envFile: ".env",
  inheritEnv: ["X", "Y"],
};

describe("approvalDigest", () => {
  const digest = approvalDigest(configOf(STDIO));

  for (const change of [
    { command: "run2" },
    { args: ["a", ""] },
    { args: [] },
    { cwd: "/v" },
    { env: { A: "2", B: null } },
    { env: { A: "1", B: "" } },
    { env: { A: "1" } },
    { envFile: ".env2" },
    { inheritEnv: ["X"] },
    { inheritEnv: true },
  ]) {
    it(`changes with ${JSON.stringify(change)}`, () => {
      assert.notEqual(approvalDigest(configOf({ ...STDIO, ...change })), digest);
    });
  }

  it("does not depend on the name, the order of variables, or what only concerns display and limits", () => {
    const other = {
      ...STDIO,
      env: { B: null, A: "1" },
      inheritEnv: ["Y", "X"],
      description: "d",
      timeouts: { request: 5 },
      chat: false,
      cache: false,
      autostart: true,
    };
    assert.equal(approvalDigest(configOf(other, "t")), digest);
  });

  it("tells arguments apart that look alike when joined", () => {
    assert.notEqual(
      approvalDigest(configOf({ command: "a b" })),
      approvalDigest(configOf({ command: "a", args: ["b"] })),
    );
  });

  it("covers address and headers", () => {
    const base = approvalDigest(configOf({ url: "https://a.test", headers: { X: "1" } }));
    assert.notEqual(approvalDigest(configOf({ url: "https://b.test", headers: { X: "1" } })), base);
    assert.notEqual(approvalDigest(configOf({ url: "https://a.test", headers: { X: "2" } })), base);
    assert.notEqual(approvalDigest(configOf({ url: "https://a.test" })), base);
  });
});

describe("describeLaunch", () => {
  it("shows everything, quoted where it could be misread", () => {
    const long = "x".repeat(5_000);
    const lines = describeLaunch(
      configOf({
        ...STDIO,
        args: ["a b", "", 'say "hi"', "C:\\x", "new\nline", "\u202Egnp.exe", "‘’", long],
      }),
    );
    assert.deepEqual(lines, [
      {
        field: "command",
        text: `run "a b" "" "say \\"hi\\"" C:\\x "new\\u{a}line" "\\u{202e}gnp.exe" "‘’" ${long}`,
      },
      { field: "cwd", text: "/w" },
      { field: "env", name: "A", text: "1" },
      { field: "env", name: "B", text: "" },
      { field: "envFile", text: ".env" },
      { field: "inheritEnv", text: "X Y" },
    ]);
  });

  it("cannot be fooled by an argument that imitates the escape of a hidden character", () => {
    const [hidden] = describeLaunch(configOf({ command: "a", args: ["\u200b"] }));
    const [written] = describeLaunch(configOf({ command: "a", args: ["\\u{200b} "] }));
    assert.equal(hidden?.text, 'a "\\u{200b}"');
    assert.equal(written?.text, 'a "\\\\u{200b} "');
  });

  it("shows address and headers", () => {
    assert.deepEqual(
      describeLaunch(
        configOf({ url: "https://a.test/mcp", headers: { Authorization: "Bearer ${secret:T}" } }),
      ),
      [
        { field: "url", text: "https://a.test/mcp" },
        { field: "headers", name: "Authorization", text: '"Bearer ${secret:T}"' },
      ],
    );
  });
});

describe("diffLaunch", () => {
  it("names what is new, gone and different, and nothing else", () => {
    const approved = storableLaunch(configOf(STDIO));
    assert.deepEqual(diffLaunch(approved, configOf(STDIO)), []);
    assert.deepEqual(
      diffLaunch(approved, configOf({ ...STDIO, args: ["b"], cwd: undefined, env: { A: "1", C: "3" } })),
      [
        { field: "command", before: "run a", after: "run b" },
        { field: "cwd", before: "/w", after: undefined },
        { field: "env", name: "B", before: "", after: undefined },
        { field: "env", name: "C", before: undefined, after: "3" },
      ],
    );
  });

  it("stores no secret that was written out, and still sees that it changed", () => {
    const old = configOf({ url: "https://a.test", headers: { Authorization: "Bearer old-secret" } });
    const approved = storableLaunch(old);
    assert.ok(!JSON.stringify(approved).includes("old-secret"));
    assert.deepEqual(diffLaunch(approved, old), []);
    const [change] = diffLaunch(
      approved,
      configOf({ url: "https://a.test", headers: { Authorization: "Bearer new-secret" } }),
    );
    assert.equal(change?.after, '"Bearer new-secret"');
    assert.match(change.before ?? "", /^•••/);
  });

  for (const [name, entry] of [
    ["a password in the address", { url: "https://u:pw-sécret@a.test/mcp" }],
    ["a key in the query", { url: "https://a.test/mcp?x=1&api_key=pw-sécret" }],
    ["a proxy's password that has to be quoted", { url: "https://a.test", proxy: "http://u:pw-sécret@p:1" }],
  ] as const) {
    it(`never keeps ${name}, and still says when it changes`, () => {
      const config = configOf(entry);
      const approved = storableLaunch(config);
      assert.doesNotMatch(JSON.stringify(approved), /pw-s/);
      assert.deepEqual(diffLaunch(approved, config), []);
      const other = configOf(JSON.parse(JSON.stringify(entry).replace("pw-s", "other-s")));
      assert.equal(diffLaunch(approved, other).length, 1);
    });
  }
});
