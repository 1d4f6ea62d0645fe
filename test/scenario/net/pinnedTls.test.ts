import assert from "node:assert/strict";
import net from "node:net";
import tls from "node:tls";

import type { RouteOptions } from "../../../src/net/networkSettings.ts";
import { type Certificate, TestAuthority } from "../../support/makeCertificates.ts";
import { knowing, netErrorOf, pinnedNetwork, send } from "../../support/pinnedHelpers.ts";
import { SecureServer, type SecureServerOptions } from "../../support/secureServer.ts";

describe("secure connections to authorization", () => {
  let authority: TestAuthority;
  let client: Certificate;
  let server: SecureServer | undefined;

  before(async () => {
    authority = await TestAuthority.create();
    client = await authority.issue();
  });

  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function start(
    names: readonly string[],
    more: Partial<SecureServerOptions> = {},
  ): Promise<SecureServer> {
    server = await SecureServer.start({ ...(await authority.issue({ names })), ...more }, (_, response) => {
      response.end("fine");
    });
    return server;
  }

  const resolve = knowing({ "as.test": ["127.0.0.1"], "other.test": ["127.0.0.1"], "as6.test": ["::1"] });
  const trusting: RouteOptions["tls"] = {};

  function networkWith(tls: RouteOptions["tls"] = trusting, endpoint?: string) {
    const route: RouteOptions = { tls: { ca: authority.cert, ...tls } };
    return pinnedNetwork({
      resolve,
      route,
      ...(endpoint === undefined ? {} : { endpoint: new URL(endpoint) }),
    });
  }

  // Attack: 82
  it("go to the address, and are verified for the name", async () => {
    const { port, requests } = await start(["as.test"]);
    const network = networkWith();
    assert.equal((await send(network, `https://as.test:${port}/`)).body, "fine");
    for (const url of [
      `https://other.test:${port}/`,
      `https://127.0.0.1:${port}/`,
      `https://localhost:${port}/`,
    ]) {
      const error = await netErrorOf(send(network, url, { method: "POST", body: "x" }), "tls-wrong-host");
      assert.match(error.message, /as\.test/);
      assert.equal(error.mayHaveRun, false);
    }
    assert.equal(requests.length, 1);
  });

  it("are verified for an address where there is no name", async () => {
    const { port } = await start(["127.0.0.1"]);
    assert.equal((await send(networkWith(), `https://127.0.0.1:${port}/`)).body, "fine");
    await netErrorOf(send(networkWith(), `https://as.test:${port}/`), "tls-wrong-host");
  });

  it("say the name of the host in the handshake, and speak HTTP/1.1", async () => {
    const names: (string | undefined)[] = [];
    const { port, requests } = await start(["as6.test"], {
      host: "::1",
      http2: true,
      SNICallback: (name, callback) => {
        names.push(name);
        callback(null);
      },
    });
    await send(networkWith(), `https://as6.test:${port}/`);
    assert.deepEqual(names, ["as6.test"]);
    assert.equal(requests[0]?.httpVersion, "1.1");
  });

  it("trust nobody whom nothing names", async () => {
    const { port, requests } = await start(["as.test"]);
    const error = await netErrorOf(
      send(pinnedNetwork({ resolve }), `https://as.test:${port}/`),
      "tls-unknown-authority",
    );
    assert.equal(error.mayHaveRun, false);
    assert.equal(requests.length, 0);
  });

  describe("where a client certificate is asked for", () => {
    const asking = { requestCert: true, rejectUnauthorized: false };

    it("show it to the server itself, and to nobody else", async () => {
      const { port, requests } = await start(["as.test", "other.test"], asking);
      const network = networkWith({ cert: client.cert, key: client.key }, `https://as.test:${port}/mcp`);
      await send(network, `https://as.test:${port}/.well-known/oauth-protected-resource`);
      await send(network, `https://other.test:${port}/token`, { method: "POST", body: "x" });
      await send(network, `https://as.test:${port}/again`);
      assert.deepEqual(
        requests.map((request) => request.client),
        ["client", undefined, "client"],
      );
    });

    it("show it to nobody when nothing says who the server is", async () => {
      const { port, requests } = await start(["as.test"], asking);
      await send(networkWith({ cert: client.cert, key: client.key }), `https://as.test:${port}/`);
      assert.equal(requests[0]?.client, undefined);
    });
  });

  it("expect another name only of the server itself", async () => {
    const { port } = await start(["inner.test"]);
    const network = networkWith({ serverName: "inner.test" }, `https://as.test:${port}/mcp`);
    assert.equal((await send(network, `https://as.test:${port}/`)).body, "fine");
    await netErrorOf(send(network, `https://other.test:${port}/`), "tls-wrong-host");
  });

  describe("in an editor that makes sockets first and connects them later", () => {
    const originals = { net: net.connect, tls: tls.connect };

    /** Connects once its certificates are there, as the editor's own functions do. */
    function connectLater(options: net.TcpNetConnectOpts): net.Socket {
      const socket = new net.Socket();
      Object.assign(socket, { connecting: true });
      void Promise.resolve().then(() => socket.connect(options));
      return socket;
    }

    beforeEach(() => {
      net.connect = connectLater as typeof net.connect;
      tls.connect = ((options: tls.ConnectionOptions & net.TcpNetConnectOpts) =>
        originals.tls({ ...options, socket: options.socket ?? connectLater(options) })) as typeof tls.connect;
    });

    afterEach(() => {
      net.connect = originals.net;
      tls.connect = originals.tls;
    });

    it("are judged by the address that was reached all the same", async () => {
      const { port, requests } = await start(["as.test", "localhost"]);
      const network = networkWith();
      assert.equal((await send(network, `https://as.test:${port}/`)).body, "fine");
      assert.equal((await send(network, `https://localhost:${port}/`)).body, "fine");
      await netErrorOf(send(network, `https://other.test:${port}/`), "tls-wrong-host");
      await netErrorOf(send(network, `https://as.test:${port}/`, { from: "public" }), "zone-escalation");
      assert.equal(requests.length, 2);
    });
  });

  // Attack: 74
  it("prove where a name leads before anything may be led there", async () => {
    const { port, requests } = await start(["as.test"]);
    const network = networkWith();
    const boundaryOf = (name: string) =>
      network.zoneOf(new URL(`https://${name}:${port}/mcp`), new AbortController().signal, {
        isBoundary: true,
      });
    assert.deepEqual(await boundaryOf("as.test"), { zone: "loopback", proxy: undefined });
    // A name of somebody else that was made to stand for this machine.
    const error = await netErrorOf(boundaryOf("other.test"), "tls-wrong-host");
    assert.equal(error.mayHaveRun, false);
    // An address needs nobody's word.
    assert.equal((await boundaryOf("127.0.0.1")).zone, "loopback");
    assert.equal(requests.length, 0);
  });

  it("use no session of an earlier one", async () => {
    const { port, sockets } = await start(["as.test"]);
    const reused: boolean[] = [];
    if (server !== undefined) {
      server.handler = (_, response) => {
        for (const socket of sockets) reused.push(socket.isSessionReused());
        response.end("fine");
      };
    }
    const network = networkWith();
    for (let count = 0; count < 2; count += 1) await send(network, `https://as.test:${port}/`);
    assert.ok(reused.length >= 2);
    assert.ok(!reused.includes(true));
  });
});
