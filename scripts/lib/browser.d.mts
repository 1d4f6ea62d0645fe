import type { Browser, BrowserContext, Page } from "playwright-core";

export interface Window {
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly dispose: () => Promise<void>;
}

export function openWindow(options?: {
  readonly width?: number;
  readonly height?: number;
  readonly locale?: string;
}): Promise<Window>;
