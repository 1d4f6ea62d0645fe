import * as vscode from "vscode";
import { type Clock, systemClock } from "../../base/clock.ts";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import type { Event } from "../../base/emitter.ts";
import { joinSentences } from "../../base/errors.ts";
import type { SamplingHandler } from "../../protocol/mrtr/clientFeatures.ts";
import type { SamplingToHost, SamplingToPage } from "../../shared/samplingMessages.ts";
import { describeProblem } from "../describeProblem.ts";
import { openPagePanel, type PagePanel } from "../panels/openPagePanel.ts";
import { samplingToHost } from "../panels/pageMessages.ts";
import { TypingWatch } from "../panels/typingWatch.ts";
import type { HostServices, ModelRequestPanel } from "../services.ts";
import { translate } from "../wording.ts";
import { listEditorModels } from "./editorModels.ts";
import { createModelMemory } from "./modelMemory.ts";
import { SamplingDesk } from "./samplingDesk.ts";

/** The services that the panel uses; the pool is read only once a call is under way. */
export type SamplingPanelServices = Pick<HostServices, "context" | "pool" | "log">;

/** The panel in which a person reads what goes to a model and what comes back. */
export interface SamplingPanel extends ModelRequestPanel, Disposable {
  readonly handler: SamplingHandler;
}

type OpenPanel = PagePanel<SamplingToPage, SamplingToHost>;

/** Makes the panel. Nothing is shown before a server asks. */
export function createSamplingPanel(
  services: SamplingPanelServices,
  clock: Clock = systemClock,
): SamplingPanel {
  return new SamplingWebview(services, clock);
}

class SamplingWebview implements SamplingPanel {
  readonly handler: SamplingDesk;
  readonly onDidChangePending: Event<void>;
  readonly #services: SamplingPanelServices;
  readonly #store = new DisposableStore();
  readonly #typing: TypingWatch;
  #open: OpenPanel | undefined;

  constructor(services: SamplingPanelServices, clock: Clock) {
    this.#services = services;
    this.#typing = this.#store.add(new TypingWatch(clock));
    const memory = createModelMemory(services.context.globalState);
    this.handler = this.#store.add(
      new SamplingDesk({
        t: translate,
        log: services.log.main,
        models: listEditorModels,
        rememberedModel: (serverId) => memory.get(serverId),
        rememberModel: (serverId, modelId) => {
          memory.set(serverId, modelId);
        },
        originOf: (callId) => services.pool.calls().find((call) => call.callId === callId)?.origin,
        describe: (error) => {
          const { message, remedy } = describeProblem(error);
          return joinSentences(message, remedy);
        },
      }),
    );
    this.onDidChangePending = this.handler.onDidChange;
    this.#store.add(
      this.handler.onDidChange(() => {
        this.#reconcile();
      }),
    );
    this.#store.add(
      this.handler.onDidProgress((progress) => {
        this.#open?.channel.post({ type: "progress", ...progress });
      }),
    );
  }

  get pendingCount(): number {
    return this.handler.pendingCount;
  }

  waitsIn(callId: string): boolean {
    return this.handler.waitsIn(callId);
  }

  show(): void {
    if (this.#open === undefined) this.#open = this.#openPanel();
    else this.#open.panel.reveal(undefined, false);
  }

  dispose(): void {
    this.#store.dispose();
    this.#closePanel();
  }

  #reconcile(): void {
    if (this.pendingCount === 0) {
      this.#closePanel();
      return;
    }
    this.#open ??= this.#openPanel();
    this.#draw();
  }

  #draw(): void {
    if (this.#open === undefined) return;
    const view = this.handler.view();
    this.#open.panel.title = panelTitle(view.current?.serverId);
    this.#open.channel.post({ type: "view", view });
  }

  #openPanel(): OpenPanel {
    const open: OpenPanel = openPagePanel<SamplingToPage, SamplingToHost>({
      extensionUri: this.#services.context.extensionUri,
      page: "sampling",
      title: panelTitle(undefined),
      preserveFocus: this.#typing.isTyping,
      incoming: samplingToHost,
      log: this.#services.log.main,
      onMessage: (message) => {
        if (message.type === "ready") this.#draw();
        else this.handler.receive(message);
      },
      onClosed: () => {
        // When we closed it ourselves, it is no longer the open one, and nobody refused anything.
        if (this.#open !== open) return;
        this.#open = undefined;
        this.handler.dismissCurrent();
      },
    });
    return open;
  }

  #closePanel(): void {
    const open = this.#open;
    this.#open = undefined;
    open?.panel.dispose();
  }
}

function panelTitle(serverId: string | undefined): string {
  return serverId === undefined
    ? vscode.l10n.t("Model Request")
    : vscode.l10n.t("Model Request of {server}", { server: serverId });
}
