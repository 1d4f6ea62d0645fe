import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { REGION_IDS } from "../catalog.ts";
import type { DemoContext } from "../demoContext.ts";
import { databaseSchema, describeDatabase } from "../provisioning.ts";
import { failedResult } from "./toolResult.ts";

const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** The tools that only look. */
export function registerInspectDatabases(server: McpServer, demo: DemoContext): void {
  registerListDatabases(server, demo);
  registerGetProvisionStatus(server, demo);
}

function registerListDatabases(server: McpServer, demo: DemoContext): void {
  server.registerTool(
    "list_databases",
    {
      title: "List databases",
      description: "Lists all databases with their state and monthly price.",
      inputSchema: z.object({}),
      outputSchema: z.object({ databases: z.array(databaseSchema), answeredBy: z.string() }),
      annotations: READ_ONLY,
    },
    async () => {
      const now = Date.now();
      const databases = (await demo.store.list()).map((database) => describeDatabase(database, now));
      const lines = databases.map(
        ({ name, engine, region, status }) => `- ${name}: ${engine} in ${region}, ${status}`,
      );
      const text = lines.length === 0 ? "There are no databases yet." : lines.join("\n");
      return {
        content: [{ type: "text", text }],
        structuredContent: { databases, answeredBy: demo.replica },
      };
    },
  );
}

function registerGetProvisionStatus(server: McpServer, demo: DemoContext): void {
  const inputSchema = z.object({
    database: z.string().min(1).describe("Id or name of the database"),
    region: z
      .enum(REGION_IDS)
      .optional()
      .describe("Region to ask; over HTTP it is repeated in a header, so that a gateway can route by it")
      .meta({ "x-mcp-header": "Region" }),
  });
  server.registerTool(
    "get_provision_status",
    {
      title: "Get provision status",
      description: "Tells how far the creation of a database is.",
      inputSchema,
      outputSchema: databaseSchema.extend({ answeredBy: z.string() }),
      annotations: READ_ONLY,
    },
    async ({ database: wanted, region }) => {
      const database = await demo.store.find(wanted);
      if (database === undefined) return failedResult(`There is no database “${wanted}”.`);
      if (region !== undefined && region !== database.region) {
        return failedResult(`“${database.name}” is in ${database.region}, not in ${region}.`);
      }
      const view = describeDatabase(database, Date.now());
      const text = `“${view.name}” is ${String(view.percent)} % done: ${view.phase}.`;
      return { content: [{ type: "text", text }], structuredContent: { ...view, answeredBy: demo.replica } };
    },
  );
}
