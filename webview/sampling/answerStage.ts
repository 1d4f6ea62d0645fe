import type { AnswerView } from "../../src/shared/samplingMessages.ts";
import { el } from "../dom.ts";
import { t } from "../l10n.ts";
import { createButton } from "../toolkit.ts";
import { drawExplanation } from "./explanation.ts";
import { drawPart } from "./promptParts.ts";
import type { StageParts, StageView } from "./stage.ts";

/** The model's answer, to read and change before it goes back to the server. */
export function drawAnswerStage(
  parts: StageParts,
  { model, answer }: { readonly model: string; readonly answer: AnswerView },
): StageView {
  const { task, draft, post } = parts;
  const { taskId } = task;
  const submit = (): void => {
    for (const button of buttons) button.disabled = true;
    post({ type: "sendBack", taskId, texts: draft.texts });
  };
  const buttons = [
    createButton({ label: t("Send Back"), appearance: "primary", onClick: submit }),
    createButton({
      label: t("Discard"),
      onClick: () => {
        for (const button of buttons) button.disabled = true;
        post({ type: "refuse", taskId });
      },
    }),
  ];
  const title = t("Answer of {model}", { model });
  const element = el(
    "div",
    {},
    el(
      "section",
      { class: "request", attributes: { "aria-label": title } },
      el("h2", { text: title }),
      el("p", {
        class: "hint",
        text: t("The server has not seen it yet. You can change it before it is sent back."),
      }),
      ...answer.parts.map((part) => drawPart(part, title, parts)),
      el("p", { class: "hint", text: answer.end }),
    ),
    el(
      "footer",
      { class: "answer-bar" },
      el("div", { class: "buttons" }, ...buttons),
      drawExplanation([
        [
          t("Send Back"),
          t("gives this answer, as it stands here, to the server “{server}”.", { server: task.serverId }),
        ],
        [t("Discard"), t("gives the server nothing. Closing this panel does the same.")],
      ]),
    ),
  );
  return { element, announcement: `${title}. ${answer.end}`, submit, showProgress: () => undefined };
}
