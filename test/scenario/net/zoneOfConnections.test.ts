import assert from "node:assert/strict";

import { NetError } from "../../../src/net/netError.ts";
import type { RouteOptions } from "../../../src/net/networkSettings.ts";
import { openOrigin } from "../../../src/net/openOrigin.ts";
import type { OngoingRequest, OriginPool } from "../../../src/net/originPool.ts";
import { readAddressRanges } from "../../../src/net/addressRanges.ts";
import { zoneCheck } from "../../../src/net/zoneCheck.ts";
import type { Zone } from "../../../src/net/zones.ts";
import { CollectingLog } from "../../support/collectingListener.ts";
import { ConnectProxy } from "../../support/connectProxy.ts";
import { surroundings } from "../../support/networkHelpers.ts";
import { Canary } from "../../support/pinnedHelpers.ts";
import { type ScriptedHttp, type ScriptedStream, startScriptedHttp } from "../../support/scriptedHttp.ts";

describe("connections to a server that somebody signed in to", () => {
  let server: ScriptedHttp;
  let pool: OriginPool | undefined;
  let zone: Zone | undefined;

  beforeEach(async () => {
    zone = undefined;
    server = await startScriptedHttp((exchange) => exchange.json(200, { ok: true }));
  });

  afterEach(async () => {
    await pool?.destroy();
    pool = undefined;
    await server.close();
  });

  async function open(url: string, route: RouteOptions = {}): Promise<OriginPool> {
    pool = await openOrigin({
      serverName: "demo",
      url: new URL(url),
      connections: 4,
      route,
      network: surroundings(),
      log: new CollectingLog(),
      zone: () => zone,
    });
    return pool;
  }

  /** The status of one request, or the code of its error. */
  async function ask(target: OriginPool): Promise<number | string> {
    const outcome = await new Promise<number | string>((resolve) => {
      let status = 0;
      target.send(
        { method: "POST", path: "/mcp", headers: { authorization: "Bearer secret-1" }, body: "{}" },
        {
          onHead: (head) => (status = head),
          onData: () => undefined,
          onEnd: () => resolve(status),
          onError: (error) => {
            assert.ok(error instanceof NetError, String(error));
            assert.equal(error.mayHaveRun, false);
            assert.match(error.message, /“demo”/);
            resolve(error.code);
          },
        },
      );
    });
    // A connection is free again one turn after its answer.
    await new Promise((resolve) => setImmediate(resolve));
    return outcome;
  }

  it("are kept, and not looked at, as long as nobody has", async () => {
    const target = await open(server.url);
    assert.deepEqual([await ask(target), await ask(target)], [200, 200]);
    assert.equal(server.connections, 1);
  });

  // Attack: 77
  it("get not a byte when the server is in another zone now", async () => {
    const canary = await Canary.start();
    zone = "public";
    try {
      for (const scheme of ["http", "https"]) {
        const target = await open(`${scheme}://127.0.0.1:${canary.port}/mcp`);
        assert.equal(await ask(target), "zone-changed");
        await target.destroy();
      }
      assert.equal(canary.bytes, 0);
    } finally {
      await canary.close();
    }
  });

  it("are used where the server is in its zone, and kept", async () => {
    zone = "loopback";
    const target = await open(server.url);
    assert.deepEqual([await ask(target), await ask(target)], [200, 200]);
    assert.equal(server.connections, 1);
  });

  // Attack: 77, 83
  it("that were made before the sign-in carry no credential after it", async () => {
    const target = await open(server.url);
    assert.equal(await ask(target), 200);
    zone = "public";
    assert.equal(await ask(target), "zone-changed");
    assert.equal(server.requests.length, 1);
    zone = "loopback";
    assert.equal(await ask(target), 200);
    assert.equal(await ask(target), 200);
    // One without a zone, one that was refused, one that is kept.
    assert.equal(server.connections, 3);
  });

  it("that carry a stream let it end by itself", async () => {
    const target = await open(server.url);
    let stream: ScriptedStream | undefined;
    server.handler = (exchange) => {
      if (exchange.method === "POST") exchange.json(200, { ok: true });
      else stream = exchange.stream();
    };
    const received: string[] = [];
    let arrived = (): void => undefined;
    let ongoing: OngoingRequest | undefined;
    const opened = new Promise<void>((resolve) => (arrived = resolve));
    const ended = new Promise<void>((resolve, reject) => {
      ongoing = target.send(
        { method: "GET", path: "/mcp", headers: {} },
        {
          onHead: arrived,
          onData: (chunk) => received.push(chunk.toString()),
          onEnd: resolve,
          onError: reject,
        },
      );
    });
    await opened;
    zone = "loopback";
    assert.equal(await ask(target), 200);
    stream?.raw("still here");
    stream?.end();
    await ended;
    assert.equal(received.join(""), "still here");
    ongoing?.dispose();
  });

  it("are all closed at the end, also those that were left behind", async () => {
    const target = await open(server.url);
    let opened = (): void => undefined;
    const begun = new Promise<void>((resolve) => (opened = resolve));
    const abandoned = new Promise<void>((resolve) => {
      server.handler = (exchange) => {
        exchange.stream().raw("x");
        void exchange.abandoned.then(resolve);
      };
    });
    const failed = new Promise<Error>((resolve) => {
      target.send(
        { method: "GET", path: "/mcp", headers: {} },
        { onHead: opened, onData: () => undefined, onEnd: () => undefined, onError: resolve },
      );
    });
    await begun;
    server.handler = (exchange) => exchange.json(200, { ok: true });
    zone = "loopback";
    assert.equal(await ask(target), 200);
    await target.destroy();
    await abandoned;
    assert.ok((await failed) instanceof Error);
  });

  it("through a proxy are its affair", async () => {
    const proxy = await ConnectProxy.start(() => ({ kind: "tunnel", port: server.port }));
    try {
      zone = "public";
      const target = await open("http://mcp.internal.test/mcp", { proxy: proxy.url });
      assert.equal(await ask(target), 200);
      await target.destroy();
    } finally {
      await proxy.close();
    }
  });
});

describe("zoneCheck", () => {
  const check = (host: string, zone: Zone | undefined, fakeIpRanges: readonly string[] = []) =>
    zoneCheck({
      serverName: "demo",
      url: new URL(`https://${host}/mcp`),
      zone: () => zone,
      fakeRanges: readAddressRanges(fakeIpRanges),
    });
  const fails = (address: string, work: (address: string) => void, actual: string): void => {
    assert.throws(
      () => work(address),
      (error) =>
        error instanceof NetError && error.code === "zone-changed" && error.args["actual"] === actual,
    );
  };

  it("admits what is in the zone, and anything where there is none", () => {
    check("mcp.test", "public")("8.8.8.8");
    check("mcp.test", "private")("::ffff:10.0.0.1");
    check("mcp.test", undefined)("0.0.0.0");
  });

  it("refuses what is elsewhere, also further outside", () => {
    fails("10.0.0.1", check("mcp.test", "public"), "private");
    fails("8.8.8.8", check("mcp.test", "private"), "public");
    fails("::1", check("mcp.test", "private"), "loopback");
    fails("198.18.0.1", check("mcp.test", "public"), "blocked");
    fails("", check("mcp.test", "public"), "blocked");
  });

  it("knows fake addresses, of names alone", () => {
    check("mcp.test", "public", ["198.18.0.0/15"])("198.18.0.1");
    fails("198.18.0.1", check("198.18.0.1", "public", ["198.18.0.0/15"]), "blocked");
  });
});
