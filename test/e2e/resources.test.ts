import assert from "node:assert/strict";
import { join } from "node:path";
import { makeWorkspace, packageAll } from "./support/packages.ts";
import { InputPage, ToolRunPage } from "./support/panels.ts";
import { Workbench } from "./support/workbench.ts";

const DEMO = join(import.meta.dirname, "..", "..", "dist", "demo.mjs");

describe("a person who reads what a server has", function () {
  this.bail(true);
  let workbench: Workbench;
  let removeWorkspace: () => Promise<void>;

  before(async () => {
    const { signalbox } = await packageAll();
    const { folder, remove } = await makeWorkspace();
    removeWorkspace = remove;
    const cloud = { command: process.execPath, args: [DEMO, "--stdio"], autostart: true, skills: true };
    workbench = await Workbench.open(folder, {
      vsix: [signalbox],
      settings: { "signalbox.servers": { cloud } },
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

  const editorText = (): Promise<string> =>
    workbench.page.locator(".editor-group-container.active .view-lines").first().innerText();

  it("sees the kinds of things under headings", async () => {
    await workbench.openView("Signalbox");
    // The hint of the activity bar lies over the first rows.
    await workbench.page.mouse.move(700, 500);
    await workbench.expand("Resources (5)");
    await workbench.expand("Templates (2)");
    await workbench.expand("Prompts (2)");
    await workbench.treeRow("Price chart").waitFor();
    await workbench.shoot("sections");
  });

  it("opens a text with a click", async () => {
    await workbench.treeRow("Guide").click();
    await workbench.page.locator(".tab").filter({ hasText: "Guide.md" }).waitFor();
    await workbench.page.locator(".view-line").filter({ hasText: "The pretended cloud" }).first().waitFor();
    await workbench.shoot("resource-text");
  });

  it("sees a picture in the editor's own viewer", async () => {
    await workbench.treeRow("Price chart").click();
    // The viewer says so once it has drawn it.
    await workbench.statusBarItem("480x280").waitFor();
    await workbench.shoot("resource-picture");
  });

  it("sees quietly that a watched resource changed, until it is opened", async () => {
    // With a resource in front, the command would mean that one.
    await workbench.closeEditors();
    await workbench.runCommand("Signalbox: Watch Resource for Changes");
    await workbench.choose("All databases");
    await workbench.treeRow("All databases").filter({ hasText: "watched" }).waitFor();
    await workbench.runCommand("Signalbox: Run Tool…");
    await workbench.choose("Create database");
    const panel = await ToolRunPage.find(workbench, "Create database");
    await panel.fill("name", "watched");
    await panel.choose("engine", "redis");
    await panel.press("Run");
    const input = await InputPage.find(workbench);
    await input.press("Submit");
    await input.untilAsked("Create it?");
    await input.frame.locator("vscode-checkbox").first().click();
    await input.press("Submit");
    const changed = workbench.treeRow("All databases").filter({ hasText: "changed · watched" });
    await changed.waitFor();
    assert.match((await changed.getAttribute("aria-label")) ?? "", /changed · watched/);
    await workbench.shoot("resource-changed");
    await changed.click();
    await workbench.page.locator(".view-line").filter({ hasText: '"watched"' }).first().waitFor();
    await changed.waitFor({ state: "detached" });
  });

  it("fills in a template with what the server proposes", async () => {
    await workbench.treeRow("Prices of a region").click();
    const input = workbench.page.locator(".quick-input-widget:visible input.input");
    await input.fill("eu-n");
    await workbench.choose("eu-north");
    await workbench.page.locator(".quick-input-title").filter({ hasText: "engine" }).waitFor();
    await workbench.choose("redis");
    await workbench.page.locator(".view-line").filter({ hasText: "Stockholm (eu-north)" }).first().waitFor();
    await workbench.shoot("template-opened");
  });

  it("goes back in the questions of a prompt, and reads it under its roles", async () => {
    await workbench.treeRow("Compare two regions").click();
    const title = workbench.page.locator(".quick-input-title");
    await title.filter({ hasText: "first" }).waitFor();
    await workbench.choose("us-east");
    await title.filter({ hasText: "second" }).waitFor();
    await workbench.page.locator(".quick-input-titlebar .codicon-quick-input-back").click();
    await title.filter({ hasText: "first" }).waitFor();
    await workbench.choose("eu-north");
    await title.filter({ hasText: "second" }).waitFor();
    await workbench.choose("us-east");
    await workbench.choose("Leave empty");
    await workbench.page.locator(".tab").filter({ hasText: "Compare two regions.txt" }).waitFor();
    // The editor draws blanks as no-break spaces.
    const text = (await editorText()).replaceAll("\u00a0", " ");
    assert.match(text, /first: eu-north/);
    assert.match(text, /Which region is better for a small web shop: eu-north or us-east\?/);
    await workbench.shoot("prompt");
  });

  it("opens a skill once it is verified, and sees that it was", async () => {
    // What is above it need not be in sight.
    await workbench.treeRow("Resources (6)").locator(".monaco-tl-twistie").click();
    await workbench.expand("Skills (1)");
    const skill = workbench.treeRow("plan-database");
    await skill.filter({ hasText: "not read yet" }).click();
    await workbench.page.locator(".tab").filter({ hasText: "plan-database SKILL.md" }).waitFor();
    await skill.filter({ hasText: "verified" }).waitFor();
    await workbench.expand("plan-database");
    await workbench.treeRow("references/CHOICES.md").click();
    await workbench.page.locator(".tab").filter({ hasText: "CHOICES.md" }).waitFor();
    await workbench.shoot("skill");
    await workbench.treeRow("Resources (6)").locator(".monaco-tl-twistie").click();
  });

  it("finds what was open again after the window was reloaded", async () => {
    await workbench.treeRow("Price chart").click();
    await workbench.statusBarItem("480x280").waitFor();
    // The editor's own command keeps what is open before it goes.
    await Promise.all([
      workbench.page.waitForEvent("load"),
      workbench.runCommand("Developer: Reload Window"),
    ]);
    await workbench.statusBarItem("480x280").waitFor();
  });
});
