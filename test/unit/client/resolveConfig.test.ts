import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { ClientError } from "../../../src/client/clientError.ts";
import { parseServers } from "../../../src/client/parseServers.ts";
import { listPlaceholders, type PlaceholderPorts, resolveConfig } from "../../../src/client/resolveConfig.ts";
import type { ResolvedConfig, ServerConfig } from "../../../src/client/serverConfig.ts";

const NEVER = new AbortController().signal;

function configOf(entry: unknown): ServerConfig {
  const { servers, problems } = parseServers({ s: entry }, "user");
  assert.ok(servers[0], JSON.stringify(problems));
  return servers[0];
}

/** Ports that know a few values and write down what they were asked. */
function createPorts(
  overrides: Partial<PlaceholderPorts> = {},
): PlaceholderPorts & { readonly asked: string[] } {
  const asked: string[] = [];
  const env: Readonly<Record<string, string>> = {
    HOST: "h.test",
    TOKEN: "tok-12345",
    EMPTY: "",
    PATH: "/bin:/usr/bin",
    TRICK: "${secret:KEY}",
  };
  return {
    asked,
    workspaceFolder: (name) => (name === undefined ? "/w" : name === "app" ? "/w/app" : undefined),
    userHome: () => "/home/u",
    startFolder: () => "/w",
    nodePath: () => "/editor/node",
    extensionPath: () => "/ext",
    env: (name) => env[name],
    config: (key) => (key === "http.proxy" ? "http://proxy" : undefined),
    secret: async (name) => {
      asked.push(`secret ${name}`);
      return name === "KEY" ? "sk-secret-1" : undefined;
    },
    input: async (id) => {
      asked.push(`input ${id}`);
      return id === "team"
        ? { value: "blue team", isSecret: false }
        : id === "pin"
          ? { value: "pin-9999", isSecret: true }
          : undefined;
    },
    readTextFile: async () => "A=from file\nFILE_TOKEN=file-secret-1\nB=b",
    ...overrides,
  };
}

function resolve(entry: unknown, ports = createPorts()): Promise<ResolvedConfig> {
  return resolveConfig(configOf(entry), ports, NEVER);
}

async function errorOf(entry: unknown, ports = createPorts()): Promise<ClientError> {
  try {
    await resolve(entry, ports);
  } catch (error) {
    assert.ok(error instanceof ClientError, String(error));
    return error;
  }
  return assert.fail("nothing was thrown");
}

describe("resolveConfig", () => {
  it("fills every string of a process definition", async () => {
    const resolved = await resolve({
      command: "${env:HOST}/demo",
      args: ["${workspaceFolder}", "${workspaceFolder:app}", "${config:http.proxy}", "$5 ${"],
      cwd: "${userHome}/x",
      env: { T: "${env:TOKEN}", P: "${extensionPath}", N: null },
    });
    assert.deepEqual(
      resolved.type === "stdio" && [resolved.command, resolved.args, resolved.cwd, resolved.env],
      [
        "h.test/demo",
        ["/w", "/w/app", "http://proxy", "$5 ${"],
        "/home/u/x",
        { T: "tok-12345", P: "/ext", N: null },
      ],
    );
    assert.deepEqual(resolved.secrets, ["tok-12345"]);
  });

  it("fills address and headers, and leaves what is no placeholder", async () => {
    const resolved = await resolve({
      type: "http",
      url: "https://${env:HOST}/mcp",
      headers: {
        Authorization: "Bearer ${env:TOKEN}",
        "X-Team": "${input:team}",
        "X-Pin": "${input:pin}",
        "X-Literal": "$5 ${",
      },
    });
    assert.deepEqual(resolved.type === "http" && [resolved.url, resolved.headers], [
      "https://h.test/mcp",
      { Authorization: "Bearer tok-12345", "X-Team": "blue team", "X-Pin": "pin-9999", "X-Literal": "$5 ${" },
    ]);
    assert.deepEqual([...resolved.secrets].sort(), ["Bearer tok-12345", "pin-9999", "tok-12345"]);
  });

  it("starts a process where the editor says, and counts a relative directory and envFile from there", async () => {
    const asked: (string | undefined)[] = [];
    const ports = createPorts({
      startFolder: () => "/start",
      readTextFile: async (_file, cwd) => {
        asked.push(cwd);
        return "";
      },
    });
    const directories: unknown[] = [];
    for (const cwd of [undefined, "sub/dir", "../other", "/absolute", "${workspaceFolder}"]) {
      const resolved = await resolve(
        { command: "c", envFile: ".env", ...(cwd !== undefined && { cwd }) },
        ports,
      );
      directories.push(resolved.type === "stdio" && resolved.cwd);
    }
    assert.deepEqual(directories, ["/start", "/start/sub/dir", "/other", "/absolute", "/w"]);
    assert.deepEqual(asked, directories);
  });

  it("does not expand a value again", async () => {
    const resolved = await resolve({ command: "c", args: ["${env:TRICK}"] });
    assert.deepEqual(resolved.type === "stdio" && resolved.args, ["${secret:KEY}"]);
  });

  it("asks once for a placeholder that is used twice, persons last", async () => {
    const ports = createPorts();
    await resolve(
      { command: "c", args: ["${input:team}", "${input:team}", "${secret:KEY}", "${secret:KEY}"] },
      ports,
    );
    assert.deepEqual(ports.asked, ["secret KEY", "input team"]);
  });

  it("asks nobody when the server cannot start anyway", async () => {
    const ports = createPorts();
    const error = await errorOf({ command: "c", args: ["${input:team}", "${secret:NONE}"] }, ports);
    assert.equal(error.code, "unset-variable");
    assert.deepEqual(ports.asked, ["secret NONE"]);
  });

  const unset: readonly (readonly [placeholder: string, remedy: RegExp])[] = [
    ["${env:NOPE}", /environment variable/],
    ["${secret:NOPE}", /Signalbox: Set Secret…/],
    ["${input:nope}", /signalbox\.inputs/],
    ["${config:no.such}", /setting/],
    ["${workspaceFolder:other}", /Add a folder/],
  ];
  for (const [placeholder, remedy] of unset) {
    it(`names ${placeholder} when it is not set`, async () => {
      const error = await errorOf({ url: "https://a.test", headers: { "X-A": placeholder } });
      assert.equal(error.code, "unset-variable");
      assert.ok(error.message.includes(placeholder) && error.message.includes("“s”"), error.message);
      assert.match(error.remedy ?? "", remedy);
    });
  }

  it("counts an empty environment variable as set and an empty secret as unset", async () => {
    const resolved = await resolve({ command: "c", args: ["${env:EMPTY}"] });
    assert.deepEqual(resolved.type === "stdio" && resolved.args, [""]);
    const error = await errorOf(
      { command: "c", args: ["${secret:KEY}"] },
      createPorts({ secret: async () => "" }),
    );
    assert.equal(error.code, "unset-variable");
  });

  it("reads the envFile, which env overrides, and masks what looks like a secret in it", async () => {
    const resolved = await resolve({ command: "c", envFile: "${workspaceFolder}/.env", env: { A: "own" } });
    assert.deepEqual(resolved.type === "stdio" && resolved.env, {
      A: "own",
      FILE_TOKEN: "file-secret-1",
      B: "b",
    });
    assert.deepEqual(resolved.secrets, ["file-secret-1"]);
  });

  it("says which envFile cannot be read, and which line of it", async () => {
    const missing = await errorOf(
      { command: "c", envFile: ".env" },
      createPorts({ readTextFile: () => Promise.reject(new Error("ENOENT")) }),
    );
    assert.match(missing.message, /“envFile” \.env cannot be read: ENOENT/);
    const broken = await errorOf(
      { command: "c", envFile: ".env" },
      createPorts({ readTextFile: async () => "A=1\n???" }),
    );
    assert.match(broken.message, /line 2 of “envFile”/);
  });

  it("makes the editor's executable act as Node only where it is the command", async () => {
    const asNode = await resolve({ command: "${nodePath}", args: ["x.js"] });
    assert.deepEqual(asNode.type === "stdio" && [asNode.command, asNode.env], [
      "/editor/node",
      { ELECTRON_RUN_AS_NODE: "1" },
    ]);
    const own = await resolve({ command: "${nodePath}", env: { ELECTRON_RUN_AS_NODE: null } });
    assert.deepEqual(own.type === "stdio" && own.env, { ELECTRON_RUN_AS_NODE: null });
    const argument = await resolve({ command: "run", args: ["${nodePath}"] });
    assert.deepEqual(argument.type === "stdio" && argument.env, {});
  });

  it("knows the credentials in an address as secrets", async () => {
    const { secrets } = await resolve({
      url: "https://u:p%40ss-word@h.test/mcp?api_key=key%2B12345&page=2&token=${env:TOKEN}",
    });
    assert.deepEqual([...secrets].sort(), [
      "key%2B12345",
      "key+12345",
      "p%40ss-word",
      "p@ss-word",
      "tok-12345",
    ]);
  });

  it("does not mask variables that are no secrets", async () => {
    const resolved = await resolve({ command: "c", env: { PATH: "/x:${env:PATH}", DEBUG_TOKENS: "true" } });
    assert.deepEqual(resolved.secrets, []);
  });

  it("checks what was filled in", async () => {
    const badUrl = await errorOf({ url: "${env:HOST}/mcp" });
    assert.match(badUrl.message, /“url” must be an address/);
    const newline = await errorOf(
      { url: "https://a.test", headers: { "X-A": "${secret:KEY}" } },
      createPorts({ secret: async () => "a\nb" }),
    );
    assert.match(newline.message, /“headers.X-A” holds a line break/);
    assert.ok(!newline.message.includes("a\nb"));
    const empty = await errorOf({ command: "${env:EMPTY}" });
    assert.match(empty.message, /“command” must not be empty/);
  });

  it("stops when it is aborted", async () => {
    const reason = new Error("stop");
    await assert.rejects(
      resolveConfig(configOf({ command: "${secret:KEY}" }), createPorts(), AbortSignal.abort(reason)),
      reason,
    );
  });

  it("lists placeholders once and in order", () => {
    const config = configOf({
      command: "c",
      args: ["${env:B}${env:A}", "${env:B}"],
      env: { X: "${secret:S}" },
    });
    assert.deepEqual(
      listPlaceholders(config).map((placeholder) => placeholder.text),
      ["${env:B}", "${env:A}", "${secret:S}"],
    );
  });
});
