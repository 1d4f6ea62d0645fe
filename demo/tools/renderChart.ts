import type { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { createCanvas, encodePng, fillRectangle, type Colour } from "../pngImage.ts";

const METRICS = ["storage", "cost", "latency"] as const;
type Metric = (typeof METRICS)[number];

const UNITS: Readonly<Record<Metric, string>> = { storage: "GB", cost: "EUR", latency: "ms" };
const BAR_COLOURS: Readonly<Record<Metric, Colour>> = {
  storage: [45, 125, 210],
  cost: [214, 137, 16],
  latency: [151, 71, 180],
};
const PAPER: Colour = [250, 250, 250];
const GRID: Colour = [222, 222, 222];
const AXIS: Colour = [90, 90, 90];
const WIDTH = 480;
const HEIGHT = 240;
const MARGIN = 16;
const GRID_LINES = 4;

const outputSchema = z.object({
  metric: z.enum(METRICS),
  unit: z.string(),
  maximum: z.number(),
  points: z.array(z.object({ day: z.number().int(), value: z.number() })),
});

/** A tool whose result is a picture, a text and checked data at once. */
export function registerRenderChart(server: McpServer): void {
  server.registerTool(
    "render_chart",
    {
      title: "Render chart",
      description:
        "Draws a bar chart of made-up usage data. Returns a PNG image and the numbers as structured data.",
      inputSchema: z.object({
        metric: z.enum(METRICS).default("storage").describe("What to draw"),
        days: z.number().int().min(2).max(60).default(14).describe("Number of days, one bar each"),
      }),
      outputSchema,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    ({ metric, days }) => {
      const points = makePoints(metric, days);
      const maximum = Math.max(...points.map(({ value }) => value));
      const unit = UNITS[metric];
      return {
        content: [
          {
            type: "text",
            text: `${metric} over ${String(days)} days, at most ${String(maximum)} ${unit} a day.`,
          },
          {
            type: "image",
            mimeType: "image/png",
            data: drawBars(metric, points, maximum).toString("base64"),
          },
        ],
        structuredContent: { metric, unit, maximum, points },
      };
    },
  );
}

type Point = z.infer<typeof outputSchema>["points"][number];

/** The same numbers for the same question, so that results can be compared. */
function makePoints(metric: Metric, days: number): Point[] {
  const phase = METRICS.indexOf(metric) + 1;
  return Array.from({ length: days }, (_unused, index) => {
    const wave = 40 * Math.sin((index + phase) * 0.7) + 12 * Math.cos(index * phase * 1.3);
    return { day: index + 1, value: Math.round((60 + wave + index * phase) * 10) / 10 };
  });
}

function drawBars(metric: Metric, points: readonly Point[], maximum: number): Buffer {
  const canvas = createCanvas(WIDTH, HEIGHT, PAPER);
  const floor = HEIGHT - MARGIN;
  const room = HEIGHT - 2 * MARGIN;
  for (let line = 1; line <= GRID_LINES; line += 1) {
    fillRectangle(
      canvas,
      MARGIN,
      floor - Math.round((room * line) / GRID_LINES),
      WIDTH - 2 * MARGIN,
      1,
      GRID,
    );
  }
  const slot = (WIDTH - 2 * MARGIN) / points.length;
  points.forEach(({ value }, index) => {
    const height = Math.max(1, Math.round((room * value) / maximum));
    const left = Math.round(MARGIN + index * slot + slot * 0.15);
    fillRectangle(
      canvas,
      left,
      floor - height,
      Math.max(1, Math.round(slot * 0.7)),
      height,
      BAR_COLOURS[metric],
    );
  });
  fillRectangle(canvas, MARGIN, floor, WIDTH - 2 * MARGIN, 2, AXIS);
  return encodePng(canvas);
}
