import { importPeer } from "../importPeer.mjs";

const { Client, StreamableHTTPClientTransport } = await importPeer("@modelcontextprotocol/client");
const { StdioClientTransport } = await importPeer("@modelcontextprotocol/client/stdio");

/** The official client of the second generation, with its default options but a larger buffer. */
export async function connect(target) {
  const mode = target.era === "legacy" ? "legacy" : "auto";
  const client = new Client({ name: "bench", version: "1" }, { versionNegotiation: { mode } });
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
      await client.callTool({ name, arguments: { name: "x" } }, onprogress && { onprogress });
    },
    close: () => client.close(),
  };
}
