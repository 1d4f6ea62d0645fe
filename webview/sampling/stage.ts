import type { SamplingTaskView, SamplingToHost } from "../../src/shared/samplingMessages.ts";
import type { ObjectUrls } from "../result/mediaBlocks.ts";

/** What the person has changed in one stage so far. */
export interface StageDraft {
  texts: Record<string, string>;
  model: string;
}

export interface StageParts {
  readonly task: SamplingTaskView;
  readonly draft: StageDraft;
  readonly onInput: () => void;
  readonly post: (message: SamplingToHost) => void;
  /** Of the pictures that are shown. */
  readonly urls: ObjectUrls;
}

/** One stage of a request, as it is drawn. */
export interface StageView {
  readonly element: HTMLElement;
  /** What a screen reader says when the stage begins. */
  readonly announcement: string;
  /** Does what the main button does. */
  submit(): void;
  showProgress(text: string): void;
}

/** Nothing changed, and the model that the host proposes. */
export function startDraft(task: SamplingTaskView): StageDraft {
  return { texts: {}, model: task.model };
}
