import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { DatabaseStore } from "../databaseStore.ts";
import { generateStateKey, type StateKey } from "../requestState.ts";
import { ENDPOINT_PATH, createBalancer, type Target } from "./balancer.ts";
import { readFromReplica, type FromReplica, type StoreMethod, type ToReplica } from "./replicaMessages.ts";

/** The running HTTP demo: one public port, several replicas, one store. */
export interface Cluster {
  readonly url: string;
  /** Names of the replicas that serve, in order. */
  running(): readonly string[];
  /** Ends a replica without warning and waits until it is gone. False when it does not run. */
  kill(name: string): Promise<boolean>;
  /** Starts a replica again. False when it runs or was never there. */
  start(name: string): Promise<boolean>;
  /** Ends everything and waits for the processes. */
  close(): Promise<void>;
}

export interface ClusterOptions {
  /** 0 picks a free port. */
  readonly port: number;
  readonly replicas: number;
  readonly store: DatabaseStore;
  /** The program that understands `--replica NAME`. */
  readonly script: string;
}

interface Replica extends Target {
  readonly child: ChildProcess;
}

const START_LIMIT_MS = 20_000;
const STOP_LIMIT_MS = 2_000;

/** Starts the replicas and opens the port when all of them serve. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const ring = [generateStateKey()];
  const names = Array.from({ length: options.replicas }, (_unused, index) => String.fromCharCode(65 + index));
  const replicas = new Map<string, Replica>();
  const tellAll = (message: ToReplica): void => {
    for (const { child } of replicas.values()) tell(child, message);
  };

  const start = async (name: string): Promise<boolean> => {
    if (!names.includes(name) || replicas.has(name)) return false;
    const child = fork(options.script, ["--replica", name], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    child.once("exit", () => replicas.delete(name));
    child.on("message", (value: unknown) => {
      const message = readFromReplica(value);
      if (message?.kind === "changed") tellAll({ kind: "changed" });
      if (message?.kind === "call") void answerCall(options.store, child, message);
    });
    const port = await awaitListening(child, ring);
    replicas.set(name, { name, port, child });
    return true;
  };
  const stopAll = async (): Promise<void> => {
    await Promise.all([...replicas.values()].map(({ child }) => stopChild(child)));
  };

  const balancer = createBalancer(() => [...replicas.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
  try {
    await Promise.all(names.map(start));
    balancer.listen(options.port, "127.0.0.1");
    await once(balancer, "listening");
  } catch (error) {
    await stopAll();
    throw error;
  }
  const { port } = balancer.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}${ENDPOINT_PATH}`,
    running: () => [...replicas.keys()].sort(),
    start,
    async kill(name) {
      const replica = replicas.get(name);
      if (replica === undefined) return false;
      replicas.delete(name);
      const gone = once(replica.child, "exit");
      replica.child.kill("SIGKILL");
      await gone;
      return true;
    },
    async close() {
      balancer.close();
      balancer.closeAllConnections();
      await stopAll();
    },
  };
}

function tell(child: ChildProcess, message: ToReplica): void {
  // A replica that has just died takes no more messages; its exit is handled where it is waited for.
  if (child.connected) child.send(message, () => undefined);
}

function awaitListening(child: ChildProcess, ring: readonly StateKey[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error("A replica did not start in time."));
    }, START_LIMIT_MS);
    const onMessage = (value: unknown): void => {
      const message = readFromReplica(value);
      if (message?.kind !== "listening") return;
      clearTimeout(timer);
      child.off("message", onMessage);
      resolve(message.port);
    };
    child.on("message", onMessage);
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`A replica ended while it started (${String(signal ?? code)}).`));
    });
    tell(child, { kind: "start", ring });
  });
}

async function answerCall(
  store: DatabaseStore,
  child: ChildProcess,
  { id, method, args }: Extract<FromReplica, { readonly kind: "call" }>,
): Promise<void> {
  try {
    // Replicas run this very program: the arguments are those that the method takes.
    const methods = store as unknown as Record<
      StoreMethod,
      (...values: readonly unknown[]) => Promise<unknown>
    >;
    tell(child, { kind: "returned", id, value: await methods[method](...args) });
  } catch (error) {
    tell(child, { kind: "failed", id, reason: error instanceof Error ? error.message : String(error) });
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
  child.kill("SIGTERM");
  await gone;
  clearTimeout(timer);
}
