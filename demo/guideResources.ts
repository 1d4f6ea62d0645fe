import {
  completable,
  ResourceNotFoundError,
  ResourceTemplate,
  type McpServer,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import {
  ENGINES,
  formatCents,
  isRegionId,
  PLANS,
  quoteCents,
  REGION_IDS,
  REGIONS,
  regionTitle,
} from "./catalog.ts";
import { createCanvas, encodePng, fillRectangle } from "./pngImage.ts";

const GUIDE = `# The pretended cloud

Everything here lives in memory and costs nothing.

1. Run **Create database**. It asks for a region, and then for the price to be confirmed.
2. Open **All databases** and watch it: it is read again when a database comes or goes.
3. Open **Prices of a region** to see a template: the region is proposed while you type.
4. Get the prompt **Plan a database** and send it to chat.
`;

/** Things to read that need no database: a text, a picture, and prices by a template with proposals. */
export function registerGuide(server: McpServer): void {
  server.registerResource(
    "guide",
    "demo://guide",
    {
      title: "Guide",
      description: "What can be tried with this server",
      mimeType: "text/markdown",
      size: GUIDE.length,
    },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: "text/markdown", text: GUIDE }] }),
  );
  const picture = drawPrices().toString("base64");
  server.registerResource(
    "price-chart",
    "demo://prices/chart",
    {
      title: "Price chart",
      description: "What the starter plan costs in each region",
      mimeType: "image/png",
    },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: "image/png", blob: picture }] }),
  );
  const prices = new ResourceTemplate("demo://prices/{region}/{engine}", {
    list: undefined,
    complete: {
      region: (value) => REGION_IDS.filter((region) => region.startsWith(value)),
      engine: (value) => ENGINES.filter((engine) => engine.startsWith(value)),
    },
  });
  server.registerResource(
    "prices",
    prices,
    {
      title: "Prices of a region",
      description: "Monthly prices of 10 GB in each plan, by region and engine",
      mimeType: "text/csv",
    },
    (uri, { region, engine }) => {
      const engines = ENGINES.filter((each) => each === engine);
      if (!isRegionId(region) || engines.length === 0) throw new ResourceNotFoundError(uri.href);
      const rows = engines.flatMap((each) =>
        PLANS.map((plan) => {
          const cents = quoteCents({ name: "", engine: each, storageGb: 10, plan }, region);
          return `${each},${plan},${formatCents(cents)}`;
        }),
      );
      const text = [`engine,plan,price in ${regionTitle(region)}`, ...rows].join("\n");
      return { contents: [{ uri: uri.href, mimeType: "text/csv", text }] };
    },
  );
}

/** A prompt of two messages, with a resource inside, to see how prompts are shown. */
export function registerReview(server: McpServer): void {
  server.registerPrompt(
    "compare_regions",
    {
      title: "Compare two regions",
      description: "Asks a model to choose between two regions for a workload.",
      argsSchema: z.object({
        first: completable(z.string().describe("One region"), (value) =>
          REGION_IDS.filter((region) => region.startsWith(value)),
        ),
        // What was chosen already is not proposed again.
        second: completable(z.string().describe("The other region"), (value, context) =>
          REGION_IDS.filter((region) => region.startsWith(value) && region !== context?.arguments?.["first"]),
        ),
        workload: z.string().optional().describe("What the database is for"),
      }),
    },
    ({ first, second, workload }) => ({
      description: "Comparing two regions",
      messages: [
        {
          role: "user",
          content: {
            type: "text",
            text: `Which region is better for ${workload ?? "a small web shop"}: ${first} or ${second}?`,
          },
        },
        {
          role: "user",
          content: {
            type: "resource",
            resource: { uri: "demo://guide", mimeType: "text/markdown", text: GUIDE },
          },
        },
        { role: "assistant", content: { type: "text", text: "I will look at the prices of both first." } },
      ],
    }),
  );
}

/** A bar for each region, as long as its starter plan costs. */
function drawPrices(): Buffer {
  const canvas = createCanvas(480, 40 + REGIONS.length * 60, [24, 30, 42]);
  REGIONS.forEach(({ id }, index) => {
    const cents = quoteCents({ name: "", engine: "postgres", storageGb: 10, plan: "starter" }, id);
    const top = 30 + index * 60;
    fillRectangle(canvas, 24, top, 432, 36, [43, 52, 70]);
    fillRectangle(canvas, 24, top, Math.round((cents / 1_300) * 432), 36, [72, 159, 181]);
  });
  return encodePng(canvas);
}
