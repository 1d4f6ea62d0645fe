import * as vscode from "vscode";
import { type Clock, systemClock } from "../../base/clock.ts";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import type { InputHandler, InputResponse, InputRound } from "../../protocol/mrtr/inputRequired.ts";
import type { InputToHost, InputToPage } from "../../shared/inputMessages.ts";
import type { HostServices, InputPanel } from "../services.ts";
import { translate } from "../wording.ts";
import { InputDesk } from "./inputDesk.ts";
import { openInBrowser } from "./openInBrowser.ts";
import { openPagePanel, type PagePanel } from "./openPagePanel.ts";
import { inputToHost } from "./pageMessages.ts";
import { TypingWatch } from "./typingWatch.ts";

/** How long the panel stays for the next question of the call that was just answered. */
const LINGER_MS = 1_500;

/** The services that the panel uses; the pool is read only once a call is under way. */
export type InputPanelServices = Pick<HostServices, "context" | "pool" | "log">;

/** Makes the panel that answers servers. Nothing is shown before a server asks. */
export function createInputPanel(services: InputPanelServices, clock: Clock = systemClock): InputPanel {
  return new InputWebview(services, clock);
}

class InputWebview implements InputPanel {
  readonly modes: InputHandler["modes"];
  readonly #services: InputPanelServices;
  readonly #clock: Clock;
  readonly #store = new DisposableStore();
  readonly #desk: InputDesk;
  readonly #typing: TypingWatch;
  readonly #pending = this.#store.add(new Emitter<void>());
  #open: OpenPanel | undefined;
  #linger: Disposable | undefined;
  #followsCalls = false;
  #lastPending = 0;

  readonly onDidChangePending = this.#pending.event;

  constructor(services: InputPanelServices, clock: Clock) {
    this.#services = services;
    this.#clock = clock;
    this.#desk = this.#store.add(
      new InputDesk({
        t: translate,
        log: services.log.main,
        openExternal: openInBrowser,
        originOf: (callId) => services.pool.calls().find((call) => call.callId === callId)?.origin,
      }),
    );
    this.modes = this.#desk.modes;
    this.#store.add(
      this.#desk.onDidChange(() => {
        this.#reconcile();
      }),
    );
    this.#store.add(
      this.#desk.onProblems((refused) => {
        this.#open?.channel.post({ type: "problems", ...refused });
      }),
    );
    this.#typing = this.#store.add(new TypingWatch(clock));
  }

  get pendingCount(): number {
    return this.#desk.pendingCount;
  }

  handle(round: InputRound, signal: AbortSignal): Promise<ReadonlyMap<string, InputResponse>> {
    this.#followCalls();
    return this.#desk.handle(round, signal);
  }

  waitElsewhere(round: InputRound, signal: AbortSignal): Promise<boolean> {
    this.#followCalls();
    return this.#desk.waitElsewhere(round, signal);
  }

  show(): void {
    if (this.#open === undefined) this.#open = this.#openPanel(false);
    else this.#open.panel.reveal(undefined, false);
  }

  dispose(): void {
    this.#store.dispose();
    this.#closePanel();
  }

  /** Makes the panel, its title and its content agree with the queue. */
  #reconcile(): void {
    const view = this.#desk.view();
    this.#linger?.dispose();
    this.#linger = undefined;
    const began = this.#lastPending === 0 && view.waiting > 0;
    if (this.#lastPending !== view.waiting) {
      this.#lastPending = view.waiting;
      this.#pending.fire();
    }
    if (view.waiting === 0) {
      this.#rest();
    } else if (this.#open === undefined) {
      this.#open = this.#openPanel(this.#typing.isTyping);
    } else if (began && !this.#open.panel.visible) {
      this.#open.panel.reveal(undefined, this.#typing.isTyping);
    }
    this.#draw();
  }

  #draw(): void {
    if (this.#open === undefined) return;
    const view = this.#desk.view();
    this.#open.panel.title = panelTitle(view.current?.serverId);
    this.#open.channel.post({ type: "view", view });
  }

  /** Nothing waits: the panel goes, at once or after the call had a moment to ask again. */
  #rest(): void {
    if (!this.#desk.expectsMore) {
      this.#closePanel();
      return;
    }
    this.#linger = this.#clock.after(LINGER_MS, () => {
      this.#closePanel();
    });
  }

  #openPanel(preserveFocus: boolean): OpenPanel {
    const open: OpenPanel = openPagePanel<InputToPage, InputToHost>({
      extensionUri: this.#services.context.extensionUri,
      page: "input",
      title: panelTitle(undefined),
      preserveFocus,
      incoming: inputToHost,
      log: this.#services.log.main,
      onMessage: (message) => {
        this.#receive(message);
      },
      onClosed: () => {
        // When we closed it ourselves, it is no longer the open one, and nobody dismissed anything.
        if (this.#open !== open) return;
        this.#open = undefined;
        this.#desk.dismissCurrent();
      },
    });
    return open;
  }

  #receive(message: InputToHost): void {
    switch (message.type) {
      case "ready":
        this.#draw();
        return;
      case "copy":
        void vscode.env.clipboard.writeText(message.text);
        return;
      default:
        // It answers by events and its own errors are caught inside, so there is nothing to wait for.
        void this.#desk.receive(message);
    }
  }

  #closePanel(): void {
    this.#linger?.dispose();
    this.#linger = undefined;
    const open = this.#open;
    this.#open = undefined;
    open?.panel.dispose();
  }

  #followCalls(): void {
    if (this.#followsCalls) return;
    this.#followsCalls = true;
    const { pool } = this.#services;
    this.#store.add(
      pool.onDidChangeCalls(() => {
        this.#desk.callsChanged(new Set(pool.calls().map((call) => call.callId)));
      }),
    );
  }
}

type OpenPanel = PagePanel<InputToPage, InputToHost>;

function panelTitle(serverId: string | undefined): string {
  return serverId === undefined
    ? vscode.l10n.t("Input Request")
    : vscode.l10n.t("Input for {server}", { server: serverId });
}
