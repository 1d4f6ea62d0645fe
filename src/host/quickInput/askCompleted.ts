import * as vscode from "vscode";
import { type Clock, systemClock } from "../../base/clock.ts";
import { type Disposable, DisposableStore } from "../../base/disposable.ts";
import { Proposals } from "../../client/proposals.ts";
import type { Completion } from "../../protocol/model/completion.ts";
import { pickLabel } from "../serverText.ts";
import { BACK } from "./runFlow.ts";

/** A question whose answer is a text, with proposals while it is typed. */
export interface CompletedQuestion {
  readonly title: string;
  /** What the value is for, shown while nothing is typed. */
  readonly placeholder: string;
  readonly value?: string;
  /** How many questions there are, and which one this is, from 1. */
  readonly steps: { readonly at: number; readonly of: number };
  readonly canGoBack: boolean;
  /** False offers to leave the value out; the answer is then an empty text. */
  readonly required: boolean;
  /** Proposes values for what is typed so far. A failure proposes nothing. */
  readonly propose: (value: string, signal: AbortSignal) => Promise<Completion>;
}

type Item = vscode.QuickPickItem & { readonly value?: string };

/**
 * Asks for a text with the proposals of a server. What was typed can always be taken as it is. Undefined when the
 * person pressed Escape.
 */
export function askCompleted(
  question: CompletedQuestion,
  clock: Clock = systemClock,
): Promise<string | typeof BACK | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = question.title;
  pick.placeholder = question.placeholder;
  pick.step = question.steps.at;
  pick.totalSteps = question.steps.of;
  pick.ignoreFocusOut = true;
  pick.value = question.value ?? "";
  if (question.canGoBack) pick.buttons = [vscode.QuickInputButtons.Back];
  return new Promise((resolve) => {
    const store = new DisposableStore();
    const finish = (answer: string | typeof BACK | undefined): void => {
      resolve(answer);
      store.dispose();
    };
    store.add(pick);
    store.add(followTyping(pick, question, clock));
    store.add(
      pick.onDidAccept(() => {
        const chosen = pick.activeItems[0] ?? pick.selectedItems[0];
        if (chosen?.value !== undefined) finish(chosen.value);
      }),
    );
    store.add(
      pick.onDidTriggerButton((button) => {
        if (button === vscode.QuickInputButtons.Back) finish(BACK);
      }),
    );
    store.add(
      pick.onDidHide(() => {
        finish(undefined);
      }),
    );
    pick.show();
  });
}

/** Keeps the entries to what is typed: at once the text itself, after a pause what the server proposes for it. */
function followTyping(pick: vscode.QuickPick<Item>, question: CompletedQuestion, clock: Clock): Disposable {
  const store = new DisposableStore();
  const proposals = store.add(
    new Proposals({
      clock,
      propose: question.propose,
      onChange: (value, completion) => {
        pick.busy = completion === undefined;
        pick.items = itemsFor(value, question.required, completion);
      },
    }),
  );
  store.add(
    pick.onDidChangeValue((value) => {
      proposals.type(value);
    }),
  );
  proposals.type(pick.value);
  return store;
}

/** The entries for a typed text. All of them are always shown, because the server has chosen already. */
function itemsFor(typed: string, required: boolean, completion: Completion | undefined): readonly Item[] {
  const { t } = vscode.l10n;
  const own: Item[] =
    typed !== ""
      ? [{ label: pickLabel(typed), description: t("as typed"), value: typed }]
      : required
        ? [{ label: t("Type a value"), description: t("required") }]
        : [{ label: t("Leave empty"), value: "" }];
  const values = (completion?.values ?? []).filter((value) => value !== typed && value !== "");
  const proposed: Item[] = values.map((value) => ({ label: pickLabel(value), value }));
  const more: Item[] =
    completion?.hasMore === true ? [{ label: t("There are more; type to narrow them down.") }] : [];
  // With proposals and nothing typed, Enter takes the first proposal only if a value is needed.
  const all =
    typed === "" && required && proposed.length > 0 ? [...proposed, ...more] : [...own, ...proposed, ...more];
  return all.map((item) => ({ ...item, alwaysShow: true }));
}
