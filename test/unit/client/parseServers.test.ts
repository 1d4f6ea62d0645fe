import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { describeProblem } from "../../../src/client/configProblems.ts";
import { mergeServers } from "../../../src/client/mergeServers.ts";
import { parseServers } from "../../../src/client/parseServers.ts";
import type { HttpConfig, StdioConfig } from "../../../src/client/serverConfig.ts";
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from "../../../src/protocol/limits.ts";

function problemsOf(entry: unknown, id = "s"): readonly string[] {
  return parseServers({ [id]: entry }, "user").problems.map(
    (problem) => `${problem.severity}: ${describeProblem(problem)}`,
  );
}

function stdioOf(entry: unknown): StdioConfig {
  const [config] = parseServers({ s: entry }, "user").servers;
  assert.equal(config?.type, "stdio", problemsOf(entry).join("; "));
  return config;
}

function httpOf(entry: unknown): HttpConfig {
  const [config] = parseServers({ s: entry }, "user").servers;
  assert.equal(config?.type, "http", problemsOf(entry).join("; "));
  return config;
}

describe("parseServers", () => {
  it("fills in defaults", () => {
    assert.deepEqual(parseServers({ s: { command: "run" } }, "workspace"), {
      servers: [
        {
          id: "s",
          source: "workspace",
          type: "stdio",
          command: "run",
          args: [],
          env: {},
          inheritEnv: [],
          enabled: true,
          autostart: false,
          chat: true,
          cache: true,
          protocol: "auto",
          minimumProtocol: "2025-06-18",
          timeouts: DEFAULT_TIMEOUTS,
          limits: DEFAULT_LIMITS,
        },
      ],
      problems: [],
    });
    assert.deepEqual(httpOf({ url: "https://a.test/mcp" }).headers, {});
  });

  it("starts servers again unless the entry forbids it", () => {
    assert.equal(stdioOf({ command: "x", restart: true }).restart, undefined);
    assert.equal(stdioOf({ command: "x", restart: false }).restart, false);
    assert.equal(httpOf({ url: "https://a.test", restart: false }).restart, false);
  });

  it("infers the type and knows the spellings of other clients", () => {
    assert.equal(httpOf({ url: "http://127.0.0.1:8123/mcp#a//b" }).url, "http://127.0.0.1:8123/mcp#a//b");
    for (const type of ["http", "streamable-http", "streamableHttp", "streamable_http", "HTTP"])
      httpOf({ type, url: "https://a.test" });
    stdioOf({ type: "stdio", command: "x" });
    assert.equal(stdioOf({ command: "x", disabled: true }).enabled, false);
    assert.equal(stdioOf({ command: "x", enabled: false }).enabled, false);
  });

  it("loses one bad entry and no other", () => {
    const parsed = parseServers(
      { ok: { url: "http://a.test" }, bad: { type: "stdio", args: ["x"] }, ok2: { command: "c" } },
      "file",
    );
    assert.deepEqual(
      parsed.servers.map((server) => server.id),
      ["ok", "ok2"],
    );
    assert.deepEqual(
      parsed.problems.map((problem) => [problem.serverId, problem.path, describeProblem(problem)]),
      [["bad", ["command"], "“command” is missing."]],
    );
  });

  it("takes numbers and truth values for text in env, args and headers", () => {
    const config = stdioOf({ command: "x", args: ["-p", 80], env: { PORT: 8080, ON: true, GONE: null } });
    assert.deepEqual(config.args, ["-p", "80"]);
    assert.deepEqual(config.env, { PORT: "8080", ON: "true", GONE: null });
    assert.deepEqual(httpOf({ url: "https://a.test", headers: { "X-N": 5 } }).headers, { "X-N": "5" });
  });

  it("reads time limits in seconds and keeps them consistent", () => {
    const { timeouts } = stdioOf({
      command: "x",
      timeouts: { probe: 1.5, connect: 2, request: 90, maximum: 60 },
    });
    assert.deepEqual(timeouts, {
      probeMs: 1_500,
      hedgeMs: 1_500,
      connectMs: 2_000,
      requestMs: 90_000,
      maximumMs: 90_000,
    });
    assert.equal(stdioOf({ command: "x", limits: { listPages: 5 } }).limits.listPages, 5);
    assert.equal(
      stdioOf({ command: "x", limits: { listPages: 5 } }).limits.listItems,
      DEFAULT_LIMITS.listItems,
    );
  });

  const cases: readonly (readonly [entry: unknown, expected: RegExp])[] = [
    [7, /object with “command” or “url”/],
    [{}, /neither “command”/],
    [{ command: "x", url: "https://a.test" }, /both “command” and “url”/],
    [{ type: "http", command: "x" }, /“url” is missing/],
    [{ type: "sse", url: "https://a.test/sse" }, /old HTTP\+SSE transport/],
    [{ type: "ws", url: "wss://a.test" }, /“stdio” or “http”, not “ws”/],
    [{ type: 3, url: "https://a.test" }, /not “3”/],
    [{ command: " " }, /“command” must not be empty/],
    [{ command: ["a"] }, /“command” must be text/],
    [{ command: "a\0b" }, /null character/],
    [{ command: "a", args: "x" }, /“args” must be a list/],
    [{ command: "a", args: ["x", {}] }, /“args\[1\]” must be text/],
    [{ command: "a", env: [] }, /“env” must be an object/],
    [{ command: "a", env: { A: {} } }, /“env.A” must be text/],
    [{ command: "a", env: { "A=B": "x" } }, /“A=B” cannot be the name/],
    [{ command: "a", inheritEnv: false }, /“inheritEnv” must be true or a list/],
    [{ command: "a", protocol: "2025-03-26" }, /“protocol” must be one of “auto”, “legacy”, “2026-07-28”/],
    [{ command: "a", protocol: "2025-06-18", minimumProtocol: "2025-11-25" }, /older than “minimumProtocol”/],
    [{ command: "a", timeouts: { request: "60" } }, /“timeouts.request” must be a number/],
    [{ command: "a", timeouts: { request: 0 } }, /“timeouts.request” must be from 0.1 to 86400/],
    [{ command: "a", limits: { listPages: 1.5 } }, /“limits.listPages” must be a whole number/],
    [{ command: "a", limits: { listPages: 0 } }, /“limits.listPages” must be from 1 to 100000/],
    [{ command: "a", chat: "yes" }, /“chat” must be true or false/],
    [{ command: "a", tools: [""] }, /“tools\[0\]” must not be empty/],
    [{ url: "ftp://a.test" }, /“url” must be an address/],
    [{ url: "a.test/mcp" }, /“url” must be an address/],
    [{ url: "https://a.test", headers: { "Bad Name": "x" } }, /“Bad Name” is not a valid header name/],
    [{ url: "https://a.test", headers: { "X-A": "a\r\nX-B: b" } }, /“headers.X-A” holds a line break/],
    [{ url: "https://a.test", headers: { "mcp-session-id": "x" } }, /set by Signalbox itself/],
    [{ url: "https://a.test", headers: { "Mcp-Param-X": "x" } }, /set by Signalbox itself/],
  ];
  for (const [entry, expected] of cases) {
    it(`refuses ${JSON.stringify(entry)}`, () => {
      assert.deepEqual(parseServers({ s: entry }, "user").servers, []);
      assert.match(problemsOf(entry).join("\n"), expected);
    });
  }

  const warnings: readonly (readonly [entry: unknown, expected: RegExp])[] = [
    [{ command: "a", arg: [] }, /“arg” is not a setting of a server. Did you mean “args”/],
    [{ command: "a", environment: {} }, /Did you mean “env”/],
    [{ command: "a", auto_start: true }, /Did you mean “autostart”/],
    [{ command: "npx -y @example/demo-server" }, /“command” is one program.*“npx”.*“args”/],
    [{ command: "a", zebra: 1 }, /“zebra” is not a setting of a server. It has no effect/],
    [{ command: "a", headers: {} }, /“headers” has no effect on a server of type “stdio”/],
    [{ command: "a", timeouts: { requests: 5 } }, /“timeouts.requests”.*“request”/],
    [{ command: "a", args: ["${command:pick}"] }, /“\$\{command:pick\}” in “args\[0\]” is not a placeholder/],
    [{ command: "a", args: ["${env:}"] }, /\$\{env:\}/],
    [{ command: "a", env: { API_TOKEN: "abcdefgh1234" } }, /“env.API_TOKEN” looks like a secret/],
    [
      { url: "https://a.test", headers: { Authorization: "Bearer abc" } },
      /“headers.Authorization” looks like a secret/,
    ],
    [{ url: "https://me:pw@a.test" }, /user name or password/],
  ];
  for (const [entry, expected] of warnings) {
    it(`warns of ${JSON.stringify(entry)} and keeps the server`, () => {
      const parsed = parseServers({ s: entry }, "user");
      assert.equal(parsed.servers.length, 1);
      assert.match(
        parsed.problems.map((problem) => `${problem.severity} ${describeProblem(problem)}`).join("\n"),
        expected,
      );
      assert.ok(parsed.problems.every((problem) => problem.severity === "warning"));
    });
  }

  it("takes blanks in a path, and in a command that has arguments, for part of a name", () => {
    for (const entry of [
      { command: "C:\\Program Files\\nodejs\\npx.cmd" },
      { command: "/opt/my tools/run" },
      { command: "my tool", args: ["x"] },
      { command: " run " },
      { command: "${env:TOOL} x" },
    ])
      assert.deepEqual(problemsOf(entry), []);
  });

  it("is content with placeholders and ordinary shell text", () => {
    assert.deepEqual(
      problemsOf({
        url: "https://${env:HOST}/mcp",
        headers: { Authorization: "Bearer ${secret:T}", "X-L": "$5 ${" },
      }),
      [],
    );
    assert.deepEqual(
      problemsOf({
        command: "sh",
        args: ["-c", "echo ${HOME} ${x:-y}"],
        env: { TOKEN_FILE_ENABLED: "true" },
      }),
      [],
    );
  });

  it("lets a workspace forbid what its servers use, and not allow it", () => {
    const entry = { command: "x", sampling: "ask", roots: ["app"] };
    assert.deepEqual(parseServers({ s: entry }, "user").problems, []);
    for (const source of ["workspace", "folder"] as const) {
      const { problems } = parseServers(
        { s: entry, t: { command: "x", sampling: "off", roots: false } },
        source,
      );
      assert.deepEqual(
        problems.map(({ serverId, severity, path }) => [serverId, severity, path]),
        [
          ["s", "warning", ["sampling"]],
          ["s", "warning", ["roots"]],
        ],
      );
    }
  });

  it("checks names", () => {
    assert.match(problemsOf({ command: "a" }, "").join(), /not empty/);
    assert.match(problemsOf({ command: "a" }, "n".repeat(129)).join(), /at most 128/);
    assert.match(problemsOf({ command: "a" }, "a\u202Eb").join(), /invisible/);
    assert.deepEqual(problemsOf({ command: "a" }, "Ünï 世界 1.0"), []);
    const parsed = parseServers(
      JSON.parse('{"__proto__":{"command":"a"},"constructor":{"command":"b"}}'),
      "user",
    );
    assert.deepEqual(
      parsed.servers.map((server) => server.id),
      ["__proto__", "constructor"],
    );
  });

  it("reports a map that is none", () => {
    assert.deepEqual(parseServers(undefined, "user"), { servers: [], problems: [] });
    assert.match(parseServers([], "user").problems.map(describeProblem).join(), /maps names to servers/);
  });
});

describe("mergeServers", () => {
  it("lets the nearest scope replace an entry whole, also with a broken one", () => {
    const user = parseServers(
      { a: { command: "user", args: ["x"] }, b: { command: "user" }, c: { command: "user", zebra: 1 } },
      "user",
    );
    const workspace = parseServers(
      { a: { command: "workspace" }, b: { args: [] }, d: { command: "workspace" } },
      "workspace",
    );
    const merged = mergeServers([user, workspace]);
    assert.deepEqual(
      merged.servers.map((server) => [
        server.id,
        server.source,
        server.type === "stdio" ? server.args.length : 0,
      ]),
      [
        ["a", "workspace", 0],
        ["c", "user", 0],
        ["d", "workspace", 0],
      ],
    );
    assert.deepEqual(
      merged.problems.map((problem) => problem.serverId),
      ["b", "c"],
    );
  });

  it("keeps what concerns a whole map", () => {
    assert.equal(mergeServers([parseServers(1, "user"), parseServers({}, "workspace")]).problems.length, 1);
  });
});
