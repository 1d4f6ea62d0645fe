import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { PageName } from "../../src/shared/pageHtml.ts";
import { buildPages, type HarnessOptions, launchBrowser, PageHarness } from "./pageHarness.ts";

/**
 * Opens a page anew for each test of a group and hands it over. After each test nothing may have gone wrong in it,
 * and no text of a server may have run.
 *
 * @returns opens the page again in the midst of a test, in another way
 */
export function openEachTime(
  name: PageName,
  take: (harness: PageHarness, page: Page) => void,
): (how: Omit<HarnessOptions, "page">) => Promise<void> {
  let browser: Browser;
  let harness: PageHarness;

  before(async () => {
    await buildPages();
    browser = await launchBrowser();
  });

  after(() => browser.close());

  async function open(how: Omit<HarnessOptions, "page">): Promise<void> {
    harness = await PageHarness.open(browser, { ...how, page: name });
    take(harness, harness.page);
  }

  beforeEach(() => open({}));

  afterEach(async () => {
    assert.deepEqual(harness.faults, []);
    assert.equal(await harness.page.evaluate(() => "pwned" in window), false);
    await harness.close();
  });

  return async (how) => {
    await harness.close();
    await open(how);
  };
}
