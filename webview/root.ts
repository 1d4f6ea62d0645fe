import { el } from "./dom.ts";

/** The element that the page is drawn into. The host's document may bring it along. */
export function pageRoot(): HTMLElement {
  const known = document.getElementById("root");
  if (known !== null) return known;
  const root = el("main", { id: "root" });
  document.body.append(root);
  return root;
}
