const MIB = 1024 * 1024;

/** Calls of a small tool: `concurrency` at once, over one transport in one era. */
function calls(name, concurrency, transport, rest = {}) {
  const counts = {
    stdio: { 1: [3000, 3000], 64: [3000, 20_000] },
    http: { 1: [1000, 1500], 64: [1000, 6000] },
  };
  const [warmup, count] = counts[transport][concurrency];
  return { name, transport, measure: "calls", concurrency, warmup, count, unit: "CPU µs", ...rest };
}

/** One call after another whose result is large. */
function large(name, transport, resultBytes, server = {}) {
  const [warmup, count] = resultBytes > MIB ? [1, 5] : [5, 40];
  const rest = { server: { resultBytes, ...server }, unit: "CPU µs" };
  return { name, transport, measure: "calls", concurrency: 1, warmup, count, ...rest };
}

/** From a connection to a list of tools and the first call of one of them. */
function ready(name, server, rest = {}) {
  return { name, transport: "stdio", server, measure: "ready", unit: "wall µs", ...rest };
}

/** From nothing to listed tools, start of the process included; `mode` says what the client knows before. */
function connect(name, mode, rest = {}) {
  return { name, transport: "stdio", measure: "connect", mode, count: 5, unit: "wall µs", ...rest };
}

const LEGACY = { era: "legacy" };
const SSE = { server: { sse: true } };
/** A server that knows nothing but the older era. */
const OLD = { server: { only: "legacy" } };

/** What is measured. `unit` names the number that the ratios are made of. */
export const rows = [
  calls("stdio, one call after another", 1, "stdio"),
  calls("stdio, one call after another, legacy", 1, "stdio", LEGACY),
  calls("stdio, 64 calls at once", 64, "stdio"),
  calls("stdio, 64 calls at once, legacy", 64, "stdio", LEGACY),
  calls("HTTP JSON, one call after another", 1, "http"),
  calls("HTTP JSON, one call after another, legacy", 1, "http", LEGACY),
  calls("HTTP JSON, 64 calls at once", 64, "http"),
  calls("HTTP JSON, 64 calls at once, legacy", 64, "http", LEGACY),
  calls("HTTP SSE, one call after another", 1, "http", SSE),
  calls("HTTP SSE, one call after another, legacy", 1, "http", { ...SSE, ...LEGACY }),
  calls("HTTP SSE, 64 calls at once", 64, "http", SSE),
  calls("HTTP SSE, 64 calls at once, legacy", 64, "http", { ...SSE, ...LEGACY }),
  large("stdio, 1 MiB result", "stdio", MIB),
  large("stdio, 16 MiB result", "stdio", 16 * MIB),
  large("HTTP JSON, 1 MiB result", "http", MIB),
  large("HTTP JSON, 16 MiB result", "http", 16 * MIB),
  large("HTTP SSE, 1 MiB result", "http", MIB, { sse: true }),
  large("HTTP SSE, 16 MiB result", "http", 16 * MIB, { sse: true }),
  {
    name: "stdio, progress notification",
    transport: "stdio",
    server: { progress: 2000 },
    measure: "progress",
    count: 25,
    unit: "CPU µs",
  },
  ready("ready with 10 tools", { tools: 10 }),
  ready("ready with 1,000 tools", { tools: 1000 }),
  ready("ready with 10,000 tools", { tools: 10_000 }, { slow: true }),
  ready("ready with 10,000 tools in pages of 100", { tools: 10_000, page: 100 }, { slow: true }),
  connect("start to listed tools, modern, pinned", "pinned"),
  connect("start to listed tools, modern, unknown era", "auto"),
  connect("start to listed tools, legacy, pinned", "pinned", { ...OLD, ...LEGACY }),
  connect("start to listed tools, legacy, unknown era", "auto", { ...OLD, ...LEGACY }),
  connect("start to listed tools, legacy, remembered", "remembered", { ...OLD, ...LEGACY }),
  {
    name: "50 HTTP servers at once",
    transport: "http",
    server: { tools: 10, ports: 50 },
    measure: "many",
    unit: "CPU µs",
  },
  { name: "import of the client's bundle", measure: "import", unit: "wall µs" },
  { name: "size of the client's bundle", measure: "size", unit: "KiB" },
  { name: "load of the extension's host bundle", measure: "host", unit: "wall µs" },
];
