import * as vscode from "vscode";
import * as z from "zod";
import { systemClock } from "../../base/clock.ts";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { canonicalJson, type JsonObject } from "../../base/json.ts";
import { unpackMessage } from "../../shared/pageMessage.ts";
import type { ToolRunSavedState, ToolRunToHost, ToolRunToPage } from "../../shared/toolRunMessages.ts";
import type { FeatureName } from "../../protocol/mrtr/clientFeatures.ts";
import type { CommandId } from "../commands/table.ts";
import { describeProblem } from "../describeProblem.ts";
import { jsonObject } from "../jsonObject.ts";
import type { HostServices } from "../services.ts";
import { translate } from "../wording.ts";
import { authorizationCures } from "../auth/authorizationCures.ts";
import { openLink } from "./openLink.ts";
import { PageChannel } from "./pageChannel.ts";
import { loadPage, pageIcon, pageOptions } from "./pageDocument.ts";
import { toolRunToHost } from "./pageMessages.ts";
import { ToolRunSession } from "./toolRunSession.ts";

const VIEW_TYPE = "signalbox.toolRun";
/** Tools whose last arguments are remembered while the window lives. */
const MAX_REMEMBERED = 200;

/** The command that allows a feature. */
const ALLOW = {
  sampling: "signalbox.allowSampling",
  roots: "signalbox.chooseFolders",
} as const satisfies Record<FeatureName, CommandId>;

/** What a page keeps by itself, as far as the host reads it after a reload of the window. */
const savedState: z.ZodType<ToolRunSavedState> = z.object({
  serverId: z.string(),
  tool: z.string(),
  arguments: jsonObject,
});

const desks = new WeakMap<HostServices, ToolRunPanels>();

/** Opens the panel in which a tool is run by hand, or brings it to the front. */
export function openToolRun(
  services: HostServices,
  serverId: string,
  toolName: string,
  initialArguments?: JsonObject,
): void {
  panelsOf(services).open(serverId, toolName, initialArguments);
}

/** Opens that panel, or brings it to the front, and waits there for a task of an earlier run. */
export function openTaskRun(
  services: HostServices,
  serverId: string,
  toolName: string,
  taskId: string,
): void {
  void panelsOf(services).open(serverId, toolName, undefined).resume(taskId);
}

/** Makes open panels come back after a reload of the window. Disposing closes all of them. */
export function registerToolRunPanels(services: HostServices): Disposable {
  const panels = panelsOf(services);
  const store = new DisposableStore();
  store.add(panels);
  store.add(
    vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
      deserializeWebviewPanel: (panel, state: unknown) => {
        panels.restore(panel, state);
        return Promise.resolve();
      },
    }),
  );
  return store;
}

function panelsOf(services: HostServices): ToolRunPanels {
  const known = desks.get(services);
  if (known !== undefined) return known;
  const made = new ToolRunPanels(services);
  desks.set(services, made);
  return made;
}

/** One panel per tool of a server. */
class ToolRunPanels implements Disposable {
  readonly #services: HostServices;
  readonly #open = new Map<
    string,
    { readonly panel: vscode.WebviewPanel; readonly session: ToolRunSession }
  >();
  readonly #remembered = new Map<string, JsonObject>();

  constructor(services: HostServices) {
    this.#services = services;
  }

  open(serverId: string, toolName: string, initialArguments: JsonObject | undefined): ToolRunSession {
    const known = this.#open.get(keyOf(serverId, toolName));
    if (known !== undefined) {
      if (initialArguments !== undefined) known.session.setArguments(initialArguments);
      known.panel.reveal();
      return known.session;
    }
    const panel = vscode.window.createWebviewPanel(VIEW_TYPE, toolName, vscode.ViewColumn.Active);
    return this.#attach(panel, serverId, toolName, initialArguments);
  }

  /** Takes over a panel that the editor brought back. One whose state is not ours is closed. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const saved = savedState.safeParse(unpackMessage(state));
    if (!saved.success || this.#open.has(keyOf(saved.data.serverId, saved.data.tool))) {
      panel.dispose();
      return;
    }
    this.#attach(panel, saved.data.serverId, saved.data.tool, saved.data.arguments);
  }

  dispose(): void {
    for (const { panel } of [...this.#open.values()]) panel.dispose();
  }

  #attach(
    panel: vscode.WebviewPanel,
    serverId: string,
    toolName: string,
    first: JsonObject | undefined,
  ): ToolRunSession {
    const { context, pool, log, inputHandler, samplingPanel: modelRequests } = this.#services;
    const key = keyOf(serverId, toolName);
    const store = new DisposableStore();
    const session = store.add(
      new ToolRunSession(
        { serverId, toolName, initialArguments: first ?? this.#remembered.get(key) ?? {} },
        {
          pool,
          inputHandler,
          modelRequests,
          clock: systemClock,
          t: translate,
          describe: describeProblem,
          cures: authorizationCures,
        },
      ),
    );
    const channel = store.add(
      new PageChannel<ToolRunToPage, ToolRunToHost>({
        webview: panel.webview,
        incoming: toolRunToHost,
        log: log.main,
        onMessage: (message) => {
          this.#receive(message, session, channel, serverId);
        },
        load: () => {
          loadPage(panel.webview, context.extensionUri, "toolRun", toolName);
        },
      }),
    );
    const draw = (): void => {
      const view = session.view();
      panel.title = view.tool.displayName;
      channel.post({ type: "view", view });
    };
    store.add(session.onDidChange(draw));
    panel.onDidChangeViewState(() => {
      channel.visibilityChanged(panel.visible);
    });
    panel.onDidDispose(() => {
      this.#open.delete(key);
      this.#remember(key, session.lastArguments);
      store.dispose();
    });
    this.#open.set(key, { panel, session });
    panel.webview.options = pageOptions(context.extensionUri);
    panel.iconPath = pageIcon(context.extensionUri);
    channel.load();
    draw();
    return session;
  }

  #receive(
    message: ToolRunToHost,
    session: ToolRunSession,
    channel: PageChannel<ToolRunToPage, ToolRunToHost>,
    serverId: string,
  ): void {
    switch (message.type) {
      case "ready":
        channel.post({ type: "view", view: session.view() });
        return;
      case "run":
        void session.start(message.arguments, message.checked).then((problems) => {
          if (problems.length > 0) channel.post({ type: "argumentProblems", problems });
        });
        return;
      case "cancel":
        session.cancel();
        return;
      case "connect":
        // The command reports what goes wrong, and the page shows it from the server's state.
        void vscode.commands.executeCommand("signalbox.connect", serverId);
        return;
      case "showLog":
        this.#services.log.show(serverId);
        return;
      case "showWaiting":
        (message.panel === "input" ? this.#services.inputHandler : this.#services.samplingPanel).show();
        return;
      case "allow":
        void vscode.commands.executeCommand(ALLOW[message.feature], serverId);
        return;
      case "cure":
        // The page names it: nothing but what is offered there is started.
        if (session.offersCure(message.command))
          void vscode.commands.executeCommand(message.command, serverId);
        return;
      case "openLink":
        void openLink(message.uri, serverId);
        return;
      case "readResource":
        void vscode.commands.executeCommand("signalbox.readResource", serverId, message.uri);
        return;
      case "copy":
        void vscode.env.clipboard.writeText(message.text);
        return;
      case "openInEditor":
        void openText(message.text, message.language);
    }
  }

  #remember(key: string, args: JsonObject): void {
    this.#remembered.delete(key);
    this.#remembered.set(key, args);
    const oldest = this.#remembered.keys().next();
    if (this.#remembered.size > MAX_REMEMBERED && oldest.done !== true) this.#remembered.delete(oldest.value);
  }
}

function keyOf(serverId: string, toolName: string): string {
  return canonicalJson([serverId, toolName]);
}

async function openText(content: string, language: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content, language });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}
