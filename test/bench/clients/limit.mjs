import { spawn } from "node:child_process";
import { Pool } from "undici";

/**
 * The practical limit: the same bytes through the same pipe or pool, JSON written and parsed, answers matched by id,
 * and nothing else: no checks, no time limits, no cancellation.
 */
export async function connect(target) {
  const send = target.kind === "stdio" ? overPipe(target) : overPool(target);
  const modern = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  let id = 0;
  const request = (method, params, onProgress) => {
    id += 1;
    const _meta = { ...modern, ...(onProgress && { progressToken: id }) };
    return send.request({ jsonrpc: "2.0", id, method, params: { ...params, _meta } }, onProgress);
  };
  if (target.era === "modern") await request("server/discover", {});
  else {
    const clientInfo = { name: "bench", version: "1" };
    await request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  }
  return {
    list: async () => {
      let count = 0;
      for (let params = {}; params;) {
        const { tools, nextCursor } = (await request("tools/list", params)).result;
        count += tools.length;
        params = nextCursor && { cursor: nextCursor };
      }
      return count;
    },
    call: async (name, onProgress) =>
      void (await request("tools/call", { name, arguments: { name: "x" } }, onProgress)),
    close: send.close,
  };
}

function overPipe({ command, args }) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
  const pending = new Map();
  let chunks = [];
  child.stdout.on("data", (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const last = chunk.subarray(start, end);
      const line = chunks.length === 0 ? last : Buffer.concat([...chunks, last]);
      chunks = [];
      start = end + 1;
      const message = JSON.parse(line.toString());
      if (message.id === undefined) pending.get(message.params.progressToken)?.onProgress?.();
      else {
        pending.get(message.id)?.resolve(message);
        pending.delete(message.id);
      }
    }
    if (start < chunk.length) chunks.push(chunk.subarray(start));
  });
  return {
    request: (message, onProgress) =>
      new Promise((resolve) => {
        pending.set(message.id, { resolve, onProgress });
        child.stdin.write(`${JSON.stringify(message)}\n`);
      }),
    close: () =>
      new Promise((resolve) => {
        child.on("exit", resolve);
        child.stdin.end();
      }),
  };
}

function overPool({ url, sse }) {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { headersTimeout: 0, bodyTimeout: 0 });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const parse = (text, onProgress) => {
    if (!sse || !text.startsWith("event:")) return JSON.parse(text);
    let last;
    for (const event of text.split("\n\n")) {
      const at = event.indexOf("data: ");
      if (at < 0) continue;
      last = JSON.parse(event.slice(at + 6));
      if (last.id === undefined) onProgress?.();
    }
    return last;
  };
  return {
    request: (message, onProgress) =>
      new Promise((resolve, reject) => {
        const body = [];
        pool.dispatch(
          { path: pathname, method: "POST", headers, body: JSON.stringify(message) },
          {
            onRequestStart: () => undefined,
            onResponseStart: () => undefined,
            onResponseData: (_controller, chunk) => void body.push(chunk),
            onResponseEnd: () => resolve(parse(Buffer.concat(body).toString(), onProgress)),
            onResponseError: (_controller, error) => reject(error),
          },
        );
      }),
    close: () => pool.close(),
  };
}
