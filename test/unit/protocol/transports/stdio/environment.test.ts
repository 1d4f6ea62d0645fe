import assert from "node:assert/strict";

import { buildEnvironment, readVariable } from "../../../../../src/protocol/transports/stdio/environment.ts";

describe("buildEnvironment", () => {
  const parent = {
    PATH: "/usr/bin",
    HOME: "/home/a",
    LANG: "C.UTF-8",
    LC_ALL: "C",
    TZ: "UTC",
    GITHUB_TOKEN: "secret",
    ELECTRON_RUN_AS_NODE: "1",
    EXTRA: "x",
    NOTHING: undefined,
  };

  it("hands on the safe set and nothing else", () => {
    const env = buildEnvironment(parent, { env: {}, inheritEnv: [] }, "linux");
    assert.deepEqual(env, { PATH: "/usr/bin", HOME: "/home/a", LANG: "C.UTF-8", LC_ALL: "C", TZ: "UTC" });
  });

  // Duty: 3.14
  it("hands on what is named", () => {
    const env = buildEnvironment(
      { ...parent, Extra: "y" },
      { env: {}, inheritEnv: ["EXTRA", "ABSENT"] },
      "linux",
    );
    assert.equal(env["EXTRA"], "x");
    assert.ok(!("GITHUB_TOKEN" in env) && !("ABSENT" in env) && !("Extra" in env));
  });

  it("hands on everything when asked to", () => {
    const env = buildEnvironment(parent, { env: {}, inheritEnv: true }, "linux");
    assert.equal(env["GITHUB_TOKEN"], "secret");
    assert.ok(!("NOTHING" in env));
  });

  it("sets, replaces and removes", () => {
    const env = buildEnvironment(
      parent,
      { env: { PATH: "/opt", NEW: "", HOME: null, ABSENT: null }, inheritEnv: [] },
      "linux",
    );
    assert.equal(env["PATH"], "/opt");
    assert.equal(env["NEW"], "");
    assert.ok(!("HOME" in env) && !("ABSENT" in env));
  });

  it("removes from an inherited whole as well", () => {
    const env = buildEnvironment(parent, { env: { GITHUB_TOKEN: null }, inheritEnv: true }, "linux");
    assert.ok(!("GITHUB_TOKEN" in env));
  });

  it("hands on no exported shell functions", () => {
    const env = buildEnvironment({ LC_X: "() { :; }; echo" }, { env: {}, inheritEnv: [] }, "linux");
    assert.deepEqual(env, {});
  });

  it("compares names without case on Windows and keeps how they are written", () => {
    const windows = { Path: "C:\\bin", SystemRoot: "C:\\Windows", Secret: "s", "ProgramFiles(x86)": "C:\\P" };
    const inherited = buildEnvironment(windows, { env: {}, inheritEnv: [] }, "win32");
    assert.deepEqual(inherited, { Path: "C:\\bin", SystemRoot: "C:\\Windows", "ProgramFiles(x86)": "C:\\P" });
    const replaced = buildEnvironment(windows, { env: { PATH: "D:\\bin" }, inheritEnv: ["SECRET"] }, "win32");
    assert.equal(replaced["PATH"], "D:\\bin");
    assert.equal(replaced["Secret"], "s");
    assert.ok(!("Path" in replaced));
  });
});

describe("readVariable", () => {
  it("looks without case on Windows only", () => {
    assert.equal(readVariable({ Path: "x" }, "PATH", "win32"), "x");
    assert.equal(readVariable({ Path: "x" }, "PATH", "linux"), undefined);
  });
});
