import { fileURLToPath } from "node:url";
import { USAGE, parseCliOptions } from "./cliOptions.ts";
import { runHttpDemo } from "./http/runHttpDemo.ts";
import { runReplica } from "./http/replica.ts";
import { runStdioServer } from "./stdioServer.ts";

const options = parseCliOptions(process.argv.slice(2));
switch (options.mode) {
  case "stdio":
    runStdioServer();
    break;
  case "replica":
    runReplica(options.name);
    break;
  case "http":
    try {
      await runHttpDemo({ ...options, script: fileURLToPath(import.meta.url) });
    } catch (error) {
      process.stderr.write(`Signalbox demo: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    }
    break;
  case "help":
    if (options.problem !== undefined) process.stderr.write(`${options.problem}\n\n`);
    process.stderr.write(USAGE);
    process.exitCode = options.problem === undefined ? 0 : 2;
    break;
}
