import { inputRequired, type CallToolResult, type McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Call } from "../conversation.ts";
import type { DemoContext } from "../demoContext.ts";
import type { RequestState } from "../requestState.ts";
import { failedResult, textResult } from "./toolResult.ts";

const TOOL = "delete_database";

/** Deletes a database after its name was typed. */
export function registerDeleteDatabase(server: McpServer, demo: DemoContext): void {
  server.registerTool(
    TOOL,
    {
      title: "Delete database",
      description: "Deletes a database and everything in it. Asks to type its name first.",
      inputSchema: z.object({ database: z.string().min(1).describe("Id or name of the database") }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    async (args, context) => {
      const call: Call = { tool: TOOL, args, context };
      const state = demo.conversation.resume(call);
      if (state !== undefined) return remove(demo, call, state);
      const database = await demo.store.find(args.database);
      if (database === undefined) return failedResult(`There is no database “${args.database}”.`);
      const confirm = inputRequired.elicit({
        message: `This deletes “${database.name}” (${database.id}) with ${String(database.storageGb)} GB of data for good. Type its name to confirm.`,
        requestedSchema: {
          type: "object",
          properties: {
            name: { type: "string", title: `Type “${database.name}”`, minLength: 1, maxLength: 31 },
          },
          required: ["name"],
        },
      });
      return demo.conversation.ask(call, undefined, { confirm }, { id: database.id, name: database.name });
    },
  );
}

async function remove(demo: DemoContext, call: Call, state: RequestState): Promise<CallToolResult> {
  const { id, name } = state.settled;
  if (typeof id !== "string") throw new Error("The state lacks the database. Nothing was deleted.");
  const ticket = demo.conversation.ticket(call, state);
  const answer = demo.conversation.answer(call, "confirm");
  const refusal =
    answer.action !== "accept"
      ? nothingDeleted(answer.action)
      : answer.content["name"] !== name
        ? failedResult("The name does not match. Nothing was deleted.")
        : undefined;
  if (refusal !== undefined) return (await demo.store.redeem(ticket)) ? refusal : alreadyUsed();
  const outcome = await demo.store.remove(ticket, id);
  if (outcome.kind === "replayed") return alreadyUsed();
  if (outcome.kind === "gone") return failedResult("The database is gone already. Nothing was deleted.");
  if (outcome.kind === "removed") demo.onDatabasesChanged();
  const how = outcome.kind === "removed" ? "Deleted" : "Already deleted by this very request";
  return textResult(`${how}: “${outcome.database.name}” (${outcome.database.id}).`);
}

function nothingDeleted(action: "decline" | "cancel" | "other"): CallToolResult {
  if (action === "decline") return textResult("You declined. Nothing was deleted.");
  if (action === "cancel") return textResult("You cancelled. Nothing was deleted.");
  return failedResult("The question was not answered. Nothing was deleted.");
}

function alreadyUsed(): CallToolResult {
  return failedResult(
    "This question was answered before, and a second answer is not accepted. This request deleted nothing; start anew.",
  );
}
