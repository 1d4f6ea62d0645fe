import type { MessageArgs } from "../base/errors.ts";
import type { Problem } from "../client/serverState.ts";
import type { ProblemView } from "../shared/toolRunMessages.ts";

/** Gives a sentence in the user's language. Pure models take it as an argument, so that they run without an editor. */
export type Translate = (message: string, args?: MessageArgs) => string;

/** The words of a pure model: sentences, and problems as sentences. */
export interface Wording {
  readonly t: Translate;
  readonly describe: (problem: Problem) => ProblemView;
}
