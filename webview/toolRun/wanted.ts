import type { ToolRunView } from "../../src/shared/toolRunMessages.ts";
import { el } from "../dom.ts";
import { t } from "../l10n.ts";
import { notice } from "../notice.ts";
import { createButton } from "../toolkit.ts";

export type WantedFeature = ToolRunView["wanted"][number];

/** What to offer under a run: a run that worked needs nothing more, whatever else the server would like. */
export function wantedAfter({ run, wanted }: ToolRunView): readonly WantedFeature[] {
  const isFailed = run.kind === "failed" || (run.kind === "done" && run.result.isError);
  return isFailed ? wanted : [];
}

/** Says what the server was missing, with the button that starts to allow it. */
export function drawWanted(feature: WantedFeature, allow: (feature: WantedFeature) => void): HTMLElement {
  const isModel = feature === "sampling";
  return notice(
    "info",
    el("div", {
      text: isModel
        ? t("The server wants to ask a language model, which is not allowed to it.")
        : t("The server wants to know your folders, and is told of none."),
    }),
    el(
      "div",
      { class: "buttons" },
      createButton({
        label: isModel ? t("Allow a Language Model…") : t("Choose Folders…"),
        onClick: () => {
          allow(feature);
        },
      }),
    ),
  );
}
