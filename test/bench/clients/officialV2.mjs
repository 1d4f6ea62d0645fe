import { importPeer } from "../importPeer.mjs";
import { connectOfficial } from "../officialClient.mjs";

const { Client, StreamableHTTPClientTransport } = await importPeer("@modelcontextprotocol/client");
const { StdioClientTransport } = await importPeer("@modelcontextprotocol/client/stdio");

/** The official client of the second generation, with its default options but a larger buffer. */
export function connect(target) {
  // It has no way to be told what an earlier connection found out, other than to be pinned.
  const isOpen = target.mode === "auto" || (target.mode === undefined && target.era === "modern");
  const mode = isOpen ? "auto" : target.era === "legacy" ? "legacy" : { pin: "2026-07-28" };
  const client = new Client({ name: "bench", version: "1" }, { versionNegotiation: { mode } });
  return connectOfficial(target, client, {
    Http: StreamableHTTPClientTransport,
    Stdio: StdioClientTransport,
    callTool: (params, options) => client.callTool(params, options),
  });
}
