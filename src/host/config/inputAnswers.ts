import * as vscode from "vscode";
import { type InputValue, listPlaceholders } from "../../client/resolveConfig.ts";
import type { ServerConfig } from "../../client/serverConfig.ts";
import { askChoice, askText } from "../quickInput/ask.ts";
import { INPUTS_KEY } from "./settingsFiles.ts";
import { type InputDefinition, parseInputs } from "./parseInputs.ts";

/** The answers to `${input:…}` placeholders. They are kept while the window lives, and nowhere else. */
export interface InputAnswers {
  /** Asks the person unless the answer is known. Undefined when dismissed, or when no such input is defined. */
  ask(id: string, signal: AbortSignal): Promise<InputValue | undefined>;
  /** What was answered before; nobody is asked. */
  get(id: string): InputValue | undefined;
  /** Forgets what a server was given: its connection failed, and a mistyped answer may be why. */
  forgetFor(config: ServerConfig): void;
}

/** Asks with the editor's own boxes, one question at a time. */
export function createInputAnswers(): InputAnswers {
  const answers = new Map<string, InputValue>();
  let queue: Promise<unknown> = Promise.resolve();

  async function askNow(id: string, signal: AbortSignal): Promise<InputValue | undefined> {
    signal.throwIfAborted();
    const known = answers.get(id);
    if (known !== undefined) return known;
    const definition = parseInputs(vscode.workspace.getConfiguration().get(INPUTS_KEY)).get(id);
    if (definition === undefined) return undefined;
    const value = await askPerson(definition, signal);
    signal.throwIfAborted();
    if (value === undefined) return undefined;
    const answer = { value, isSecret: definition.type === "promptString" && definition.password };
    answers.set(id, answer);
    return answer;
  }

  return {
    ask(id, signal) {
      // Two servers may need the same answer at once; the second finds it given.
      const turn = queue.then(() => askNow(id, signal));
      queue = turn.catch(() => undefined);
      return turn;
    },
    get: (id) => answers.get(id),
    forgetFor(config) {
      for (const placeholder of listPlaceholders(config)) {
        if (placeholder.kind === "input") answers.delete(placeholder.name);
      }
    },
  };
}

async function askPerson(definition: InputDefinition, signal: AbortSignal): Promise<string | undefined> {
  const title = vscode.l10n.t("Input for an MCP Server: {id}", { id: definition.id });
  const prompt = definition.description ?? vscode.l10n.t("Value of “{id}”", { id: definition.id });
  const answer =
    definition.type === "promptString"
      ? await askText({
          title,
          prompt,
          value: definition.default ?? "",
          password: definition.password,
          signal,
        })
      : await askChoice({ title, placeholder: prompt, items: choicesOf(definition), signal });
  return typeof answer === "string" ? answer : undefined;
}

/** The default comes first, where Enter takes it. */
function choicesOf(
  definition: Extract<InputDefinition, { type: "pickString" }>,
): readonly { readonly label: string; readonly value: string }[] {
  const items = definition.options.map((option) =>
    typeof option === "string" ? { label: option, value: option } : option,
  );
  const isDefault = (item: { readonly value: string }): boolean => item.value === definition.default;
  return [...items.filter(isDefault), ...items.filter((item) => !isDefault(item))];
}
