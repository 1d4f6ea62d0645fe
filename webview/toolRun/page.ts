import type {
  ArgumentProblem,
  ToolRunSavedState,
  ToolRunStatus,
  ToolRunToHost,
  ToolRunToPage,
  ToolRunView,
} from "../../src/shared/toolRunMessages.ts";
import { stringifyJson } from "../../src/base/json.ts";
import { Announcer } from "../announcer.ts";
import { el, fill } from "../dom.ts";
import type { HostChannel } from "../hostChannel.ts";
import { t } from "../l10n.ts";
import { notice } from "../notice.ts";
import type { ResultActions } from "../result/contentBlocks.ts";
import { ObjectUrls } from "../result/mediaBlocks.ts";
import { drawResult, type FinishedRun } from "../result/resultView.ts";
import { createButton } from "../toolkit.ts";
import { ArgumentsEditor, type EditorState } from "./argumentsEditor.ts";
import { drawHeader } from "./header.ts";
import { drawWanted, wantedAfter, type WantedFeature } from "./wanted.ts";
import { RunBar, waitingWords } from "./runBar.ts";

/** What the page keeps while it is hidden: what was typed, and for which tool. */
export interface ToolRunState extends ToolRunSavedState {
  readonly key: string;
  readonly editor: EditorState;
}

export type ToolRunChannel = HostChannel<ToolRunToPage, ToolRunToHost, ToolRunState>;

/** The Tool run page. The host owns the view; the page owns what is being typed. */
export class ToolRunPage {
  readonly #channel: ToolRunChannel;
  readonly #announcer = new Announcer();
  readonly #urls = new ObjectUrls();
  readonly #header = el("div", {});
  readonly #notice = el("div", {});
  readonly #editorPlace = el("div", {});
  readonly #wantedPlace = el("div", { class: "wanted-place" });
  readonly #resultPlace = el("div", { class: "result-place" });
  readonly #runBar: RunBar;
  #view: ToolRunView | undefined;
  #key: string | undefined;
  #editor: ArgumentsEditor | undefined;
  #shownRun: string | undefined;
  /** True after a run was refused: problems are then kept up to date while the person types. */
  #checking = false;

  constructor(root: HTMLElement, channel: ToolRunChannel) {
    this.#channel = channel;
    this.#runBar = new RunBar({
      signal: channel.signal,
      onRun: () => {
        this.#run(true);
      },
      onRunAnyway: () => {
        this.#run(false);
      },
      onCancel: () => {
        channel.post({ type: "cancel" });
      },
      onShowWaiting: (panel) => {
        channel.post({ type: "showWaiting", panel });
      },
    });
    fill(
      root,
      this.#header,
      this.#notice,
      this.#editorPlace,
      this.#runBar.element,
      this.#resultPlace,
      this.#wantedPlace,
      this.#announcer.element,
    );
    document.addEventListener(
      "keydown",
      (event) => {
        this.#onKey(event);
      },
      { signal: channel.signal },
    );
    channel.signal.addEventListener("abort", () => {
      this.#urls.release();
    });
    channel.receive((message) => {
      if (message.type === "view") this.#show(message.view);
      else this.#showArgumentProblems(message.problems);
    });
    channel.post({ type: "ready" });
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (this.#view?.run.kind !== "running") this.#run(true);
  }

  #show(view: ToolRunView): void {
    const before = this.#view;
    this.#view = view;
    // New arguments from the host are a new beginning, as another tool is; those of a run are not.
    const key = stringifyJson([view.serverId, view.tool.name, view.tool.inputSchema, view.initialArguments]);
    const about = stringifyJson([view.serverId, view.protocol, view.tool]);
    if (before === undefined || stringifyJson([before.serverId, before.protocol, before.tool]) !== about) {
      fill(this.#header, drawHeader(view));
    }
    if (key !== this.#key) this.#startEditor(view, key);
    this.#showNotice(view);
    this.#showRun(view, before?.run);
    this.#showWanted(view, before);
  }

  #startEditor(view: ToolRunView, key: string): void {
    const kept = this.#channel.getState();
    this.#key = key;
    this.#checking = false;
    this.#editor = new ArgumentsEditor({
      schema: view.tool.inputSchema,
      initial: view.initialArguments,
      state: kept?.key === key ? kept.editor : undefined,
      onChange: () => {
        this.#onTyped();
      },
    });
    fill(this.#editorPlace, this.#editor.element);
    this.#runBar.showProblems(0, false);
    // What was typed before is kept until something else is typed: the schema may still be on its way.
    if (kept === undefined) this.#save();
  }

  #save(): void {
    const view = this.#view;
    if (this.#editor === undefined || this.#key === undefined || view === undefined) return;
    this.#channel.setState({
      serverId: view.serverId,
      tool: view.tool.name,
      arguments: view.initialArguments,
      key: this.#key,
      editor: this.#editor.state,
    });
  }

  #onTyped(): void {
    this.#save();
    if (this.#editor === undefined || !this.#checking) return;
    const { problems, blocked } = this.#editor.read();
    this.#editor.showProblems(problems, false);
    this.#runBar.showProblems(problems.size, !blocked);
    if (problems.size === 0) this.#checking = false;
  }

  #showNotice(view: ToolRunView): void {
    if (view.notice === undefined) {
      fill(this.#notice);
      return;
    }
    const connect = view.canRun
      ? undefined
      : el(
          "div",
          { class: "buttons" },
          ...(view.noticeCures ?? []).map(({ command, label }) =>
            createButton({
              label,
              onClick: () => {
                this.#channel.post({ type: "cure", command });
              },
            }),
          ),
          createButton({
            label: t("Connect"),
            onClick: () => {
              this.#channel.post({ type: "connect" });
            },
          }),
          createButton({
            label: t("Show Server Log"),
            onClick: () => {
              this.#channel.post({ type: "showLog" });
            },
          }),
        );
    fill(this.#notice, notice(view.canRun ? "info" : "warning", el("div", { text: view.notice }), connect));
  }

  #run(checked: boolean): void {
    if (this.#editor === undefined || this.#view?.canRun !== true || this.#view.run.kind === "running")
      return;
    const read = this.#editor.read();
    if (read.arguments === undefined || read.blocked || (checked && read.problems.size > 0)) {
      this.#refuse(read.problems, !read.blocked);
      return;
    }
    this.#checking = false;
    this.#editor.showProblems(new Map(), false);
    this.#runBar.showProblems(0, false);
    this.#channel.post({ type: "run", arguments: read.arguments, checked });
  }

  #refuse(problems: ReadonlyMap<string, string>, mayRun: boolean): void {
    this.#checking = true;
    this.#runBar.showProblems(problems.size, mayRun);
    this.#editor?.showProblems(problems, true);
  }

  #showArgumentProblems(problems: readonly ArgumentProblem[]): void {
    this.#refuse(new Map(problems.map(({ path, message }) => [path, message])), true);
  }

  #showRun(view: ToolRunView, before: ToolRunStatus | undefined): void {
    const { run } = view;
    const wasThere = this.#runBar.hasFocus;
    this.#runBar.show(run, view.canRun);
    if (run.kind === "idle" || run.kind === "running") {
      if (before?.kind !== run.kind) this.#clearResult();
      if (run.kind === "running") this.#announceRunning(run, before);
      return;
    }
    const shown = stringifyJson(run);
    if (shown === this.#shownRun) return;
    this.#showResult(run, before?.kind === "running" && wasThere);
    this.#shownRun = shown;
  }

  #announceRunning(
    run: Extract<ToolRunStatus, { kind: "running" }>,
    before: ToolRunStatus | undefined,
  ): void {
    if (before?.kind !== "running") this.#announcer.say(t("Running…"));
    if (run.waitingFor !== undefined) {
      const was = before?.kind === "running" ? before.waitingFor : undefined;
      if (was !== run.waitingFor) this.#announcer.say(waitingWords(run.waitingFor));
    } else {
      const words = run.progress?.message ?? run.task?.message;
      if (words !== undefined) this.#announcer.say(words);
    }
  }

  /** Where a run failed, what the server was missing can be allowed from here. */
  #showWanted(view: ToolRunView, before: ToolRunView | undefined): void {
    const offered = wantedAfter(view);
    if (before !== undefined && stringifyJson(wantedAfter(before)) === stringifyJson(offered)) return;
    const allow = (feature: WantedFeature): void => {
      this.#channel.post({ type: "allow", feature });
    };
    fill(this.#wantedPlace, ...offered.map((feature) => drawWanted(feature, allow)));
  }

  #clearResult(): void {
    this.#urls.release();
    this.#shownRun = undefined;
    fill(this.#resultPlace);
  }

  #showResult(run: FinishedRun, moveFocus: boolean): void {
    this.#clearResult();
    const result = drawResult(run, {
      actions: this.#actions(),
      urls: this.#urls,
      showLog: () => {
        this.#channel.post({ type: "showLog" });
      },
      cure: (command) => {
        this.#channel.post({ type: "cure", command });
      },
    });
    fill(this.#resultPlace, result.element);
    this.#announcer.say(result.words);
    // Who waits for the result, here or while answering a question elsewhere, is shown it from its top.
    if (moveFocus) result.heading.focus({ preventScroll: true });
    if (moveFocus || !document.hasFocus()) result.heading.scrollIntoView({ block: "start" });
  }

  #actions(): ResultActions {
    const channel = this.#channel;
    return {
      copy: (text) => {
        channel.post({ type: "copy", text });
        this.#announcer.say(t("Copied."));
      },
      openInEditor: (text, language) => {
        channel.post({ type: "openInEditor", text, language });
      },
      openLink: (uri) => {
        channel.post({ type: "openLink", uri });
      },
      readResource: (uri) => {
        channel.post({ type: "readResource", uri });
      },
    };
  }
}
