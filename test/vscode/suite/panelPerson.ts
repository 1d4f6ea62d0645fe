import * as vscode from "vscode";
import { until } from "./hostSupport.ts";

/** A panel that the extension opened, and what went to and fro between it and its page. */
export interface WatchedPanel<ToPage, ToHost> {
  readonly panel: vscode.WebviewPanel;
  readonly sent: readonly ToPage[];
  /** True after the page said `ready`: the real page, loaded under the panel's policy. */
  readonly isReady: boolean;
  readonly isClosed: boolean;
  /** Says something as the page would. */
  say(message: ToHost): void;
}

/** Sees the panels of one kind that the extension opens. */
export class PanelWatcher<ToPage, ToHost> {
  readonly #viewType: string;
  readonly #original = vscode.window.createWebviewPanel;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly panels: WatchedPanel<ToPage, ToHost>[] = [];

  constructor(viewType: string) {
    this.#viewType = viewType;
    const window = vscode.window as { createWebviewPanel: typeof vscode.window.createWebviewPanel };
    window.createWebviewPanel = (type, ...rest) => {
      const panel = this.#original.call(vscode.window, type, ...rest);
      return type === this.#viewType ? this.#watch(panel) : panel;
    };
  }

  get last(): WatchedPanel<ToPage, ToHost> | undefined {
    return this.panels.at(-1);
  }

  /** Waits until something is true of the panels; looks whenever something happened to one. */
  async until(isTrue: () => boolean, what: string): Promise<void> {
    await until(isTrue, this.#changed.event, what);
  }

  dispose(): void {
    (vscode.window as { createWebviewPanel: unknown }).createWebviewPanel = this.#original;
    this.#changed.dispose();
  }

  #watch(panel: vscode.WebviewPanel): vscode.WebviewPanel {
    const sent: ToPage[] = [];
    const listeners: ((message: unknown) => void)[] = [];
    const state = { isReady: false, isClosed: false };
    const changed = this.#changed;
    const webview = proxy(panel.webview, {
      postMessage: (message: unknown) => {
        sent.push(message as ToPage);
        changed.fire();
        return panel.webview.postMessage(message);
      },
      onDidReceiveMessage: (listener: (message: unknown) => void) => {
        listeners.push(listener);
        return panel.webview.onDidReceiveMessage((message: { type?: unknown }) => {
          if (message.type === "ready") state.isReady = true;
          listener(message);
          changed.fire();
        });
      },
    });
    panel.onDidDispose(() => {
      state.isClosed = true;
      changed.fire();
    });
    this.panels.push({
      panel,
      sent,
      get isReady() {
        return state.isReady;
      },
      get isClosed() {
        return state.isClosed;
      },
      say: (message) => listeners.forEach((listener) => listener(message)),
    });
    changed.fire();
    return proxy(panel, { webview });
  }
}

/** An object with some members in place of its own. Methods keep their object, because it has private fields. */
function proxy<T extends object>(target: T, members: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get(whole, key) {
      if (typeof key === "string" && Object.hasOwn(members, key)) return members[key];
      const value: unknown = Reflect.get(whole, key, whole);
      return typeof value === "function" ? (value.bind(whole) as unknown) : value;
    },
    set: (whole, key, value) => Reflect.set(whole, key, value, whole),
  });
}
