import {
  ResourceNotFoundError,
  ResourceTemplate,
  completable,
  type McpServer,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { ENGINES } from "./catalog.ts";
import type { DemoContext } from "./demoContext.ts";
import { describeDatabase } from "./provisioning.ts";

/** The list of databases as a resource. */
export const DATABASES_URI = "demo://databases";

const JSON_TYPE = "application/json";

/** The databases as resources: one list, and one for each. */
export function registerResources(server: McpServer, demo: DemoContext): void {
  server.registerResource(
    "databases",
    DATABASES_URI,
    { title: "All databases", description: "Every database with its state", mimeType: JSON_TYPE },
    async (uri) => {
      const now = Date.now();
      const databases = (await demo.store.list()).map((database) => describeDatabase(database, now));
      return {
        contents: [{ uri: uri.href, mimeType: JSON_TYPE, text: JSON.stringify(databases, undefined, 2) }],
      };
    },
  );
  const template = new ResourceTemplate("demo://databases/{id}", {
    list: async () => ({
      resources: (await demo.store.list()).map(({ id, name, engine }) => ({
        uri: `${DATABASES_URI}/${id}`,
        name,
        title: `Database ${name}`,
        description: `${engine} database`,
        mimeType: JSON_TYPE,
      })),
    }),
    complete: {
      id: async (value) => (await demo.store.list()).map(({ id }) => id).filter((id) => id.startsWith(value)),
    },
  });
  server.registerResource(
    "database",
    template,
    { title: "One database", description: "A database with its state, by id", mimeType: JSON_TYPE },
    async (uri, { id }) => {
      const database = typeof id === "string" ? await demo.store.find(id) : undefined;
      if (database === undefined) throw new ResourceNotFoundError(uri.href);
      const view = describeDatabase(database, Date.now());
      return { contents: [{ uri: uri.href, mimeType: JSON_TYPE, text: JSON.stringify(view, undefined, 2) }] };
    },
  );
}

/** A prompt with arguments that can be completed. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    "plan_database",
    {
      title: "Plan a database",
      description: "Asks a model to choose engine, size and plan for a workload.",
      argsSchema: z.object({
        workload: z.string().describe("What the database is for"),
        engine: completable(z.string().optional().describe("Preferred engine"), (value) =>
          ENGINES.filter((engine) => engine.startsWith(value ?? "")),
        ),
      }),
    },
    ({ workload, engine }) => ({
      description: "Planning a database",
      messages: [
        {
          role: "user",
          content: {
            type: "text",
            text: `Plan a cloud database for this workload: ${workload}\nPreferred engine: ${engine ?? "none"}.\nChoose engine, storage and plan, say why in three sentences, then call create_database.`,
          },
        },
      ],
    }),
  );
}
