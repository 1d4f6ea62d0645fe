import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { canonicalJson, type JsonObject } from "../../../../src/base/json.ts";
import {
  approvalDigest,
  describeLaunch,
  diffLaunch,
  storableLaunch,
} from "../../../../src/client/approval.ts";
import { describeProblem } from "../../../../src/client/configProblems.ts";
import { needsNewConnection } from "../../../../src/client/needsNewConnection.ts";
import { parseServer } from "../../../../src/client/parseServers.ts";
import { resolveConfig, type PlaceholderPorts } from "../../../../src/client/resolveConfig.ts";
import type { ConfigSource, HttpConfig, ResolvedConfig } from "../../../../src/client/serverConfig.ts";
import { toAuthSettings } from "../../../../src/client/toAuthSettings.ts";
import { never } from "../../../support/transportHelpers.ts";

const URL_TEXT = "https://mcp.example/mcp";

function parse(entry: JsonObject, source: ConfigSource = "user"): ReturnType<typeof parseServer> {
  return parseServer("s", { url: URL_TEXT, ...entry }, source);
}

function problems(entry: JsonObject, source?: ConfigSource): readonly string[] {
  return parse(entry, source).problems.map((problem) => `${problem.severity}: ${describeProblem(problem)}`);
}

function httpConfig(entry: JsonObject, source?: ConfigSource): HttpConfig {
  const { config } = parse(entry, source);
  assert.ok(config?.type === "http");
  return config;
}

function resolved(entry: JsonObject): ResolvedConfig {
  return { ...httpConfig(entry), secrets: [] };
}

const ENTERPRISE = { idpIssuer: "https://idp.example", idpClientId: "me", idToken: "${secret:ID}" };

describe("oauth in the settings of a server", () => {
  // Duty: 16.4.4
  it("is taken as it is written, with nothing added", () => {
    const oauth = {
      grant: "enterprise",
      registration: "preregistered",
      clientId: "abc",
      clientSecret: "${secret:S}",
      clientKeyAlgorithm: "ES256",
      clientAuthMethod: "client_secret_post",
      scopes: ["a", "b"],
      useServerScopes: true,
      redirectHost: "localhost",
      redirectPort: 41737,
      dpop: "required",
      issuer: "https://as.example",
      resource: URL_TEXT,
      tokenEndpoint: "https://token.example/token",
      assumePkceS256: true,
      enterprise: ENTERPRISE,
    };
    assert.deepEqual(problems({ oauth }), []);
    assert.deepEqual(httpConfig({ oauth }).oauth, oauth);
    assert.deepEqual(httpConfig({ oauth: {} }).oauth, {});
    assert.equal(httpConfig({ oauth: false }).oauth, false);
    assert.equal("oauth" in httpConfig({}), false);
  });

  for (const [entry, expected] of [
    [{ oauth: true }, "error: “oauth” must be an object."],
    [{ oauth: { clientId: " " } }, "error: “oauth.clientId” must not be empty."],
    [{ oauth: { redirectPort: 70_000 } }, "error: “oauth.redirectPort” must be from 1 to 65535."],
    [{ oauth: { dpop: "yes" } }, "error: “oauth.dpop” must be one of “off”, “auto”, “required”."],
    [
      { oauth: { clientID: "a" } },
      "warning: “oauth.clientID” is not a setting of a server. Did you mean “clientId”?",
    ],
    [{ oauth: { grant: "workload" } }, "error: “oauth.workload” is missing."],
    [
      { oauth: { grant: "enterprise", enterprise: { ...ENTERPRISE, idToken: undefined } } },
      "error: “oauth.enterprise.idToken” is missing.",
    ],
    [
      { oauth: { enterprise: { ...ENTERPRISE, idToke: "x" }, grant: "enterprise" } },
      "warning: “oauth.enterprise.idToke” is not a setting of a server. Did you mean “idToken”?",
    ],
    [
      { oauth: { workload: { assertion: "${env:T}" } } },
      "warning: “oauth.workload” has no effect unless “oauth.grant” is “workload”.",
    ],
    [
      { headers: { Authorization: "${secret:T}" }, oauth: { clientId: "a" } },
      "warning: “oauth” has no effect: the settings send a credential of their own, so nobody signs in to this server.",
    ],
    ...(["clientSecret", "clientKey"] as const).map(
      (key) =>
        [
          { oauth: { [key]: "abc" } },
          `warning: “oauth.${key}” looks like a secret in plain text. Store it with “Signalbox: Set Secret…” and write \${secret:NAME} here.`,
        ] as const,
    ),
  ] as const satisfies readonly (readonly [JsonObject, string])[]) {
    it(`says what is wrong: ${expected.slice(0, 70)}`, () => {
      assert.deepEqual(problems(entry), [expected]);
    });
  }

  it("is no setting of a process", () => {
    const { problems: found } = parseServer("s", { command: "x", oauth: {} }, "user");
    assert.deepEqual(found.map(describeProblem), ["“oauth” has no effect on a server of type “stdio”."]);
  });

  describe("of a workspace", () => {
    for (const source of ["workspace", "folder"] as const) {
      for (const [key, value] of [
        ["issuer", "https://evil.example"],
        ["resource", "https://evil.example/mcp"],
        ["tokenEndpoint", "https://evil.example/token"],
        ["assumePkceS256", true],
        ["clientSecret", "${secret:GITHUB}"],
        ["clientKey", "${env:KEY}"],
        ["clientSecret", "its own"],
      ] as const) {
        // Attack: 94
        it(`cannot say ${key} (${String(value)}, ${source})`, () => {
          const { config } = parse({ oauth: { [key]: value } }, source);
          assert.equal(config, undefined);
          assert.deepEqual(problems({ oauth: { [key]: value } }, source), [
            `error: “oauth.${key}” is allowed in your user settings only: a workspace cannot decide this for you.`,
          ]);
        });
      }
    }

    // Attack: 94
    it("cannot send a secret or a variable of the user by another name", () => {
      for (const placeholder of ["${secret:GITHUB}", "${env:AWS_SECRET}"]) {
        assert.deepEqual(problems({ oauth: { clientId: `x${placeholder}` } }, "workspace"), [
          `error: “oauth.clientId” holds ${placeholder}, which only your user settings may use for signing in.`,
        ]);
      }
    });

    it("cannot hand over tokens of the user", () => {
      const entry = { oauth: { grant: "workload", workload: { assertion: "${env:CI_TOKEN}" } } };
      assert.equal(parse(entry, "workspace").config, undefined);
      const enterprise = { oauth: { grant: "enterprise", enterprise: ENTERPRISE } };
      assert.equal(parse(enterprise, "folder").config, undefined);
    });

    it("may name a public client and scopes", () => {
      const oauth = { clientId: "public", scopes: ["read"], registration: "preregistered" };
      assert.deepEqual(problems({ oauth }, "workspace"), []);
    });
  });

  it("can say all of that in user settings and in a file", () => {
    for (const source of ["user", "file"] as const) {
      const oauth = { issuer: "https://as.example", clientId: "${env:ID}", clientSecret: "${secret:S}" };
      assert.deepEqual(problems({ oauth }, source), []);
    }
  });
});

describe("the approval of a server of a workspace", () => {
  const before = httpConfig({ oauth: { clientId: "public", scopes: ["read"] } }, "workspace");

  it("shows everything that is said of signing in", () => {
    const lines = describeLaunch(before).filter(({ field }) => field === "oauth");
    assert.deepEqual(lines, [
      { field: "oauth", name: "clientId", text: "public" },
      { field: "oauth", name: "scopes", text: "read" },
    ]);
    const none = describeLaunch(httpConfig({ oauth: { scopes: [] } }, "workspace"));
    assert.deepEqual(none.at(-1), { field: "oauth", name: "scopes", text: '""' });
    assert.deepEqual(describeLaunch(httpConfig({ oauth: false })).at(-1), { field: "oauth", text: "false" });
  });

  it("is asked for again when any of it changes, and is the same as ever where there is none", () => {
    const digests = [
      {},
      { oauth: {} },
      { oauth: false },
      { oauth: { clientId: "public" } },
      { oauth: { clientId: "other" } },
      { oauth: { clientId: "public", scopes: ["read"] } },
      { oauth: { redirectPort: 1 } },
    ].map((entry) => approvalDigest(httpConfig(entry, "workspace")));
    assert.equal(new Set(digests).size, digests.length);
    // Approvals from before there was any of it stay good.
    const old = canonicalJson({ type: "http", url: URL_TEXT, headers: {} });
    assert.equal(digests[0], createHash("sha256").update(`launch 1 ${old}`).digest("base64url"));
    const after = httpConfig({ oauth: { clientId: "public", scopes: ["read", "write"] } }, "workspace");
    assert.deepEqual(diffLaunch(storableLaunch(before), after), [
      { field: "oauth", name: "scopes", before: "read", after: "read write" },
    ]);
  });

  it("stores no secret", () => {
    const oauth = { clientId: "a", clientSecret: "hunter22", issuer: "https://as.example" };
    const stored = JSON.stringify(storableLaunch(httpConfig({ oauth })));
    assert.ok(!stored.includes("hunter22"), stored);
  });
});

describe("oauth with its values", () => {
  const values: Readonly<Record<string, string>> = { S: "client-secret", ID: "id-token", IDP: "idp-secret" };
  const ports = {
    secret: (name: string) => Promise.resolve(values[name]),
    env: (name: string) => (name === "ISSUER" ? "https://as.example" : undefined),
  } as unknown as PlaceholderPorts;

  it("is filled in, and what is secret of it is masked", async () => {
    const oauth = {
      grant: "enterprise",
      issuer: "${env:ISSUER}",
      clientId: "a",
      clientSecret: "${secret:S}",
      enterprise: { ...ENTERPRISE, idpClientSecret: "${secret:IDP}" },
    };
    const config = await resolveConfig(httpConfig({ oauth }), ports, never);
    assert.ok(config.type === "http" && config.oauth !== false);
    assert.equal(config.oauth?.issuer, "https://as.example");
    assert.equal(config.oauth.clientSecret, "client-secret");
    assert.deepEqual(config.oauth.enterprise, {
      ...ENTERPRISE,
      idpClientSecret: "idp-secret",
      idToken: "id-token",
    });
    for (const secret of ["client-secret", "id-token", "idp-secret"])
      assert.ok(config.secrets.includes(secret), secret);
    assert.ok(!config.secrets.includes("https://as.example"));
  });

  it("stops the server where one is not set", async () => {
    const unset = resolveConfig(httpConfig({ oauth: { clientSecret: "${secret:NONE}" } }), ports, never);
    await assert.rejects(unset, { code: "unset-variable" });
  });

  it("masks secrets that are written out", async () => {
    const oauth = { grant: "workload", workload: { assertion: "eyJ.written.out" } };
    const { secrets } = await resolveConfig(httpConfig({ oauth }), ports, never);
    assert.deepEqual(secrets, ["eyJ.written.out"]);
  });

  it("needs a new connection when it changes", () => {
    const before = httpConfig({ oauth: { clientId: "a" } });
    assert.equal(needsNewConnection(before, httpConfig({ oauth: { clientId: "b" } })), true);
    assert.equal(needsNewConnection(before, httpConfig({ oauth: { clientId: "a" } })), false);
  });
});

describe("toAuthSettings", () => {
  const global = { clientMetadataUrl: " https://me.example/client.json ", fakeIpRanges: ["198.18.0.0/15"] };

  // Duty: 16.9.4
  it("fills in what an entry does not say", () => {
    assert.deepEqual(toAuthSettings(resolved({}), global), {
      serverName: "s",
      endpoint: new URL(URL_TEXT),
      grant: { kind: "authorization_code" },
      registration: "auto",
      clientMetadataUrl: "https://me.example/client.json",
      useServerScopes: false,
      redirectHost: "127.0.0.1",
      dpop: "off",
      overrides: { assumePkceS256: false, fakeIpRanges: ["198.18.0.0/15"] },
    });
    const none = toAuthSettings(resolved({}), { clientMetadataUrl: "", fakeIpRanges: [] });
    assert.equal(none !== undefined && "clientMetadataUrl" in none, false);
  });

  it("puts the overrides and the grant together", () => {
    const oauth = {
      grant: "enterprise",
      issuer: "https://as.example",
      resource: URL_TEXT,
      tokenEndpoint: "https://t.example/token",
      assumePkceS256: true,
      scopes: [],
      enterprise: ENTERPRISE,
    };
    const settings = toAuthSettings(resolved({ oauth }), { fakeIpRanges: [] });
    assert.deepEqual(settings?.overrides, {
      issuer: "https://as.example",
      resource: URL_TEXT,
      tokenEndpoint: "https://t.example/token",
      assumePkceS256: true,
      fakeIpRanges: [],
    });
    assert.deepEqual(settings.grant, { kind: "enterprise", ...ENTERPRISE });
    assert.deepEqual(settings.scopes, []);
    const workload = resolved({ oauth: { grant: "workload", workload: { assertion: "jwt" } } });
    assert.deepEqual(toAuthSettings(workload, global)?.grant, { kind: "workload", assertion: "jwt" });
    const machine = resolved({ oauth: { grant: "client_credentials" } });
    assert.deepEqual(toAuthSettings(machine, global)?.grant, { kind: "client_credentials" });
  });

  // Duty: 16.1.1
  it("gives none where nobody signs in", () => {
    assert.equal(toAuthSettings(resolved({ oauth: false }), global), undefined);
    assert.equal(toAuthSettings(resolved({ headers: { AUTHORIZATION: "Bearer t" } }), global), undefined);
    assert.equal(toAuthSettings(resolved({ url: "https://me:pw@mcp.example/mcp" }), global), undefined);
    const { config } = parseServer("p", { command: "x" }, "user");
    assert.ok(config !== undefined);
    assert.equal(toAuthSettings({ ...config, secrets: [] }, global), undefined);
  });
});
