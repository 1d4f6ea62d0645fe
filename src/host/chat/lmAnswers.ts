import * as vscode from "vscode";
import * as z from "zod";
import { toResultContent } from "./chatModel.ts";
import type { ModelPart } from "./resultForModel.ts";

/** A careful guess: JSON has fewer bytes for a token than prose. */
export const BYTES_PER_TOKEN = 3;

/** What a model is told when the person refused. */
export const DENIED = "The user did not allow this call. Do not try it again unless the user asks for it.";

/** An answer of one of our tools, as words. */
export function answer(text: string): vscode.LanguageModelToolResult {
  return answerParts([{ kind: "text", text }]);
}

/** An answer of one of our tools. */
export function answerParts(parts: readonly ModelPart[]): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult(
    toResultContent(parts) as ConstructorParameters<typeof vscode.LanguageModelToolResult>[0],
  );
}

/** What is wrong with the input that a model wrote. */
export function badInput(error: z.ZodError): string {
  return `The input does not fit, and nothing was called: ${z.prettifyError(error)}`;
}
