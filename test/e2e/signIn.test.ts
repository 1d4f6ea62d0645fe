import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { type OauthPeers, startOauthPeers } from "../peers/oauth/startOauthPeers.ts";
import { makeWorkspace, packageAll } from "./support/packages.ts";
import { ToolRunPage } from "./support/panels.ts";
import { forwardPorts } from "./support/forwardPorts.ts";
import { Workbench } from "./support/workbench.ts";

describe("a person whose server wants a sign-in", function () {
  this.bail(true);
  let peers: OauthPeers;
  let workbench: Workbench;
  let removeWorkspace: () => Promise<void>;

  before(async () => {
    const { signalbox, model } = await packageAll();
    const { folder, remove } = await makeWorkspace();
    removeWorkspace = remove;
    // The editor takes 127.0.0.1 for a port of its own machine and would lead there through itself.
    peers = await startOauthPeers({ authority: { address: "127.0.0.2" } });
    workbench = await Workbench.open(folder, {
      vsix: [signalbox, model],
      settings: {
        "signalbox.servers": { files: { url: peers.server.url, autostart: true } },
        "scriptedModel.answers": [
          [{ call: { tool: "touch", input: {} } }],
          [{ text: "The server says: {result}" }],
        ],
      },
    });
  });

  after(async () => {
    await workbench.close();
    await peers.close();
    await removeWorkspace();
  });

  afterEach(async function () {
    if (this.currentTest?.state !== "failed") return;
    await workbench.shoot(`failed-${this.currentTest.title}`);
    const tabs = workbench.page.context().pages().slice(1);
    for (const tab of tabs) console.log(tab.url(), await tab.locator("body").innerText());
  });

  /** Agrees, to us and to the editor, and answers the tab that opens. */
  async function openBrowser(): Promise<Page> {
    const opened = workbench.page.context().waitForEvent("page");
    await dialog("Authorization server")
      .locator(".monaco-button")
      .filter({ hasText: "Open Browser" })
      .click();
    // The editor asks about every address that it does not know.
    const external = dialog("external website");
    await external.waitFor();
    assert.ok((await external.innerText()).includes(`${peers.authority.issuer}/auth?`));
    await external
      .locator(".monaco-button")
      .filter({ hasText: /^Open$/ })
      .click();
    const tab = await opened;
    await forwardPorts(tab);
    return tab;
  }

  function dialog(words: string): Locator {
    return workbench.page.locator(".monaco-dialog-box").filter({ hasText: words });
  }

  /** Signs in on the page of the authorization server, and answers what the browser shows in the end. */
  async function signInOn(tab: Page, account = "ada"): Promise<string> {
    const password = tab.locator('input[name="password"]');
    const proceed = tab.locator('button[type="submit"]');
    await proceed.first().waitFor();
    if ((await password.count()) > 0) {
      await tab.locator('input[name="login"]').fill(account);
      await password.fill("not a secret");
      await proceed.first().click();
    }
    await tab.getByText("Authorize").first().waitFor();
    await proceed.first().click();
    await tab.waitForURL(/127\.0\.0\.1:\d+\/.*code=|callback/);
    await tab.locator("h1").waitFor();
    const text = await tab.locator("body").innerText();
    await tab.close();
    return text;
  }

  it("is told in the tree and the status bar, and not interrupted, when it was not asked for", async () => {
    await workbench.openView("Signalbox");
    const row = workbench.treeRow("Sign in to use this server").first();
    await row.waitFor();
    await workbench.treeRow("Needs sign-in").first().waitFor();
    await workbench.statusBarItem("0/1").waitFor();
    assert.equal(await workbench.page.locator(".monaco-dialog-box").count(), 0);
    assert.equal(await workbench.page.locator(".notification-toast").count(), 0);
    await workbench.shoot("sign-in-needed");
  });

  it("reads who is asked for what before the browser opens, and can leave it", async () => {
    await workbench.treeRow("Sign in to use this server").first().click();
    const question = dialog("Authorization server");
    await question.waitFor();
    const words = await question.innerText();
    for (const part of [
      "Sign in to “files”?",
      new URL(peers.server.url).origin,
      peers.authority.issuer,
      "mcp:read",
    ])
      assert.ok(words.includes(part), `${part} is not in:\n${words}`);
    await workbench.shoot("sign-in-question");
    await workbench.pressInDialog("Cancel");
    await workbench.treeRow("Sign in to use this server").first().waitFor();
    assert.equal(workbench.page.context().pages().length, 1);
  });

  it("signs in on the page of the authorization server, and the editor goes on", async () => {
    await workbench.treeRow("Sign in to use this server").first().click();
    const tab = await openBrowser();
    await workbench.shoot("sign-in-waiting");
    const end = await signInOn(tab);
    assert.match(end, /Back to the editor/);
    await workbench.notification("You are signed in to “files”").waitFor();
    await workbench.statusBarItem("1/1").waitFor();
    await workbench.treeRow("Signed in").first().waitFor();
    await workbench.shoot("signed-in");
  });

  it("finds in chat what to do about a call that was refused, below the answer", async () => {
    await workbench.untilModel("Scripted Model");
    await workbench.askInChat("@signalbox touch it");
    await workbench.pressInDialog("Allow Once");
    const answer = workbench.chatAnswer();
    await answer.getByText("The server says: The call failed").waitFor();
    // The editor folds whatever comes before the last words of an answer.
    const buttons = answer.locator(".monaco-button").filter({ hasText: "Sign In With More Scopes…" });
    await buttons.waitFor();
    const [words, button] = [await answer.innerText(), await buttons.innerText()];
    assert.ok(words.indexOf("The server says") < words.lastIndexOf(button), words);
    await workbench.shoot("more-scopes-in-chat");
  });

  it("uses the server's tools, and gives it more permission when it asks for that", async () => {
    await workbench.runCommand("Signalbox: Run Tool…");
    await workbench.choose("touch");
    const panel = await ToolRunPage.find(workbench, "touch");
    await panel.press("Run");
    const offer = panel.result.locator("vscode-button").filter({ hasText: "Sign In With More Scopes…" });
    await offer.waitFor();
    await workbench.treeRow("Wants more permission: mcp:write").first().waitFor();
    await workbench.shoot("more-scopes-wanted");
    await offer.click();
    const question = dialog("Authorization server");
    await question.waitFor();
    assert.match(await question.innerText(), /New scopes: mcp:write/);
    await workbench.shoot("more-scopes-question");
    const tab = await openBrowser();
    await signInOn(tab);
    await workbench.treeRow("Signed in").first().waitFor();
    await panel.press("Run");
    // How often it was touched.
    await panel.result.getByText("1", { exact: true }).first().waitFor();
    await workbench.shoot("more-scopes-used");
  });

  it("takes another account, although the browser is signed in with one", async () => {
    await workbench.runCommand("Signalbox: Sign In With Another Account");
    await workbench.choose("files");
    const tab = await openBrowser();
    await tab.locator('input[name="password"]').waitFor();
    await signInOn(tab, "grace");
    await workbench.notification("You are signed in to “files”").waitFor();
    await workbench.treeRow("Signed in").first().waitFor();
  });

  it("reads how it is signed in, and is signed in still when the window is opened again", async () => {
    await workbench.runCommand("Signalbox: Show Authorization");
    await workbench.choose("files");
    const text = workbench.page.locator(".editor-instance .view-lines");
    await text.getByText("Authorization server").first().waitFor();
    await workbench.shoot("authorization");
    const exchanges = peers.authority.at("/token").length;
    await Promise.all([
      workbench.page.waitForEvent("load"),
      workbench.runCommand("Developer: Reload Window"),
    ]);
    await workbench.openView("Signalbox");
    await workbench.statusBarItem("1/1").waitFor();
    await workbench.treeRow("Signed in").first().waitFor();
    assert.equal(peers.authority.at("/token").length, exchanges, "nothing was asked of anybody again");
  });

  it("signs out, and has to sign in again", async () => {
    await workbench.runCommand("Signalbox: Sign Out");
    await workbench.choose("files");
    await workbench.notification("You are signed out of “files”, and its tokens are revoked").waitFor();
    await workbench.statusBarItem("0/1").waitFor();
    await workbench.shoot("signed-out");
    assert.equal(peers.authority.at("/token/revocation").length, 1);
  });
});
