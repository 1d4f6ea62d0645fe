import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { type JsonObject, parseJson } from "../../../src/base/json.ts";
import type { Report } from "../../../src/cli/report.ts";
import { digitServerOnStdio, HUGE, ODD } from "../../support/digitServer.ts";
import { scriptedStdio } from "../../support/scriptedStdio.ts";

const CLI = resolve("dist/cli.mjs");

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A legacy server with the tools that these tests call. `data` is a file in which it writes down what happens to it. */
const SERVER = (file: string): JsonObject =>
  scriptedStdio((server) => {
    const note = (line: string): void => {
      void import("node:fs").then(({ appendFileSync }) => {
        appendFileSync(server.data as string, `${line}\n`);
      });
    };
    note(`pid ${String(process.pid)}`);
    server.on("initialize", (request) => {
      server.reply(request, {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "scripted", version: "9" },
      });
    });
    server.on("tools/list", (request) => {
      const tool = (name: string): object => ({
        name,
        description: `Does ${name}.\nMore.`,
        inputSchema: { type: "object" },
      });
      server.reply(request, { tools: ["echo", "fail", "hang", "crash", "paint", "ask"].map(tool) });
    });
    server.on("notifications/cancelled", () => {
      note("cancelled");
    });
    server.on("tools/call", (request) => {
      const answer = (text: string, isError = false): void => {
        server.reply(request, { content: [{ type: "text", text }], isError });
      };
      switch (request.params.name) {
        case "echo":
          answer(
            JSON.stringify({
              args: request.params.arguments,
              token: process.env["TOKEN"],
              cwd: process.cwd(),
            }),
          );
          break;
        case "fail":
          answer("station offline", true);
          break;
        case "paint":
          answer("\u001b]0;title\u0007red\u202e");
          break;
        case "crash":
          server.stderr("it was too much\n");
          server.exit(7);
          break;
        case "hang":
          note("called");
          break;
        default:
          server.fail(request, -32602, "no such thing", { hint: "x" });
      }
    });
  }, file);

describe("the command line", () => {
  let folder: string;
  let notes: string;
  let config: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "signalbox-cli-"));
    notes = join(folder, "notes");
    config = join(folder, "servers.jsonc");
    const servers = {
      s: {
        ...SERVER(notes),
        protocol: "2025-11-25",
        env: { TOKEN: "${secret:my-token}" },
        cwd: "${workspaceFolder}",
      },
      demo: { command: "${nodePath}", args: ["${extensionPath}/dist/demo.mjs", "--stdio"] },
      missing: { command: "no-such-command-anywhere" },
      off: { command: "x", enabled: false },
    };
    const body = JSON.stringify(servers, null, 2).replace(
      /\}$/,
      ', // the end\n "bad": { "args": ["x"], /* no command */ }, }',
    );
    writeFileSync(config, `\uFEFF// servers\r\n{ "servers": ${body},\r\n}`);
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function start(
    args: readonly string[],
    env: Readonly<Record<string, string>> = { SIGNALBOX_SECRET_MY_TOKEN: "tok-123456" },
  ): ChildProcess {
    return spawn(process.execPath, [CLI, ...args], {
      cwd: folder,
      env: { PATH: process.env["PATH"], ...env },
      stdio: "pipe",
    });
  }

  async function end(child: ChildProcess, input = ""): Promise<Ended> {
    let out = "";
    let err = "";
    child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr?.on("data", (chunk: Buffer) => (err += chunk.toString()));
    child.stdin?.end(input);
    return new Promise((done) => {
      child.on("close", (code) => {
        done({ code, out, err });
      });
    });
  }

  const run = (args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended> =>
    end(start([...args, "--config", config], env));

  async function report(...args: readonly string[]): Promise<Report & { readonly code: number | null }> {
    const { code, out, err } = await run([...args, "--format", "json"]);
    assert.equal(err, "");
    return { ...(JSON.parse(out) as Report), code };
  }

  /** The server process of the last run must be gone when the program is. */
  function assertServerGone(): void {
    const pid = Number(/pid (\d+)/.exec(readFileSync(notes, "utf8"))?.[1]);
    assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
  }

  it("tests a server and says how it is connected", async () => {
    const { code, connection, error, ok, server } = await report("test", "s");
    assert.deepEqual([code, ok, error, server], [0, true, null, "s"]);
    assert.deepEqual(
      [connection?.era, connection?.revision, connection?.how, connection?.toolCount],
      ["legacy", "2025-11-25", "pinned", 6],
    );
    assert.deepEqual(connection?.serverInfo, { name: "scripted", version: "9" });
    assertServerGone();
    const text = await run(["test", "s"]);
    assert.match(
      text.out,
      /^“s” is connected: MCP 2025-11-25 \(legacy\), 6 tools\.\nIt calls itself scripted 9\n/,
    );
    assert.deepEqual([text.code, text.err], [0, ""]);
  });

  it("lists tools", async () => {
    const { tools } = await report("tools", "s");
    assert.deepEqual(
      tools?.map((tool) => tool["name"]),
      ["echo", "fail", "hang", "crash", "paint", "ask"],
    );
    assert.match((await run(["tools", "s"])).out, /^echo {2}Does echo\.\nfail {2}/);
  });

  it("calls a tool with arguments, a secret and the current directory", async () => {
    const { code, result } = await report("call", "s", "echo", '{"a":[1,"ü"]}');
    const [block] = result?.content ?? [];
    const text = (block as JsonObject)["text"] as string;
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(text), { args: { a: [1, "ü"] }, token: "tok-123456", cwd: folder });
    assert.deepEqual(
      [result?.isError, result?.rounds, result?.structuredCheck],
      [false, 0, { kind: "none" }],
    );
    const piped = await end(start(["call", "s", "echo", "-", "--config", config]), '{"b":2}');
    assert.match(piped.out, /"args":\{"b":2\}/);
  });

  it("tells a failing tool from a failing server", async () => {
    const failing = await run(["call", "s", "fail"]);
    assert.deepEqual([failing.code, failing.out], [1, "The tool reports an error:\nstation offline\n"]);
    const refused = await report("call", "s", "ask");
    assert.deepEqual([refused.code, refused.error?.source, refused.error?.code], [1, "server", -32602]);
    assert.match(refused.error?.message ?? "", /no such thing/);
    const crashed = await report("call", "s", "crash");
    assert.deepEqual([crashed.code, crashed.error?.code], [1, "process-exited"]);
    assert.match(crashed.error?.detail ?? "", /it was too much/);
    const unknown = await report("call", "s", "ehco");
    assert.deepEqual([unknown.code, unknown.error?.code], [1, "unknown-tool"]);
    assert.match(unknown.error?.message ?? "", /Did you mean “echo”/);
  });

  it("does not let a server write to the terminal", async () => {
    assert.equal((await run(["call", "s", "paint"])).out, "\\u{1b}]0;title\\u{7}red\\u{202e}\n");
  });

  it("cancels a call that takes too long and leaves no process", async () => {
    const { code, error } = await report("call", "s", "hang", "--timeout", "0.5");
    assert.deepEqual([code, error?.code], [1, "timeout"]);
    assert.match(readFileSync(notes, "utf8"), /cancelled/);
    assertServerGone();
  });

  it("cancels on an interrupt and leaves no process", async () => {
    const child = start(["call", "s", "hang", "--config", config, "--verbose"]);
    const ended = end(child);
    while (!(existsSync(notes) && readFileSync(notes, "utf8").includes("called")))
      await new Promise((turn) => setImmediate(turn));
    child.kill("SIGINT");
    assert.equal((await ended).code, 130);
    assert.match(readFileSync(notes, "utf8"), /cancelled/);
    assertServerGone();
  });

  it("starts nothing when a secret is missing", async () => {
    const { code, err } = await run(["test", "s"], {});
    assert.equal(code, 2);
    assert.match(err, /“s” needs \$\{secret:my-token\}, which is not set/);
    assert.match(err, /SIGNALBOX_SECRET_MY_TOKEN/);
    assert.equal(existsSync(notes), false);
  });

  const mistakes: readonly (readonly [args: readonly string[], code: number, error: RegExp])[] = [
    [["test", "bad"], 2, /servers\.jsonc:\d+:\d+ The server has neither “command”/],
    [["test", "off"], 2, /disabled/],
    [["test", "dmo"], 2, /Did you mean “demo”/],
    [["test", "missing"], 1, /“no-such-command-anywhere” of “missing” was not found/],
    [["frobnicate"], 2, /no command "frobnicate"/],
    [["call", "s", "echo", "[1]"], 2, /must be a JSON object/],
    [["call", "s", "echo", "{"], 2, /not JSON/],
    [["call", "s", "echo", "--answers", "{}"], 2, /--answers must be a JSON array/],
    [["test", "s", "--timeout", "x"], 2, /--timeout/],
    [["test", "s", "--wrong"], 2, /--wrong/],
  ];
  for (const [args, code, expected] of mistakes) {
    it(`explains ${args.join(" ")}`, async () => {
      const ended = await run(args);
      assert.match(ended.err, expected);
      assert.deepEqual([ended.code, ended.out], [code, ""]);
    });
  }

  it("says what is wrong with a file that is none", async () => {
    const missing = await end(start(["test", "s", "--config", join(folder, "none.json")]));
    assert.match(missing.err, /none\.json cannot be read/);
    writeFileSync(config, '{\n  "servers": {\n    "a" 1\n');
    const broken = await run(["test", "s"]);
    assert.match(broken.err, /servers\.jsonc:3:\d+ is not valid JSON/);
    assert.deepEqual([missing.code, broken.code], [2, 2]);
  });

  it("answers what a modern server asks, round by round", async () => {
    const args = ["call", "demo", "create_database", '{"name":"orders","engine":"postgres"}'];
    const answers = '[{"region":"eu-central"},{"confirm":true}]';
    const { code, result, connection } = await report(...args, "--answers", answers);
    assert.equal(connection?.era, "modern");
    assert.deepEqual([code, result?.rounds, result?.isError], [0, 2, false], JSON.stringify(result));
    assert.match(JSON.stringify(result?.content), /orders/);
    const declined = await report(...args, "--answers", '[{"region":"eu-central"},"decline"]');
    assert.equal(JSON.stringify(declined.result?.content).includes("ready"), false);
  });

  it("checks structured content against the schema of the tool", async () => {
    const { code, result } = await report("call", "demo", "render_chart");
    assert.deepEqual([code, result?.structuredCheck], [0, { kind: "valid" }]);
    assert.match((await run(["call", "demo", "render_chart"])).out, /\[image image\/png, \d+ bytes\]/);
  });

  it("keeps every digit of integers in arguments, answers and results", async () => {
    writeFileSync(config, JSON.stringify({ servers: { digits: digitServerOnStdio() } }));
    const shown = await run(["call", "digits", "echo", '{"id":9007199254740993}']);
    assert.equal(shown.out, '{"echo":{"id":9007199254740993},"huge":12345678901234567890123}\n');
    const json = await run(["call", "digits", "echo", '{"id":9007199254740993}', "--format", "json"]);
    const { result } = parseJson(json.out) as unknown as Report;
    assert.deepEqual(result?.structuredContent, { echo: { id: ODD }, huge: HUGE });
    assert.deepEqual(result.structuredCheck, { kind: "valid" });
    const asked = await run(["call", "digits", "ask", "--answers", '[{"n":9007199254740995}]']);
    assert.match(asked.out, /^\{"echo":\{"n":9007199254740995\},"huge":12345678901234567890123\}\n/);
  });

  it("declares no elicitation without answers", async () => {
    const { code, error } = await report(
      "call",
      "demo",
      "create_database",
      '{"name":"orders","engine":"postgres"}',
    );
    assert.equal(code, 1);
    assert.ok(error !== null);
  });
});
