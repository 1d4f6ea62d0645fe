import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import type { PageName } from "../../src/shared/pageHtml.ts";
import { doneRun, inputView, richResult, toolRunView, urlRequest } from "./fixtures.ts";
import { buildPages, launchBrowser, PageHarness } from "./pageHarness.ts";
import { answerStage, samplingView } from "./samplingFixture.ts";
import type { ThemeName } from "./themes.ts";

/** Where the pictures go, for people to look at. */
const OUT = fileURLToPath(new URL("../../out/pictures", import.meta.url));
const LOOKS: readonly (readonly [ThemeName, number])[] = [
  ["dark", 900],
  ["light", 900],
  ["highContrast", 900],
  ["dark", 300],
];
const filled = {
  name: "orders",
  tags: ["a", "b"],
  network: { cidr: "10.0.0.0/16" },
  backup: { kind: "schedule", hour: 3 },
  labels: { team: "shop" },
};
const running = {
  kind: "running" as const,
  startedAtMs: 0,
  waitingFor: "input" as const,
  progress: { progress: 3, total: 8, message: "Creating volumes" },
};
const problem = {
  message: "The server ended while the call was running.",
  remedy: "Restart it and try again.",
  detail: "Error: out of memory",
  rpcCode: -32603,
};
const history = [
  {
    round: 1,
    message: "Which region?",
    action: "accept" as const,
    values: [{ title: "Region", value: "Frankfurt" }],
  },
];
const quota = doneRun({ isError: true, blocks: [{ type: "text", text: "Quota exceeded." }] });
const failed = {
  canRun: false,
  notice: "The server is not connected.",
  run: { kind: "failed" as const, durationMs: 812, problem },
};

interface Picture {
  readonly view: unknown;
  /** A button to press before the picture is taken. */
  readonly press?: string;
}

const PICTURES: Readonly<Record<PageName, Readonly<Record<string, Picture>>>> = {
  toolRun: {
    form: { view: toolRunView({ initialArguments: filled }) },
    problems: { view: toolRunView(), press: "Run" },
    json: { view: toolRunView({ initialArguments: filled }), press: "JSON" },
    running: { view: toolRunView({ run: running }) },
    done: { view: toolRunView({ run: doneRun(richResult) }, { type: "object" }) },
    error: { view: toolRunView({ run: quota }, { type: "object" }) },
    failed: { view: toolRunView(failed, { type: "object" }) },
  },
  input: {
    form: { view: inputView({}, 3) },
    problems: { view: inputView(), press: "Submit" },
    url: { view: inputView({ round: 2, requests: [urlRequest], history }) },
    several: { view: inputView({ requests: [...(inputView().current?.requests ?? []), urlRequest] }) },
    empty: { view: { waiting: 0, current: undefined } },
  },
  sampling: {
    prompt: { view: samplingView({}, 2) },
    failed: { view: samplingView({ stage: { kind: "prompt", problem: "Big Model is no longer there." } }) },
    running: { view: samplingView({ stage: { kind: "running", model: "Big Model" } }) },
    answer: { view: samplingView({ stage: answerStage }) },
  },
};

describe("Pictures of the pages", () => {
  let browser: Browser;

  before(async () => {
    await mkdir(OUT, { recursive: true });
    await buildPages();
    browser = await launchBrowser();
  });

  after(() => browser.close());

  for (const page of ["toolRun", "input", "sampling"] as const) {
    for (const [theme, width] of LOOKS) {
      it(`draws ${page} in ${theme} at ${String(width)} pixels without a fault`, async () => {
        const harness = await PageHarness.open(browser, { page, theme, width });
        for (const [name, { view, press }] of Object.entries(PICTURES[page])) {
          await harness.page.evaluate(() => sessionStorage.clear());
          await harness.page.setViewportSize({ width, height: 900 });
          await harness.load();
          await harness.post({ type: "view", view });
          if (press !== undefined)
            await harness.page.getByRole("button", { name: press, exact: true }).click();
          // As tall as the page, so that what sticks to the edge of the window is where it ends.
          const height = await harness.page.evaluate(() => document.documentElement.scrollHeight);
          await harness.page.setViewportSize({ width, height });
          await harness.page.screenshot({ path: `${OUT}/${page}-${name}-${theme}-${String(width)}.png` });
          const overflow = await harness.page.evaluate(
            () => document.documentElement.scrollWidth - window.innerWidth,
          );
          assert.ok(overflow <= 0, `${name} is ${String(overflow)} pixels too wide`);
        }
        assert.deepEqual(harness.faults, []);
        await harness.close();
      });
    }
  }
});
