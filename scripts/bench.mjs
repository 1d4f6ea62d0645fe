import { runMain } from "./lib/main.mjs";
import { fromRoot } from "./lib/paths.mjs";
import { run } from "./lib/processes.mjs";
import { ensureDependencies, ensureNode24, ensurePeers } from "./lib/provision.mjs";

/** Compares the engine with the official clients and the bare transport; see test/bench/run.mjs for the options. */
await runMain(async () => {
  await ensureDependencies();
  await ensurePeers();
  const node = await ensureNode24();
  const { code } = await run(node, [fromRoot("test", "bench", "run.mjs"), ...process.argv.slice(2)]);
  return code;
});
