import * as vscode from "vscode";
import { type Disposable, DisposableStore, toDisposable } from "../../base/disposable.ts";
import { withoutLinks } from "../serverText.ts";
import { BACK } from "./runFlow.ts";

interface QuestionOptions {
  readonly title: string;
  readonly placeholder?: string;
  readonly canGoBack?: boolean;
  /** Takes the question away, as if the person had pressed Escape. */
  readonly signal?: AbortSignal;
}

export interface TextQuestion extends QuestionOptions {
  readonly prompt: string;
  readonly value?: string;
  readonly password?: boolean;
  /** Answers what is wrong with a value, or undefined when it may be submitted. */
  readonly validate?: (value: string) => string | undefined;
}

export interface ChoiceQuestion<T> extends QuestionOptions {
  readonly items: readonly Choice<T>[];
}

export type Choice<T> = vscode.QuickPickItem & { readonly value: T };

/** Asks for a text. Undefined when the person pressed Escape. */
export function askText(question: TextQuestion): Promise<string | typeof BACK | undefined> {
  const box = vscode.window.createInputBox();
  // The editor makes links of what stands below the box, those of a server's words among them.
  box.prompt = withoutLinks(question.prompt);
  box.value = question.value ?? "";
  box.password = question.password ?? false;
  const check = (): boolean => {
    const problem = question.validate?.(box.value);
    box.validationMessage =
      problem === undefined
        ? undefined
        : { message: withoutLinks(problem), severity: vscode.InputBoxValidationSeverity.Error };
    return problem === undefined;
  };
  return show(box, question, (answer) => [
    // An empty box is not wrong before something was typed or Enter was pressed.
    box.onDidChangeValue(() => void check()),
    box.onDidAccept(() => {
      if (check()) answer(box.value);
    }),
  ]);
}

/** Asks for one of several. Undefined when the person pressed Escape. */
export function askChoice<T>(question: ChoiceQuestion<T>): Promise<T | typeof BACK | undefined> {
  const pick = vscode.window.createQuickPick<Choice<T>>();
  pick.items = question.items;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  return show<T>(pick, question, (answer) => [
    pick.onDidAccept(() => {
      const chosen = pick.selectedItems[0] ?? pick.activeItems[0];
      if (chosen !== undefined) answer(chosen.value);
    }),
  ]);
}

function show<T>(
  input: vscode.InputBox | vscode.QuickPick<Choice<T>>,
  question: QuestionOptions,
  listen: (answer: (value: T) => void) => Disposable[],
): Promise<T | typeof BACK | undefined>;
function show(
  input: vscode.InputBox,
  question: QuestionOptions,
  listen: (answer: (value: string) => void) => Disposable[],
): Promise<string | typeof BACK | undefined>;
function show<T>(
  input: vscode.QuickInput & {
    placeholder: string | undefined;
    buttons: readonly vscode.QuickInputButton[];
    readonly onDidTriggerButton: vscode.Event<vscode.QuickInputButton>;
  },
  question: QuestionOptions,
  listen: (answer: (value: T) => void) => Disposable[],
): Promise<T | typeof BACK | undefined> {
  input.title = question.title;
  input.placeholder = question.placeholder;
  // A person often looks something up in another window while a form is open.
  input.ignoreFocusOut = true;
  if (question.canGoBack === true) input.buttons = [vscode.QuickInputButtons.Back];
  return new Promise((resolve) => {
    const store = new DisposableStore();
    const finish = (value: T | typeof BACK | undefined): void => {
      resolve(value);
      store.dispose();
    };
    store.add(input);
    store.add(
      input.onDidTriggerButton((button) => {
        if (button === vscode.QuickInputButtons.Back) finish(BACK);
      }),
    );
    store.add(
      input.onDidHide(() => {
        finish(undefined);
      }),
    );
    for (const listener of listen(finish)) store.add(listener);
    const { signal } = question;
    const withdraw = (): void => {
      finish(undefined);
    };
    signal?.addEventListener("abort", withdraw, { once: true });
    store.add(toDisposable(() => signal?.removeEventListener("abort", withdraw)));
    input.show();
  });
}
