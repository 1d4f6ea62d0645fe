import {
  inputRequired,
  type CallToolResult,
  type ElicitRequestFormParams,
  type InputRequests,
  type InputRequiredResult,
  type McpServer,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import {
  DEFAULT_REGION,
  ENGINES,
  PLANS,
  REGIONS,
  formatCents,
  isRegionId,
  quoteCents,
  regionTitle,
  type Order,
  type RegionId,
} from "../catalog.ts";
import type { Call } from "../conversation.ts";
import type { DemoContext } from "../demoContext.ts";
import type { RequestState } from "../requestState.ts";
import { failedResult, textResult } from "./toolResult.ts";

const TOOL = "create_database";

const inputSchema = z.object({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{1,30}$/)
    .describe("Name of the database: lower-case letters, digits and dashes"),
  engine: z.enum(ENGINES).describe("Database engine"),
  storageGb: z.number().int().min(10).max(1000).default(20).describe("Storage in GB"),
  plan: z.enum(PLANS).default("standard").describe("Plan; enterprise asks to read the billing terms as well"),
});

const regionForm: ElicitRequestFormParams["requestedSchema"] = {
  type: "object",
  properties: {
    region: {
      type: "string",
      title: "Region",
      description: "Where the data is stored",
      oneOf: REGIONS.map(({ id, title }) => ({ const: id, title })),
      default: DEFAULT_REGION,
    },
  },
  required: ["region"],
};

/** The case study: nothing is created before a region is chosen and the monthly quote is confirmed. */
export function registerCreateDatabase(server: McpServer, demo: DemoContext): void {
  server.registerTool(
    TOOL,
    {
      title: "Create database",
      description:
        "Creates a cloud database. Asks for a region first and then to confirm the monthly price; nothing is created before both are answered.",
      inputSchema,
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    async (args, context) => {
      const call: Call = { tool: TOOL, args, context };
      const state = demo.conversation.resume(call);
      if (state === undefined) return askRegion(demo, call, args);
      if (state.round === 1) return askConfirmation(demo, call, state, args);
      return create(demo, call, state, args);
    },
  );
}

async function askRegion(
  demo: DemoContext,
  call: Call,
  order: Order,
): Promise<CallToolResult | InputRequiredResult> {
  if ((await demo.store.find(order.name)) !== undefined) return nameTaken(order);
  const message = `In which region should the ${order.engine} database “${order.name}” be created?`;
  const requests = { region: inputRequired.elicit({ message, requestedSchema: regionForm }) };
  return demo.conversation.ask(call, undefined, requests, {});
}

async function askConfirmation(
  demo: DemoContext,
  call: Call,
  state: RequestState,
  order: Order,
): Promise<CallToolResult | InputRequiredResult> {
  if (!(await demo.store.redeem(demo.conversation.ticket(call, state)))) return alreadyUsed();
  const answer = demo.conversation.answer(call, "region");
  if (answer.action !== "accept") return nothingCreated(answer.action);
  const region = answer.content["region"];
  if (!isRegionId(region))
    return failedResult("That is not one of the offered regions. Nothing was created.");
  const cents = quoteCents(order, region);
  return demo.conversation.ask(call, state, confirmationRequests(order, region, cents), { region, cents });
}

function confirmationRequests(order: Order, region: RegionId, cents: number): InputRequests {
  const confirm = inputRequired.elicit({
    message: `“${order.name}” (${order.engine}, ${String(order.storageGb)} GB, ${order.plan}) in ${regionTitle(region)} costs ${formatCents(cents)} a month. Create it?`,
    requestedSchema: {
      type: "object",
      properties: {
        confirm: { type: "boolean", title: `Create it for ${formatCents(cents)} a month`, default: false },
        monthlyLimit: {
          type: "number",
          title: "Monthly limit in EUR",
          description: "Nothing is created when the price is above this",
          minimum: 0,
          default: Math.ceil(cents / 100),
        },
      },
      required: ["confirm"],
    },
  });
  if (order.plan !== "enterprise") return { confirm };
  const terms = inputRequired.elicitUrl({
    message: "Please read the billing terms of the enterprise plan.",
    url: `https://example.com/billing/terms?plan=enterprise&region=${region}`,
  });
  return { confirm, terms };
}

async function create(
  demo: DemoContext,
  call: Call,
  state: RequestState,
  order: Order,
): Promise<CallToolResult> {
  const { region, cents } = state.settled;
  if (!isRegionId(region) || typeof cents !== "number")
    throw new Error("The state lacks the quote. Nothing was created.");
  const ticket = demo.conversation.ticket(call, state);
  const refusal = findRefusal(demo, call, order, cents);
  // A “no” uses the state up as well: it cannot be turned into a “yes” later.
  if (refusal !== undefined) return (await demo.store.redeem(ticket)) ? refusal : alreadyUsed();
  const outcome = await demo.store.create(ticket, { ...order, region, monthlyCents: cents });
  if (outcome.kind === "replayed") return alreadyUsed();
  if (outcome.kind === "name-taken") return nameTaken(order);
  if (outcome.kind === "created") demo.onDatabasesChanged();
  const { database } = outcome;
  const how = outcome.kind === "created" ? "Created" : "Already created by this very request";
  const route = demo.conversation.route(state).join(" → ");
  return {
    content: [
      {
        type: "text",
        text: `${how}: ${database.engine} database “${database.name}” (${database.id}) in ${regionTitle(region)} for ${formatCents(cents)} a month. Replicas: ${route}.`,
      },
      {
        type: "resource_link",
        uri: `demo://databases/${database.id}`,
        name: database.name,
        title: `Database ${database.name}`,
        mimeType: "application/json",
      },
    ],
  };
}

/** Why the person's answers do not amount to an order; undefined when they do. */
function findRefusal(demo: DemoContext, call: Call, order: Order, cents: number): CallToolResult | undefined {
  const answer = demo.conversation.answer(call, "confirm");
  if (answer.action !== "accept") return nothingCreated(answer.action);
  if (answer.content["confirm"] !== true) {
    return textResult("You did not confirm the price. Nothing was created.");
  }
  const limit = answer.content["monthlyLimit"];
  if (typeof limit === "number" && limit * 100 < cents) {
    return textResult(
      `The price of ${formatCents(cents)} is above your limit of ${limit.toFixed(2)} EUR. Nothing was created.`,
    );
  }
  if (order.plan === "enterprise" && demo.conversation.answer(call, "terms").action !== "accept") {
    return textResult("The billing terms were not accepted. Nothing was created.");
  }
  return undefined;
}

function nothingCreated(action: "decline" | "cancel" | "other"): CallToolResult {
  if (action === "decline") return textResult("You declined. Nothing was created.");
  if (action === "cancel") return textResult("You cancelled. Nothing was created.");
  return failedResult("The question was not answered. Nothing was created.");
}

function nameTaken({ name }: Order): CallToolResult {
  return failedResult(`There is a database “${name}” already. Nothing was created.`);
}

function alreadyUsed(): CallToolResult {
  return failedResult(
    "This question was answered before, and a second answer is not accepted. This request created nothing; start anew.",
  );
}
