import type { WebviewApi } from "vscode-webview";
import { packMessage, unpackMessage } from "../src/shared/pageMessage.ts";

/**
 * The page's end of the channel to the extension host. Messages come from the host only: a webview's document
 * has no other party that could post to it, and nothing in a message is ever run or parsed as markup.
 */
export class HostChannel<
  ToPage extends { readonly type: string },
  ToHost extends { readonly type: string },
  State,
> {
  readonly #api: WebviewApi<unknown>;
  readonly #lifetime = new AbortController();

  constructor() {
    this.#api = acquireVsCodeApi();
    window.addEventListener(
      "pagehide",
      () => {
        this.#lifetime.abort();
      },
      { once: true },
    );
  }

  /** Ends with the document; listeners and timers of the page hang on it. */
  get signal(): AbortSignal {
    return this.#lifetime.signal;
  }

  post(message: ToHost): void {
    this.#api.postMessage(packMessage(message));
  }

  receive(listener: (message: ToPage) => void): void {
    window.addEventListener(
      "message",
      (event: MessageEvent<unknown>) => {
        const message = unpackMessage(event.data);
        if (isMessage(message)) listener(message as ToPage);
      },
      { signal: this.signal },
    );
  }

  /** What the page kept when it was hidden or reloaded; undefined when it kept nothing. */
  getState(): State | undefined {
    return (unpackMessage(this.#api.getState()) as State | null | undefined) ?? undefined;
  }

  setState(state: State): void {
    this.#api.setState(typeof state === "object" && state !== null ? packMessage(state) : state);
  }
}

function isMessage(value: unknown): value is { readonly type: string } {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
