import type * as vscode from "vscode";
import type * as z from "zod";
import { type Clock, systemClock } from "../../base/clock.ts";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import type { Log } from "../../base/log.ts";
import { packMessage, unpackMessage } from "../../shared/pageMessage.ts";

/** Messages kept for a page that has not said `ready`; the oldest are dropped beyond it. */
const MAX_QUEUED = 32;
/** How long a visible page may take to say `ready`, and how often its document is then put in again. */
const LOAD_LIMIT_MS = 8_000;
const MAX_RELOADS = 3;

/** The part of a webview that a channel uses. */
export type MessagePort = Pick<vscode.Webview, "postMessage" | "onDidReceiveMessage">;

export interface PageChannelOptions<ToHost extends { readonly type: string }> {
  readonly webview: MessagePort;
  /** What the page may say. Anything else is logged by its type and ignored. */
  readonly incoming: z.ZodType<ToHost>;
  readonly log: Log;
  readonly onMessage: (message: ToHost) => void;
  /** Puts the page's document into the webview. */
  readonly load: () => void;
  readonly clock?: Clock;
}

/**
 * Typed messages between a panel and its page. A page that is hidden is destroyed and loads again when it is shown,
 * so messages wait until it says `ready`; of each type only the last one is worth keeping. A page that does not come
 * up is loaded again: an editor that is busy loses a page's script at times, and a blank panel would say nothing.
 */
export class PageChannel<
  ToPage extends { readonly type: string },
  ToHost extends { readonly type: string },
> implements Disposable {
  readonly #webview: MessagePort;
  readonly #store = new DisposableStore();
  readonly #queue = new Map<string, ToPage>();
  readonly #options: PageChannelOptions<ToHost>;
  #ready = false;
  #reloads = 0;
  #limit: Disposable | undefined;

  constructor(options: PageChannelOptions<ToHost>) {
    this.#options = options;
    this.#webview = options.webview;
    this.#store.add(
      options.webview.onDidReceiveMessage((raw: unknown) => {
        const parsed = options.incoming.safeParse(unpackMessage(raw));
        if (!parsed.success) {
          options.log.write(
            "warn",
            "A page sent a message that is not part of its contract; it was ignored.",
          );
          return;
        }
        if (parsed.data.type === "ready") {
          this.#ready = true;
          this.#reloads = 0;
          this.#stopWaiting();
          this.#flush();
        }
        options.onMessage(parsed.data);
      }),
    );
  }

  /** Loads the page for the first time. */
  load(): void {
    this.#options.load();
    this.#waitForReady();
  }

  post(message: ToPage): void {
    if (this.#store.isDisposed) return;
    if (this.#ready) {
      void this.#webview.postMessage(packMessage(message));
      return;
    }
    // Deleted first, so that the order is that of the last posting.
    this.#queue.delete(message.type);
    this.#queue.set(message.type, message);
    for (const type of this.#queue.keys()) {
      if (this.#queue.size <= MAX_QUEUED) break;
      this.#queue.delete(type);
    }
  }

  /** To be called when the panel was hidden or shown: a hidden page is gone, and loads anew when it is shown. */
  visibilityChanged(isVisible: boolean): void {
    if (!isVisible) {
      this.#ready = false;
      this.#stopWaiting();
    } else if (!this.#ready) {
      this.#waitForReady();
    }
  }

  dispose(): void {
    this.#queue.clear();
    this.#stopWaiting();
    this.#store.dispose();
  }

  #waitForReady(): void {
    this.#stopWaiting();
    this.#limit = (this.#options.clock ?? systemClock).after(LOAD_LIMIT_MS, () => {
      if (this.#reloads >= MAX_RELOADS) {
        this.#options.log.write("error", "A panel could not be loaded. Close it and open it again.");
        return;
      }
      this.#reloads += 1;
      this.#options.log.write("warn", "A panel did not come up; it is loaded again.");
      this.load();
    });
  }

  #stopWaiting(): void {
    this.#limit?.dispose();
    this.#limit = undefined;
  }

  #flush(): void {
    const messages = [...this.#queue.values()];
    this.#queue.clear();
    for (const message of messages) void this.#webview.postMessage(packMessage(message));
  }
}
