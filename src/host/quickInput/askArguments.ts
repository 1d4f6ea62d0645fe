import * as vscode from "vscode";
import type { ServerEntry, ServerPool } from "../../client/serverPool.ts";
import type { CompletionTarget } from "../../protocol/model/completion.ts";
import { oneLine } from "../serverText.ts";
import { askText } from "./ask.ts";
import { askCompleted } from "./askCompleted.ts";
import { BACK, type FlowStep, runFlow } from "./runFlow.ts";

/** One value to ask for. */
export interface WantedArgument {
  readonly name: string;
  /** The name for people; the server's words, like the description. */
  readonly displayName: string;
  readonly description?: string;
  readonly required: boolean;
}

export interface ArgumentQuestions {
  /** What the values are for, as the title of every question. */
  readonly title: string;
  readonly target: CompletionTarget;
  readonly wanted: readonly WantedArgument[];
}

type Values = Readonly<Record<string, string>>;

/**
 * Asks for the arguments of a prompt or the variables of a template one after the other, with the proposals of the
 * server. What is left empty is left out. Undefined when the person pressed Escape.
 */
export async function askArguments(
  pool: ServerPool,
  entry: ServerEntry,
  { title, target, wanted }: ArgumentQuestions,
): Promise<Values | undefined> {
  const isCompleted =
    entry.state.kind === "connected" && entry.state.negotiation.capabilities["completions"] !== undefined;
  const steps = wanted.map((argument, index): FlowStep<Values> => async (known, canGoBack) => {
    const question = {
      title: `${title}: ${oneLine(argument.displayName, 80)}`,
      placeholder: describeArgument(argument),
      steps: { at: index + 1, of: wanted.length },
      canGoBack,
      required: argument.required,
    };
    const answer = isCompleted
      ? await askCompleted({
          ...question,
          propose: (value, signal) =>
            pool.complete(entry.id, target, { name: argument.name, value }, known, signal),
        })
      : await askText({
          ...question,
          prompt: question.placeholder,
          validate: (value) =>
            argument.required && value === "" ? vscode.l10n.t("A value is needed.") : undefined,
        });
    if (answer === undefined || answer === BACK) return answer;
    return answer === "" ? known : { ...known, [argument.name]: answer };
  });
  return runFlow(steps, {});
}

function describeArgument({ description, displayName, required }: WantedArgument): string {
  const what = oneLine(description ?? displayName, 200);
  return required
    ? vscode.l10n.t("{what} (required)", { what })
    : vscode.l10n.t("{what} (may be left empty)", { what });
}
