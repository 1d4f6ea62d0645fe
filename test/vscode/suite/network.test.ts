import assert from "node:assert/strict";
import * as vscode from "vscode";
import { ConnectProxy } from "../../support/connectProxy.ts";
import { type ScriptedHttp, startScriptedHttp } from "../../support/scriptedHttp.ts";
import { activated, run } from "./hostSupport.ts";

const SERVER = "network-demo";
const ENTRY = { url: "http://mcp.internal.test/mcp", protocol: "2025-11-25" };

describe("host: network settings of the editor", () => {
  let server: ScriptedHttp;
  let proxy: ConnectProxy;

  before(async () => {
    await activated();
    server = await startScriptedHttp((exchange) => {
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
    });
    proxy = await ConnectProxy.start(() => ({ kind: "tunnel", port: server.port }));
    await run("addServer", { name: SERVER, definition: ENTRY });
  });

  after(async () => {
    await set("proxy", undefined);
    await run("removeServer", SERVER, { force: true });
    await proxy.close();
    await server.close();
  });

  async function set(key: string, value: unknown): Promise<void> {
    await vscode.workspace.getConfiguration("http").update(key, value, vscode.ConfigurationTarget.Global);
  }

  async function stateOf(): Promise<string | undefined> {
    const api = await activated();
    return api.servers().find(({ id }) => id === SERVER)?.state;
  }

  it("lead through its proxy", async () => {
    await set("proxy", proxy.url);
    await run("connect", SERVER);
    assert.equal(await stateOf(), "connected");
    assert.ok(proxy.tunnels.length > 0);
    assert.ok(proxy.tunnels.every(({ target }) => target === "mcp.internal.test:80"));
  });
});
