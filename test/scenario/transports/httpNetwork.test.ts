import assert from "node:assert/strict";
import { createServer as createTlsServer } from "node:https";
import { createServer, type Server } from "node:net";

import { NetError, type NetErrorCode } from "../../../src/net/netError.ts";
import { DEFAULT_LIMITS } from "../../../src/protocol/limits.ts";
import { createHttpTransport } from "../../../src/protocol/transports/http/httpTransport.ts";
import { CollectingListener, CollectingLog } from "../../support/collectingListener.ts";
import { SELF_SIGNED } from "../../support/selfSigned.ts";
import { never, request } from "../../support/transportHelpers.ts";

describe("HTTP transport, when the network fails", () => {
  async function fail(url: string): Promise<NetError> {
    const transport = createHttpTransport({
      serverName: "demo",
      url,
      headers: {},
      limits: DEFAULT_LIMITS,
      log: new CollectingLog(),
    });
    try {
      await transport.start(new CollectingListener());
      await transport.exchange(request(), { signal: never });
      throw new Error("no error");
    } catch (error) {
      assert.ok(error instanceof NetError, String(error));
      return error;
    } finally {
      await transport.close();
    }
  }

  async function withServer(
    onSocket: (server: Server) => void,
    test: (port: number) => Promise<void>,
  ): Promise<void> {
    const server = createServer();
    onSocket(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      await test((server.address() as { port: number }).port);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  }

  it("names a refused connection", async () => {
    let free = 0;
    await withServer(
      () => undefined,
      async (port) => {
        free = port;
      },
    );
    const error = await fail(`http://127.0.0.1:${free}/mcp`);
    assert.equal(error.code satisfies NetErrorCode, "refused");
    assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${free}.*“demo”`));
    assert.equal(error.mayHaveRun, false);
  });

  it("names a host that does not exist", async () => {
    assert.equal((await fail("http://no-such-host.invalid/mcp")).code, "dns");
  });

  it("names a connection that is cut before the answer, as one that may have run", async () => {
    await withServer(
      (server) => server.on("connection", (socket) => socket.once("data", () => socket.resetAndDestroy())),
      async (port) => {
        const error = await fail(`http://127.0.0.1:${port}/mcp`);
        assert.equal(error.code, "reset");
        assert.equal(error.mayHaveRun, true);
      },
    );
  });

  it("names what is not HTTP", async () => {
    await withServer(
      (server) =>
        server.on("connection", (socket) => socket.once("data", () => socket.end("SSH-2.0-demo\r\n"))),
      async (port) => assert.equal((await fail(`http://127.0.0.1:${port}/mcp`)).code, "bad-http"),
    );
  });

  it("names TLS when the server speaks none", async () => {
    await withServer(
      (server) =>
        server.on("connection", (socket) => {
          socket.on("error", () => undefined).once("data", () => socket.end("HTTP/1.1 400 Bad\r\n\r\n"));
        }),
      async (port) => assert.equal((await fail(`https://127.0.0.1:${port}/mcp`)).code, "tls-none"),
    );
  });

  it("trusts no certificate that nobody vouches for, and says so", async () => {
    let requests = 0;
    const server = createTlsServer(SELF_SIGNED, () => (requests += 1));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const error = await fail(`https://127.0.0.1:${(server.address() as { port: number }).port}/mcp`);
      assert.equal(error.code, "tls-self-signed");
      assert.match(error.message, /self-signed certificate/);
      assert.equal(error.mayHaveRun, false);
      assert.equal(requests, 0);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it("refuses addresses and headers that cannot be used", async () => {
    for (const url of ["not a url", "ftp://h/mcp", ""]) assert.equal((await fail(url)).code, "invalid-url");
    const transport = createHttpTransport({
      serverName: "demo",
      url: "http://127.0.0.1:1/mcp",
      headers: { "X-Key": "a\nb" },
      limits: DEFAULT_LIMITS,
      log: new CollectingLog(),
    });
    await assert.rejects(
      transport.start(new CollectingListener()),
      (error) => error instanceof NetError && error.code === "invalid-header",
    );
    await transport.close();
  });
});
