import { importPeer } from "../importPeer.mjs";
import { connectOfficial } from "../officialClient.mjs";

const { Client } = await importPeer("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await importPeer("@modelcontextprotocol/sdk/client/stdio.js");
const { StreamableHTTPClientTransport } = await importPeer(
  "@modelcontextprotocol/sdk/client/streamableHttp.js",
);

/** The official client of the first generation. It knows the legacy era only. */
export function connect(target) {
  const client = new Client({ name: "bench", version: "1" });
  return connectOfficial(target, client, {
    Http: StreamableHTTPClientTransport,
    Stdio: StdioClientTransport,
    callTool: (params, options) => client.callTool(params, undefined, options),
  });
}
