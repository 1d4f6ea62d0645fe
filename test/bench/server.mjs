// The server of the benchmark: answers are made once, so that the client is what is measured. Speaks both eras.
//   node server.mjs stdio OPTIONS     node server.mjs http OPTIONS   (prints its port)
// OPTIONS is JSON: { resultBytes, tools, page, sse, progress, only, ports }
import { once } from "node:events";
import http from "node:http";

const [, , kind, text] = process.argv;
const options = JSON.parse(text ?? "{}");

const content = [{ type: "text", text: options.resultBytes ? sourceLike(options.resultBytes) : "ok" }];
const structured = options.tools ? { structuredContent: { answer: 1 } } : {};
const answers = {
  "server/discover": {
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: "private",
  },
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "bench", version: "1" },
  },
  "tools/list": {
    resultType: "complete",
    tools: makeTools(options.tools ?? 1),
    ttlMs: 0,
    cacheScope: "private",
  },
  "tools/call": { resultType: "complete", content, ...structured },
};
const texts = Object.fromEntries(
  Object.entries(answers).map(([method, result]) => [method, JSON.stringify(result)]),
);

function sourceLike(bytes) {
  const line = '  const value = compute(index, "text") ?? fallback; // keeps “things” going\n';
  return line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
}

function makeTools(count) {
  return Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    title: `Tool number ${index}`,
    description: `Does thing number ${index}. `.repeat(8),
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", minLength: 1, description: "A name of something" },
        count: { type: "integer", minimum: 0, maximum: 1000 + index },
        tags: { type: "array", items: { type: "string" } },
        mode: { enum: ["fast", "slow", "careful"] },
      },
    },
    ...(options.tools && {
      outputSchema: {
        type: "object",
        properties: { answer: { type: "number" }, note: { type: "string", maxLength: 100 + index } },
        required: ["answer"],
      },
    }),
  }));
}

function answer(message) {
  const result = texts[message.method];
  const id = JSON.stringify(message.id);
  if (message.method === "tools/list" && options.page)
    return `{"jsonrpc":"2.0","id":${id},"result":${pageOf(message)}}`;
  if (result === undefined || (options.only === "legacy" && message.method === "server/discover"))
    return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"no"}}`;
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

/** One page of the tools; the cursor is where it begins. */
function pageOf(message) {
  const start = Number(message.params?.cursor ?? 0);
  const end = start + options.page;
  const { tools, ...rest } = answers["tools/list"];
  const next = end < tools.length ? { nextCursor: String(end) } : {};
  return JSON.stringify({ ...rest, tools: tools.slice(start, end), ...next });
}

function progressOf(message) {
  const token = message.params?._meta?.progressToken;
  if (!options.progress || token === undefined || message.method !== "tools/call") return [];
  return Array.from({ length: options.progress }, (_, index) =>
    JSON.stringify({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: token, progress: index + 1, total: options.progress },
    }),
  );
}

if (kind === "stdio") {
  let chunks = [];
  process.stdin.on("data", (chunk) => {
    let start = 0;
    const out = [];
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      chunks.push(chunk.subarray(start, end));
      const message = JSON.parse(Buffer.concat(chunks).toString());
      chunks = [];
      start = end + 1;
      if (message.id !== undefined) out.push(...progressOf(message), answer(message));
    }
    if (start < chunk.length) chunks.push(chunk.subarray(start));
    if (out.length > 0) process.stdout.write(`${out.join("\n")}\n`);
  });
  process.stdin.on("end", () => process.exit(0));
} else {
  const listener = (request, response) => {
    if (request.method !== "POST") return response.writeHead(405).end();
    const body = [];
    request.on("data", (chunk) => body.push(chunk));
    request.on("end", () => {
      const message = JSON.parse(Buffer.concat(body).toString());
      if (message.id === undefined) return response.writeHead(202).end();
      if (options.sse && message.method === "tools/call") {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(
          [...progressOf(message), answer(message)]
            .map((data) => `event: message\ndata: ${data}\n\n`)
            .join(""),
        );
      } else {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(answer(message));
      }
    });
  };
  const ports = [];
  for (let index = 0; index < (options.ports ?? 1); index += 1) {
    const server = http.createServer(listener);
    server.keepAliveTimeout = 60_000;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ports.push(server.address().port);
  }
  process.stdout.write(`${ports.join(" ")}\n`);
  process.stdin.on("end", () => process.exit(0));
  process.stdin.resume();
}
