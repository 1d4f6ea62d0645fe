import type {
  SamplingTaskView,
  SamplingToHost,
  SamplingToPage,
  SamplingView,
} from "../../src/shared/samplingMessages.ts";
import { Announcer } from "../announcer.ts";
import { el, fill } from "../dom.ts";
import type { HostChannel } from "../hostChannel.ts";
import { t } from "../l10n.ts";
import { showWaiting, submitByKeyboard } from "../requestPage.ts";
import { ObjectUrls } from "../result/mediaBlocks.ts";
import { drawAnswerStage } from "./answerStage.ts";
import { drawPromptStage } from "./promptStage.ts";
import { drawRunningStage } from "./runningStage.ts";
import { type StageDraft, type StageParts, type StageView, startDraft } from "./stage.ts";
import { drawTaskHeader } from "./taskHeader.ts";

/** What the page keeps while it is hidden: texts that were changed, for one stage of one request. */
interface SamplingState {
  readonly stageId: string;
  readonly draft: StageDraft;
}

export type SamplingChannel = HostChannel<SamplingToPage, SamplingToHost, SamplingState | null>;

/** The Model request page: the prompt before it goes to a model, the answer before it goes back. */
export class SamplingPage {
  readonly #channel: SamplingChannel;
  readonly #announcer = new Announcer();
  readonly #waiting = el("div", { class: "waiting" });
  readonly #place = el("div", {});
  readonly #urls = new ObjectUrls();
  #stageId: string | undefined;
  #stage: StageView | undefined;
  /** What was changed in the prompt, for when it is shown again after the model failed. */
  #promptDraft: { readonly taskId: string; readonly draft: StageDraft } | undefined;

  constructor(root: HTMLElement, channel: SamplingChannel) {
    this.#channel = channel;
    fill(root, this.#waiting, this.#place, this.#announcer.element);
    submitByKeyboard(channel.signal, () => {
      this.#stage?.submit();
    });
    channel.receive((message) => {
      if (message.type === "view") this.#show(message.view);
      else if (this.#stageId === `${message.taskId} running`) this.#stage?.showProgress(message.text);
    });
    channel.post({ type: "ready" });
  }

  #show(view: SamplingView): void {
    showWaiting(this.#waiting, view.waiting);
    const { current } = view;
    if (current === undefined) {
      this.#stageId = undefined;
      this.#stage = undefined;
      this.#channel.setState(null);
      fill(this.#place, el("p", { class: "empty", text: t("Nothing is waiting for an answer.") }));
      return;
    }
    const stageId = `${current.taskId} ${current.stage.kind}`;
    if (stageId !== this.#stageId) this.#start(current, stageId);
  }

  #start(task: SamplingTaskView, stageId: string): void {
    const draft = this.#draftOf(task, stageId);
    const replaced = this.#stageId !== undefined;
    this.#stageId = stageId;
    if (task.stage.kind === "prompt") this.#promptDraft = { taskId: task.taskId, draft };
    const { element: header, heading } = drawTaskHeader(task);
    this.#urls.release();
    this.#stage = drawStage({
      urls: this.#urls,
      task,
      draft,
      onInput: () => {
        this.#channel.setState({ stageId, draft });
      },
      post: (message) => {
        this.#channel.post(message);
      },
    });
    fill(this.#place, header, this.#stage.element);
    this.#announcer.say(this.#stage.announcement);
    // A new stage takes the place of what had the focus; without this the keyboard would be nowhere.
    if (replaced || document.hasFocus()) heading.focus();
    if (replaced) window.scrollTo(0, 0);
  }

  #draftOf(task: SamplingTaskView, stageId: string): StageDraft {
    const kept = this.#channel.getState();
    if (kept?.stageId === stageId) return kept.draft;
    const isSame = task.stage.kind === "prompt" && this.#promptDraft?.taskId === task.taskId;
    return isSame && this.#promptDraft !== undefined ? this.#promptDraft.draft : startDraft(task);
  }
}

function drawStage(parts: StageParts): StageView {
  switch (parts.task.stage.kind) {
    case "prompt":
      return drawPromptStage(parts, parts.task.stage.problem);
    case "running":
      return drawRunningStage(parts, parts.task.stage.model);
    case "answer":
      return drawAnswerStage(parts, parts.task.stage);
  }
}
