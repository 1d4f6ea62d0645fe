import { el } from "../dom.ts";
import { t } from "../l10n.ts";
import { createButton } from "../toolkit.ts";

const PAGE = 60;

/** Draws the first parts of a long list, and the next ones on demand, so that a huge schema stays quick. */
export function drawInPages<Item>(
  container: HTMLElement,
  items: readonly Item[],
  draw: (item: Item, index: number) => HTMLElement,
  from = 0,
): void {
  const end = Math.min(items.length, from + PAGE);
  const fresh = items.slice(from, end).map((item, offset) => draw(item, from + offset));
  const place = el("div", { class: "page-more" });
  container.append(...fresh);
  if (end >= items.length) return;
  place.append(
    createButton({
      label: t("Show {count} more", { count: items.length - end }),
      onClick: () => {
        const next = el("div", { class: "fields" });
        drawInPages(next, items, draw, end);
        place.replaceWith(next);
      },
    }),
  );
  container.append(place);
}
