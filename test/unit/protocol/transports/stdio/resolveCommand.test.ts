import assert from "node:assert/strict";

import {
  type CommandRequest,
  type FileProbe,
  resolveCommand,
  type ResolvedCommand,
} from "../../../../../src/protocol/transports/stdio/resolveCommand.ts";

function probeOf(files: Readonly<Record<string, "executable" | "file">>): FileProbe {
  return (file) => Promise.resolve(files[file] ?? "missing");
}

describe("resolveCommand on POSIX", () => {
  const request: CommandRequest = {
    command: "demo",
    args: ["a b & c"],
    cwd: "/work",
    env: { PATH: "/usr/bin:/opt/bin" },
    platform: "linux",
  };
  const rows: readonly [
    name: string,
    change: Partial<CommandRequest>,
    files: Record<string, "executable" | "file">,
    expected: Partial<ResolvedCommand>,
  ][] = [
    [
      "takes the first directory of PATH that has it",
      {},
      { "/opt/bin/demo": "executable" },
      { file: "/opt/bin/demo" },
    ],
    [
      "passes over a file that is not executable",
      {},
      { "/usr/bin/demo": "file", "/opt/bin/demo": "executable" },
      { file: "/opt/bin/demo" },
    ],
    ["says when the only one is not executable", {}, { "/usr/bin/demo": "file" }, { kind: "unusable" }],
    ["never looks into the current directory", {}, { "/work/demo": "executable" }, { kind: "not-found" }],
    ["names the PATH it searched", {}, {}, { kind: "not-found", searched: "/usr/bin:/opt/bin" }],
    [
      "starts a relative path at the working directory",
      { command: "./demo" },
      { "/work/demo": "executable" },
      { file: "/work/demo" },
    ],
    [
      "takes an absolute path as it is",
      { command: "/x/demo" },
      { "/x/demo": "executable" },
      { file: "/x/demo" },
    ],
    [
      "names an absolute path that is missing",
      { command: "/x/demo" },
      {},
      { kind: "not-found", searched: "/x/demo" },
    ],
    [
      "searches the usual directories without PATH",
      { env: {} },
      { "/usr/bin/demo": "executable" },
      { file: "/usr/bin/demo" },
    ],
    ["refuses an empty command", { command: " " }, {}, { kind: "unusable" }],
    [
      "refuses NUL in an argument",
      { args: ["a\0b"] },
      { "/usr/bin/demo": "executable" },
      { kind: "unusable" },
    ],
    ["leaves arguments alone", {}, { "/usr/bin/demo": "executable" }, { args: ["a b & c"], verbatim: false }],
  ];
  for (const [name, change, files, expected] of rows) {
    it(name, async () => {
      const resolved = await resolveCommand({ ...request, ...change }, probeOf(files));
      assert.deepEqual({ ...resolved, ...expected }, resolved);
    });
  }
});

describe("resolveCommand on Windows", () => {
  const request: CommandRequest = {
    command: "npx",
    args: ["-y", "@example/demo-server", "--name", "a b & c"],
    cwd: "C:\\work",
    env: {
      Path: 'C:\\tools;"C:\\Program Files\\nodejs"',
      PATHEXT: ".COM;.EXE;.BAT;.CMD",
      SystemRoot: "C:\\Windows",
    },
    platform: "win32",
  };
  const npx = {
    "C:\\Program Files\\nodejs\\npx.cmd": "file",
    "C:\\Program Files\\nodejs\\npx": "file",
  } as const;
  const line = '""C:\\Program Files\\nodejs\\npx.cmd" "-y" "@example/demo-server" "--name" "a b & c""';
  const viaCmd = {
    kind: "found",
    file: "C:\\Windows\\System32\\cmd.exe",
    args: ["/d", "/e:on", "/v:off", "/s", "/c", line],
    verbatim: true,
  };

  for (const command of [
    "npx",
    "npx.cmd",
    "C:\\Program Files\\nodejs\\npx.cmd",
    "C:\\Program Files\\nodejs\\npx",
  ]) {
    it(`runs ${command} through cmd.exe`, async () => {
      assert.deepEqual(await resolveCommand({ ...request, command }, probeOf({ ...npx })), viaCmd);
    });
  }

  it("starts an .exe directly, and prefers it in the order of PATHEXT", async () => {
    const files = { "C:\\tools\\npx.exe": "file", "C:\\tools\\npx.cmd": "file" } as const;
    assert.deepEqual(await resolveCommand(request, probeOf(files)), {
      kind: "found",
      file: "C:\\tools\\npx.exe",
      args: request.args,
      verbatim: false,
    });
  });

  it("does not take a file without one of the known extensions", async () => {
    const files = { "C:\\tools\\npx": "file" } as const;
    assert.equal((await resolveCommand(request, probeOf(files))).kind, "not-found");
  });

  it("finds a path with forward slashes", async () => {
    const files = { "C:\\work\\bin\\demo.exe": "file" } as const;
    const resolved = await resolveCommand({ ...request, command: "./bin/demo" }, probeOf(files));
    assert.equal(resolved.kind === "found" && resolved.file, "C:\\work\\bin\\demo.exe");
  });

  it("has extensions to try when PATHEXT is missing", async () => {
    const resolved = await resolveCommand(
      { ...request, env: { PATH: "C:\\tools" } },
      probeOf({ "C:\\tools\\npx.cmd": "file" }),
    );
    assert.equal(resolved.kind, "found");
  });

  it("refuses a line break for a batch file, where it would end the command", async () => {
    const resolved = await resolveCommand({ ...request, args: ["a\r\ndel x"] }, probeOf({ ...npx }));
    assert.equal(resolved.kind, "unusable");
  });
});
