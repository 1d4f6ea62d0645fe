import { type PromptMessageView, type PromptView, SYSTEM_KEY } from "../../src/shared/samplingMessages.ts";
import { el } from "../dom.ts";
import { disclosure, foldableText } from "../foldableText.ts";
import { formatNumber, t } from "../l10n.ts";
import { notice } from "../notice.ts";
import { createButton, createDropdown } from "../toolkit.ts";
import { drawEditableText, drawPart } from "./promptParts.ts";
import { drawExplanation } from "./explanation.ts";
import type { StageParts, StageView } from "./stage.ts";

/** The prompt as the server wrote it, to read and change before it goes to a model. */
export function drawPromptStage(parts: StageParts, problem: string | undefined): StageView {
  const { task, draft, post } = parts;
  const { taskId, prompt } = task;
  const submit = (): void => {
    for (const button of buttons) button.disabled = true;
    post({ type: "send", taskId, model: draft.model, texts: draft.texts });
  };
  const buttons = [
    createButton({ label: t("Send to Model"), appearance: "primary", onClick: submit }),
    createButton({
      label: t("Decline"),
      onClick: () => {
        for (const button of buttons) button.disabled = true;
        post({ type: "refuse", taskId });
      },
    }),
  ];
  const element = el(
    "div",
    {},
    problem === undefined ? undefined : notice("error", problem),
    ...prompt.warnings.map((warning) => notice("warning", warning)),
    drawPrompt(prompt, parts),
    drawModel(parts),
    el(
      "footer",
      { class: "answer-bar" },
      el("div", { class: "buttons" }, ...buttons),
      drawExplanation([
        [
          t("Send to Model"),
          t("lets this prompt, as it stands here, go to the model. You see the answer first."),
        ],
        [
          t("Decline"),
          t("sends nothing, and the server is told that you said no. Closing this panel does the same."),
        ],
      ]),
    ),
  );
  return { element, announcement: `${task.why} ${problem ?? ""}`, submit, showProgress: () => undefined };
}

function drawPrompt(prompt: PromptView, parts: StageParts): HTMLElement {
  return el(
    "section",
    { class: "request", attributes: { "aria-label": t("Prompt") } },
    el("h2", { text: t("Prompt") }),
    el("p", {
      class: "hint",
      text: t("These are the server's words. You can change them before they are sent."),
    }),
    prompt.systemPrompt === undefined
      ? undefined
      : el(
          "div",
          { class: "turn" },
          el("h3", { text: t("Instructions for the model") }),
          drawEditableText(
            t("Instructions for the model"),
            { key: SYSTEM_KEY, text: prompt.systemPrompt },
            parts,
          ),
        ),
    ...prompt.messages.map((message, index) => drawTurn(message, index + 1, parts)),
    el(
      "dl",
      { class: "facts-list" },
      ...prompt.facts.flatMap(({ name, value }) => [el("dt", { text: name }), el("dd", { text: value })]),
    ),
    drawTools(prompt.tools),
  );
}

function drawTurn({ role, parts }: PromptMessageView, number: number, stage: StageParts): HTMLElement {
  const title =
    role === "user"
      ? t("Message {number}, as the user", { number: formatNumber(number) })
      : t("Message {number}, as the model", { number: formatNumber(number) });
  return el(
    "div",
    { class: "turn" },
    el("h3", { text: title }),
    ...parts.map((part) => drawPart(part, title, stage)),
  );
}

function drawTools(tools: PromptView["tools"]): HTMLElement | undefined {
  if (tools.length === 0) return undefined;
  return disclosure(t("Tools that the model may ask the server for ({count})", { count: tools.length }), () =>
    el(
      "ul",
      { class: "tool-list" },
      ...tools.map(({ name, description, schema }) =>
        el(
          "li",
          {},
          el("code", { text: name }),
          description === "" ? undefined : foldableText(description),
          disclosure(t("Arguments"), () => el("pre", { class: "prompt-data", text: schema })),
        ),
      ),
    ),
  );
}

function drawModel({ task, draft, onInput }: StageParts): HTMLElement {
  const { models, modelReason } = task;
  const dropdown = createDropdown({
    label: t("Model"),
    options: models.map(({ label }) => label),
    selected: Math.max(
      models.findIndex(({ id }) => id === draft.model),
      0,
    ),
    onChange: (index) => {
      draft.model = models[index]?.id ?? draft.model;
      onInput();
    },
  });
  return el(
    "section",
    { class: "request", attributes: { "aria-label": t("Model") } },
    el("h2", { text: t("Model") }),
    dropdown,
    modelReason === undefined ? undefined : el("p", { class: "hint", text: modelReason }),
  );
}
