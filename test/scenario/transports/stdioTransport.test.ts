import assert from "node:assert/strict";

import type { JsonObject, JsonValue } from "../../../src/base/json.ts";
import { DEFAULT_LIMITS, type Limits } from "../../../src/protocol/limits.ts";
import { createStdioTransport } from "../../../src/protocol/transports/stdio/stdioTransport.ts";
import type { StdioTransport } from "../../../src/protocol/transports/transport.ts";
import { CollectingListener, CollectingLog } from "../../support/collectingListener.ts";
import { scriptedStdio, type ScriptedServer } from "../../support/scriptedStdio.ts";
import { engineError, never, request } from "../../support/transportHelpers.ts";

const ENV = { PATH: process.env["PATH"] ?? "" };

describe("stdio transport", () => {
  let transport: StdioTransport;
  let listener: CollectingListener;
  let log: CollectingLog;

  async function start(
    script: (server: ScriptedServer) => void,
    data: JsonValue = null,
    limits: Partial<Limits> = {},
  ): Promise<void> {
    listener = new CollectingListener();
    log = new CollectingLog();
    const { command, args } = scriptedStdio(script, data);
    transport = createStdioTransport({
      serverName: "demo",
      command,
      args,
      env: ENV,
      limits: { ...DEFAULT_LIMITS, ...limits },
      log,
    });
    await transport.start(listener);
  }

  afterEach(async () => {
    void transport.close();
    await transport.close();
  });

  // Duty: 3.1
  it("carries requests, answers, notifications and requests from the server", async () => {
    await start((server) => {
      server.on("m", (message) => {
        server.notify("notifications/progress", { n: 1 });
        server.send({ jsonrpc: "2.0", id: "s-1", method: "ping" });
        server.on("*", (answer) => server.reply(message, { got: answer.result.fine }));
      });
    });
    const answer = transport.exchange(request(1), { signal: never });
    await listener.count("requests", 1);
    assert.deepEqual(listener.notifications, [
      {
        message: { jsonrpc: "2.0", method: "notifications/progress", params: { n: 1 } },
        relatedTo: undefined,
      },
    ]);
    await transport.send({ jsonrpc: "2.0", id: "s-1", result: { fine: true } }, { signal: never });
    assert.deepEqual(await answer, { response: { jsonrpc: "2.0", id: 1, result: { got: true } } });
  });

  it("hands on notifications before the response of the same chunk, in order", async () => {
    await start((server) => {
      server.on("m", ({ id }) => {
        const lines = [1, 2, 3].map((n) => JSON.stringify({ jsonrpc: "2.0", method: "p", params: { n } }));
        server.raw(`${[...lines, JSON.stringify({ jsonrpc: "2.0", id, result: {} })].join("\n")}\n`);
      });
    });
    const seen = await transport
      .exchange(request(1), { signal: never })
      .then(() => listener.notifications.length);
    assert.equal(seen, 3);
    assert.deepEqual(
      listener.notifications.map(({ message }) => message.params?.["n"]),
      [1, 2, 3],
    );
  });

  // Duty: 3.5
  it("skips plain text and empty lines on stdout, and logs the text", async () => {
    await start((server) => {
      server.raw("demo ready on stdio\n");
      server.on("m", (message) => {
        server.raw("[demo] listing 3 items\r\n");
        server.reply(message, { n: 1 });
        server.raw("\n\r\n");
      });
    });
    await transport.exchange(request(1), { signal: never });
    await transport.exchange(request(2), { signal: never });
    assert.deepEqual(
      log.visible.filter((line) => line.startsWith("warn")),
      [
        "warn Skipped a line on stdout that is no message: demo ready on stdio",
        "warn Skipped a line on stdout that is no message: [demo] listing 3 items",
        "warn Skipped a line on stdout that is no message: [demo] listing 3 items",
      ],
    );
  });

  it("reads a frame behind a byte order mark or terminal codes", async () => {
    await start((server) => {
      server.on("m", ({ id }) => server.raw(`\ufeff\u001b[?25h{"jsonrpc":"2.0","id":${id},"result":{}}\n`));
    });
    await transport.exchange(request(1), { signal: never });
  });

  it("loses at most the frame that noise is glued to", async () => {
    await start((server) => {
      server.on("m", ({ id }) => {
        server.raw(`noise{"jsonrpc":"2.0","id":${id},"result":{}}\n`);
        if (id === 2) server.reply({ id }, { n: 2 });
      });
    });
    const controller = new AbortController();
    const lost = transport.exchange(request(1), { signal: controller.signal });
    await transport.exchange(request(2), { signal: never });
    const reason = new Error("timeout");
    controller.abort(reason);
    await assert.rejects(lost, reason);
  });

  it("keeps the answer that noise is glued to out of ordinary logs", async () => {
    await start((server) => {
      server.on("m", (message) => {
        server.raw("[demo] hello ");
        server.reply(message, { confidential: "moon" });
        server.on("n", (next) => server.reply(next, {}));
      });
    });
    const abort = new AbortController();
    const lost = transport.exchange(request(1), { signal: abort.signal });
    await transport.exchange(request(2, "n"), { signal: never });
    abort.abort(new Error("lost"));
    await assert.rejects(lost, /lost/);
    assert.ok(
      log.lines.every((line) => !line.includes("moon")),
      log.lines.join("\n"),
    );
  });

  // Duty: 3.18
  it("keeps characters whole that arrive byte by byte, with CRLF", async () => {
    await start((server) => {
      server.on(
        "m",
        ({ id }) => void server.trickle(`{"jsonrpc":"2.0","id":${id},"result":{"text":"é — 读 🎉"}}\r\n`),
      );
    });
    const { response } = await transport.exchange(request(1), { signal: never });
    assert.deepEqual("result" in response && response.result, { text: "é — 读 🎉" });
  });

  // Duty: 3.4
  it("drains stderr all the time and keeps a bounded tail", async () => {
    await start(
      (server) => {
        server.stderr("x".repeat(256 * 1024));
        server.on("m", (message) => {
          server.stderr(`${"y".repeat(128 * 1024)}${"line\n".repeat(25_000)}`);
          server.reply(message, { done: true });
          server.on("end", () => process.stderr.write("last words\n", () => server.exit(0)));
        });
      },
      null,
      { stderrBytes: 1_000 },
    );
    const { response } = await transport.exchange(request(1), { signal: never });
    assert.deepEqual("result" in response && response.result, { done: true });
    await transport.send({ jsonrpc: "2.0", method: "end" }, { signal: never });
    await listener.end;
    assert.equal(transport.stderrTail().length, 1_000);
    assert.ok(transport.stderrTail().endsWith("line\nlast words\n"));
    assert.ok(log.lines.includes("info stderr: last words"));
  });

  it("takes an answer whose id came back as a text, with a warning", async () => {
    await start((server) => {
      server.on("m", ({ id }) => server.reply({ id: String(id) }, { tools: [] }));
    });
    const { response } = await transport.exchange(request(7), { signal: never });
    assert.deepEqual("result" in response && response.result, { tools: [] });
    assert.ok(log.visible.some((line) => line.includes("request 7 came with its id as a text")));
  });

  // Duty: 1.1.6, 1.1.7, 15.2
  it("keeps reading after errors without an id, invalid errors, unknown ids and odd messages", async () => {
    await start((server) => {
      server.on("m", (message) => {
        server.send({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "parse error" } });
        server.send({ jsonrpc: "2.0", error: { code: -32000, message: "x", data: "plain text" } });
        server.send({ jsonrpc: "2.0", error: { code: "-32000", message: "x" } });
        server.reply({ id: 99 }, {});
        server.reply({ id: "never" }, {});
        server.raw("[]\nnull\n3\n{\n");
        server.notify("window/logMessage", { type: 3 });
        server.notify("vendor/event");
        server.reply(message, { n: 1 });
      });
    });
    const { response } = await transport.exchange(request(1), { signal: never });
    assert.deepEqual("result" in response && response.result, { n: 1 });
    assert.deepEqual(
      listener.notifications.map(({ message }) => message.method),
      ["window/logMessage", "vendor/event"],
    );
  });

  it("keeps reading after an error without an id that is nested too deep to be written again", async () => {
    await start((server) => {
      server.on("m", (message) => {
        const depth = 200_000;
        const data = `${"[".repeat(depth)}${"]".repeat(depth)}`;
        server.raw(`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x","data":${data}}}\n`);
        server.reply(message, {});
      });
    });
    await transport.exchange(request(1), { signal: never });
  });

  it("forgets a request that cannot be written", async () => {
    await start((server) => server.on("m", (message) => server.reply(message, {})));
    let deep: JsonObject = {};
    for (let depth = 0; depth < 100_000; depth += 1) deep = { a: deep };
    await assert.rejects(transport.exchange({ ...request(1), params: deep }, { signal: never }), RangeError);
    await transport.exchange(request(1), { signal: never });
  });

  it("fails a request at once whose answer is no valid message", async () => {
    await start((server) => {
      server.on("m", ({ id }) => server.send({ jsonrpc: "2.0", id, result: null }));
      server.on("fast", (message) => server.reply(message, {}));
    });
    await assert.rejects(transport.exchange(request(1), { signal: never }), engineError("not-json-rpc"));
    await transport.exchange(request(2, "fast"), { signal: never });
  });

  // Duty: 14.2.2
  it("rejects an aborted exchange with its reason at once, and drops the late answer", async () => {
    await start((server) => {
      let slow: object = {};
      server.on("slow", (message) => {
        slow = message;
        server.notify("started");
      });
      server.on("fast", (message) => {
        server.fail(slow, 0, "stopped by caller");
        server.reply(slow, {});
        server.reply(message, { pid: process.pid });
      });
    });
    const controller = new AbortController();
    const slow = transport.exchange(request(3, "slow"), { signal: controller.signal });
    await listener.count("notifications", 1);
    const reason = new Error("cancelled");
    controller.abort(reason);
    await assert.rejects(slow, reason);
    await transport.exchange(request(4, "fast"), { signal: never });
    assert.ok(log.lines.some((line) => line.includes("Dropped an answer to request 3")));
    await assert.rejects(transport.exchange(request(5), { signal: controller.signal }), reason);
  });

  // Duty: 3.10
  it("rejects everything at once when the process exits, with exit code and last words", async () => {
    await start((server) => {
      server.on("die", () => {
        server.stderr("fatal: no luck\n");
        server.after(20, () => server.exit(7));
      });
    });
    const all = [
      transport.exchange(request(1), { signal: never }),
      transport.exchange(request(2, "die"), { signal: never }),
    ];
    const isExit = engineError("process-exited", (error) => {
      assert.equal(error.args["exit"], "exit code 7");
      assert.equal(error.detail, "fatal: no luck\n");
    });
    for (const exchange of all) await assert.rejects(exchange, isExit);
    isExit(await listener.end);
    assert.equal(listener.closed.length, 1);
    await assert.rejects(transport.exchange(request(3), { signal: never }), isExit);
    await assert.rejects(transport.send({ jsonrpc: "2.0", method: "n" }, { signal: never }), isExit);
  });

  it("shows text on stdout among the last words of a process, but no broken answer", async () => {
    await start((server) => {
      server.raw("demo 1.0\n");
      server.on("die", () => {
        server.stderr("no such option: --stdio\n");
        server.after(20, () => {
          server.raw('{"jsonrpc":"2.0","id":1,"result":{"confidential":"moon"}\n');
          server.raw("Usage: demo [--http PORT]");
          server.after(20, () => server.exit(2));
        });
      });
    });
    await assert.rejects(
      transport.exchange(request(1, "die"), { signal: never }),
      engineError("process-exited", (error) => {
        assert.deepEqual((error.detail ?? "").trim().split("\n").toSorted(), [
          "Usage: demo [--http PORT]",
          "demo 1.0",
          "no such option: --stdio",
        ]);
      }),
    );
  });

  it("names the signal that ended the process", async () => {
    await start((server) => server.on("m", () => server.crash("SIGKILL")));
    await assert.rejects(
      transport.exchange(request(1), { signal: never }),
      engineError("process-exited", (error) => assert.equal(error.args["exit"], "signal SIGKILL")),
    );
  });

  it("delivers an answer that was written just before the exit", async () => {
    await start((server) => {
      server.on("m", ({ id }) => {
        process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"big":"${"x".repeat(100_000)}"}}`, () =>
          server.exit(0),
        );
      });
    });
    const { response } = await transport.exchange(request(1), { signal: never });
    assert.ok("result" in response);
    await listener.end;
  });

  // Duty: 3.10
  it("ends the connection when the server closes its output and stays", async () => {
    await start((server) => {
      server.ignoreEnd();
      server.on("m", () => server.closeOutput());
    });
    await assert.rejects(
      transport.exchange(request(1), { signal: never }),
      engineError("process-exited", (error) => assert.equal(error.args["exit"], "it closed its output")),
    );
    assert.equal(listener.closed.length, 1);
  });

  it("fails a connection whose line is too long, and ends the process", async () => {
    await start((server) => server.on("m", () => server.raw("x".repeat(5_000))), null, {
      messageBytes: 1_000,
    });
    await assert.rejects(
      transport.exchange(request(1), { signal: never }),
      engineError("message-too-large", (error) => assert.equal(error.args["limit"], 1_000)),
    );
    engineError("message-too-large")(await listener.end);
  });

  it("refuses to pile up what the server does not read", async () => {
    await start((server) => server.on("m", () => server.exit(0)), null, { messageBytes: 100_000 });
    process.kill(Number(/Started process (\d+)/.exec(log.lines.join("\n"))?.[1]), "SIGSTOP");
    const params = { text: "x".repeat(150_000) };
    const sends = [1, 2, 3].map(() =>
      transport.send({ jsonrpc: "2.0", method: "n", params }, { signal: never }),
    );
    const settled = Promise.allSettled(sends);
    await assert.rejects(sends[2] ?? Promise.resolve(), engineError("input-blocked"));
    void transport.close();
    await transport.close();
    await settled;
  });

  it("carries large messages both ways", async () => {
    await start((server) =>
      server.on("m", (message) => server.reply(message, { text: message.params.text })),
    );
    const text = "é".repeat(4 << 20);
    const { response } = await transport.exchange({ ...request(1), params: { text } }, { signal: never });
    assert.ok("result" in response && response.result["text"] === text);
  });
});
