import type * as vscode from "vscode";
import type { z } from "zod";
import type { Disposable } from "../../base/disposable.ts";
import { DisposableStore } from "../../base/disposable.ts";
import type { Log } from "../../base/log.ts";

/** Messages kept for a page that has not said `ready`; the oldest are dropped beyond it. */
const MAX_QUEUED = 32;

/** The part of a webview that a channel uses. */
export type MessagePort = Pick<vscode.Webview, "postMessage" | "onDidReceiveMessage">;

export interface PageChannelOptions<ToHost extends { readonly type: string }> {
  readonly webview: MessagePort;
  /** What the page may say. Anything else is logged by its type and ignored. */
  readonly incoming: z.ZodType<ToHost>;
  readonly log: Log;
  readonly onMessage: (message: ToHost) => void;
}

/**
 * Typed messages between a panel and its page. A page that is hidden is destroyed and loads again when it is shown,
 * so messages wait until it says `ready`; of each type only the last one is worth keeping.
 */
export class PageChannel<
  ToPage extends { readonly type: string },
  ToHost extends { readonly type: string },
> implements Disposable {
  readonly #webview: MessagePort;
  readonly #store = new DisposableStore();
  readonly #queue = new Map<string, ToPage>();
  #ready = false;

  constructor(options: PageChannelOptions<ToHost>) {
    this.#webview = options.webview;
    this.#store.add(
      options.webview.onDidReceiveMessage((raw: unknown) => {
        const parsed = options.incoming.safeParse(raw);
        if (!parsed.success) {
          options.log.write(
            "warn",
            "A page sent a message that is not part of its contract; it was ignored.",
          );
          return;
        }
        if (parsed.data.type === "ready") {
          this.#ready = true;
          this.#flush();
        }
        options.onMessage(parsed.data);
      }),
    );
  }

  post(message: ToPage): void {
    if (this.#store.isDisposed) return;
    if (this.#ready) {
      void this.#webview.postMessage(message);
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

  /** To be called when the page was hidden: it will load anew and say `ready` again. */
  pageGone(): void {
    this.#ready = false;
  }

  dispose(): void {
    this.#queue.clear();
    this.#store.dispose();
  }

  #flush(): void {
    const messages = [...this.#queue.values()];
    this.#queue.clear();
    for (const message of messages) void this.#webview.postMessage(message);
  }
}
