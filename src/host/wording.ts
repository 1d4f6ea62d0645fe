import * as vscode from "vscode";
import { describeProblem } from "./describeProblem.ts";
import type { Translate } from "../shared/translate.ts";
import type { Wording } from "./words.ts";

/** Sentences in the language of this window. */
export const translate: Translate = (message, args) =>
  args === undefined ? vscode.l10n.t(message) : vscode.l10n.t(message, args);

/** The words of the pure models in this window. */
export const wording: Wording = { t: translate, describe: describeProblem };
