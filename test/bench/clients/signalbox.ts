import { systemClock } from "../../../src/base/clock.ts";
import { silentLog } from "../../../src/base/log.ts";
import { openConnection } from "../../../src/client/openConnection.ts";
import { parseServers } from "../../../src/client/parseServers.ts";
import type { BenchClient, Target } from "../benchTypes.ts";

/** The engine as the extension uses it. */
export async function connect(target: Target): Promise<BenchClient> {
  const entry =
    target.kind === "stdio" ? { command: target.command, args: [...target.args] } : { url: target.url };
  const mode = target.mode ?? (target.era === "legacy" ? "pinned" : "auto");
  const pin = target.era === "legacy" ? "legacy" : "2026-07-28";
  const [config] = parseServers(
    { s: { ...entry, protocol: mode === "pinned" ? pin : "auto" } },
    "file",
  ).servers;
  if (config === undefined) throw new Error("The server was not accepted");
  const connection = await openConnection({
    config: { ...config, secrets: [] },
    clientInfo: { name: "bench", version: "1" },
    input: null,
    log: silentLog,
    clock: systemClock,
    signal: new AbortController().signal,
    remembered:
      mode === "remembered"
        ? {
            era: target.era,
            revision: target.era === "legacy" ? "2025-11-25" : "2026-07-28",
            atMs: Date.now(),
          }
        : undefined,
    newCallId: () => "unrelated",
  });
  return {
    list: async () => (await connection.listTools()).tools.length,
    call: async (name, onProgress) => {
      await connection.callTool(
        name,
        { name: "x" },
        { callId: "c", input: null, ...(onProgress && { onProgress }) },
      );
    },
    close: () => connection.close(),
  };
}
