import assert from "node:assert/strict";
import { createRequire } from "node:module";

import { deferred } from "../../../src/base/deferred.ts";
import { openTransport } from "../../support/networkHelpers.ts";
import { startScriptedHttp, type ScriptedStream } from "../../support/scriptedHttp.ts";
import { never, request, resultOf } from "../../support/transportHelpers.ts";

/** The clock of the HTTP library, which its own tests move in the same way. */
const libraryClock = createRequire(import.meta.url)("undici/lib/util/timers.js") as {
  tick(delayMs: number): void;
};

// Duty: 4.4.2
describe("a quiet connection", () => {
  for (const part of ["head", "body"] as const) {
    it(`is not given up by the HTTP library while its ${part} is awaited`, async () => {
      const opened = deferred<ScriptedStream>();
      const asked = deferred<() => ScriptedStream>();
      const server = await startScriptedHttp((exchange) => {
        asked.resolve(() => exchange.stream());
        if (part === "body") {
          const stream = exchange.stream();
          stream.event({ jsonrpc: "2.0", method: "notifications/progress" });
          opened.resolve(stream);
        }
      });
      const { transport, listener } = await openTransport(server.url);
      const answer = transport.exchange(request(), { signal: never });
      const open = await asked.promise;
      if (part === "body") await listener.count("notifications", 1);
      for (let minutes = 0; minutes < 60; minutes += 1) libraryClock.tick(60_000);
      const stream = part === "body" ? await opened.promise : open();
      stream.raw(": keep-alive\n\n");
      stream.event({ jsonrpc: "2.0", id: 1, result: { ok: true } });
      stream.end();
      assert.deepEqual(resultOf(await answer), { ok: true });
      await transport.close();
      await server.close();
    });
  }
});
