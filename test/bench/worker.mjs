// Measures one row with one client in a process of its own and prints { cpuUs, wallUs, p99Us } as JSON.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { rows } from "./rows.mjs";

const [, , rowName, clientName] = process.argv;
const row = rows.find(({ name }) => name === rowName);
const file = clientName === "signalbox" ? "../../out/bench/signalbox.mjs" : `./clients/${clientName}.mjs`;
const isBundle = row.measure === "import" || row.measure === "host";
const { connect } = isBundle ? {} : await import(file);
const serverFile = new URL("./server.mjs", import.meta.url).pathname;
const options = JSON.stringify(row.server ?? {});

let serverProcess;
const target = {
  era: clientName === "officialV1" ? "legacy" : (row.era ?? "modern"),
  ...(row.mode && { mode: row.mode }),
};
let ports = [];
if (row.transport === "stdio") {
  Object.assign(target, { kind: "stdio", command: process.execPath, args: [serverFile, "stdio", options] });
} else if (row.transport === "http") {
  serverProcess = spawn(process.execPath, [serverFile, "http", options], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [printed] = await once(serverProcess.stdout, "data");
  ports = String(printed).trim().split(" ");
  Object.assign(target, {
    kind: "http",
    url: urlOf(ports[0]),
    sse: row.server?.sse === true,
  });
}

function urlOf(port) {
  return `http://127.0.0.1:${port}/mcp`;
}

function start() {
  return { cpu: process.cpuUsage(), wall: performance.now() };
}

function stop({ cpu, wall }, operations) {
  const used = process.cpuUsage(cpu);
  return {
    cpuUs: (used.user + used.system) / operations,
    wallUs: ((performance.now() - wall) * 1000) / operations,
  };
}

const measures = {
  /** Calls at a level of concurrency, after a warm-up. */
  async calls() {
    const client = await connect(target);
    await client.list();
    const times = [];
    const run = async (count) => {
      let left = count;
      const one = async () => {
        while (left-- > 0) {
          const at = performance.now();
          await client.call("tool_0");
          times.push((performance.now() - at) * 1000);
        }
      };
      await Promise.all(Array.from({ length: row.concurrency }, one));
    };
    await run(row.warmup);
    times.length = 0;
    const from = start();
    await run(row.count);
    const measured = stop(from, row.count);
    times.sort((a, b) => a - b);
    await client.close();
    return {
      ...measured,
      perSecond: 1e6 / measured.wallUs,
      p50Us: times[Math.floor(times.length / 2)],
      p99Us: times[Math.floor(times.length * 0.99)],
    };
  },
  /** One call that reports progress all the time: cost per notification, and how many arrived. */
  async progress() {
    const client = await connect(target);
    await client.list();
    let seen = 0;
    await client.call("tool_0", () => (seen += 1));
    seen = 0;
    const from = start();
    for (let i = 0; i < row.count; i += 1) await client.call("tool_0", () => (seen += 1));
    const measured = stop(from, row.count * row.server.progress);
    await client.close();
    return { ...measured, delivered: seen / (row.count * row.server.progress) };
  },
  /** From a connected client to the first finished call of one of many tools, and the longest block on the way. */
  async ready() {
    const client = await connect(target);
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last - 1);
      last = performance.now();
    }, 1);
    const from = start();
    await client.list();
    await client.call("tool_7");
    const measured = stop(from, 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    clearInterval(timer);
    await client.close();
    return { ...measured, blockMs: longest };
  },
  /** Connects to many servers at once and lists the tools of each; what that takes of memory, too. */
  async many() {
    global.gc?.();
    const before = process.memoryUsage();
    const from = start();
    const clients = await Promise.all(
      ports.map(async (port) => {
        const client = await connect({ ...target, url: urlOf(port) });
        await client.list();
        return client;
      }),
    );
    const measured = stop(from, 1);
    global.gc?.();
    const after = process.memoryUsage();
    await Promise.all(clients.map((client) => client.close()));
    const mib = (key) => (after[key] - before[key]) / 1024 / 1024;
    return { ...measured, heapMib: mib("heapUsed"), rssMib: mib("rss") };
  },
  /** The import of a client, bundled and minified. */
  async import() {
    const from = start();
    await import(`../../out/bench/${clientName}/engine.mjs`);
    return stop(from, 1);
  },
  /** The load of the bundle that holds the extension's host, with an editor that answers everything with itself. */
  host() {
    const load = Module._load;
    const hostFile = new URL("../../out/bench/host.cjs", import.meta.url).pathname;
    const editor = new Proxy(class {}, {
      get(target, key) {
        if (key === Symbol.toPrimitive) return () => "editor";
        return key === "prototype" ? target[key] : editor;
      },
      apply: () => editor,
    });
    // The bundle copies what the editor's module has under its own names.
    const text = readFileSync(hostFile, "utf8");
    const variables = [...text.matchAll(/([\w$]+)=[\w$]+\(require\("vscode"\)/g)].map(([, name]) => name);
    const uses = new RegExp(`\\b(?:${variables.join("|").replaceAll("$", "\\$")})\\.([A-Za-z]\\w+)`, "g");
    const vscode = Object.fromEntries([...text.matchAll(uses)].map(([, name]) => [name, editor]));
    Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
    const from = start();
    createRequire(import.meta.url)(hostFile);
    return stop(from, 1);
  },
  /** From nothing to the first listed tools, start of the process included. */
  async connect() {
    const from = start();
    for (let i = 0; i < row.count; i += 1) {
      const client = await connect(target);
      await client.list();
      await client.close();
    }
    return stop(from, row.count);
  },
};

const result = await measures[row.measure]();
serverProcess?.stdin.end();
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);
