import { setTimeout as delay } from "node:timers/promises";
import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { failedResult, textResult } from "./toolResult.ts";

const inputSchema = z.object({
  name: z.string().min(1).max(80).default("0001-initial").describe("Name of the migration"),
  steps: z.number().int().min(1).max(100).default(5).describe("Number of steps; each reports progress"),
  durationMs: z
    .number()
    .int()
    .min(0)
    .max(600_000)
    .default(5_000)
    .describe("Time for all steps in milliseconds"),
  failAtStep: z.number().int().min(1).max(100).optional().describe("Step that fails, to see a failure"),
});

/** A slow tool: reports progress where the client asked for it, and stops when the call is cancelled. */
export function registerRunMigration(server: McpServer): void {
  server.registerTool(
    "run_migration",
    {
      title: "Run migration",
      description: "Runs a pretended migration step by step, with progress. Can be cancelled between steps.",
      inputSchema,
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    async ({ name, steps, durationMs, failAtStep }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (let step = 1; step <= steps; step += 1) {
        await delay(durationMs / steps, undefined, { signal: mcpReq.signal });
        if (step === failAtStep)
          return failedResult(`Migration “${name}” failed at step ${String(step)} and was rolled back.`);
        if (progressToken === undefined) continue;
        const message = `Step ${String(step)} of ${String(steps)}`;
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress: step, total: steps, message },
        });
      }
      return textResult(`Migration “${name}” finished after ${String(steps)} steps.`);
    },
  );
}
