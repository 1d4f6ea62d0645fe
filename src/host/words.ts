import type { Problem } from "../client/serverState.ts";
import type { ProblemView } from "../shared/toolRunMessages.ts";
import type { Translate } from "../shared/translate.ts";

/** The words of a pure model, which runs without an editor: sentences, and problems as sentences. */
export interface Wording {
  readonly t: Translate;
  readonly describe: (problem: Problem) => ProblemView;
}
