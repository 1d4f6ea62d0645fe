import { formatNumber, t } from "./l10n.ts";

/** Shows in a line how many requests wait behind the one on the page; nothing where none does. */
export function showWaiting(line: HTMLElement, waiting: number): void {
  const more = waiting - 1;
  line.hidden = more <= 0;
  if (more <= 0) line.textContent = "";
  else if (more === 1) line.textContent = t("1 more request is waiting.");
  else line.textContent = t("{count} more requests are waiting.", { count: formatNumber(more) });
}

/** Ctrl+Enter, and Cmd+Enter, anywhere on the page does what its main button does. */
export function submitByKeyboard(signal: AbortSignal, submit: () => void): void {
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      submit();
    },
    { signal },
  );
}
