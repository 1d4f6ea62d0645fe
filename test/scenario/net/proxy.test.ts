import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openOrigin } from "../../../src/net/openOrigin.ts";
import { NetError } from "../../../src/net/netError.ts";
import { CollectingLog } from "../../support/collectingListener.ts";
import { ConnectProxy, type ProxyAnswer, type TunnelRequest } from "../../support/connectProxy.ts";
import { type Certificate, TestAuthority } from "../../support/makeCertificates.ts";
import { callOnce, failToSend, openTransport, surroundings } from "../../support/networkHelpers.ts";
import { type ScriptedHttp, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { SecureServer } from "../../support/secureServer.ts";
import { TestPool } from "../../support/testPool.ts";
import { never, request, resultOf } from "../../support/transportHelpers.ts";

describe("connections through a proxy", () => {
  let authority: TestAuthority;
  let certificate: Certificate;
  let proxy: ConnectProxy | undefined;
  let server: ScriptedHttp;
  let secure: SecureServer;

  before(async () => {
    authority = await TestAuthority.create();
    certificate = await authority.issue({ names: ["mcp.internal.test", "127.0.0.1"] });
  });

  beforeEach(async () => {
    server = await startScriptedHttp((exchange) => exchange.result({ ok: true }));
    secure = await SecureServer.start(certificate);
  });

  afterEach(async () => {
    await proxy?.close();
    proxy = undefined;
    await server.close();
    await secure.close();
  });

  async function start(
    answer: (request: TunnelRequest) => ProxyAnswer,
    own?: Certificate,
  ): Promise<ConnectProxy> {
    proxy = await ConnectProxy.start(answer, own);
    return proxy;
  }

  const toServer = (): ProxyAnswer => ({ kind: "tunnel", port: server.port });
  const toSecure = (): ProxyAnswer => ({ kind: "tunnel", port: secure.port });

  it("reaches an http server whose name only the proxy knows, and keeps the tunnel", async () => {
    const { url, tunnels } = await start(toServer);
    const network = surroundings({ HTTP_PROXY: url });
    const { transport, log } = await openTransport("http://mcp.internal.test/mcp", {}, network);
    for (const id of [1, 2, 3]) {
      assert.deepEqual(resultOf(await transport.exchange(request(id), { signal: never })), { ok: true });
      // A connection is free again one turn after its answer.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await transport.close();
    assert.deepEqual(
      tunnels.map(({ target }) => target),
      ["mcp.internal.test:80"],
    );
    assert.equal(server.requests.length, 3);
    assert.equal(server.requests[0]?.headers.host, "mcp.internal.test");
    assert.ok(log.lines.some((line) => /127\.0\.0\.1:\d+.*HTTP_PROXY/.test(line)));
  });

  it("reaches an https server through the tunnel, and verifies the server's own certificate", async () => {
    const { url, tunnels } = await start(toSecure);
    const network = surroundings({ https_proxy: url });
    const address = "https://mcp.internal.test:8443/mcp";
    assert.deepEqual(await callOnce(address, { tls: { ca: authority.cert } }, network), { ok: true });
    assert.deepEqual(
      tunnels.map(({ target }) => target),
      ["mcp.internal.test:8443"],
    );
    await failToSend(address, "tls-unknown-authority", {}, network);
    await failToSend("https://other.test/mcp", "tls-wrong-host", { tls: { ca: authority.cert } }, network);
    assert.equal(secure.requests.length, 1);
  });

  it("carries streams, and closes the tunnel when a request is aborted", async () => {
    const { url } = await start(toServer);
    const { transport, listener } = await openTransport("http://mcp.internal.test/mcp", { proxy: url });
    let abandoned: Promise<void> | undefined;
    server.handler = (exchange) => {
      abandoned = exchange.abandoned;
      exchange.stream().event({ jsonrpc: "2.0", method: "notifications/progress" });
    };
    const abort = new AbortController();
    const answer = transport.exchange(request(), { signal: abort.signal });
    await listener.count("notifications", 1);
    abort.abort(new Error("enough"));
    await assert.rejects(answer, /enough/);
    await abandoned;
    await transport.close();
  });

  it("logs in, and shows the password to the proxy alone", async () => {
    const { url, tunnels } = await start(toServer);
    const own = url.replace("://", "://me:p%40ss@");
    assert.deepEqual(await callOnce("http://mcp.internal.test/mcp", { proxy: own }), { ok: true });
    assert.equal(tunnels[0]?.headers["proxy-authorization"], `Basic ${btoa("me:p@ss")}`);
    assert.ok(!JSON.stringify(server.requests).includes("Basic"));
  });

  it("sends the editor's authorization to the editor's proxy", async () => {
    const { url, tunnels } = await start(toServer);
    const network = surroundings({}, { proxy: url, proxyAuthorization: "Bearer editor" });
    assert.deepEqual(await callOnce("http://mcp.internal.test/mcp", {}, network), { ok: true });
    assert.equal(tunnels[0]?.headers["proxy-authorization"], "Bearer editor");
  });

  it("asks for an IPv6 address in brackets", async () => {
    const { url, tunnels } = await start(toServer);
    await callOnce("http://[2001:db8::7]:8080/mcp", { proxy: url });
    assert.equal(tunnels[0]?.target, "[2001:db8::7]:8080");
  });

  it("uses one for this machine only when the server says so", async () => {
    const { url, tunnels } = await start(toServer);
    await callOnce(server.url, {}, surroundings({ HTTP_PROXY: url, ALL_PROXY: url }, { proxy: url }));
    assert.equal(tunnels.length, 0);
    await callOnce(server.url, { proxy: url });
    assert.equal(tunnels.length, 1);
  });

  it("reaches one server through the proxy and another directly, in one pool", async () => {
    const { url, tunnels } = await start(toServer);
    server.handler = (exchange) => {
      if (exchange.method !== "POST") return exchange.answer(405);
      const { method } = exchange.message as { method: string };
      if (method === "initialize")
        return exchange.result({
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "scripted", version: "1" },
        });
      if (method === "tools/list") return exchange.result({ tools: [] });
      return method.startsWith("notifications/") ? exchange.answer(202) : exchange.error(404, -32601);
    };
    const entry = { protocol: "2025-11-25" };
    const network = surroundings({ HTTP_PROXY: url, NO_PROXY: "127.0.0.1,localhost,.direct.test" });
    const test = new TestPool(
      {
        inner: { ...entry, url: "http://mcp.internal.test/mcp" },
        local: { ...entry, url: server.url },
      },
      undefined,
      { network: () => network },
    );
    await test.connect("inner");
    const count = tunnels.length;
    assert.ok(count > 0);
    await test.connect("local");
    assert.equal(tunnels.length, count);
    await test.pool.close();
    assert.ok(tunnels.every(({ target }) => target === "mcp.internal.test:80"));
  });

  describe("over TLS to the proxy", () => {
    let folder = "";

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), "signalbox-ca-"));
      await writeFile(join(folder, "ca.pem"), authority.cert);
    });

    after(() => rm(folder, { recursive: true }));

    it("trusts what NODE_EXTRA_CA_CERTS names, and nothing else", async () => {
      const { url, tunnels } = await start(toServer, certificate);
      const trusting = surroundings({ HTTP_PROXY: url, NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") });
      assert.deepEqual(await callOnce("http://mcp.internal.test/mcp", {}, trusting), { ok: true });
      assert.equal(tunnels.length, 1);
      const error = await failToSend(
        "http://mcp.internal.test/mcp",
        "proxy-tls",
        {},
        surroundings({ HTTP_PROXY: url }),
      );
      assert.match(error.message, new RegExp(`${url}.*“demo”`));
      assert.equal(tunnels.length, 1);
    });
  });

  const refusals: readonly [
    name: string,
    answer: ProxyAnswer,
    code: Parameters<typeof failToSend>[1],
    words: RegExp,
  ][] = [
    [
      "wants a login",
      {
        kind: "status",
        status: 407,
        headers: { "proxy-authenticate": 'Basic realm="x"' },
      },
      "proxy-login",
      /HTTP 407, Basic/,
    ],
    ["refuses the host", { kind: "status", status: 403 }, "proxy-refused", /mcp\.internal\.test.*HTTP 403/],
    ["cannot reach the host", { kind: "status", status: 502 }, "proxy-refused", /HTTP 502/],
    [
      "redirects",
      { kind: "status", status: 302, headers: { location: "http://x/" } },
      "proxy-refused",
      /302/,
    ],
    ["hangs up", { kind: "close" }, "proxy-unreachable", /cannot be reached/],
    [
      "speaks something else",
      { kind: "raw", text: "SSH-2.0-x\r\n" },
      "proxy-unreachable",
      /cannot be reached/,
    ],
  ];
  for (const [name, answer, code, words] of refusals) {
    it(`names a proxy that ${name}, and what set it`, async () => {
      const { url } = await start(() => answer);
      const network = surroundings({ ALL_PROXY: url.replace("://", "://me:secret-1@") });
      const error = await failToSend("http://mcp.internal.test/mcp", code, {}, network);
      assert.match(error.message, words);
      assert.match(
        `${error.message} ${error.remedy ?? ""}`,
        code === "proxy-refused" ? /NO_PROXY/ : /ALL_PROXY/,
      );
      assert.match(error.message, /127\.0\.0\.1:\d+/);
      assert.doesNotMatch(`${error.message} ${String(error.remedy)}`, /secret-1/);
      assert.equal(server.requests.length, 0);
    });
  }

  it("names a proxy that is not there", async () => {
    const { url } = await start(toServer);
    await proxy?.close();
    proxy = undefined;
    const error = await failToSend("http://mcp.internal.test/mcp", "proxy-unreachable", { proxy: url });
    assert.match(error.message, /ECONNREFUSED.*named by “proxy”/);
  });

  it("goes around no proxy that it cannot use", async () => {
    const network = surroundings({ ALL_PROXY: "socks5://127.0.0.1:1080" });
    const error = await failToSend("http://mcp.internal.test/mcp", "proxy-unusable", {}, network);
    assert.match(error.message, /ALL_PROXY.*socks5/);
  });

  it("gives up on a proxy that says nothing, and leaves nothing behind when it is closed before", async () => {
    const { url } = await start(() => ({ kind: "silence" }));
    const open = () =>
      openOrigin({
        serverName: "demo",
        url: new URL("http://mcp.internal.test/mcp"),
        connections: 1,
        route: { proxy: url },
        network: surroundings(),
        log: new CollectingLog(),
        connectMs: 200,
      });
    const send = (pool: Awaited<ReturnType<typeof open>>): Promise<Error> =>
      new Promise((resolve, reject) => {
        pool.send(
          { method: "GET", path: "/mcp", headers: {} },
          { onHead: reject, onData: reject, onEnd: () => reject(new Error("an end")), onError: resolve },
        );
      });
    const patient = await open();
    const error = await send(patient);
    assert.ok(error instanceof NetError && error.code === "proxy-unreachable", String(error));
    await patient.destroy();
    const closed = await open();
    const failed = send(closed);
    await closed.destroy();
    assert.ok((await failed) instanceof Error);
  });
});
