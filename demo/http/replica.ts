import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
  type NodeIncomingMessageLike,
} from "@modelcontextprotocol/node";
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { createDemoServer, type DemoParts } from "../demoServer.ts";
import { createStateSealer, type StateKey } from "../requestState.ts";
import { DATABASES_URI } from "../resources.ts";
import { createLegacySessions } from "./legacySessions.ts";
import { createRemoteStore, type RemoteStore } from "./remoteStore.ts";
import { readToReplica, type FromReplica } from "./replicaMessages.ts";

/** One endpoint for both eras. */
interface Endpoint {
  readonly http: Server;
  announceChange(): void;
}

/**
 * Runs this process as one of several replicas. It serves on a loopback port of its own, asks the parent
 * for everything that is shared, and ends when the parent is gone.
 */
export function runReplica(name: string): void {
  const tell = (message: FromReplica): void => {
    if (process.connected) process.send?.(message);
  };
  const store = createRemoteStore((id, method, args) => {
    tell({ kind: "call", id, method, args });
  });
  let endpoint: Endpoint | undefined;
  process.on("message", (value: unknown) => {
    const message = readToReplica(value);
    if (message === undefined) return;
    if (message.kind === "changed") endpoint?.announceChange();
    else if (message.kind !== "start") store.settle(message);
    else endpoint ??= startEndpoint(name, message.ring, store, tell);
  });
  const stop = (): void => {
    process.exit(0);
  };
  process.once("disconnect", stop);
  process.once("SIGTERM", stop);
  // A terminal sends this to the whole group; the parent ends its replicas in its own order.
  process.on("SIGINT", () => undefined);
  if (!process.connected) stop();
}

function startEndpoint(
  name: string,
  ring: readonly StateKey[],
  store: RemoteStore,
  tell: (message: FromReplica) => void,
): Endpoint {
  const note = (error: Error): void => {
    process.stderr.write(`Signalbox demo, replica ${name}: ${error.message}\n`);
  };
  const parts: DemoParts = {
    store,
    sealer: createStateSealer(ring),
    replica: name,
    onDatabasesChanged: () => {
      tell({ kind: "changed" });
    },
    onStateRefused: note,
  };
  const modern = createMcpHandler(() => createDemoServer(parts), { legacy: "reject" });
  const legacy = createLegacySessions(name, () => createDemoServer(parts));
  const handle = toNodeHandler(
    {
      fetch: async (request, options) =>
        (await isLegacyRequest(request)) ? legacy.fetch(request) : modern.fetch(request, options),
    },
    { onerror: note },
  );
  const isHostAllowed = localhostHostValidation();
  const isOriginAllowed = localhostOriginValidation();
  const http = createServer((request, response) => {
    if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return;
    // The same type but for properties that may also be set to undefined, which the adapter copes with.
    void handle(request as NodeIncomingMessageLike, response);
  });
  http.listen(0, "127.0.0.1", () => {
    tell({ kind: "listening", port: (http.address() as AddressInfo).port });
  });
  return {
    http,
    announceChange: () => {
      modern.notify.resourcesChanged();
      modern.notify.resourceUpdated(DATABASES_URI);
      legacy.announceChange();
    },
  };
}
