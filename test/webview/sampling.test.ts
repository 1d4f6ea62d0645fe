import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { SamplingView } from "../../src/shared/samplingMessages.ts";
import { HOSTILE } from "./fixtures.ts";
import { openEachTime } from "./openEachTime.ts";
import type { PageHarness } from "./pageHarness.ts";
import { answerStage, samplingView } from "./samplingFixture.ts";

describe("Model request page", () => {
  let harness: PageHarness;
  let page: Page;

  openEachTime("sampling", (opened, itsPage) => {
    harness = opened;
    page = itsPage;
  });

  const show = (view: SamplingView): Promise<void> => harness.post({ type: "view", view });
  const press = (name: string): Promise<void> => page.getByRole("button", { name, exact: true }).click();

  // Duty: 11.1.2
  it("shows who asks, the whole prompt, its limits and its tools", async () => {
    await show(samplingView({}, 2));
    await page.getByRole("heading", { name: "cloud-demo wants to use a language model" }).waitFor();
    await page.getByText("You called “summarize_costs”").first().waitFor();
    await page.getByText("1 more request is waiting.").waitFor();
    await page.getByText("400 tokens").waitFor();
    await page.getByText("Nothing is added.").waitFor();
    const words = page.getByRole("textbox", { name: "Message 1, as the user" });
    assert.match(await words.inputValue(), /orders 120/);
    assert.match(
      await page.getByRole("textbox", { name: "Instructions for the model" }).inputValue(),
      /accountant/,
    );
    await page.getByText('"month": 10').waitFor();
    await page.getByRole("img").waitFor();
    await page.getByText("Tools that the model may ask the server for (1)").click();
    await page.getByText("Looks up the costs of a month.").waitFor();
    assert.deepEqual(await harness.posted(), []);
  });

  it("sends only what was changed, with the chosen model", async () => {
    await show(samplingView());
    await page.getByRole("textbox", { name: "Message 1, as the user" }).fill("Which one?");
    await page.getByRole("combobox", { name: "Model" }).click();
    await page.getByRole("option", { name: "Small Model (local)" }).click();
    await press("Send to Model");
    assert.deepEqual(await harness.posted(), [
      { type: "send", taskId: "task-1", model: "small", texts: { "0.0": "Which one?" } },
    ]);
    await page.getByRole("button", { name: "Decline", disabled: true }).waitFor();
  });

  it("sends by keyboard, and declines with nothing sent", async () => {
    await show(samplingView());
    await page.getByRole("textbox", { name: "Instructions for the model" }).fill("Be brief");
    await page.keyboard.press("Control+Enter");
    await show(samplingView({ taskId: "task-2" }));
    await press("Decline");
    assert.deepEqual(await harness.posted(), [
      { type: "send", taskId: "task-1", model: "big", texts: { system: "Be brief" } },
      { type: "refuse", taskId: "task-2" },
    ]);
  });

  it("shows what the model writes, and stops it", async () => {
    await show(samplingView({ stage: { kind: "running", model: "Big Model" } }));
    await page.getByText("Big Model is writing…").first().waitFor();
    await harness.post({ type: "progress", taskId: "other", text: "not this" });
    await harness.post({ type: "progress", taskId: "task-1", text: "Three data" });
    await page.getByText("Three data").waitFor();
    assert.equal(await page.getByText("not this").count(), 0);
    await press("Stop");
    assert.deepEqual(await harness.posted(), [{ type: "stop", taskId: "task-1" }]);
  });

  // Duty: 11.1.2
  it("shows the answer before it goes back, and gives back what was changed", async () => {
    await show(samplingView({ stage: answerStage }));
    const answer = page.getByRole("textbox", { name: "Answer of Big Model" });
    assert.match(await answer.inputValue(), /Three databases/);
    await page.getByText('"month": 11').waitFor();
    await answer.fill("Two of them.");
    await press("Send Back");
    assert.deepEqual(await harness.posted(), [
      { type: "sendBack", taskId: "task-1", texts: { "0.0": "Two of them." } },
    ]);
  });

  it("keeps what was changed when a model fails, and says why it failed", async () => {
    await show(samplingView());
    await page.getByRole("textbox", { name: "Message 1, as the user" }).fill("Mine");
    await press("Send to Model");
    await show(samplingView({ stage: { kind: "running", model: "Big Model" } }));
    await page.getByText("Big Model is writing…").first().waitFor();
    await show(samplingView({ stage: { kind: "prompt", problem: "Its quota is used up." } }));
    await page.getByRole("alert").getByText("Its quota is used up.").waitFor();
    const words = page.getByRole("textbox", { name: "Message 1, as the user" });
    assert.equal(await words.inputValue(), "Mine");
    assert.equal(
      await page.getByRole("heading", { level: 1 }).evaluate((node) => node === document.activeElement),
      true,
    );
  });

  it("keeps what was changed while it is hidden", async () => {
    await show(samplingView());
    await page.getByRole("textbox", { name: "Message 1, as the user" }).fill("Mine");
    await harness.load();
    await show(samplingView());
    assert.equal(await page.getByRole("textbox", { name: "Message 1, as the user" }).inputValue(), "Mine");
  });

  it("takes everything that the server says as text", async () => {
    const view = samplingView();
    const hostile = HOSTILE;
    assert.ok(view.current !== undefined);
    await show({
      ...view,
      current: {
        ...view.current,
        serverId: hostile,
        target: hostile,
        prompt: {
          systemPrompt: hostile,
          messages: [
            {
              role: "user",
              parts: [
                { kind: "text", key: "0.0", text: hostile },
                { kind: "data", title: hostile, text: hostile },
                { kind: "image", mimeType: "image/svg+xml", data: btoa(hostile) },
              ],
            },
          ],
          facts: [{ name: hostile, value: hostile }],
          tools: [{ name: hostile, description: hostile, schema: hostile }],
          warnings: [hostile],
        },
      },
    });
    await page.getByRole("button", { name: "Send to Model" }).waitFor();
    assert.equal(await page.locator("script[src='x'], img[src='x']").count(), 0);
  });

  it("says when nothing waits", async () => {
    await show({ waiting: 0, current: undefined });
    await page.getByText("Nothing is waiting for an answer.").first().waitFor();
  });
});
