import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { JsonObject } from "../../src/base/json.ts";
import type { FormField } from "../../src/protocol/mrtr/inputRequired.ts";
import { doneRun, form, inputView, toolRunView } from "./fixtures.ts";
import { buildPages, launchBrowser, PageHarness } from "./pageHarness.ts";

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    id: { type: "integer", title: "Id", maximum: 9223372036854775807n },
    any: { title: "Any" },
  },
};

describe("integers beyond 2^53 in the pages", () => {
  let browser: Browser;
  let harness: PageHarness;
  let page: Page;

  before(async () => {
    await buildPages();
    browser = await launchBrowser();
  });

  after(() => browser.close());

  async function open(name: "toolRun" | "input"): Promise<void> {
    harness = await PageHarness.open(browser, { page: name });
    page = harness.page;
  }

  afterEach(async () => {
    assert.deepEqual(harness.faults, []);
    await harness.close();
  });

  const run = (): Promise<void> => page.getByRole("button", { name: "Run", exact: true }).click();
  const args = async (): Promise<unknown[]> =>
    (await harness.posted()).map((message) => (message as { arguments: unknown }).arguments);

  it("are sent as they were typed, in the form and in the JSON", async () => {
    await open("toolRun");
    await harness.post({ type: "view", view: toolRunView({}, SCHEMA) });
    await page.getByText("Up to 9223372036854775807").waitFor();
    await page.getByRole("checkbox", { name: "Include Id" }).click();
    await page.getByRole("textbox", { name: "Id" }).fill("9007199254740993");
    await run();
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    const json = page.getByRole("textbox", { name: "Arguments" });
    assert.match(await json.inputValue(), /"id": 9007199254740993\b/);
    await json.fill('{"any": [12345678901234567890123, {"x": -9007199254740993}]}');
    await run();
    assert.deepEqual(await args(), [
      { id: 9007199254740993n },
      { any: [12345678901234567890123n, { x: -9007199254740993n }] },
    ]);
  });

  it("are compared with a limit to the last digit", async () => {
    await open("toolRun");
    await harness.post({ type: "view", view: toolRunView({}, SCHEMA) });
    await page.getByRole("checkbox", { name: "Include Id" }).click();
    const id = page.getByRole("textbox", { name: "Id" });
    await id.fill("9223372036854775808");
    await run();
    await page.getByText("This must be at most 9223372036854775807.").waitFor();
    assert.deepEqual(await harness.posted(), []);
    await id.fill("9223372036854775807");
    await run();
    assert.deepEqual(await args(), [{ id: 9223372036854775807n }]);
  });

  it("begin with their digits, and keep them when the page was hidden", async () => {
    await open("toolRun");
    const view = toolRunView({ initialArguments: { id: 9007199254740993n } }, SCHEMA);
    await harness.post({ type: "view", view });
    const id = page.getByRole("textbox", { name: "Id" });
    assert.equal(await id.inputValue(), "9007199254740993");
    await id.fill("9007199254740995");
    await harness.load();
    await harness.post({ type: "view", view });
    assert.equal(await id.inputValue(), "9007199254740995");
    await run();
    assert.deepEqual(await args(), [{ id: 9007199254740995n }]);
  });

  it("are shown and copied whole in a result", async () => {
    await open("toolRun");
    const structured: JsonObject = { id: 9007199254740993n, list: [12345678901234567890123n] };
    const text = '{"id":9007199254740993}';
    await harness.post({
      type: "view",
      view: toolRunView({
        run: doneRun({
          blocks: [{ type: "text", text }],
          structured: { value: structured, check: { kind: "valid" } },
          raw: { content: [{ type: "text", text }], structuredContent: structured },
        }),
      }),
    });
    const tree = page.getByRole("tree").first();
    const row = tree.getByRole("treeitem", { name: "id: 9007199254740993" });
    await row.waitFor();
    await row.focus();
    await page.keyboard.press("Control+c");
    await page.getByRole("button", { name: "Show as tree" }).click();
    assert.equal(await page.getByRole("treeitem", { name: "id: 9007199254740993" }).count(), 2);
    await tree.getByRole("treeitem").first().focus();
    await page.keyboard.press("Control+c");
    assert.deepEqual(await harness.posted(), [
      { type: "copy", text: "9007199254740993" },
      {
        type: "copy",
        text: '{\n  "id": 9007199254740993,\n  "list": [\n    12345678901234567890123\n  ]\n}',
      },
    ]);
  });

  it("are answered as they were typed", async () => {
    await open("input");
    const field: FormField = {
      name: "n",
      title: "Number",
      required: true,
      kind: "number",
      integer: true,
      minimum: 9007199254740993n,
      default: 9007199254740995n,
    };
    await harness.post({
      type: "view",
      view: inputView({
        requests: [{ kind: "form", key: "q", message: "Which?", form: form(field), warnings: [] }],
      }),
    });
    await page.getByText("From 9007199254740993").waitFor();
    const number = page.getByRole("textbox", { name: "Number" });
    assert.equal(await number.inputValue(), "9007199254740995");
    await number.fill("12345678901234567890123");
    await page.getByRole("button", { name: "Submit", exact: true }).click();
    assert.deepEqual(await harness.posted(), [
      {
        type: "answer",
        roundId: "round-1",
        answers: [{ key: "q", action: "accept", content: { n: 12345678901234567890123n } }],
      },
    ]);
  });
});
