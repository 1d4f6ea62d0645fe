import { matchesFormat } from "../../src/base/textFormats.ts";
import { dateTimeToLocal, localToDateTime } from "../../src/shared/formats.ts";
import { el } from "../dom.ts";
import { t } from "../l10n.ts";
import { createTextField } from "../toolkit.ts";

export interface DateParts {
  readonly format: "date" | "date-time";
  readonly label: string;
  readonly value: string;
  /** `undefined` while the control holds half a date. */
  readonly onInput: (value: string | undefined) => void;
}

export interface DrawnDate {
  readonly element: HTMLElement;
  readonly focusable: HTMLElement;
}

/**
 * The browser's own control for a date, or a date and time on this machine's clock. The exact text that will be sent
 * stands below it. A value that the control cannot hold gets a text field, so that it is not lost.
 */
export function drawDate(parts: DateParts): DrawnDate {
  const { format, label, value, onInput } = parts;
  if (value !== "" && !matchesFormat(format, value)) {
    const field = createTextField({ label, value, onInput });
    return { element: field, focusable: field };
  }
  const input = el("input", {
    class: "native-input",
    attributes: {
      type: format === "date" ? "date" : "datetime-local",
      "aria-label": label,
      ...(format === "date" ? {} : { step: "1" }),
    },
  });
  input.value = format === "date" ? value : dateTimeToLocal(value);
  const sent = el("div", { class: "field-hint" });
  const show = (text: string): void => {
    sent.textContent = format === "date" || text === "" ? "" : t("Will be sent as {value}", { value: text });
  };
  show(value);
  let reported: string | undefined = value;
  const read = (): void => {
    const text = format === "date" ? input.value : (localToDateTime(input.value) ?? "");
    const next = input.validity.badInput ? undefined : text;
    if (next === reported) return;
    reported = next;
    onInput(next);
    show(next ?? "");
  };
  // Half a date does not count as input for the browser, so that the keys have to be watched, too.
  for (const name of ["input", "keyup", "change", "blur"]) input.addEventListener(name, read);
  return { element: el("div", {}, input, sent), focusable: input };
}
