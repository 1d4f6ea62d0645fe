import type { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createMemoryStore } from "./databaseStore.ts";
import { createDemoServer } from "./demoServer.ts";
import { DATABASES_URI } from "./resources.ts";
import { createStateSealer, generateStateKey } from "./requestState.ts";

/** Serves one client on standard input and output, in whichever era it opens with. Ends with standard input. */
export function runStdioServer(): void {
  const store = createMemoryStore();
  const sealer = createStateSealer([generateStateKey()]);
  const instances = new Set<McpServer>();
  const note = (text: string): void => {
    process.stderr.write(`Signalbox demo: ${text}\n`);
  };
  const handle = serveStdio(
    () => {
      const server = createDemoServer({
        store,
        sealer,
        replica: "stdio",
        onDatabasesChanged: () => {
          for (const instance of instances) {
            if (!instance.isConnected()) continue;
            instance.sendResourceListChanged();
            void instance.server.sendResourceUpdated({ uri: DATABASES_URI });
          }
        },
        onStateRefused: (error) => {
          note(error.message);
        },
      });
      server.server.onclose = () => instances.delete(server);
      instances.add(server);
      return server;
    },
    {
      onerror: (error) => {
        note(error.message);
      },
    },
  );
  const stop = (): void => {
    void handle.close().finally(() => process.exit(0));
  };
  process.stdin.once("end", stop);
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  note("ready on standard input and output");
}
