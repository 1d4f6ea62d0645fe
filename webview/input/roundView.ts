import type {
  InputAnswer,
  InputHistoryEntry,
  InputProblem,
  InputRoundView,
} from "../../src/shared/inputMessages.ts";
import { el, fill } from "../dom.ts";
import { formatNumber, t } from "../l10n.ts";
import { notice } from "../notice.ts";
import { type Button, createButton } from "../toolkit.ts";
import { drawQuote, drawSection, type RequestDraft, type RequestSection } from "./requestSection.ts";

export interface RoundParts {
  readonly round: InputRoundView;
  /** One for every request, by its key. */
  readonly drafts: Readonly<Record<string, RequestDraft>>;
  readonly onInput: () => void;
  readonly copy: (text: string) => void;
  readonly onAnswer: (answers: readonly InputAnswer[]) => void;
  readonly onDecline: () => void;
  readonly onCancel: () => void;
}

/** One round: who asks and why, what was said before, the requests, and the three ways to answer. */
export class RoundView {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
  readonly #parts: RoundParts;
  readonly #sections = new Map<string, RequestSection>();
  readonly #status = el("div", {});
  readonly #buttons: readonly Button[];

  constructor(parts: RoundParts) {
    this.#parts = parts;
    const { round } = parts;
    const isElsewhere = round.isElsewhere === true;
    this.heading = el("h1", {
      text: isElsewhere
        ? t("Finish in the browser")
        : t("{server} asks for your input", { server: round.serverId }),
      attributes: { tabindex: "-1" },
    });
    for (const [index, request] of round.requests.entries()) this.#addSection(index, request);
    const [first] = round.requests;
    const openOnly = round.requests.length === 1 && first?.kind === "url";
    this.#buttons = isElsewhere
      ? this.#drawGoOn()
      : this.#drawButtons(openOnly, first?.kind !== "url" || first.canOpen);
    this.element = el(
      "div",
      {},
      this.#drawWho(),
      drawHistory(round.history),
      ...(isElsewhere ? [] : [...this.#sections.values()].map(({ element }) => element)),
      el(
        "footer",
        { class: "answer-bar" },
        this.#status,
        el("div", { class: "buttons" }, ...this.#buttons),
        isElsewhere ? drawTerms(GO_ON_TERMS()) : drawExplanation(openOnly),
      ),
    );
  }

  /** Sends the answers when all are complete; else shows what is missing. */
  submit(): void {
    const { round, drafts, onAnswer } = this.#parts;
    const [only] = round.requests;
    if (round.requests.length === 1 && only?.kind === "url") {
      if (!only.canOpen) return;
      const draft = drafts[only.key];
      if (draft !== undefined) draft.choice = "open";
    }
    const answers = [...this.#sections.values()].map((section) => section.answer());
    const complete = answers.filter((answer) => answer !== undefined);
    if (complete.length < answers.length) this.#showProblems();
    else onAnswer(complete);
  }

  /** Shows what the host found wrong with the answers. */
  showProblems(problems: readonly InputProblem[]): void {
    for (const { key, field, message } of problems) this.#sections.get(key)?.showProblem(field, message);
    this.setBusy(undefined);
    this.#showProblems();
  }

  /** Says that an answer is on its way, or with undefined that the person may answer. */
  setBusy(words: string | undefined): void {
    for (const button of this.#buttons) button.disabled = words !== undefined;
    fill(this.#status, words === undefined ? undefined : el("p", { class: "hint", text: words }));
  }

  #addSection(index: number, request: InputRoundView["requests"][number]): void {
    const { round, drafts, onInput, copy } = this.#parts;
    const several = round.requests.length > 1;
    const draft = drafts[request.key];
    if (draft === undefined) return;
    const heading = several
      ? t("Request {number} of {total}", { number: index + 1, total: round.requests.length })
      : undefined;
    this.#sections.set(
      request.key,
      drawSection({ request, draft, choosable: several, heading, onInput, copy }),
    );
  }

  #showProblems(): void {
    fill(this.#status, notice("error", t("Something is missing or not right. Nothing was sent.")));
    for (const section of this.#sections.values()) if (section.focusProblem()) return;
  }

  #drawWho(): HTMLElement {
    const { round } = this.#parts;
    const count = t("{round} of at most {maximum}", {
      round: formatNumber(round.round),
      maximum: formatNumber(round.maxRounds),
    });
    const facts: [string, HTMLElement][] = [
      [t("Server"), el("span", { text: round.serverId })],
      [
        targetLabel(round.targetKind),
        round.target === undefined
          ? el("span", { class: "hint", text: t("The server did not say.") })
          : el("code", { text: round.target }),
      ],
      [t("Round"), el("span", { text: count })],
    ];
    return el(
      "header",
      { class: "page-header" },
      this.heading,
      el("p", { class: "why", text: round.why, attributes: { dir: "auto" } }),
      el(
        "dl",
        { class: "facts-list" },
        ...facts.flatMap(([name, value]) => [el("dt", { text: name }), el("dd", {}, value)]),
      ),
    );
  }

  #drawGoOn(): readonly Button[] {
    const goOn = createButton({
      label: t("Continue"),
      appearance: "primary",
      onClick: () => {
        this.submit();
      },
    });
    return [goOn, createButton({ label: t("Give Up"), onClick: this.#parts.onCancel })];
  }

  #drawButtons(openOnly: boolean, canAnswer: boolean): readonly Button[] {
    const { onDecline, onCancel } = this.#parts;
    const submit = createButton({
      label: openOnly ? t("Open in Browser") : t("Submit"),
      appearance: "primary",
      ...(openOnly ? { icon: "open" as const } : {}),
      onClick: () => {
        this.submit();
      },
    });
    const decline = createButton({
      label: this.#parts.round.requests.length > 1 ? t("Decline All") : t("Decline"),
      onClick: onDecline,
    });
    const cancel = createButton({ label: t("Cancel"), onClick: onCancel });
    return canAnswer ? [submit, decline, cancel] : [decline, cancel];
  }
}

function drawExplanation(openOnly: boolean): HTMLElement {
  const lines: readonly (readonly [string, string])[] = [
    openOnly
      ? [
          t("Open in Browser"),
          t(
            "opens the address in your own browser and tells the server that you agreed. Signalbox does not see the page.",
          ),
        ]
      : [t("Submit"), t("sends your answers to this server.")],
    [t("Decline"), t("tells the server that you say no.")],
    [t("Cancel"), t("makes no choice. Closing this panel does the same.")],
  ];
  return drawTerms(lines);
}

const GO_ON_TERMS = (): readonly (readonly [string, string])[] => [
  [t("Continue"), t("calls the server once more now, whether or not it says that it is done.")],
  [t("Give Up"), t("ends the call. Closing this panel does the same.")],
];

function drawTerms(lines: readonly (readonly [string, string])[]): HTMLElement {
  return el(
    "dl",
    { class: "explanation" },
    ...lines.flatMap(([name, words]) => [el("dt", { text: name }), el("dd", { text: words })]),
  );
}

function drawHistory(history: readonly InputHistoryEntry[]): HTMLElement | undefined {
  if (history.length === 0) return undefined;
  return el(
    "section",
    { class: "history", attributes: { "aria-label": t("Earlier in this call") } },
    el("h2", { text: t("Earlier in this call") }),
    el(
      "ol",
      {},
      ...history.map((entry) =>
        el("li", { attributes: { value: String(entry.round) } }, drawQuote(entry.message), drawAnswer(entry)),
      ),
    ),
  );
}

function drawAnswer(entry: InputHistoryEntry): HTMLElement {
  if (entry.action === "decline") return el("p", { class: "own-answer", text: t("You declined.") });
  if (entry.action === "cancel") return el("p", { class: "own-answer", text: t("You cancelled.") });
  if (entry.values.length === 0) return el("p", { class: "own-answer", text: t("You agreed.") });
  return el(
    "div",
    { class: "own-answer" },
    el("div", { text: t("You answered:") }),
    el(
      "dl",
      { class: "facts-list" },
      ...entry.values.flatMap(({ title, value }) => [el("dt", { text: title }), el("dd", { text: value })]),
    ),
  );
}

function targetLabel(kind: InputRoundView["targetKind"]): string {
  if (kind === "resource") return t("Resource");
  return kind === "prompt" ? t("Prompt") : t("Tool");
}
