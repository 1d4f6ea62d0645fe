import assert from "node:assert/strict";
import { type RunningDemo, startDemo } from "../../scripts/lib/demo.mjs";
import { makeWorkspace, packageAll } from "./support/packages.ts";
import { InputPage } from "./support/panels.ts";
import { Workbench } from "./support/workbench.ts";

/** What the model does: it calls the tool it was asked for, and then says what came of it. */
const ANSWERS = [
  [
    { text: "I will create it. " },
    { call: { tool: "create_database", input: { name: "chatted", engine: "redis" } } },
  ],
  [{ text: "The server says: {result}" }],
];

describe("a person who asks @signalbox", function () {
  this.bail(true);
  let demo: RunningDemo;
  let workbench: Workbench;
  let removeWorkspace: () => Promise<void>;

  before(async () => {
    const { signalbox, model } = await packageAll();
    const { folder, remove } = await makeWorkspace();
    removeWorkspace = remove;
    demo = await startDemo();
    workbench = await Workbench.open(folder, {
      vsix: [signalbox, model],
      settings: {
        "signalbox.servers": { cloud: { url: demo.url, autostart: true } },
        "scriptedModel.answers": ANSWERS,
      },
    });
    await workbench.statusBarItem("1/1").waitFor();
  });

  after(async () => {
    await workbench.close();
    await demo.dispose();
    await removeWorkspace();
  });

  afterEach(async function () {
    if (this.currentTest?.state === "failed") await workbench.shoot(`failed-${this.currentTest.title}`);
  });

  it("is asked before the tool is called, with the real server, tool and arguments", async () => {
    await workbench.untilModel("Scripted Model");
    await workbench.askInChat("@signalbox create a database named chatted");
    const dialog = workbench.page.locator(".monaco-dialog-box");
    await dialog.getByText("Allow chat to call “create_database” on the server “cloud”?").waitFor();
    assert.match(await dialog.innerText(), /"name": "chatted"/);
    await workbench.shoot("chat-approval");
    await workbench.pressInDialog("Allow Once");
  });

  it("answers the server's questions in the panel while the chat waits", async () => {
    const page = await InputPage.find(workbench);
    await page.untilAsked("In which region");
    await workbench.shoot("chat-question");
    await page.press("Submit");
    await page.untilAsked("a month. Create it?");
    await page.frame.locator("vscode-checkbox").first().click();
    await page.press("Submit");
  });

  it("reads in chat what came of it", async () => {
    await workbench.chatAnswer().getByText("Created: redis database “chatted”").first().waitFor();
    await workbench.shoot("chat-answer");
  });
});
