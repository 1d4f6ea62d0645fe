/** Takes pictures of the pages in all themes, to be looked at: `node shots.ts [DIRECTORY]`. */
import { mkdir } from "node:fs/promises";
import { doneRun, inputView, richResult, toolRunView, urlRequest } from "./fixtures.ts";
import { buildPages, launchBrowser, PageHarness } from "./pageHarness.ts";
import type { ThemeName } from "./themes.ts";

const out = process.argv[2] ?? "out/shots";
await mkdir(out, { recursive: true });
await buildPages();
const browser = await launchBrowser();

interface Shot {
  readonly name: string;
  readonly page: "toolRun" | "input";
  readonly message: unknown;
  readonly act?: (harness: PageHarness) => Promise<void>;
}

const shots: Shot[] = [
  {
    name: "tool-form",
    page: "toolRun",
    message: {
      type: "view",
      view: toolRunView({
        initialArguments: {
          name: "orders",
          tags: ["a", "b"],
          network: { cidr: "10.0.0.0/16" },
          backup: { kind: "schedule", hour: 3 },
          labels: { team: "shop" },
        },
      }),
    },
  },
  {
    name: "tool-problems",
    page: "toolRun",
    message: { type: "view", view: toolRunView() },
    act: async ({ page }) => {
      await page.getByRole("button", { name: "Run", exact: true }).click();
    },
  },
  {
    name: "tool-json",
    page: "toolRun",
    message: { type: "view", view: toolRunView({ initialArguments: { name: "orders", tags: ["a"] } }) },
    act: async ({ page }) => {
      await page.getByRole("button", { name: "JSON", exact: true }).click();
    },
  },
  {
    name: "tool-running",
    page: "toolRun",
    message: {
      type: "view",
      view: toolRunView({
        run: {
          kind: "running",
          startedAtMs: Date.now() - 4200,
          waitingForInput: true,
          progress: { progress: 3, total: 8, message: "Creating volumes" },
        },
      }),
    },
  },
  {
    name: "tool-done",
    page: "toolRun",
    message: { type: "view", view: toolRunView({ run: doneRun(richResult) }, { type: "object" }) },
  },
  {
    name: "tool-error",
    page: "toolRun",
    message: {
      type: "view",
      view: toolRunView(
        { run: doneRun({ isError: true, blocks: [{ type: "text", text: "Quota exceeded." }] }) },
        { type: "object" },
      ),
    },
  },
  {
    name: "tool-failed",
    page: "toolRun",
    message: {
      type: "view",
      view: toolRunView(
        {
          canRun: false,
          notice: "The server is not connected.",
          run: {
            kind: "failed",
            durationMs: 812,
            problem: {
              message: "The server ended while the call was running.",
              remedy: "Restart it and try again.",
              detail: "Error: out of memory",
              rpcCode: -32603,
            },
          },
        },
        { type: "object" },
      ),
    },
  },
  { name: "input-form", page: "input", message: { type: "view", view: inputView({}, 3) } },
  {
    name: "input-problems",
    page: "input",
    message: { type: "view", view: inputView() },
    act: async ({ page }) => {
      await page.getByRole("button", { name: "Submit" }).click();
    },
  },
  {
    name: "input-url",
    page: "input",
    message: {
      type: "view",
      view: inputView({
        round: 2,
        requests: [urlRequest],
        history: [
          {
            round: 1,
            message: "Which region?",
            action: "accept",
            values: [{ title: "Region", value: "Frankfurt" }],
          },
        ],
      }),
    },
  },
  {
    name: "input-several",
    page: "input",
    message: {
      type: "view",
      view: inputView({ requests: [...(inputView().current?.requests ?? []), urlRequest] }),
    },
  },
  { name: "input-empty", page: "input", message: { type: "view", view: { waiting: 0, current: undefined } } },
];

const looks: [ThemeName, number][] = [
  ["dark", 900],
  ["light", 900],
  ["highContrast", 900],
  ["dark", 300],
];
const only = process.argv[3];
for (const shot of shots.filter(({ name }) => only === undefined || name.includes(only))) {
  for (const [theme, width] of looks) {
    const harness = await PageHarness.open(browser, { page: shot.page, theme, width });
    await harness.post(shot.message);
    await shot.act?.(harness);
    await harness.page.waitForTimeout(150);
    // As tall as the page, so that what sticks to the edge of the window is where it ends.
    const height = await harness.page.evaluate(() => document.documentElement.scrollHeight);
    await harness.page.setViewportSize({ width, height });
    await harness.page.screenshot({
      path: `${out}/${shot.name}-${theme}-${String(width)}.png`,
      fullPage: true,
    });
    for (const fault of harness.faults) process.stdout.write(`${shot.name} ${theme}: ${fault}\n`);
    await harness.close();
  }
}
await browser.close();
