import { type JsonObject, stringifyJson } from "../base/json.ts";

/** Pages that exist; each has one script and one stylesheet of the same name. */
export type PageName = "toolRun" | "input" | "sampling";

/** What the document of one page is made of. The URIs are those that the webview may load. */
export interface PageParts {
  readonly page: PageName;
  readonly title: string;
  readonly language: string;
  readonly scriptUri: string;
  readonly styleUri: string;
  /** The webview's own origin, for the policy. */
  readonly cspSource: string;
  /** Fresh for every document. Letters and digits. */
  readonly nonce: string;
  /** English sentences with their translations; empty for English. */
  readonly l10n: JsonObject;
}

/**
 * The hash of nothing: it allows style elements that are empty. The toolkit puts one in for a moment to learn whether
 * the browser knows `:focus-visible`; without it every click would draw a focus ring, and log a violation.
 */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/**
 * The document of a page: no inline script, no inline style, nothing from a network.
 * Images and sound come only as data in messages, so that showing a result fetches nothing.
 */
export function pageHtml(parts: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${parts.nonce}'`,
    `style-src ${parts.cspSource} ${EMPTY_STYLE}`,
    `font-src ${parts.cspSource}`,
    "img-src data: blob:",
    "media-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return [
    "<!DOCTYPE html>",
    `<html lang="${escapeHtml(parts.language)}">`,
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(parts.title)}</title>`,
    `<link rel="stylesheet" href="${escapeHtml(parts.styleUri)}">`,
    "</head>",
    `<body data-page="${parts.page}">`,
    `<script type="application/json" id="l10n" nonce="${parts.nonce}">${scriptJson(parts.l10n)}</script>`,
    `<script nonce="${parts.nonce}" src="${escapeHtml(parts.scriptUri)}" defer></script>`,
    "</body>",
    "</html>",
  ].join("\n");
}

/** Text made safe for an HTML text node or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** JSON that cannot end the script element it stands in. */
function scriptJson(value: JsonObject): string {
  return stringifyJson(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}
