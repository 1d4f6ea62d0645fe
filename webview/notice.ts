import { type Child, el } from "./dom.ts";
import { icon, type IconName } from "./icons.ts";

export type NoticeKind = "info" | "warning" | "error";

const ICONS: Readonly<Record<NoticeKind, IconName>> = { info: "info", warning: "warning", error: "error" };

/** A boxed remark. Errors are read out at once. */
export function notice(kind: NoticeKind, ...children: readonly Child[]): HTMLElement {
  const role: Record<string, string> = kind === "error" ? { role: "alert" } : {};
  return el(
    "div",
    { class: `notice notice-${kind}`, attributes: role },
    icon(ICONS[kind]),
    el("div", { class: "notice-body" }, ...children),
  );
}
