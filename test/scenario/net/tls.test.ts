import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { NetError, type NetErrorCode } from "../../../src/net/netError.ts";
import { openOrigin } from "../../../src/net/openOrigin.ts";
import { CollectingLog } from "../../support/collectingListener.ts";
import {
  type Certificate,
  type CertificateOptions,
  makeSelfSigned,
  TestAuthority,
} from "../../support/makeCertificates.ts";
import { callOnce, failToSend, openTransport, surroundings } from "../../support/networkHelpers.ts";
import { SecureServer, type SecureServerOptions } from "../../support/secureServer.ts";

const HERE = ["localhost", "127.0.0.1", "::1"];

describe("secure connections", () => {
  let authority: TestAuthority;
  let server: SecureServer | undefined;

  before(async () => {
    authority = await TestAuthority.create();
  });

  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  async function start(
    certificate: Certificate | CertificateOptions,
    options: Partial<SecureServerOptions> = {},
  ): Promise<SecureServer> {
    const own = "cert" in certificate ? certificate : await authority.issue(certificate);
    server = await SecureServer.start({ ...own, ...options });
    return server;
  }

  it("trust a private authority that the server's settings name", async () => {
    const { url } = await start({ names: HERE });
    assert.deepEqual(await callOnce(url, { tls: { ca: authority.cert } }), { ok: true });
  });

  it("trust a private authority that NODE_EXTRA_CA_CERTS names", async () => {
    const { url } = await start({ names: HERE });
    const folder = await mkdtemp(join(tmpdir(), "signalbox-ca-"));
    try {
      const file = join(folder, "ca.pem");
      await writeFile(file, `# comment\n${authority.cert}`);
      assert.deepEqual(await callOnce(url, {}, surroundings({ NODE_EXTRA_CA_CERTS: file })), { ok: true });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("go on without a file of authorities that is not there, and log that", async () => {
    const { url } = await start({ names: HERE });
    const network = surroundings({ NODE_EXTRA_CA_CERTS: "/no/such/ca.pem" });
    const { transport, log } = await openTransport(url, { tls: { ca: authority.cert } }, network);
    await transport.close();
    assert.ok(log.lines.some((line) => /^warn .*\/no\/such\/ca\.pem.*ENOENT/.test(line)));
  });

  it("know the authorities of the system without holding up everything else", async () => {
    const { url } = await start({ names: HERE });
    const network = surroundings({}, { systemCertificates: true });
    let turns = 0;
    const turn = setInterval(() => (turns += 1), 1);
    try {
      assert.deepEqual(await callOnce(url, { tls: { ca: authority.cert } }, network), { ok: true });
    } finally {
      clearInterval(turn);
    }
    assert.ok(turns > 0);
  });

  const rows: readonly [
    name: string,
    certificate: CertificateOptions,
    code: NetErrorCode,
    message: RegExp,
    remedy: RegExp,
  ][] = [
    [
      "has expired",
      { names: HERE, fromDays: -10, untilDays: -1 },
      "tls-expired",
      /127\.0\.0\.1:\d+ has expired/,
      /renewed/,
    ],
    [
      "is not valid yet",
      { names: HERE, fromDays: 1, untilDays: 10 },
      "tls-not-yet-valid",
      /not valid yet/,
      /clock/,
    ],
    [
      "is for another host",
      { names: ["other.test"] },
      "tls-wrong-host",
      /127\.0\.0\.1:\d+.*other\.test/s,
      /tls\.serverName/,
    ],
  ];
  for (const [name, certificate, code, message, remedy] of rows) {
    it(`name a certificate that ${name}, and send nothing`, async () => {
      const { url, requests } = await start(certificate);
      const error = await failToSend(url, code, { tls: { ca: authority.cert } });
      assert.match(error.message, message);
      assert.match(error.remedy ?? "", remedy);
      assert.equal(requests.length, 0);
    });
  }

  it("name an unknown authority, and where to make it known", async () => {
    const { url, requests } = await start({ names: HERE });
    const error = await failToSend(url, "tls-unknown-authority");
    assert.match(error.remedy ?? "", /tls\.ca.*NODE_EXTRA_CA_CERTS/);
    const withChain = await authority.issue({ names: HERE });
    await server?.close();
    const { url: other } = await start({
      key: withChain.key,
      cert: `${withChain.cert}\n${authority.cert}`,
    });
    await failToSend(other, "tls-unknown-authority");
    assert.equal(requests.length, 0);
  });

  it("trust a self-signed certificate only where the settings name that very one", async () => {
    const certificate = await makeSelfSigned({ names: HERE });
    const another = await makeSelfSigned({ names: HERE });
    const { url, requests } = await start(certificate);
    await failToSend(url, "tls-self-signed");
    await failToSend(url, "tls-self-signed", { tls: { ca: another.cert } });
    assert.equal(requests.length, 0);
    assert.deepEqual(await callOnce(url, { tls: { ca: certificate.cert } }), { ok: true });
  });

  it("expect the name that the settings say", async () => {
    const { url } = await start({ names: ["inner.test"] });
    const ca = authority.cert;
    assert.deepEqual(await callOnce(url, { tls: { ca, serverName: "inner.test" } }), { ok: true });
    await failToSend(url, "tls-wrong-host", { tls: { ca, serverName: "outer.test" } });
  });

  it("stay verified whatever the environment says", async () => {
    const { url, requests } = await start({ names: HERE });
    const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    const emitWarning = process.emitWarning.bind(process);
    process.emitWarning = () => undefined;
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      await failToSend(url, "tls-unknown-authority");
    } finally {
      if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
      else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
      process.emitWarning = emitWarning;
    }
    assert.equal(requests.length, 0);
  });

  it("reach a server over IPv6", async () => {
    const { port } = await start({ names: HERE }, { host: "::1" });
    assert.deepEqual(await callOnce(`https://[::1]:${port}/mcp`, { tls: { ca: authority.cert } }), {
      ok: true,
    });
  });

  for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
    describe(`with a client certificate, in ${version}`, () => {
      const mutual = (): Partial<SecureServerOptions> => ({
        requestCert: true,
        rejectUnauthorized: true,
        ca: authority.cert,
        minVersion: version,
        maxVersion: version,
      });

      it("show it", async () => {
        const { url, requests } = await start({ names: HERE }, mutual());
        const client = await authority.issue();
        assert.deepEqual(await callOnce(url, { tls: { ca: authority.cert, ...client } }), { ok: true });
        assert.equal(requests[0]?.client, "client");
      });

      it("name its absence, and send nothing", async () => {
        const { url, requests } = await start({ names: HERE }, mutual());
        const error = await failToSend(url, "tls-client-certificate", { tls: { ca: authority.cert } });
        assert.match(error.remedy ?? "", /tls\.cert/);
        assert.equal(requests.length, 0);
      });

      it("send nothing where the server does not accept it", async () => {
        const { url, requests } = await start({ names: HERE }, mutual());
        const stranger = await (await TestAuthority.create("Another authority")).issue();
        // Servers on Node.js hang up without saying why; others send an alert.
        await assert.rejects(
          callOnce(url, { tls: { ca: authority.cert, ...stranger } }),
          (error) => error instanceof NetError && error.message.includes(new URL(url).host),
        );
        assert.equal(requests.length, 0);
      });
    });
  }

  it("name settings that the platform refuses", async () => {
    const { url } = await start({ names: HERE });
    const tls = { cert: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", key: "x" };
    await failToSend(url, "tls-settings", { tls });
  });

  describe("with a server that is none", () => {
    const sockets = new Set<Socket>();
    let listening: Server;

    async function listen(onSocket: (socket: Socket) => void): Promise<string> {
      listening = createServer((socket) => {
        sockets.add(socket);
        socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
        onSocket(socket);
      });
      await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
      return `https://127.0.0.1:${(listening.address() as { port: number }).port}/mcp`;
    }

    afterEach(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listening.close(resolve));
    });

    it("name one that speaks no TLS", async () => {
      const url = await listen((socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad\r\n\r\n")));
      const error = await failToSend(url, "tls-none");
      assert.match(error.remedy ?? "", /http instead of https/);
    });

    it("name one that hangs up during the handshake, as one that nothing was sent to", async () => {
      for (const hangUp of [
        (socket: Socket) => socket.once("data", () => socket.resetAndDestroy()),
        (socket: Socket) => socket.resume().end(),
      ]) {
        const url = await listen(hangUp);
        const error = await failToSend(url, "connect-closed");
        assert.match(error.message, /Nothing was sent/);
        await new Promise((resolve) => listening.close(resolve));
      }
      await listen(() => undefined);
    });

    it("give up on one that never answers the handshake", async () => {
      const url = await listen(() => undefined);
      const pool = await openOrigin({
        serverName: "demo",
        url: new URL(url),
        connections: 1,
        route: {},
        network: surroundings(),
        log: new CollectingLog(),
        connectMs: 200,
      });
      const error = await new Promise<Error>((resolve, reject) => {
        pool.send(
          { method: "GET", path: "/mcp", headers: {} },
          { onHead: reject, onData: reject, onEnd: () => reject(new Error("an end")), onError: resolve },
        );
      });
      await pool.destroy();
      assert.ok(error instanceof NetError && error.code === "connect-timeout", String(error));
      assert.equal(error.mayHaveRun, false);
    });
  });
});
