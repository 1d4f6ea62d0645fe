import type { ToolRunView } from "../../src/shared/toolRunMessages.ts";
import { el } from "../dom.ts";
import { foldableText } from "../foldableText.ts";
import { t } from "../l10n.ts";

/** Which tool of which server this is. What the server says about its tool is marked as its claim. */
export function drawHeader({ tool, serverId, protocol }: ToolRunView): HTMLElement {
  const described = tool.description !== undefined && tool.description.trim() !== "";
  return el(
    "header",
    { class: "page-header" },
    el("h1", { text: tool.displayName, attributes: { dir: "auto" } }),
    el(
      "dl",
      { class: "facts-list" },
      ...fact(t("Server"), el("span", { text: serverId })),
      ...fact(t("Tool"), el("code", { text: tool.name })),
      ...fact(t("Protocol"), el("span", { text: protocol })),
      ...(tool.claims.length === 0 ? [] : fact(t("Annotations"), drawClaims(tool.claims))),
      ...(tool.uncheckedReason === undefined
        ? []
        : fact(
            t("Arguments"),
            el("span", { text: t("Not checked before a run. {reason}", { reason: tool.uncheckedReason }) }),
          )),
    ),
    described ? foldableText(tool.description ?? "", "tool-description") : undefined,
  );
}

function fact(name: string, value: HTMLElement): HTMLElement[] {
  return [el("dt", { text: name }), el("dd", {}, value)];
}

function drawClaims(claims: readonly string[]): HTMLElement {
  return el(
    "span",
    { title: t("Signalbox has not checked this.") },
    ...claims.flatMap((claim) => [el("span", { class: "claim", text: claim }), " "]),
    el("span", { class: "hint", text: t("(not checked)") }),
  );
}
