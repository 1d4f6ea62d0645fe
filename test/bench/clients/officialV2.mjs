import { importPeer } from "../importPeer.mjs";
import { connectOfficial } from "../officialClient.mjs";

const { Client, StreamableHTTPClientTransport } = await importPeer("@modelcontextprotocol/client");
const { StdioClientTransport } = await importPeer("@modelcontextprotocol/client/stdio");

/** The official client of the second generation, with its default options but a larger buffer. */
export function connect(target) {
  const mode = target.era === "legacy" ? "legacy" : "auto";
  const client = new Client({ name: "bench", version: "1" }, { versionNegotiation: { mode } });
  return connectOfficial(target, client, {
    Http: StreamableHTTPClientTransport,
    Stdio: StdioClientTransport,
    callTool: (params, options) => client.callTool(params, options),
  });
}
