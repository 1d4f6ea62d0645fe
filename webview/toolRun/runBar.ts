import type { ToolRunStatus, WaitingPanel } from "../../src/shared/toolRunMessages.ts";
import { el, fill, setHidden } from "../dom.ts";
import { formatDuration, formatNumber, t } from "../l10n.ts";
import { notice } from "../notice.ts";
import { type Button, createButton } from "../toolkit.ts";

export interface RunBarParts {
  readonly signal: AbortSignal;
  readonly onRun: () => void;
  readonly onRunAnyway: () => void;
  readonly onCancel: () => void;
  /** The person wants to see where the call waits for them. */
  readonly onShowWaiting: (panel: WaitingPanel) => void;
}

type Running = Extract<ToolRunStatus, { readonly kind: "running" }>;

/** Run, Cancel, and how a running call is doing. */
export class RunBar {
  readonly element: HTMLElement;
  readonly #run: Button;
  readonly #anyway: Button;
  readonly #cancel: Button;
  readonly #problems = el("div", {});
  readonly #progress = el("div", { class: "progress" });
  readonly #waiting = el("div", { class: "waiting" });
  readonly #onShowWaiting: RunBarParts["onShowWaiting"];
  #waitingFor: WaitingPanel | undefined;
  readonly #elapsed = el("span", { class: "facts" });
  #timer: ReturnType<typeof setInterval> | undefined;
  #startedAtMs = 0;

  constructor(parts: RunBarParts) {
    this.#run = createButton({ label: t("Run"), appearance: "primary", onClick: parts.onRun });
    this.#run.title = t("Run (Ctrl+Enter)");
    this.#anyway = createButton({ label: t("Run Anyway"), onClick: parts.onRunAnyway });
    this.#anyway.title = t("Sends the arguments as they are. The server decides.");
    this.#cancel = createButton({ label: t("Cancel"), onClick: parts.onCancel });
    this.element = el(
      "section",
      { class: "run-bar", attributes: { "aria-label": t("Run") } },
      this.#problems,
      el("div", { class: "buttons" }, this.#run, this.#anyway, this.#cancel, this.#elapsed),
      this.#waiting,
      this.#progress,
    );
    this.#onShowWaiting = parts.onShowWaiting;
    setHidden(this.#anyway, true);
    setHidden(this.#cancel, true);
    // What is pressed before it is known what to run would be lost without a word.
    this.#run.disabled = true;
    parts.signal.addEventListener("abort", () => {
      clearInterval(this.#timer);
    });
  }

  /** True while the person is still where the run was started, so that moving the focus takes nothing away. */
  get hasFocus(): boolean {
    return this.element.contains(document.activeElement);
  }

  focus(): void {
    this.#run.focus();
  }

  /** Says that the arguments have problems, and whether they can be sent all the same. */
  showProblems(count: number, mayRun: boolean): void {
    const words =
      count === 1
        ? t("One argument needs attention.")
        : t("{count} arguments need attention.", { count: formatNumber(count) });
    fill(this.#problems, count === 0 ? undefined : notice("error", words));
    setHidden(this.#anyway, count === 0 || !mayRun);
  }

  show(run: ToolRunStatus, canRun: boolean): void {
    const running = run.kind === "running";
    const hadFocus = this.hasFocus;
    this.#run.disabled = running || !canRun;
    this.#anyway.disabled = running || !canRun;
    setHidden(this.#cancel, !running);
    setHidden(this.#elapsed, !running);
    clearInterval(this.#timer);
    this.#showWaiting(running ? run.waitingFor : undefined);
    if (!running) {
      fill(this.#progress);
      if (hadFocus) this.#run.focus();
      return;
    }
    // A disabled button cannot keep the focus; Cancel is what a person would press next.
    if (hadFocus && !this.#waiting.contains(document.activeElement)) this.#cancel.focus();
    this.#startedAtMs = run.startedAtMs;
    this.#tick();
    this.#timer = setInterval(() => {
      this.#tick();
    }, 500);
    this.#showProgress(run);
  }

  #tick(): void {
    this.#elapsed.textContent = formatDuration(Math.max(0, Date.now() - this.#startedAtMs));
  }

  #showProgress(run: Running): void {
    const { progress } = run;
    const total = progress?.total;
    const known = progress !== undefined && total !== undefined && total > 0;
    const bar = el("progress", { class: "bar", attributes: { "aria-label": t("Progress") } });
    if (known) {
      bar.max = total;
      bar.value = Math.min(total, progress.progress);
    }
    const count = known
      ? t("{done} of {total}", { done: formatNumber(progress.progress, 2), total: formatNumber(total, 2) })
      : "";
    fill(
      this.#progress,
      bar,
      el(
        "div",
        { class: "progress-words" },
        el("span", {
          text: progress?.message ?? run.task?.message ?? (run.waitingFor === undefined ? t("Running…") : ""),
          attributes: { dir: "auto" },
        }),
        el("span", { class: "facts", text: count }),
      ),
      run.task === undefined
        ? undefined
        : el("div", {
            class: "facts",
            text: t(
              "It is a task of the server. It goes on when this panel is closed; the Servers view shows it.",
            ),
          }),
    );
  }

  /** Stays as it is while the same panel waits, so that its button keeps the focus. */
  #showWaiting(waitingFor: WaitingPanel | undefined): void {
    if (waitingFor === this.#waitingFor) return;
    this.#waitingFor = waitingFor;
    if (waitingFor === undefined) {
      fill(this.#waiting);
      return;
    }
    const show = createButton({
      label: waitingFor === "input" ? t("Show Input Request") : t("Show Model Request"),
      onClick: () => {
        this.#onShowWaiting(waitingFor);
      },
    });
    fill(
      this.#waiting,
      notice("info", el("div", { text: waitingWords(waitingFor) }), el("div", { class: "buttons" }, show)),
    );
  }
}

/** Says that a person is waited for, and where. */
export function waitingWords(panel: WaitingPanel): string {
  return panel === "input"
    ? t("It waits for you: the server asks for something. Answer in the Input Request panel.")
    : t(
        "It waits for you: the server asks for a language model’s answer. Decide in the Model Request panel.",
      );
}
