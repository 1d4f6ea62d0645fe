import assert from "node:assert/strict";

import { systemClock } from "../../../src/base/clock.ts";
import { createTransport } from "../../../src/client/createTransport.ts";
import { parseServers } from "../../../src/client/parseServers.ts";
import type { NetworkSettings } from "../../../src/net/networkSettings.ts";
import { CollectingListener, CollectingLog } from "../../support/collectingListener.ts";
import { ConnectProxy } from "../../support/connectProxy.ts";
import { surroundings } from "../../support/networkHelpers.ts";
import { type ScriptedHttp, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { never, request, resultOf } from "../../support/transportHelpers.ts";

describe("createTransport, over HTTP", () => {
  let server: ScriptedHttp;
  let proxy: ConnectProxy;
  const before_ = process.env["HTTP_PROXY"];

  beforeEach(async () => {
    server = await startScriptedHttp((exchange) => exchange.result({ ok: true }));
    proxy = await ConnectProxy.start(() => ({ kind: "tunnel", port: server.port }));
    process.env["HTTP_PROXY"] = proxy.url;
  });

  afterEach(async () => {
    if (before_ === undefined) delete process.env["HTTP_PROXY"];
    else process.env["HTTP_PROXY"] = before_;
    await proxy.close();
    await server.close();
  });

  /** How many tunnels one call of a server needs. */
  async function tunnels(entry: object, network?: NetworkSettings): Promise<number> {
    const [config] = parseServers({ s: { url: "http://mcp.internal.test/mcp", ...entry } }, "user").servers;
    assert.ok(config);
    const transport = await createTransport(
      { ...config, secrets: [] },
      { log: new CollectingLog(), clock: systemClock, network },
    );
    try {
      await transport.start(new CollectingListener());
      assert.deepEqual(resultOf(await transport.exchange(request(), { signal: never })), { ok: true });
    } finally {
      await transport.close();
    }
    return proxy.tunnels.length;
  }

  it("follows the environment where nothing else is said", async () => {
    assert.equal(await tunnels({}), 1);
  });

  it("follows what the editor says instead", async () => {
    assert.equal(await tunnels({}, surroundings({}, { proxy: proxy.url })), 1);
    await assert.rejects(tunnels({}, surroundings()), /not found/);
  });

  it("follows the server's own settings before all", async () => {
    assert.equal(await tunnels({ url: server.url, proxy: proxy.url }), 1);
    await assert.rejects(tunnels({ proxy: false }), /not found/);
  });
});
