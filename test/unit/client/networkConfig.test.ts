import assert from "node:assert/strict";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";

import { approvalDigest, describeLaunch, storableLaunch } from "../../../src/client/approval.ts";
import { ClientError, type ClientErrorCode } from "../../../src/client/clientError.ts";
import { describeProblem } from "../../../src/client/configProblems.ts";
import { launchRisks } from "../../../src/client/launchRisks.ts";
import { parseServers } from "../../../src/client/parseServers.ts";
import { type PlaceholderPorts, resolveConfig } from "../../../src/client/resolveConfig.ts";
import type { HttpConfig, ResolvedConfig } from "../../../src/client/serverConfig.ts";
import { type Certificate, TestAuthority } from "../../support/makeCertificates.ts";
import { never } from "../../support/transportHelpers.ts";

const URL_OF_IT = "https://a.test/mcp";

function parse(entry: object): { config: HttpConfig | undefined; problems: readonly string[] } {
  const { servers, problems } = parseServers({ s: { url: URL_OF_IT, ...entry } }, "workspace");
  const [config] = servers;
  assert.notEqual(config?.type, "stdio");
  return {
    config: config?.type === "http" ? config : undefined,
    problems: problems.map((problem) => `${problem.severity}: ${describeProblem(problem)}`),
  };
}

function configOf(entry: object): HttpConfig {
  const { config, problems } = parse(entry);
  assert.ok(config, problems.join());
  return config;
}

describe("the network settings of a server", () => {
  it("are absent where they are not set", () => {
    const config = configOf({});
    assert.deepEqual([config.proxy, config.tls, config.http2], [undefined, undefined, undefined]);
  });

  it("are read", () => {
    const tls = { ca: "/ca.pem", serverName: "inner.test" };
    const { config, problems } = parse({ proxy: " http://p:8080 ", tls, http2: true });
    assert.deepEqual(problems, []);
    assert.deepEqual([config?.proxy, config?.tls, config?.http2], ["http://p:8080", tls, true]);
    assert.equal(configOf({ proxy: false }).proxy, false);
  });

  const rows: readonly [name: string, entry: object, problem: RegExp][] = [
    ["true is no proxy", { proxy: true }, /error: “proxy” must be the address of a proxy, or false/],
    ["an empty proxy", { proxy: " " }, /error: “proxy” must be the address of a proxy, or false/],
    ["a proxy of another kind", { proxy: "socks5://p:1" }, /error: “proxy” must be an address that starts/],
    ["a password in it", { proxy: "http://u:pw@p:1" }, /warning: “proxy” holds a password in plain text/],
    ["an unknown key", { tls: { cafile: "x" } }, /warning: “tls.cafile” is not a setting/],
    ["verification turned off", { tls: { rejectUnauthorized: false } }, /warning: “tls.rejectUnauthorized”/],
    ["a key alone", { tls: { key: "k.pem" } }, /warning: “tls.key” has no effect without “tls.cert”/],
    ["an empty file name", { tls: { ca: "" } }, /error: “tls.ca” must not be empty/],
    [
      "a passphrase in plain text",
      { tls: { passphrase: "pp" } },
      /warning: “tls.passphrase” looks like a secret/,
    ],
    [
      "a key in plain text",
      { tls: { cert: "c", key: "-----BEGIN PRIVATE KEY-----\nx" } },
      /warning: “tls.key” looks like a secret/,
    ],
    ["http2 that is no truth value", { http2: "yes" }, /error: “http2” must be true or false/],
  ];
  for (const [name, entry, problem] of rows) {
    it(`say what is wrong: ${name}`, () => assert.match(parse(entry).problems.join("\n"), problem));
  }

  it("have no effect on a process, and say so", () => {
    const { problems } = parseServers({ s: { command: "x", proxy: "http://p:1", tls: {} } }, "user");
    assert.deepEqual(problems.map(describeProblem), [
      "“proxy” has no effect on a server of type “stdio”.",
      "“tls” has no effect on a server of type “stdio”.",
    ]);
  });

  it("count for the approval, and are shown in it", () => {
    const plain = approvalDigest(configOf({}));
    const digests = [
      { proxy: "http://p:1" },
      { proxy: false },
      { tls: { ca: "/ca.pem" } },
      { tls: { serverName: "x" } },
    ].map((entry) => approvalDigest(configOf(entry)));
    assert.equal(new Set([plain, ...digests]).size, 5);
    assert.equal(approvalDigest(configOf({ http2: true })), plain);
    assert.deepEqual(describeLaunch(configOf({ proxy: "http://p:1", tls: { ca: "/ca.pem" } })), [
      { field: "url", text: URL_OF_IT },
      { field: "tls", name: "ca", text: "/ca.pem" },
      { field: "proxy", text: "http://p:1" },
    ]);
  });

  it("keep secrets out of what is stored of an approval", () => {
    const config = configOf({ proxy: "http://u:pw-secret@p:1", tls: { passphrase: "pw-secret", cert: "c" } });
    assert.doesNotMatch(JSON.stringify(storableLaunch(config)), /pw-secret/);
    assert.match(JSON.stringify(storableLaunch(configOf({ proxy: "http://u@p:1" }))), /u@p:1/);
  });

  it("are risks worth a look", () => {
    const codes = launchRisks(configOf({ proxy: "http://p:1", tls: { ca: "/ca.pem" } })).map(
      ({ code, evidence }) => `${code} ${evidence}`,
    );
    assert.deepEqual(codes, ["proxied p:1", "own-authority /ca.pem"]);
    assert.deepEqual(launchRisks(configOf({ proxy: false, tls: { cert: "c", key: "k" } })), []);
  });
});

describe("resolveConfig, for certificates and proxies", () => {
  let authority: TestAuthority;
  let client: Certificate;
  let other: Certificate;
  let encrypted = "";

  before(async () => {
    authority = await TestAuthority.create();
    client = await authority.issue();
    other = await authority.issue();
    encrypted = createPrivateKey(client.key)
      .export({ format: "pem", type: "pkcs8", cipher: "aes-256-cbc", passphrase: "open sesame" })
      .toString();
  });

  async function resolve(entry: object, secrets: Readonly<Record<string, string>> = {}): Promise<HttpConfig> {
    const files: Readonly<Record<string, string>> = {
      "/ca.pem": authority.cert,
      "/client.pem": client.cert,
      "/client.key": client.key,
      "/other.key": other.key,
      "/both.pem": `${client.cert}\n${client.key}`,
      "/encrypted.key": encrypted,
      "/notes.txt": "no certificate",
      "/broken.pem": "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    };
    const unused = (): never => assert.fail("it was asked for something else");
    const ports: PlaceholderPorts = {
      workspaceFolder: unused,
      userHome: unused,
      startFolder: unused,
      nodePath: unused,
      extensionPath: unused,
      env: unused,
      config: unused,
      secret: (name) => Promise.resolve(secrets[name]),
      input: unused,
      readTextFile: (path) =>
        files[path] === undefined
          ? Promise.reject(new Error(`ENOENT: no such file, open '${path}'`))
          : Promise.resolve(files[path]),
    };
    const resolved: ResolvedConfig = await resolveConfig(configOf(entry), ports, never);
    assert.equal(resolved.type, "http");
    for (const secret of Object.values(secrets)) assert.ok(resolved.secrets.includes(secret));
    return resolved;
  }

  async function fail(entry: object): Promise<ClientError> {
    try {
      await resolve(entry);
    } catch (error) {
      assert.ok(error instanceof ClientError, String(error));
      return error;
    }
    throw new Error("no error");
  }

  it("puts the files in place of their names", async () => {
    const tls = { ca: "/ca.pem", cert: "/client.pem", key: "/client.key", serverName: "n" };
    assert.deepEqual((await resolve({ tls })).tls, {
      ca: authority.cert,
      cert: client.cert,
      key: client.key,
      serverName: "n",
    });
  });

  it("takes texts as they are, also from secrets, and masks those", async () => {
    const { tls } = await resolve(
      { tls: { cert: client.cert, key: "${secret:KEY}" }, proxy: "http://u:${secret:P}@p:1" },
      { KEY: client.key, P: "proxy-pw" },
    );
    assert.deepEqual(tls, { cert: client.cert, key: client.key });
  });

  it("finds the key in the file of the certificate", async () => {
    assert.equal((await resolve({ tls: { cert: "/both.pem" } })).tls?.key, `${client.cert}\n${client.key}`);
  });

  it("opens an encrypted key with its passphrase", async () => {
    const tls = { cert: "/client.pem", key: "/encrypted.key", passphrase: "${secret:PP}" };
    assert.equal((await resolve({ tls }, { PP: "open sesame" })).tls?.passphrase, "open sesame");
  });

  const rows: readonly [name: string, tls: object, code: ClientErrorCode, words: RegExp][] = [
    ["a missing file", { ca: "/gone.pem" }, "tls-file", /“tls.ca” of “s”.*\/gone\.pem.*ENOENT/],
    [
      "a file of something else",
      { ca: "/notes.txt" },
      "tls-not-pem",
      /“tls.ca”.*BEGIN CERTIFICATE.*notes\.txt/,
    ],
    ["a broken certificate", { ca: "/broken.pem" }, "tls-file", /“tls.ca”.*broken\.pem/],
    ["a certificate without a key", { cert: "/client.pem" }, "tls-key-missing", /“tls.cert” of “s”/],
    [
      "something else as the key",
      { cert: "/client.pem", key: "/notes.txt" },
      "tls-not-pem",
      /“tls.key”.*PRIVATE KEY/,
    ],
    [
      "the key of another certificate",
      { cert: "/client.pem", key: "/other.key" },
      "tls-pair",
      /\/other\.key.*\/client\.pem/,
    ],
    [
      "no passphrase",
      { cert: "/client.pem", key: "/encrypted.key" },
      "tls-key",
      /“tls.key”.*\/encrypted\.key/,
    ],
    [
      "a wrong passphrase",
      { cert: "/client.pem", key: "/encrypted.key", passphrase: "guess-1" },
      "tls-key",
      /“tls.key”.*\/encrypted\.key/,
    ],
  ];
  for (const [name, tls, code, words] of rows) {
    it(`names ${name}, before anything is sent`, async () => {
      const error = await fail({ tls });
      assert.equal(error.code, code);
      assert.match(error.message, words);
      assert.doesNotMatch(error.message, /guess-1/);
      assert.notEqual(error.remedy, undefined);
    });
  }

  it("refuses what placeholders make of a proxy when it is no address", async () => {
    const { servers } = parseServers({ s: { url: URL_OF_IT, proxy: "${secret:P}" } }, "user");
    assert.ok(servers[0]);
    await assert.rejects(
      resolveConfig(
        servers[0],
        { secret: () => Promise.resolve("proxy without scheme") } as unknown as PlaceholderPorts,
        never,
      ),
      (error) => error instanceof ClientError && error.code === "invalid-config",
    );
  });

  it("does not take a public key for a private one", async () => {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const text = publicKey.export({ format: "pem", type: "spki" }).toString();
    assert.equal((await fail({ tls: { cert: "/client.pem", key: text } })).code, "tls-not-pem");
  });
});
