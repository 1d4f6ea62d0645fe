import { mkdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import type { JsonObject } from "../../src/base/json.ts";
import { type PageName, pageHtml } from "../../src/shared/pageHtml.ts";
import { packMessage, unpackMessage } from "../../src/shared/pageMessage.ts";
import { type ThemeName, THEMES } from "./themes.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const OUT = `${ROOT}/out/webview`;
const ORIGIN = "https://pages.test";
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Bundles the pages the way the extension ships them. */
export async function buildPages(): Promise<void> {
  await mkdir(OUT, { recursive: true });
  await Promise.all(
    (["toolRun", "input", "sampling"] as const).map((page) =>
      esbuild.build({
        absWorkingDir: ROOT,
        entryPoints: [`webview/${page}/main.ts`],
        outfile: `${OUT}/${page}.js`,
        bundle: true,
        platform: "browser",
        format: "iife",
        target: "chrome134",
        logLevel: "error",
      }),
    ),
  );
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

export interface HarnessOptions {
  readonly page: PageName;
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly l10n?: JsonObject;
  readonly language?: string;
}

/** One page in a browser tab that plays the part of the editor: same document, same policy, same API object. */
export class PageHarness {
  readonly page: Page;
  readonly #context: BrowserContext;
  /** Violations of the policy and errors of the page. Every test ends with none. */
  readonly faults: string[];

  private constructor(context: BrowserContext, page: Page, faults: string[]) {
    this.#context = context;
    this.page = page;
    this.faults = faults;
  }

  static async open(browser: Browser, options: HarnessOptions): Promise<PageHarness> {
    const context = await browser.newContext({
      viewport: { width: options.width ?? 900, height: options.height ?? 900 },
      locale: "en-US",
      timezoneId: "Europe/Berlin",
    });
    const page = await context.newPage();
    page.setDefaultTimeout(4_000);
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(message.text());
    });
    await page.route("**/*", async (route) => {
      const { pathname, origin } = new URL(route.request().url());
      if (origin !== ORIGIN) {
        faults.push(`asked the network for ${route.request().url()}`);
        await route.abort();
        return;
      }
      const file = /^\/(toolRun|input|sampling)\.(js|css)$/.exec(pathname);
      if (file === null) {
        await route.fulfill({ contentType: "text/html", body: documentOf(options) });
        return;
      }
      const contentType = file[2] === "js" ? "text/javascript" : "text/css";
      await route.fulfill({ contentType, body: await readFile(`${OUT}${pathname}`, "utf8") });
    });
    await page.addInitScript(playEditor, THEMES[options.theme ?? "dark"]);
    const harness = new PageHarness(context, page, faults);
    await harness.load();
    return harness;
  }

  /** Loads the document, as showing a hidden panel does. What the page kept stays. */
  async load(): Promise<void> {
    await this.page.goto(`${ORIGIN}/index.html`);
    await this.page.waitForFunction(() => window.posted.some((message) => message.type === "ready"));
  }

  /** Sends a message as a panel does; the editor makes JSON of it on its way. */
  async post(message: object): Promise<void> {
    await this.page.evaluate(
      (json) => {
        window.dispatchEvent(new MessageEvent("message", { data: JSON.parse(json) as unknown }));
      },
      JSON.stringify(packMessage(message)),
    );
  }

  /** Messages of the page to the host, `ready` excepted. */
  async posted(): Promise<unknown[]> {
    const posted = await this.page.evaluate(() =>
      window.posted.filter((message) => message.type !== "ready"),
    );
    return posted.map(unpackMessage);
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}

declare global {
  interface Window {
    posted: { type: string }[];
  }
}

function documentOf(options: HarnessOptions): string {
  return pageHtml({
    page: options.page,
    title: "Test",
    language: options.language ?? "en",
    scriptUri: `${ORIGIN}/${options.page}.js`,
    styleUri: `${ORIGIN}/${options.page}.css`,
    cspSource: ORIGIN,
    nonce: "abcdefghijklmnop",
    l10n: options.l10n ?? {},
  });
}

/** Runs in the page before its scripts: the editor's API, its variables and its body classes. */
function playEditor(theme: {
  readonly bodyClass: string;
  readonly kind: string;
  readonly variables: Readonly<Record<string, string>>;
}): void {
  window.posted = [];
  const key = "kept-by-editor";
  Object.assign(window, {
    acquireVsCodeApi: () => ({
      postMessage: (message: { type: string }) => {
        window.posted.push(JSON.parse(JSON.stringify(message)) as { type: string });
      },
      getState: (): unknown => JSON.parse(sessionStorage.getItem(key) ?? "null"),
      setState: (state: unknown) => {
        sessionStorage.setItem(key, JSON.stringify(state));
        return state;
      },
    }),
  });
  document.addEventListener("securitypolicyviolation", (event) => {
    console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
  });
  const dress = (): void => {
    for (const [name, value] of Object.entries(theme.variables))
      document.documentElement.style.setProperty(`--vscode-${name}`, value);
    document.body.classList.add(theme.bodyClass);
    document.body.dataset["vscodeThemeKind"] = theme.kind;
  };
  document.addEventListener("DOMContentLoaded", dress);
}
