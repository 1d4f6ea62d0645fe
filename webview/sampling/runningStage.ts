import { el } from "../dom.ts";
import { t } from "../l10n.ts";
import { createButton } from "../toolkit.ts";
import type { StageParts, StageView } from "./stage.ts";

/** The model writes. What it has so far is shown; nothing of it has gone anywhere. */
export function drawRunningStage({ task, post }: StageParts, model: string): StageView {
  const { taskId } = task;
  const words = t("{model} is writing…", { model });
  const text = el("pre", { class: "running-text" });
  text.hidden = true;
  const stop = createButton({
    label: t("Stop"),
    onClick: () => {
      stop.disabled = true;
      post({ type: "stop", taskId });
    },
  });
  const element = el(
    "section",
    { class: "request", attributes: { "aria-label": t("Answer") } },
    el("div", { class: "running" }, el("vscode-progress-ring", {}), el("span", { text: words })),
    text,
    el("div", { class: "buttons" }, stop),
  );
  return {
    element,
    announcement: words,
    submit: () => undefined,
    showProgress: (soFar) => {
      text.hidden = false;
      text.textContent = soFar;
    },
  };
}
