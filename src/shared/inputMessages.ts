import type { ElicitationForm, FormValue } from "../protocol/mrtr/inputRequired.ts";

/** What the Input request panel shows: the first waiting round of the queue. */
export interface InputView {
  /** Rounds waiting, this one included. 0 shows the empty state until the panel closes. */
  readonly waiting: number;
  readonly current: InputRoundView | undefined;
}

export interface InputRoundView {
  /** Identifies this round of this call; answers carry it, so that a late answer cannot reach another round. */
  readonly roundId: string;
  /** The configured name of the server. */
  readonly serverId: string;
  /** What the call is about; a tool also when a legacy server did not say which call it asks for. */
  readonly targetKind: "tool" | "resource" | "prompt";
  /** The tool or prompt, or the URI of the resource; undefined when a legacy server did not say. */
  readonly target: string | undefined;
  /** Why the person is asked, as a sentence: “The tool … was run from chat and needs more information.” */
  readonly why: string;
  readonly round: number;
  readonly maxRounds: number;
  /** True while the person does in the browser what was agreed to: nothing is asked but whether to go on. */
  readonly isElsewhere?: boolean;
  /** Earlier rounds of the same call, oldest first, as the person answered them. */
  readonly history: readonly InputHistoryEntry[];
  readonly requests: readonly InputRequestView[];
}

export interface InputHistoryEntry {
  readonly round: number;
  readonly message: string;
  readonly action: "accept" | "decline" | "cancel";
  /** Field titles with the values that were sent. */
  readonly values: readonly { readonly title: string; readonly value: string }[];
}

export type InputRequestView =
  | {
      readonly kind: "form";
      readonly key: string;
      readonly message: string;
      readonly form: ElicitationForm;
      /** Warnings such as “asks for something that looks like a password”. */
      readonly warnings: readonly string[];
    }
  | {
      readonly kind: "url";
      readonly key: string;
      readonly message: string;
      /** The whole URL, cut in three so that the host can be marked: before, host, after. */
      readonly url: { readonly before: string; readonly host: string; readonly after: string };
      readonly warnings: readonly string[];
      /** False when the URL may not be opened (not https, not parsable); `warnings` says why. */
      readonly canOpen: boolean;
    };

/** From the host to the Input request page. */
export type InputToPage =
  | { readonly type: "view"; readonly view: InputView }
  /** The host refused an answer; problems by request key and field name. The page shows them and keeps what was typed. */
  | { readonly type: "problems"; readonly roundId: string; readonly problems: readonly InputProblem[] };

export interface InputProblem {
  readonly key: string;
  readonly field: string;
  readonly message: string;
}

/** The person's answer to one request. `open` on a URL request consents and opens the browser. */
export type InputAnswer =
  | { readonly key: string; readonly action: "accept"; readonly content: Readonly<Record<string, FormValue>> }
  | { readonly key: string; readonly action: "open" }
  | { readonly key: string; readonly action: "decline" };

/** From the Input request page to the host. */
export type InputToHost =
  | { readonly type: "ready" }
  /** One answer for every request of the round. */
  | { readonly type: "answer"; readonly roundId: string; readonly answers: readonly InputAnswer[] }
  /** Declines every request of the round. */
  | { readonly type: "decline"; readonly roundId: string }
  /** Dismisses the round without a choice. */
  | { readonly type: "cancel"; readonly roundId: string }
  | { readonly type: "copy"; readonly text: string };
