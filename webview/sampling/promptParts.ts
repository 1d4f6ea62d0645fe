import type { PromptPartView } from "../../src/shared/samplingMessages.ts";
import { el } from "../dom.ts";
import { disclosure } from "../foldableText.ts";
import { drawImage } from "../result/mediaBlocks.ts";
import { createTextArea } from "../toolkit.ts";
import type { StageParts } from "./stage.ts";

const MAX_ROWS = 18;
const COLUMNS = 90;

/** A text that can be changed; its draft holds what was changed. */
export function drawEditableText(
  label: string,
  { key, text }: { readonly key: string; readonly text: string },
  { draft, onInput }: StageParts,
): HTMLElement {
  const value = (Object.hasOwn(draft.texts, key) ? draft.texts[key] : undefined) ?? text;
  const lines = value.split("\n").reduce((sum, line) => sum + 1 + Math.floor(line.length / COLUMNS), 0);
  const area = createTextArea({
    label,
    value,
    rows: Math.min(Math.max(lines, 2), MAX_ROWS),
    onInput: (next) => {
      draft.texts[key] = next;
      onInput();
    },
  });
  area.classList.add("prompt-text");
  return area;
}

/** One piece of a message: a text to change, a picture, or data to read. */
export function drawPart(part: PromptPartView, label: string, parts: StageParts): HTMLElement {
  switch (part.kind) {
    case "text":
      return drawEditableText(label, part, parts);
    case "image":
      return drawImage({ type: "image", mimeType: part.mimeType, data: part.data }, parts.urls);
    case "data":
      return disclosure(part.title, () => el("pre", { class: "prompt-data", text: part.text }), true);
  }
}
