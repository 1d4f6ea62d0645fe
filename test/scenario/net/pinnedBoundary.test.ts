import assert from "node:assert/strict";

import { exchangePinned } from "../../../src/net/pinnedExchange.ts";
import type { Zone } from "../../../src/net/zones.ts";
import { Canary, knowing, netErrorOf, pinnedNetwork, send } from "../../support/pinnedHelpers.ts";
import { type ScriptedHttp, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { never } from "../../support/transportHelpers.ts";

describe("the network boundary of authorization", () => {
  let canary: Canary;
  let server: ScriptedHttp;

  beforeEach(async () => {
    canary = await Canary.start();
    server = await startScriptedHttp((exchange) => exchange.json(200, { ok: true }));
  });

  afterEach(async () => {
    await canary.close();
    await server.close();
  });

  const INNER = knowing({
    "to-loopback.test": ["127.0.0.1"],
    "to-loopback6.test": ["::1"],
    "to-mapped.test": ["::ffff:127.0.0.1"],
    "to-private.test": ["10.0.0.1"],
    "to-cgnat.test": ["100.64.0.1"],
    "to-ula.test": ["fd00::1"],
    "metadata.test": ["169.254.169.254"],
    "all-inner.test": ["127.0.0.1", "::1"],
  });

  const targets: readonly (readonly [host: string, zone: Zone])[] = [
    ["127.0.0.1", "loopback"],
    ["2130706433", "loopback"],
    ["[::ffff:7f00:1]", "loopback"],
    ["localhost", "loopback"],
    ["LOCALHOST.", "loopback"],
    ["deep.localhost", "loopback"],
    ["to-loopback.test", "loopback"],
    ["to-loopback6.test", "loopback"],
    ["to-mapped.test", "loopback"],
    ["all-inner.test", "loopback"],
    ["10.1.2.3", "private"],
    ["192.168.0.1", "private"],
    ["[fd00:ec2::254]", "private"],
    ["to-private.test", "private"],
    ["to-cgnat.test", "private"],
    ["to-ula.test", "private"],
    ["169.254.169.254", "link-local"],
    ["metadata.test", "link-local"],
  ];
  for (const [host, zone] of targets) {
    // Attack: 73, 76
    it(`lets nothing public lead to ${host}, over http or https, by GET or POST`, async () => {
      const network = pinnedNetwork({ resolve: INNER });
      for (const url of [`http://${host}:${canary.port}/x`, `https://${host}:${canary.port}/x`]) {
        for (const method of ["GET", "POST"] as const) {
          const failed = send(network, url, { method, from: "public", body: "code=secret-1" });
          const error = await netErrorOf(failed, "zone-escalation");
          assert.equal(error.mayHaveRun, false);
          assert.deepEqual([error.args["from"], error.args["to"]], ["public", zone]);
          assert.doesNotMatch(error.message, /secret-1/);
        }
      }
      assert.equal(canary.connections, 0);
    });
  }

  const others: readonly (readonly [from: Zone, host: string, code: "zone-escalation" | "insecure"])[] = [
    ["private", "127.0.0.1", "zone-escalation"],
    ["private", "localhost", "zone-escalation"],
    ["private", "169.254.169.254", "zone-escalation"],
    ["loopback", "169.254.169.254", "zone-escalation"],
    ["loopback", "metadata.test", "zone-escalation"],
    ["link-local", "127.0.0.1", "zone-escalation"],
    ["link-local", "10.0.0.1", "zone-escalation"],
    ["private", "to-private.test", "insecure"],
    ["public", "8.8.8.8", "insecure"],
  ];
  for (const [from, host, code] of others) {
    // Attack: 80
    it(`${from} does not get to ${host} over http: ${code}`, async () => {
      const network = pinnedNetwork({ resolve: INNER });
      await netErrorOf(send(network, `http://${host}:${canary.port}/`, { from }), code);
      assert.equal(canary.connections, 0);
    });
  }

  it("lets this machine lead to itself, over plain http", async () => {
    const network = pinnedNetwork({ resolve: knowing({ "as.test": ["127.0.0.1"] }) });
    for (const host of ["127.0.0.1", "localhost", "as.test"]) {
      const answer = await send(network, `http://${host}:${server.port}/x?y=1`);
      assert.deepEqual([answer.status, answer.body], [200, '{"ok":true}']);
    }
    assert.deepEqual(
      server.requests.map(({ path, headers }) => [path, headers.host?.split(":")[0]]),
      [
        ["/x?y=1", "127.0.0.1"],
        ["/x?y=1", "localhost"],
        ["/x?y=1", "as.test"],
      ],
    );
  });

  it("sends what it is given, asks for no encoding, and says who it is", async () => {
    const network = pinnedNetwork();
    const headers = { "Content-Type": "text/plain", "ACCEPT-Encoding": "gzip", authorization: "Basic eDp5" };
    await send(network, `http://127.0.0.1:${server.port}/t`, { method: "POST", headers, body: "ä=1" });
    const [request] = server.requests;
    assert.equal(request?.method, "POST");
    assert.equal(request.body, "ä=1");
    assert.equal(request.headers["accept-encoding"], "identity");
    assert.equal(request.headers["content-type"], "text/plain");
    assert.equal(request.headers.authorization, "Basic eDp5");
    assert.equal(request.headers.connection, "close");
    assert.ok(!network.log.lines.join("\n").includes("eDp5"));
  });

  it("names a header that HTTP does not allow, and not its value", async () => {
    const headers = { authorization: "Basic se\r\ncret-1" };
    const failed = send(pinnedNetwork(), `http://127.0.0.1:${server.port}/`, { headers });
    const error = await netErrorOf(failed, "invalid-header");
    assert.match(error.message, /authorization/);
    assert.doesNotMatch(error.message, /cret-1/);
    assert.equal(server.requests.length, 0);
  });

  // Attack: 74
  it("resolves once for each request, so that a second answer changes nothing", async () => {
    const other = await Canary.start("127.0.0.2", server.port);
    try {
      const resolve = knowing({ "as.test": [["127.0.0.1"], ["127.0.0.2"]] });
      assert.equal((await send(pinnedNetwork({ resolve }), `http://as.test:${server.port}/`)).status, 200);
      assert.deepEqual(resolve.asked, ["as.test"]);
      assert.deepEqual([server.connections, other.connections], [1, 0]);
    } finally {
      await other.close();
    }
  });

  // Attack: 75
  it("contacts none of several addresses when one of them is elsewhere, or nowhere", async () => {
    const resolve = knowing({
      "mixed.test": ["127.0.0.1", "10.0.0.1"],
      "odd.test": ["127.0.0.1", "0.0.0.0"],
      "fake.test": ["198.18.0.7"],
    });
    const network = pinnedNetwork({ resolve });
    const error = await netErrorOf(send(network, `http://mixed.test:${canary.port}/`), "zone-mixed");
    assert.match(error.message, /127\.0\.0\.1, 10\.0\.0\.1/);
    await netErrorOf(send(network, `http://odd.test:${canary.port}/`), "zone-blocked");
    const fake = await netErrorOf(send(network, `http://fake.test:${canary.port}/`), "fake-address");
    assert.match(fake.remedy ?? "", /signalbox\.oauth\.fakeIpRanges/);
    assert.equal(canary.connections, 0);
  });

  // Attack: 83, 77
  it("makes a new connection for each request, and judges it anew", async () => {
    const resolve = knowing({
      "as.test": [["127.0.0.1"], ["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["10.0.0.1"]],
    });
    const network = pinnedNetwork({ resolve });
    const url = `http://as.test:${server.port}/`;
    await send(network, url);
    await send(network, url);
    assert.equal(server.connections, 2);
    await netErrorOf(send(network, url), "zone-mixed");
    await netErrorOf(send(network, url, { from: "public" }), "zone-escalation");
    assert.equal(server.connections, 2);
    assert.equal(resolve.asked.length, 4);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    // Attack: 4, 43
    it(`hands a redirect back as an answer, and follows it nowhere: ${status}`, async () => {
      server.handler = (exchange) =>
        exchange.answer(status, "gone", { location: `http://127.0.0.1:${canary.port}/` });
      const failed = await send(pinnedNetwork(), `http://127.0.0.1:${server.port}/`, {
        method: "POST",
        body: "x",
      });
      assert.equal(failed.status, status);
      assert.equal(failed.headers["location"], `http://127.0.0.1:${canary.port}/`);
      assert.deepEqual([server.connections, canary.connections], [1, 0]);
    });
  }

  it("tries the addresses of a host one after the other, all of one zone", async () => {
    const resolve = knowing({ "as.test": ["127.0.0.3", "127.0.0.1"] });
    assert.equal((await send(pinnedNetwork({ resolve }), `http://as.test:${server.port}/`)).status, 200);
  });

  it("sends nothing over a connection that led elsewhere than to the addresses that were judged", async () => {
    const given = {
      request: { method: "POST" as const, headers: {}, body: "secret-1" },
      secureContext: undefined,
    };
    const exchange = exchangePinned({
      serverName: "demo",
      url: new URL(`http://127.0.0.1:${canary.port}/`),
      route: { zone: "loopback", proxy: undefined, addresses: ["127.0.0.2", "::1"] },
      ...given,
      proxyContext: undefined,
      tlsServerName: undefined,
      signal: never,
      onConnected: () => assert.fail("It was used"),
    });
    const error = await netErrorOf(exchange, "address-changed");
    assert.equal(error.mayHaveRun, false);
    assert.equal(canary.bytes, 0);
  });

  it("tells the zone of a host without contacting it", async () => {
    const network = pinnedNetwork({
      resolve: knowing({
        "as.test": ["8.8.8.8", "2606:4700::1"],
        "inner.test": ["10.0.0.1"],
        "mixed.test": ["10.0.0.1", "::1"],
      }),
    });
    const zoneOf = (host: string) => network.zoneOf(new URL(`https://${host}:${canary.port}/`), never);
    assert.deepEqual(await zoneOf("as.test"), { zone: "public", proxy: undefined });
    assert.deepEqual(await zoneOf("inner.test"), { zone: "private", proxy: undefined });
    assert.deepEqual(await zoneOf("[::1]"), { zone: "loopback", proxy: undefined });
    await netErrorOf(zoneOf("mixed.test"), "zone-mixed");
    await netErrorOf(zoneOf("gone.test"), "dns");
    assert.equal(canary.connections, 0);
  });

  it("takes fake addresses for public ones where the settings say so, but never written in an address", async () => {
    const resolve = knowing({ "as.test": ["198.18.0.7"] });
    const network = pinnedNetwork({ resolve, fakeIpRanges: ["198.18.0.0/15", "127.0.0.0/8", "no range"] });
    assert.equal((await network.zoneOf(new URL("https://as.test/"), never)).zone, "public");
    await netErrorOf(send(network, `https://198.18.0.7:${canary.port}/`, { from: "public" }), "zone-blocked");
    await netErrorOf(
      send(network, `https://127.0.0.1:${canary.port}/`, { from: "public" }),
      "zone-escalation",
    );
    assert.ok(network.log.lines.some((line) => /^warn .*fakeIpRanges.*no range/.test(line)));
    assert.equal(canary.connections, 0);
  });
});
