import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { toolRunView } from "./fixtures.ts";
import { openEachTime } from "./openEachTime.ts";
import type { PageHarness } from "./pageHarness.ts";

describe("Tool run page, where authorization failed", () => {
  let harness: PageHarness;
  let page: Page;

  openEachTime("toolRun", (opened, itsPage) => {
    harness = opened;
    page = itsPage;
  });

  it("offers the ways out under the failure", async () => {
    const cures = [
      { command: "signalbox.signInWithMoreScopes", label: "Sign In With More Scopes…" },
      { command: "signalbox.showAuthorization", label: "Show Authorization" },
    ];
    const problem = { message: "More permission is wanted." };
    const view = toolRunView({ run: { kind: "failed", problem, cures, durationMs: 5 } });
    await harness.post({ type: "view", view });
    await page.getByRole("button", { name: "Sign In With More Scopes…" }).click();
    assert.deepEqual(await harness.posted(), [{ type: "cure", command: "signalbox.signInWithMoreScopes" }]);
    assert.equal(await page.getByRole("button", { name: "Show Authorization" }).count(), 1);
  });

  it("offers them where the server is down for it, before connecting", async () => {
    const noticeCures = [{ command: "signalbox.signIn", label: "Sign In…" }];
    const view = toolRunView({ canRun: false, notice: "The server wants you to sign in.", noticeCures });
    await harness.post({ type: "view", view });
    const buttons = page.locator(".buttons vscode-button");
    assert.deepEqual((await buttons.allInnerTexts()).slice(0, 3), ["Sign In…", "Connect", "Show Server Log"]);
    await buttons.first().click();
    assert.deepEqual(await harness.posted(), [{ type: "cure", command: "signalbox.signIn" }]);
  });
});
