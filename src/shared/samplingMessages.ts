/** What the Model request panel shows: the first waiting request of the queue. */
export interface SamplingView {
  /** Requests waiting, this one included. 0 shows the empty state until the panel closes. */
  readonly waiting: number;
  readonly current: SamplingTaskView | undefined;
}

export interface SamplingTaskView {
  /** Identifies this request; everything that the page says carries it, so that it cannot reach another one. */
  readonly taskId: string;
  /** The configured name of the server. */
  readonly serverId: string;
  /** The tool, or undefined when a legacy server did not say which call it asks for. */
  readonly target: string | undefined;
  /** Why the person is asked, as a sentence. */
  readonly why: string;
  readonly round: number;
  readonly maxRounds: number;
  readonly prompt: PromptView;
  readonly models: readonly ModelChoice[];
  /** The id of the model to begin with. */
  readonly model: string;
  /** Why that model, as a sentence; undefined when it is only the first one. */
  readonly modelReason: string | undefined;
  readonly stage: SamplingStageView;
}

/** Where a request stands. */
export type SamplingStageView =
  /** The person reads the prompt. `problem` says why the model that was asked before gave nothing. */
  | { readonly kind: "prompt"; readonly problem: string | undefined }
  | { readonly kind: "running"; readonly model: string }
  | { readonly kind: "answer"; readonly model: string; readonly answer: AnswerView };

/** The whole prompt, in the server's words. */
export interface PromptView {
  readonly systemPrompt: string | undefined;
  readonly messages: readonly PromptMessageView[];
  /** Limits and wishes of the server by name, as sentences that say what becomes of them. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly tools: readonly { readonly name: string; readonly description: string; readonly schema: string }[];
  readonly warnings: readonly string[];
}

export interface PromptMessageView {
  readonly role: "user" | "assistant";
  readonly parts: readonly PromptPartView[];
}

/** One piece of a message. Texts can be changed; the rest goes as it is shown, or not at all. */
export type PromptPartView =
  | { readonly kind: "text"; readonly key: string; readonly text: string }
  | { readonly kind: "image"; readonly mimeType: string; readonly data: string }
  | { readonly kind: "data"; readonly title: string; readonly text: string };

export interface ModelChoice {
  readonly id: string;
  readonly label: string;
}

/** What the model answered. */
export interface AnswerView {
  readonly parts: readonly PromptPartView[];
  /** How it ended, as a sentence. */
  readonly end: string;
}

/** Texts that the person changed, by the keys of the parts; a text that is not here stays as it was. */
export type EditedTexts = Readonly<Record<string, string>>;

/** The key of the system prompt among the edited texts. */
export const SYSTEM_KEY = "system";

/** From the host to the Model request page. */
export type SamplingToPage =
  | { readonly type: "view"; readonly view: SamplingView }
  /** The end of what the model has written so far. */
  | { readonly type: "progress"; readonly taskId: string; readonly text: string };

/** From the Model request page to the host. */
export type SamplingToHost =
  | { readonly type: "ready" }
  /** Lets the prompt, as it was changed, go to a model. */
  | { readonly type: "send"; readonly taskId: string; readonly model: string; readonly texts: EditedTexts }
  /** Stops the model; the prompt is shown again. */
  | { readonly type: "stop"; readonly taskId: string }
  /** Lets the answer, as it was changed, go back to the server. */
  | { readonly type: "sendBack"; readonly taskId: string; readonly texts: EditedTexts }
  /** The server gets nothing. */
  | { readonly type: "refuse"; readonly taskId: string };
