// npm run bench -- [--json FILE] [--only TEXT] [--repeat N] [--quick]
// Compares the engine with the official clients and with the bare pipe or pool, in one run and on the same servers.
// Every measurement is a process of its own; clients take turns, and the median counts.
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseArgs, promisify } from "node:util";
import { buildBundles } from "./bundles.mjs";
import { rows } from "./rows.mjs";

const { values } = parseArgs({
  options: {
    json: { type: "string" },
    only: { type: "string" },
    repeat: { type: "string", default: "3" },
    quick: { type: "boolean", default: false },
  },
});
const CLIENTS = ["signalbox", "officialV2", "officialV1", "limit"];
const worker = new URL("./worker.mjs", import.meta.url).pathname;
const run = promisify(execFile);

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

async function measure(row, client) {
  if (row.measure === "size") return sizes[client] === undefined ? undefined : { kib: sizes[client] };
  if (row.measure === "import" && client === "limit") return undefined;
  if (row.measure === "host" && client !== "signalbox") return undefined;
  try {
    const { stdout } = await run(
      process.execPath,
      // As in an extension host that has run for a while: how far a young heap has grown would decide small rows.
      ["--no-warnings", "--expose-gc", "--min-semi-space-size=16", worker, row.name, client],
      {
        timeout: 180_000,
      },
    );
    return JSON.parse(stdout);
  } catch (error) {
    process.stderr.write(
      `${row.name}, ${client}: ${String(error.stderr ?? error.message)
        .split("\n")
        .slice(0, 3)
        .join(" ")
        .slice(0, 300)}\n`,
    );
    return undefined;
  }
}

const sizes = await buildBundles();

const wanted = rows.filter(
  (row) => (!values.only || row.name.includes(values.only)) && !(values.quick && row.slow),
);
const results = [];
for (const row of wanted) {
  const key = { "CPU µs": "cpuUs", "wall µs": "wallUs", KiB: "kib" }[row.unit];
  const samples = Object.fromEntries(CLIENTS.map((client) => [client, []]));
  for (let turn = 0; turn < Number(values.quick ? 1 : values.repeat); turn += 1) {
    for (let index = 0; index < CLIENTS.length; index += 1) {
      const client = CLIENTS[(index + turn) % CLIENTS.length];
      const sample = await measure(row, client);
      if (sample !== undefined) samples[client].push(sample);
    }
  }
  const value = (client) =>
    samples[client].length === 0 ? null : median(samples[client].map((sample) => sample[key]));
  const extra = {};
  for (const field of [
    "wallUs",
    "p50Us",
    "p99Us",
    "perSecond",
    "blockMs",
    "delivered",
    "heapMib",
    "rssMib",
  ]) {
    for (const client of CLIENTS) {
      const numbers = samples[client].map((sample) => sample[field]).filter((number) => number !== undefined);
      if (numbers.length > 0) (extra[field] ??= {})[client] = median(numbers);
    }
  }
  const result = {
    name: row.name,
    ours: value("signalbox"),
    v2: value("officialV2"),
    v1: value("officialV1"),
    limit: value("limit"),
    unit: row.unit,
    ...extra,
  };
  results.push(result);
  print(result);
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, undefined, 2)}\n`);

function print({ name, ours, v2, v1, limit, unit, delivered, blockMs, heapMib }) {
  const ratio = (a, b) => (a === null || b === null ? "–" : `${(a / b).toFixed(1)}x`);
  const parts = [
    name.padEnd(46),
    `${ours?.toFixed(1) ?? "–"} ${unit}`.padStart(16),
    `ours/limit ${ratio(ours, limit)}`.padStart(18),
    `v2/limit ${ratio(v2, limit)}`.padStart(17),
    `v1/limit ${ratio(v1, limit)}`.padStart(17),
    `v2/ours ${ratio(v2, ours)}`.padStart(16),
  ];
  if (delivered)
    parts.push(`  delivered: ours ${percent(delivered.signalbox)}, v2 ${percent(delivered.officialV2)}`);
  if (blockMs)
    parts.push(
      `  longest block: ours ${blockMs.signalbox?.toFixed(0)} ms, v2 ${blockMs.officialV2?.toFixed(0)} ms`,
    );
  if (heapMib)
    parts.push(`  heap: ours ${heapMib.signalbox?.toFixed(1)} MiB, v2 ${heapMib.officialV2?.toFixed(1)} MiB`);
  process.stdout.write(`${parts.join("")}\n`);
}

function percent(share) {
  return share === undefined ? "–" : `${Math.round(share * 100)} %`;
}
