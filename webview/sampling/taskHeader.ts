import type { SamplingTaskView } from "../../src/shared/samplingMessages.ts";
import { el } from "../dom.ts";
import { formatNumber, t } from "../l10n.ts";

/** Who asks, in which call, and why. */
export function drawTaskHeader(task: SamplingTaskView): {
  readonly element: HTMLElement;
  readonly heading: HTMLElement;
} {
  const heading = el("h1", {
    text: t("{server} wants to use a language model", { server: task.serverId }),
    attributes: { tabindex: "-1" },
  });
  const count = t("{round} of at most {maximum}", {
    round: formatNumber(task.round),
    maximum: formatNumber(task.maxRounds),
  });
  const facts: readonly (readonly [string, HTMLElement])[] = [
    [t("Server"), el("span", { text: task.serverId })],
    [
      t("Call"),
      task.target === undefined
        ? el("span", { class: "hint", text: t("The server did not say.") })
        : el("code", { text: task.target }),
    ],
    [t("Round"), el("span", { text: count })],
  ];
  const element = el(
    "header",
    { class: "page-header" },
    heading,
    el("p", { class: "why", text: task.why, attributes: { dir: "auto" } }),
    el(
      "dl",
      { class: "facts-list" },
      ...facts.flatMap(([name, value]) => [el("dt", { text: name }), el("dd", {}, value)]),
    ),
  );
  return { element, heading };
}
