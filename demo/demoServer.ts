import { McpServer, type McpServerOptions } from "@modelcontextprotocol/server";
import { createConversation, principalOf } from "./conversation.ts";
import type { DatabaseStore } from "./databaseStore.ts";
import type { DemoContext } from "./demoContext.ts";
import { registerSkill, SKILLS_EXTENSION } from "./demoSkill.ts";
import { registerGuide, registerReview } from "./guideResources.ts";
import { StateError, type StateSealer } from "./requestState.ts";
import { registerPrompts, registerResources } from "./resources.ts";
import { registerCreateDatabase } from "./tools/createDatabase.ts";
import { registerDeleteDatabase } from "./tools/deleteDatabase.ts";
import { registerInspectDatabases } from "./tools/inspectDatabases.ts";
import { registerRenderChart } from "./tools/renderChart.ts";
import { registerReviewDatabases } from "./tools/reviewDatabases.ts";
import { registerRunMigration } from "./tools/runMigration.ts";

/** What a demo server is made of. */
export interface DemoParts {
  readonly store: DatabaseStore;
  readonly sealer: StateSealer;
  readonly replica: string;
  readonly onDatabasesChanged: () => void;
  /** Told why a state was refused. The client only learns that it was. */
  readonly onStateRefused: (error: StateError) => void;
}

const LIST_TTL_MS = 60_000;

/** Builds one server instance with all tools, resources and prompts. HTTP needs a new one for each request. */
export function createDemoServer(parts: DemoParts): McpServer {
  const demo: DemoContext = {
    store: parts.store,
    conversation: createConversation(parts.sealer, parts.replica),
    replica: parts.replica,
    onDatabasesChanged: parts.onDatabasesChanged,
  };
  const server = new McpServer(
    {
      name: "signalbox-demo",
      title: "Cloud database (demo)",
      version: "1.0.0",
      description: "A pretended cloud database: everything lives in memory and costs nothing.",
    },
    serverOptions(parts),
  );
  registerCreateDatabase(server, demo);
  registerInspectDatabases(server, demo);
  registerDeleteDatabase(server, demo);
  registerRunMigration(server);
  registerRenderChart(server);
  registerReviewDatabases(server, demo);
  registerResources(server, demo);
  registerPrompts(server);
  registerGuide(server);
  registerReview(server);
  registerSkill(server);
  return server;
}

function serverOptions({ sealer, onStateRefused }: DemoParts): McpServerOptions {
  return {
    instructions:
      "A pretended cloud database. create_database asks for a region and a confirmation before it does anything; get_provision_status tells how far the creation is.",
    // Whoever watches the list of databases is told when it changes.
    capabilities: {
      resources: { subscribe: true, listChanged: true },
      extensions: { [SKILLS_EXTENSION]: {} },
    },
    // Nothing in these lists depends on who asks, so they may be shared; the databases themselves may not be cached.
    cacheHints: {
      "tools/list": { ttlMs: LIST_TTL_MS, cacheScope: "public" },
      "prompts/list": { ttlMs: LIST_TTL_MS, cacheScope: "public" },
      "server/discover": { ttlMs: LIST_TTL_MS, cacheScope: "public" },
    },
    requestState: {
      verify: async (sealed, context) => {
        try {
          return await sealer.open(sealed, {
            principal: principalOf(context),
            method: context.mcpReq.method,
          });
        } catch (error) {
          if (error instanceof StateError) onStateRefused(error);
          throw error;
        }
      },
    },
  };
}
