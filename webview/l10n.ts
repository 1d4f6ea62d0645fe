import { parseJson } from "../src/base/json.ts";
import { createTranslate, type Translate } from "../src/shared/translate.ts";

let translate: Translate | undefined;

/** A sentence in the user's language. Without a translation it stays English. */
export const t: Translate = (english, args) => {
  translate ??= createTranslate(readBundle());
  return translate(english, args);
};

/** The bundle that the host wrote into the document: English sentences with their translations. */
function readBundle(): Record<string, string> {
  const text = document.getElementById("l10n")?.textContent ?? "{}";
  const parsed: unknown = parseJson(text === "" ? "{}" : text);
  if (typeof parsed !== "object" || parsed === null) return {};
  const entries = Object.entries(parsed).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(entries);
}

const numbers = new Map<number, Intl.NumberFormat>();

/** A number with at most this many decimals, as the user's language writes it. */
export function formatNumber(value: number, decimals = 0): string {
  let format = numbers.get(decimals);
  if (format === undefined) {
    format = new Intl.NumberFormat(document.documentElement.lang || undefined, {
      maximumFractionDigits: decimals,
    });
    numbers.set(decimals, format);
  }
  return format.format(value);
}

/** A duration in milliseconds, short: “85 ms”, “3.2 s”, “2 min 5 s”. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return t("{count} ms", { count: formatNumber(milliseconds) });
  if (milliseconds < 60_000) return t("{count} s", { count: formatNumber(milliseconds / 1_000, 1) });
  const seconds = Math.round(milliseconds / 1_000);
  return t("{minutes} min {seconds} s", {
    minutes: formatNumber(Math.floor(seconds / 60)),
    seconds: formatNumber(seconds % 60),
  });
}

/** A size in bytes, short: “812 bytes”, “3.2 KiB”. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return t("{count} bytes", { count: formatNumber(bytes) });
  if (bytes < 1_024 * 1_024) return t("{count} KiB", { count: formatNumber(bytes / 1_024, 1) });
  return t("{count} MiB", { count: formatNumber(bytes / 1_024 / 1_024, 1) });
}
