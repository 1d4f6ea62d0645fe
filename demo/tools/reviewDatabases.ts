import { inputRequired, inputResponse, type McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Call } from "../conversation.ts";
import type { DemoContext } from "../demoContext.ts";
import { describeDatabase } from "../provisioning.ts";
import { failedResult, textResult } from "./toolResult.ts";

const TOOL = "review_databases";
const MAX_TOKENS = 300;

/** Asks the client's language model what it thinks of the databases. Sampling is deprecated; this shows how it works. */
export function registerReviewDatabases(server: McpServer, demo: DemoContext): void {
  server.registerTool(
    TOOL,
    {
      title: "Review databases",
      description: "Lets a language model of the client review the databases and their costs.",
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
    },
    async (args, context) => {
      const call: Call = { tool: TOOL, args, context };
      if (demo.conversation.resume(call) === undefined) {
        const review = inputRequired.createMessage(await reviewRequest(demo));
        return demo.conversation.ask(call, undefined, { review }, {});
      }
      const answer = inputResponse(context.mcpReq.inputResponses, "review");
      if (answer.kind !== "sampling") return failedResult("There is no answer of a model.");
      const { content, model } = answer.result;
      const texts = [content].flat().flatMap((block) => (block.type === "text" ? [block.text] : []));
      return textResult(`${model} says: ${texts.join("\n")}`);
    },
  );
}

async function reviewRequest(demo: DemoContext): Promise<Parameters<typeof inputRequired.createMessage>[0]> {
  const now = Date.now();
  const databases = (await demo.store.list()).map((database) => describeDatabase(database, now));
  return {
    systemPrompt: "You review the databases of a team. Answer in at most three sentences.",
    messages: [
      {
        role: "user",
        content: {
          type: "text",
          text: `Which of these databases looks too large or too expensive?\n\n${JSON.stringify(databases, undefined, 2)}`,
        },
      },
    ],
    maxTokens: MAX_TOKENS,
    modelPreferences: { hints: [{ name: "mini" }], costPriority: 0.8 },
  };
}
