import { createInterface } from "node:readline";
import { createMemoryStore } from "../databaseStore.ts";
import { startCluster, type Cluster } from "./cluster.ts";

export interface HttpDemoOptions {
  readonly port: number;
  readonly replicas: number;
  /** Whether commands are read from standard input. */
  readonly control: boolean;
  readonly script: string;
}

/** Runs the HTTP demo until it is told to stop. Prints one line on stderr when it is ready. */
export async function runHttpDemo(options: HttpDemoOptions): Promise<void> {
  const cluster = await startCluster({ ...options, store: createMemoryStore() });
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void cluster.close().finally(() => process.exit(0));
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  if (options.control) readCommands(cluster, stop);
  process.stderr.write(
    `Signalbox demo: ready at ${cluster.url} (replicas ${cluster.running().join(", ")})\n`,
  );
}

/** One command on each line, one answer on each line of standard output. */
function readCommands(cluster: Cluster, stop: () => void): void {
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    void runCommand(cluster, line.trim(), stop).then((answer) => process.stdout.write(`${answer}\n`));
  });
  lines.once("close", stop);
}

async function runCommand(cluster: Cluster, line: string, stop: () => void): Promise<string> {
  const [command, name = ""] = line.split(/\s+/);
  switch (command) {
    case "kill":
      return (await cluster.kill(name)) ? `killed ${name}` : `no running replica ${name}`;
    case "start":
      return (await startReplica(cluster, name)) ? `started ${name}` : `cannot start ${name}`;
    case "status":
      return `running ${cluster.running().join(" ")}`;
    case "stop":
      stop();
      return "stopping";
    default:
      return "commands: kill NAME, start NAME, status, stop";
  }
}

async function startReplica(cluster: Cluster, name: string): Promise<boolean> {
  try {
    return await cluster.start(name);
  } catch {
    // The reason is on stderr, where the replica put it.
    return false;
  }
}
