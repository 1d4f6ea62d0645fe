import assert from "node:assert/strict";
import http from "node:http";
import net from "node:net";
import { networkInterfaces } from "node:os";

import { silentLog } from "../../../src/base/log.ts";
import { AuthError } from "../../../src/auth/authError.ts";
import { ENGLISH_ANSWER_TEXTS } from "../../../src/auth/loopback/answerTexts.ts";
import {
  type AnswerListener,
  listenForAnswer,
  type ListenOptions,
} from "../../../src/auth/loopback/listenForAnswer.ts";
import type { AnswerPage } from "../../../src/auth/model/signInPorts.ts";
import { FakeClock } from "../../support/fakeClock.ts";

const open: AnswerListener[] = [];
const sockets: net.Socket[] = [];

async function listen(change: Partial<ListenOptions> = {}): Promise<AnswerListener> {
  const listener = await listenForAnswer({
    serverName: "Files",
    host: "127.0.0.1",
    port: undefined,
    path: "/callback",
    offer: (query) => (query === "state=right" ? "taken" : "unknown"),
    texts: ENGLISH_ANSWER_TEXTS,
    clock: new FakeClock(),
    log: silentLog,
    ...change,
  });
  open.push(listener);
  return listener;
}

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** One request on a connection of its own; undefined when the connection is cut instead of answered. */
function ask(
  url: string,
  options: { method?: string; headers?: http.OutgoingHttpHeaders; target?: string; address?: string } = {},
): Promise<Answer | undefined> {
  const { hostname, port, pathname, search, host } = new URL(url);
  return new Promise((resolve) => {
    const request = http.request({
      host: options.address ?? hostname.replace(/^\[|\]$/g, ""),
      port,
      method: options.method ?? "GET",
      path: options.target ?? pathname + search,
      headers: { host, ...options.headers },
      agent: false,
    });
    request.on("error", () => resolve(undefined));
    request.on("response", (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (body += chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
      response.on("error", () => resolve(undefined));
    });
    request.end();
  });
}

/** True when a connection can be made. */
function accepts(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: address, port, timeout: 500 });
    const end = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.on("connect", () => end(true));
    socket.on("error", () => end(false));
    socket.on("timeout", () => end(false));
  });
}

function portOf(listener: AnswerListener): number {
  return Number(new URL(listener.uri).port);
}

describe("the listener for the browser", () => {
  afterEach(() => {
    for (const listener of open.splice(0)) listener.dispose();
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  it("answers with a page that says what happened, that is kept nowhere and may do nothing", async () => {
    const listener = await listen();
    const answer = await ask(`${listener.uri}?state=right`);
    assert.equal(answer?.status, 200);
    assert.match(answer.body, /The answer for “Files” has arrived/);
    assert.equal(answer.headers["cache-control"], "no-store");
    assert.equal(answer.headers["referrer-policy"], "no-referrer");
    assert.equal(answer.headers["x-content-type-options"], "nosniff");
    assert.match(String(answer.headers["content-security-policy"]), /^default-src 'none';/);
    assert.equal(answer.headers["access-control-allow-origin"], undefined);
  });

  // Attack: 38
  it("is reached from this machine alone", async () => {
    const listener = await listen();
    const port = portOf(listener);
    assert.equal(await accepts("127.0.0.1", port), true);
    const foreign = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, address }) => !internal && !address.startsWith("fe80"))
      .map(({ address }) => address);
    for (const address of ["127.0.0.2", "::1", ...foreign])
      assert.equal(await accepts(address, port), false, address);
  });

  it("listens for localhost on both of its addresses", async function () {
    const listener = await listen({ host: "localhost" });
    const url = `${listener.uri}?state=right`;
    assert.equal(new URL(url).hostname, "localhost");
    assert.equal((await ask(url, { address: "127.0.0.1" }))?.status, 200);
    const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
      all?.some(({ address }) => address === "::1"),
    );
    if (!hasIpv6) this.skip();
    assert.equal((await ask(url, { address: "::1" }))?.status, 200);
    assert.equal(await accepts("127.0.0.2", portOf(listener)), false);
  });

  // Attack: 34
  it("refuses what no browser sends when a person is led here, and takes the answer all the same", async () => {
    const offered: string[] = [];
    const offer = (query: string): AnswerPage => {
      offered.push(query);
      return "taken";
    };
    const listener = await listen({ offer });
    const url = `${listener.uri}?code=secret-code&state=right`;
    const refusals = [
      [await ask(url, { method: "POST" }), 405],
      [await ask(url, { method: "HEAD" }), 405],
      [await ask(url, { target: "/callback/..?state=right" }), 404],
      [await ask(url, { target: "//callback?state=right" }), 404],
      [await ask(url, { headers: { host: `evil.example:${portOf(listener)}` } }), 403],
      [await ask(url, { headers: { "sec-fetch-dest": "image" } }), 403],
      [await ask(url, { headers: { "sec-fetch-dest": "iframe" } }), 403],
      [await ask(url, { target: `/callback?${"x".repeat(9000)}` }), 414],
    ] as const;
    for (const [answer, status] of refusals) {
      assert.equal(answer?.status, status);
      assert.equal(answer.body, "");
    }
    assert.equal(await ask(url, { target: `/callback?${"x".repeat(1_000_000)}` }), undefined);
    assert.deepEqual(offered, []);
    const answer = await ask(url, { headers: { "sec-fetch-dest": "document" } });
    assert.equal(answer?.status, 200);
    assert.deepEqual(offered, ["code=secret-code&state=right"]);
    assert.ok(!answer.body.includes("secret-code"));
  });

  // Attack: 34
  it("lets the browser through although a hundred idle connections are open", async () => {
    const listener = await listen();
    const port = portOf(listener);
    for (let count = 0; count < 100; count += 1) {
      const socket = net.connect({ host: "127.0.0.1", port });
      socket.on("error", () => undefined);
      sockets.push(socket);
      await new Promise((resolve) => socket.once("connect", resolve));
    }
    assert.equal((await ask(`${listener.uri}?state=right`))?.status, 200);
    const left = await waitFor(() => sockets.filter(({ closed }) => !closed).length <= 8);
    assert.ok(left, "more than eight connections stayed open");
  });

  it("cuts off further requests that are none of ours, and still takes the right one", async () => {
    const listener = await listen();
    for (let count = 0; count < 32; count += 1)
      assert.equal((await ask(`${listener.uri}?state=${count}`))?.status, 400);
    assert.equal(await ask(`${listener.uri}?state=wrong`), undefined);
    assert.equal(await ask(listener.uri, { target: "/" }), undefined);
    assert.equal((await ask(`${listener.uri}?state=right`))?.status, 200);
  });

  it("answers for two more seconds after the end, and then no more", async () => {
    const clock = new FakeClock();
    const listener = await listen({ clock, offer: () => "already" });
    listener.closeSoon();
    clock.advance(1_999);
    assert.match((await ask(`${listener.uri}?state=right`))?.body ?? "", /Already done/);
    clock.advance(1);
    assert.equal(await accepts("127.0.0.1", portOf(listener)), false);
    assert.equal(clock.pending, 0);
  });

  it("gives its port up in those seconds to whoever wants it", async () => {
    const first = await listen();
    first.closeSoon();
    const second = await listen({ port: portOf(first), path: "/callback/second" });
    assert.equal((await ask(`${second.uri}?state=right`))?.status, 200);
    assert.equal((await ask(`${first.uri}?state=right`))?.status, 404);
  });

  it("is known by the address that a proxy gives it, with or without the proxy's path", async () => {
    const listener = await listen();
    const port = portOf(listener);
    const host = "code.example";
    const query = "?state=right";
    const stripped = { headers: { host }, target: `/callback${query}` };
    assert.equal((await ask(listener.uri, stripped))?.status, 403);
    listener.reachedAt(`https://${host}/proxy/${port}/callback`);
    assert.equal((await ask(listener.uri, stripped))?.status, 200);
    const whole = { headers: { host }, target: `/proxy/${port}/callback${query}` };
    assert.equal((await ask(listener.uri, whole))?.status, 200);
  });

  // Attack: 37
  it("says which port is taken", async () => {
    const first = await listen();
    const port = portOf(first);
    await assert.rejects(listen({ port }), (error: unknown) => {
      assert.ok(error instanceof AuthError && error.code === "port-taken");
      assert.match(error.message, new RegExp(`port ${port} for “Files”.*EADDRINUSE`));
      return true;
    });
  });
});

/** Looks again in each turn of the event loop, until it holds or two seconds are over. */
async function waitFor(isMet: () => boolean): Promise<boolean> {
  const end = Date.now() + 2_000;
  while (!isMet()) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return true;
}
