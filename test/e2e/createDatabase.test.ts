import assert from "node:assert/strict";
import { type RunningDemo, startDemo } from "../../scripts/lib/demo.mjs";
import { makeWorkspace, packageAll } from "./support/packages.ts";
import { InputPage, ToolRunPage } from "./support/panels.ts";
import { Workbench } from "./support/workbench.ts";

describe("a person and the demo server over HTTP", function () {
  // One step leads to the next.
  this.bail(true);
  let demo: RunningDemo;
  let workbench: Workbench;
  let removeWorkspace: () => Promise<void>;

  before(async () => {
    const { signalbox } = await packageAll();
    const workspace = await makeWorkspace();
    removeWorkspace = workspace.remove;
    demo = await startDemo();
    workbench = await Workbench.open(workspace.folder, { vsix: [signalbox] });
  });

  after(async () => {
    await workbench.close();
    await demo.dispose();
    await removeWorkspace();
  });

  afterEach(async function () {
    if (this.currentTest?.state === "failed") await workbench.shoot(`failed-${this.currentTest.title}`);
  });

  /** Opens the panel of a tool from the palette. */
  async function openTool(title: string): Promise<ToolRunPage> {
    await workbench.closeEditors();
    await workbench.runCommand("Signalbox: Run Tool…");
    await workbench.choose(title);
    return ToolRunPage.find(workbench, title);
  }

  async function startCreating(name: string): Promise<ToolRunPage> {
    const panel = await openTool("Create database");
    await panel.fill("name", name);
    await panel.choose("engine", "postgres");
    await panel.press("Run");
    return panel;
  }

  async function listDatabases(): Promise<string> {
    const panel = await openTool("List databases");
    await panel.press("Run");
    await panel.result.getByText("Result").first().waitFor();
    return panel.result.innerText();
  }

  it("adds the server with the palette and connects it", async () => {
    await workbench.runCommand("Signalbox: Add Server…");
    await workbench.choose("Address");
    await workbench.answer("The address of the MCP endpoint", demo.url);
    await workbench.choose("No credential");
    await workbench.answer("A name for the server", "cloud");
    await workbench.choose("User settings");
    await workbench.notification("cloud").waitFor();
    await workbench.shoot("added");
    await workbench.pressInNotification("cloud", "Connect");
    await workbench.statusBarItem("1/1").waitFor();
    await workbench.openView("Signalbox");
    await workbench.treeRow("Modern 2026-07-28").first().waitFor();
    await workbench.shoot("connected");
  });

  it("shows the tools below the server", async () => {
    await workbench.expand("cloud");
    await workbench.treeRow("Create database").first().waitFor();
    await workbench.shoot("tools");
  });

  it("creates a database after two rounds of questions", async () => {
    const panel = await startCreating("orders");
    await workbench.shoot("asked-for-region");
    const region = await InputPage.find(workbench);
    await region.untilAsked("In which region");
    await region.press("Submit");
    await region.untilAsked("a month. Create it?");
    await workbench.shoot("asked-for-consent");
    await region.frame.locator("vscode-checkbox").first().click();
    await region.press("Submit");
    await panel.result.getByText("Created: postgres database “orders”").waitFor();
    await workbench.shoot("created");
    assert.match(await listDatabases(), /orders/);
    await workbench.shoot("listed");
  });

  it("creates nothing when the person declines", async () => {
    const panel = await startCreating("unwanted");
    const page = await InputPage.find(workbench);
    await page.untilAsked("In which region");
    await page.press("Decline");
    await panel.result.getByText("You declined. Nothing was created.").waitFor();
    await workbench.shoot("declined");
    const databases = await listDatabases();
    assert.doesNotMatch(databases, /unwanted/);
  });

  it("completes on the other replica when the one that asked is killed", async () => {
    // The replicas take turns, so within two attempts it is A that asks the second question.
    for (const attempt of [1, 2, 3]) {
      const name = `survivor-${String(attempt)}`;
      const [, asked, answered] = await createWhileKilling("A", name);
      assert.equal(answered, "B");
      if (asked === "A") break;
      assert.ok(attempt < 3, "replica A never asked");
      assert.equal(await demo.command("start A"), "started A");
    }
    await workbench.shoot("survived");
  });

  /** Creates a database and kills a replica while the second question is open. Answers the route that the call took. */
  async function createWhileKilling(replica: string, name: string): Promise<string[]> {
    const panel = await startCreating(name);
    const page = await InputPage.find(workbench);
    await page.untilAsked("In which region");
    await page.press("Submit");
    await page.untilAsked("a month. Create it?");
    assert.equal(await demo.command(`kill ${replica}`), `killed ${replica}`);
    await page.frame.locator("vscode-checkbox").first().click();
    await page.press("Submit");
    await panel.result.getByText(`Created: postgres database “${name}”`).waitFor();
    const route = /Replicas: (.*)\./.exec(await panel.result.innerText())?.[1];
    return route?.split(" → ") ?? [];
  }
});
