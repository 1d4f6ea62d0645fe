import { chromium } from "playwright-core";
import { onEnd } from "./processes.mjs";
import { ensureChromium } from "./provision.mjs";

/** Chromium as root, without a GPU, and without calling home. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Opens a window of its own. `dispose` closes it and its browser. */
export async function openWindow({ width = 1440, height = 900, locale = "en-US" } = {}) {
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: ARGUMENTS });
  const forget = onEnd(() => browser.close());
  const context = await browser.newContext({ viewport: { width, height }, locale });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const dispose = async () => {
    forget();
    await browser.close();
  };
  return { browser, context, page, dispose };
}
