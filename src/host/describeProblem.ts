import * as vscode from "vscode";
import { stringifyJson } from "../base/json.ts";
import { CodedError, errorText, type MessageArgs } from "../base/errors.ts";
import { EngineError } from "../protocol/engineError.ts";
import { RpcError } from "../protocol/rpcError.ts";
import type { ProblemView } from "../shared/toolRunMessages.ts";
import { endOf, startOf } from "./evidence.ts";

/**
 * Whatever was thrown, as sentences in the user's language.
 * Our own errors are translated; a server's error stays in the server's words, marked as such.
 */
export function describeProblem(problem: unknown): ProblemView {
  if (problem instanceof RpcError) {
    return {
      message: vscode.l10n.t("The server answered {method} with an error: {words}", {
        method: problem.method,
        words: problem.message,
      }),
      rpcCode: problem.rpcCode,
      ...(problem.data === undefined ? {} : { detail: startOf(stringifyJson(problem.data, 2)) }),
    };
  }
  if (problem instanceof CodedError) {
    const { message, remedy } = problem.template;
    const args = translateHint(problem.args);
    return {
      message: vscode.l10n.t(message, args),
      ...(remedy === undefined ? {} : { remedy: vscode.l10n.t(remedy, args) }),
      ...(problem.detail === undefined ? {} : { detail: endOf(problem.detail) }),
    };
  }
  if (isCancellation(problem)) return { message: vscode.l10n.t("Cancelled.") };
  return {
    message: vscode.l10n.t("Something went wrong: {reason}", { reason: errorText(problem) }),
    ...(problem instanceof Error && problem.stack !== undefined ? { detail: startOf(problem.stack) } : {}),
  };
}

/** True when the person ended it themselves, so that nothing needs to be reported. */
export function isCancellation(problem: unknown): boolean {
  if (problem instanceof vscode.CancellationError) return true;
  if (problem instanceof EngineError) return problem.code === "cancelled";
  return problem instanceof Error && problem.name === "AbortError";
}

/** The one argument that is a sentence of ours. */
function translateHint(args: MessageArgs): MessageArgs {
  const hint = args["hint"];
  return typeof hint === "string" ? { ...args, hint: vscode.l10n.t(hint) } : args;
}
