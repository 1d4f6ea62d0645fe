const SVG = "http://www.w3.org/2000/svg";

/** Strokes on a 16 by 16 grid, drawn in the colour of the text around them. */
const PATHS = {
  chevron: "M6 3.5 10.5 8 6 12.5",
  check: "M3 8.5 6.5 12 13 4.5",
  error: "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8ZM5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8",
  warning: "M8 2 14.5 13.5h-13ZM8 6.2v3.6M8 11.3v.9",
  info: "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8ZM8 7.2v4M8 4.6v1",
  question:
    "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8ZM6.2 6.4a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.8.7-.8 1.4M8 11.1v.9",
  stopped: "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8ZM3.8 12.2l8.4-8.4",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  add: "M8 3v10M3 8h10",
  remove: "M4 4l8 8M12 4l-8 8",
  up: "M8 13V3.5M4 7.5l4-4 4 4",
  down: "M8 3v9.5M4 8.5l4 4 4-4",
  open: "M9 2.5h4.5V7M13.5 2.5 7.5 8.5M11.5 9.5v4h-9v-9h4",
  lines: "M2.5 4h11M2.5 8h11M2.5 12h7",
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon. What it means must also stand in words nearby. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("width", "16");
  svg.setAttribute("height", "16");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", `icon icon-${name}`);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  path.setAttribute("fill", "none");
  path.setAttribute("stroke", "currentColor");
  path.setAttribute("stroke-width", "1.2");
  path.setAttribute("stroke-linecap", "round");
  path.setAttribute("stroke-linejoin", "round");
  svg.append(path);
  return svg;
}
