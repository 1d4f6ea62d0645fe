/** The parts of an official client that both generations share: the transports and what is measured. */
export async function connectOfficial(target, client, { Http, Stdio, callTool }) {
  await client.connect(
    target.kind === "http"
      ? new Http(new URL(target.url))
      : new Stdio({ command: target.command, args: target.args, maxBufferSize: 256 * 1024 * 1024 }),
  );
  return {
    list: async () => {
      let count = 0;
      let params;
      do {
        const { tools, nextCursor } = await client.listTools(params);
        count += tools.length;
        params = nextCursor && { cursor: nextCursor };
      } while (params);
      return count;
    },
    call: async (name, onprogress) => {
      await callTool({ name, arguments: { name: "x" } }, onprogress && { onprogress });
    },
    close: () => client.close(),
  };
}
