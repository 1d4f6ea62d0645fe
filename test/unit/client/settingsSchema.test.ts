import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { parse } from "jsonc-parser";
import { describe, it } from "mocha";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/base/json.ts";
import { oauthEntry } from "../../../src/client/authorization/oauthSchema.ts";
import { parseServer, parseServers } from "../../../src/client/parseServers.ts";
import { httpEntry, LIMIT_RANGES, stdioEntry, TIMEOUT_RANGES } from "../../../src/client/serverSchema.ts";
import { toAuthSettings } from "../../../src/client/toAuthSettings.ts";
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from "../../../src/protocol/limits.ts";
import { prepareSchema } from "../../../src/protocol/schema/prepareSchema.ts";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";
const readJson = (path: string): JsonObject => JSON.parse(readFileSync(path, "utf8")) as JsonObject;
const manifest = readJson("package.json");
const settings = objectAt(manifest, "contributes", "configuration", "properties");
const docs = readFileSync("docs/settings.md", "utf8");

function objectAt(value: JsonValue | undefined, ...path: readonly string[]): JsonObject {
  let current = value;
  for (const key of path) current = isJsonObject(current) ? current[key] : undefined;
  assert.ok(isJsonObject(current), path.join("."));
  return current;
}

function entrySchemas(): readonly JsonObject[] {
  const { oneOf } = objectAt(settings, "signalbox.servers", "additionalProperties");
  assert.ok(Array.isArray(oneOf));
  return (oneOf as readonly JsonValue[]).filter(isJsonObject);
}

const [stdio = {}, http = {}] = entrySchemas();

/** The keys of `oauth` where it is no switch. */
function oauthProperties(): JsonObject {
  const { oneOf } = objectAt(http, "properties", "oauth");
  assert.ok(Array.isArray(oneOf));
  return objectAt((oneOf as readonly JsonValue[])[1], "properties");
}

/** Every key with its default, as the tables of the reference have them. */
function documentedDefaults(): ReadonlyMap<string, string> {
  const rows = docs.matchAll(/^\| `([^`$]+)` \| (?:`([^`]*)`)? *\| .+ \|$/gm);
  return new Map([...rows].map((row) => [row[1] ?? "", row[2] ?? ""]));
}

/** Every key of the manifest that a person can set, with its default as JSON. */
function contributedDefaults(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (name: string, schema: JsonValue | undefined): void => {
    const value = objectAt(schema)["default"];
    found.set(name, value === undefined ? "" : JSON.stringify(value));
  };
  const addGroup = (path: string, properties: JsonObject): void => {
    for (const [name, inner] of Object.entries(properties)) {
      const nested = objectAt(inner)["properties"];
      if (nested === undefined) add(`${path}.${name}`, inner);
      else addGroup(`${path}.${name}`, objectAt(nested));
    }
  };
  for (const [key, schema] of Object.entries(settings)) {
    if (key !== "signalbox.servers" && key !== "signalbox.inputs") add(key, schema);
  }
  for (const [key, schema] of Object.entries(objectAt(settings, "signalbox.inputs", "items", "properties")))
    add(key, schema);
  for (const [key, schema] of [
    ...Object.entries(objectAt(stdio, "properties")),
    ...Object.entries(objectAt(http, "properties")),
  ]) {
    if (key === "oauth") addGroup("oauth", oauthProperties());
    else if (key === "timeouts" || key === "limits" || key === "tls")
      addGroup(key, objectAt(schema, "properties"));
    // `type` stands in the tables of `signalbox.inputs`, and in the text for servers.
    else if (key !== "type") add(key, schema);
  }
  return found;
}

describe("the contributed settings", () => {
  it("are all in docs/settings.md, with their defaults, and nothing else is", () => {
    const placeholders = /^\$/;
    const documented = [...documentedDefaults()].filter(([key]) => !placeholders.test(key));
    assert.deepEqual(new Map(documented.toSorted()), new Map([...contributedDefaults()].toSorted()));
  });

  it("have the keys that the parser reads", () => {
    for (const [schema, entry] of [
      [stdio, stdioEntry],
      [http, httpEntry],
    ] as const) {
      const keys = Object.keys(objectAt(schema, "properties")).filter((key) => key !== "type");
      assert.deepEqual(keys.toSorted(), Object.keys(entry.shape).toSorted());
      for (const group of ["timeouts", "limits"] as const) {
        const inner = Object.keys(objectAt(schema, "properties", group, "properties"));
        assert.deepEqual(inner, Object.keys(entry.shape[group].unwrap().shape));
      }
    }
    const oauth = oauthProperties();
    assert.deepEqual(Object.keys(oauth), Object.keys(oauthEntry.shape));
    for (const group of ["enterprise", "workload"] as const)
      assert.deepEqual(
        Object.keys(objectAt(oauth, group, "properties")),
        Object.keys(oauthEntry.shape[group].unwrap().shape),
      );
  });

  it("have the defaults of an authorization that says nothing", () => {
    const oauth = oauthProperties();
    const { config } = parseServer("s", { url: "https://a.test" }, "user");
    assert.ok(config !== undefined);
    const filled = toAuthSettings({ ...config, secrets: [] }, { fakeIpRanges: [] });
    assert.ok(filled !== undefined);
    const { grant, overrides, ...rest } = filled;
    const actual = new Map(Object.entries({ ...rest, ...overrides, grant: grant.kind }));
    for (const [key, schema] of Object.entries(oauth)) {
      const standard = objectAt(schema)["default"];
      assert.equal(actual.get(key), standard, key);
    }
  });

  it("have the ranges and defaults of the code", () => {
    for (const schema of [stdio, http]) {
      for (const [key, [minimum, maximum]] of Object.entries(LIMIT_RANGES)) {
        const limit = objectAt(schema, "properties", "limits", "properties", key);
        assert.deepEqual(
          [limit["minimum"], limit["maximum"], limit["default"]],
          [minimum, maximum, new Map(Object.entries(DEFAULT_LIMITS)).get(key)],
        );
      }
      for (const [key, [minimum, maximum]] of Object.entries(TIMEOUT_RANGES)) {
        const timeout = objectAt(schema, "properties", "timeouts", "properties", key);
        const standard = new Map(Object.entries(DEFAULT_TIMEOUTS)).get(`${key}Ms`) ?? 0;
        assert.deepEqual(
          [timeout["minimum"], timeout["maximum"], timeout["default"]],
          [minimum, maximum, standard / 1000],
        );
      }
      const { config } = parseServer(
        "s",
        schema === stdio ? { command: "x" } : { url: "https://a.test" },
        "user",
      );
      const parsed = new Map(Object.entries(config ?? {}));
      for (const key of ["enabled", "autostart", "chat", "protocol", "minimumProtocol"]) {
        assert.equal(objectAt(schema, "properties", key)["default"], parsed.get(key), key);
      }
    }
  });

  it("accept what the parser accepts and refuse what it refuses", () => {
    const schema = { ...objectAt(settings, "signalbox.servers"), $schema: DRAFT_07 };
    const prepared = prepareSchema(schema, DEFAULT_LIMITS);
    if (prepared.kind === "unusable") assert.fail(prepared.reason.message);
    const good = [
      {
        command: "x",
        args: ["a", 1],
        env: { A: 1, B: true, C: null },
        inheritEnv: true,
        cwd: "/",
        envFile: ".env",
      },
      {
        type: "stdio",
        command: "x",
        inheritEnv: ["A"],
        tools: ["t"],
        protocol: "2025-11-25",
        minimumProtocol: "2024-11-05",
      },
      { url: "https://a.test", headers: { A: "b" }, timeouts: { probe: 0.5 }, limits: { listPages: 5 } },
      { url: "https://a.test", proxy: "http://p:1", http2: true, tls: { ca: "a", cert: "b", key: "c" } },
      { url: "https://a.test", logLevel: "notice", trace: true, tasks: true },
      { url: "https://a.test", logLevel: "off", trace: false },
      { url: "https://a.test", proxy: false, tls: { passphrase: "p", serverName: "n" } },
      {
        type: "streamable-http",
        url: "https://a.test",
        enabled: false,
        disabled: true,
        chat: false,
        cache: false,
        sampling: "ask",
        roots: ["app", "${workspaceFolder:lib}"],
        autostart: true,
        description: "d",
      },
    ];
    const bad = [
      {},
      { args: [] },
      { command: "x", url: "https://a.test" },
      { command: "x", timeouts: { request: 0 } },
      { command: "x", protocol: "1" },
      { url: "https://a.test", proxy: true },
      { url: "https://a.test", logLevel: "warn" },
      { url: "https://a.test", trace: "yes" },
      { url: "https://a.test", tasks: "yes" },
      { url: "https://a.test", tls: { ca: ["a"] } },
      { url: "https://a.test", http2: "yes" },
      { url: "https://a.test", sampling: true },
      { url: "https://a.test", roots: "app" },
      7,
      { type: "sse", url: "https://a.test" },
    ];
    for (const entry of good) {
      assert.deepEqual(prepared.check({ s: entry }), { kind: "valid" }, JSON.stringify(entry));
      assert.equal(parseServers({ s: entry }, "user").servers.length, 1, JSON.stringify(entry));
    }
    for (const entry of bad) {
      assert.equal(prepared.check({ s: entry }).kind, "invalid", JSON.stringify(entry));
      assert.equal(parseServers({ s: entry }, "user").servers.length, 0, JSON.stringify(entry));
    }
  });

  it("name only texts that exist in both languages", () => {
    const used = new Set(
      [...JSON.stringify(settings).matchAll(/"%(config\.[^%"]+)%"/g)].map((match) => match[1] ?? ""),
    );
    assert.ok(used.size > 30);
    for (const file of ["package.nls.json", "package.nls.zh-cn.json"]) {
      const keys = Object.keys(readJson(file)).filter((key) => key.startsWith("config."));
      assert.deepEqual(keys.toSorted(), [...used].toSorted(), file);
    }
    assert.ok(!/"markdownDescription":"[^%]/.test(JSON.stringify(settings)));
  });

  it("keep the security switch out of the hands of a workspace", () => {
    assert.equal(objectAt(settings, "signalbox.log.wire")["scope"], "application");
    const restricted = objectAt(manifest, "capabilities", "untrustedWorkspaces")["restrictedConfigurations"];
    assert.ok(
      Array.isArray(restricted) &&
        restricted.includes("signalbox.servers") &&
        restricted.includes("signalbox.inputs"),
    );
  });

  it("are shown in the reference by an example that works", () => {
    const example = /```jsonc\n([\s\S]*?)```/.exec(docs)?.[1] ?? "";
    const { servers, problems } = parseServers((parse(example) as JsonObject)["signalbox.servers"], "user");
    assert.equal(servers.length, 2);
    assert.deepEqual(problems, []);
  });
});
