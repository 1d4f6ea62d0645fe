import { importPeer } from "../importPeer.mjs";

const { Client } = await importPeer("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = await importPeer("@modelcontextprotocol/sdk/client/stdio.js");
const { StreamableHTTPClientTransport } = await importPeer(
  "@modelcontextprotocol/sdk/client/streamableHttp.js",
);

/** The official client of the first generation. It knows the legacy era only. */
export async function connect(target) {
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(
    target.kind === "http"
      ? new StreamableHTTPClientTransport(new URL(target.url))
      : new StdioClientTransport({
          command: target.command,
          args: target.args,
          maxBufferSize: 256 * 1024 * 1024,
        }),
  );
  return {
    list: async () => (await client.listTools()).tools.length,
    call: async (name, onprogress) => {
      await client.callTool({ name, arguments: { name: "x" } }, undefined, onprogress && { onprogress });
    },
    close: () => client.close(),
  };
}
