import assert from "node:assert/strict";
import { askingStdio } from "../support/askingServer.ts";
import { makeWorkspace, packageAll } from "./support/packages.ts";
import { SamplingPage, ToolRunPage } from "./support/panels.ts";
import { Workbench } from "./support/workbench.ts";

const PROMPT = {
  systemPrompt: "You write release notes. Use two sentences.",
  messages: [{ role: "user", content: { type: "text", text: "What changed in version 2?" } }],
  maxTokens: 400,
  modelPreferences: { hints: [{ name: "scripted" }], costPriority: 0.8 },
};
const { args = [] } = askingStdio({
  revision: "2026-07-28",
  method: "sampling/createMessage",
  params: PROMPT,
});

describe("a person whose server wants to use a language model", function () {
  this.bail(true);
  let workbench: Workbench;
  let removeWorkspace: () => Promise<void>;

  before(async () => {
    const { signalbox, model } = await packageAll();
    const { folder, remove } = await makeWorkspace();
    removeWorkspace = remove;
    workbench = await Workbench.open(folder, {
      vsix: [signalbox, model],
      settings: {
        "signalbox.servers": { notes: { command: "${nodePath}", args, autostart: true } },
        "scriptedModel.answers": [[{ text: "Version 2 is faster. It also has a dark theme." }]],
      },
    });
    await workbench.statusBarItem("1/1").waitFor();
  });

  after(async () => {
    await workbench.close();
    await removeWorkspace();
  });

  afterEach(async function () {
    if (this.currentTest?.state === "failed") await workbench.shoot(`failed-${this.currentTest.title}`);
  });

  async function runTool(): Promise<ToolRunPage> {
    await workbench.closeEditors();
    await workbench.runCommand("Signalbox: Run Tool…");
    await workbench.choose("notes");
    const panel = await ToolRunPage.find(workbench, "t");
    await panel.press("Run");
    return panel;
  }

  it("sees that the server wants one, and allows it with a click", async () => {
    const panel = await runTool();
    await panel.result.getByText("which is not allowed to it").first().waitFor();
    await panel.frame.locator(".wanted-place").getByText("Allow a Language Model…").waitFor();
    await workbench.openView("Signalbox");
    const wish = workbench.treeRow("Off: wants a language model").first();
    await wish.waitFor();
    await workbench.shoot("sampling-wanted");
    await wish.click();
    await workbench.notification("may ask a language model").waitFor();
    await workbench.statusBarItem("1/1").waitFor();
    await wish.waitFor({ state: "detached" });
  });

  it("reads and changes the prompt, then the answer, and only then the server gets it", async () => {
    const panel = await runTool();
    const page = await SamplingPage.find(workbench);
    const waiting = panel.frame.locator(".run-bar").getByText("It waits for you");
    await waiting.waitFor();
    await panel.press("Show Model Request");
    const words = page.text("Message 1, as the user");
    assert.equal(await words.inputValue(), "What changed in version 2?");
    await words.fill("What changed in version 2, in short?");
    await workbench.shoot("sampling-prompt");
    await page.press("Send to Model");
    const answer = page.text("Answer of Scripted Model");
    await answer.waitFor();
    assert.match(await answer.inputValue(), /dark theme/);
    await workbench.shoot("sampling-answer");
    await answer.fill("Version 2 is faster.");
    await page.press("Send Back");
    await panel.result.getByText("Version 2 is faster.").first().waitFor();
    assert.equal(await waiting.count(), 0);
    assert.equal(await panel.result.getByText("dark theme").count(), 0);
    await workbench.shoot("sampling-done");
  });
});
