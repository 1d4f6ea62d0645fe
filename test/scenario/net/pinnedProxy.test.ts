import assert from "node:assert/strict";

import type { PinnedNetworkOptions } from "../../../src/net/pinnedRequest.ts";
import { ConnectProxy } from "../../support/connectProxy.ts";
import { type Certificate, TestAuthority } from "../../support/makeCertificates.ts";
import { surroundings } from "../../support/networkHelpers.ts";
import { Canary, knowing, netErrorOf, pinnedNetwork, send } from "../../support/pinnedHelpers.ts";
import { SecureServer } from "../../support/secureServer.ts";
import { never } from "../../support/transportHelpers.ts";

describe("proxies on the way to authorization", () => {
  let authority: TestAuthority;
  let certificate: Certificate;
  let proxy: ConnectProxy;
  let server: SecureServer;

  before(async () => {
    authority = await TestAuthority.create();
    certificate = await authority.issue({ names: ["as.test", "127.0.0.1"] });
  });

  beforeEach(async () => {
    server = await SecureServer.start(certificate, (_, response) => response.end("fine"));
    proxy = await ConnectProxy.start(() => ({ kind: "tunnel", port: server.port }));
  });

  afterEach(async () => {
    await proxy.close();
    await server.close();
  });

  const networkWith = (given: Partial<PinnedNetworkOptions>) =>
    pinnedNetwork({ ...given, route: { tls: { ca: authority.cert }, ...given.route } });

  /** Variables of this very process, beside those that the settings hand over. */
  function withEnvironment(
    values: Readonly<Record<string, string>>,
    work: () => Promise<void>,
  ): Promise<void> {
    const before = { ...process.env };
    Object.assign(process.env, values);
    return work().finally(() => {
      for (const name of Object.keys(values)) {
        if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = before[name];
      }
    });
  }

  // Attack: 78
  it("are not used when only the environment names them", async () => {
    const canary = await Canary.start();
    const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
    const values = {
      ...Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${canary.port}`])),
      NODE_USE_ENV_PROXY: "1",
    };
    try {
      await withEnvironment(values, async () => {
        const resolve = knowing({ "as.test": ["127.0.0.1"] });
        const network = networkWith({ resolve, network: () => surroundings(values) });
        assert.equal((await send(network, `https://as.test:${server.port}/`)).body, "fine");
        assert.equal((await network.zoneOf(new URL("https://as.test/"), never)).proxy, undefined);
        const error = await netErrorOf(
          send(network, "https://only-the-proxy-knows.test/"),
          "environment-proxy",
        );
        assert.match(error.message, /https_proxy/);
      });
      assert.equal(canary.connections, 0);
    } finally {
      await canary.close();
    }
  });

  it("are used when the editor names one, which finds names and is told of in the log, once", async () => {
    const resolve = knowing({});
    const network = networkWith({ resolve, network: () => surroundings({}, { proxy: proxy.url }) });
    for (const path of ["/a", "/b"]) {
      const answer = await send(network, `https://as.test${path}`, {
        method: "POST",
        body: "x",
        from: "public",
      });
      assert.equal(answer.body, "fine");
    }
    assert.deepEqual(
      proxy.tunnels.map(({ target }) => target),
      ["as.test:443", "as.test:443"],
    );
    assert.equal(server.requests[1]?.body, "x");
    assert.deepEqual(resolve.asked, []);
    const said = network.log.lines.filter((line) => line.includes(proxy.url));
    assert.equal(said.length, 1);
    assert.match(said[0] ?? "", /^info .*http\.proxy/);
    assert.deepEqual(await network.zoneOf(new URL("https://as.test/"), never), {
      zone: "public",
      proxy: proxy.url,
    });
  });

  it("are used when the server's own settings name one, and see a password that nobody else does", async () => {
    const own = proxy.url.replace("://", "://me:secret-1@");
    const network = networkWith({ route: { proxy: own } });
    await send(network, "https://as.test/", { from: "public" });
    assert.equal(proxy.tunnels[0]?.headers["proxy-authorization"], `Basic ${btoa("me:secret-1")}`);
    assert.equal((await network.zoneOf(new URL("https://as.test/"), never)).proxy, proxy.url);
    assert.ok(!network.log.lines.join("\n").includes("secret-1"));
    assert.ok(!JSON.stringify(server.requests).includes("Basic"));
  });

  // Attack: 73
  it("change nothing about addresses and localhost", async () => {
    const network = networkWith({ route: { proxy: proxy.url } });
    for (const host of [
      "127.0.0.1",
      "localhost",
      "LOCALHOST.",
      "10.0.0.1",
      "169.254.169.254",
      "[::ffff:7f00:1]",
    ]) {
      await netErrorOf(send(network, `https://${host}/`, { from: "public" }), "zone-escalation");
    }
    await netErrorOf(send(network, "https://0.0.0.0/", { from: "loopback" }), "zone-blocked");
    assert.deepEqual(await network.zoneOf(new URL("https://10.0.0.1/"), never), {
      zone: "private",
      proxy: proxy.url,
    });
    assert.equal(proxy.tunnels.length, 0);
    assert.equal((await send(network, "https://127.0.0.1/")).body, "fine");
    assert.equal(proxy.tunnels.length, 1);
  });

  it("get nothing that is not secure, since they find the names", async () => {
    const network = networkWith({ route: { proxy: proxy.url } });
    await netErrorOf(send(network, "http://as.test/"), "insecure");
    assert.equal(proxy.tunnels.length, 0);
  });

  it("are left aside where an exception says so, and the host is judged then", async () => {
    const network = networkWith({
      resolve: knowing({ "as.test": ["127.0.0.1"] }),
      network: () => surroundings({}, { proxy: proxy.url, noProxy: ["as.test"] }),
    });
    await netErrorOf(send(network, `https://as.test:${server.port}/`, { from: "public" }), "zone-escalation");
    assert.equal((await send(network, `https://as.test:${server.port}/`)).body, "fine");
    assert.equal(proxy.tunnels.length, 0);
  });

  it("have the name of the host verified all the same", async () => {
    const network = networkWith({ route: { proxy: proxy.url } });
    const error = await netErrorOf(
      send(network, "https://other.test/", { from: "public" }),
      "tls-wrong-host",
    );
    assert.equal(error.mayHaveRun, false);
    assert.equal(server.requests.length, 0);
  });

  it("are named when they fail", async () => {
    const { url } = proxy;
    await proxy.close();
    const network = networkWith({ network: () => surroundings({}, { proxy: url }) });
    await netErrorOf(send(network, "https://as.test/", { from: "public" }), "proxy-unreachable");
    const odd = networkWith({ route: { proxy: "socks5://127.0.0.1:1" } });
    await netErrorOf(send(odd, "https://as.test/", { from: "public" }), "proxy-unusable");
    await netErrorOf(odd.zoneOf(new URL("https://as.test/"), never), "proxy-unusable");
    proxy = await ConnectProxy.start(() => ({ kind: "close" }));
  });
});
