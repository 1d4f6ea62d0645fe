import { el } from "../dom.ts";

/** What each button does, in words. */
export function drawExplanation(lines: readonly (readonly [button: string, words: string])[]): HTMLElement {
  return el(
    "dl",
    { class: "explanation" },
    ...lines.flatMap(([name, words]) => [el("dt", { text: name }), el("dd", { text: words })]),
  );
}
