import { createHash } from "node:crypto";

import { fillTemplate } from "../../base/errors.ts";
import type { AnswerPage, AnswerTexts } from "../model/signInPorts.ts";

const STYLE = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:Canvas;color:CanvasText;font:1rem/1.6 system-ui,sans-serif}
main{max-width:32rem;margin:1.5rem;padding:2rem 2.25rem;border:1px solid color-mix(in srgb,CanvasText 20%,Canvas);border-radius:.75rem}
h1{margin:0 0 .75rem;font-size:1.4rem;line-height:1.3;font-weight:600}
p{margin:0;overflow-wrap:anywhere}`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/**
 * The headers of every answer. The page runs and loads nothing, is kept nowhere, is shown in no frame, and tells no
 * other site the address that it was shown under, because that holds the answer.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  connection: "close",
};

const STATUS: Readonly<Record<AnswerPage, number>> = {
  taken: 200,
  refused: 200,
  again: 200,
  rejected: 400,
  unknown: 400,
  unreadable: 400,
  already: 200,
};

/** A page and its HTTP status. Nothing in it comes from the address that it is shown under. */
export function answerPage(
  page: AnswerPage,
  texts: AnswerTexts,
  serverName: string,
): { readonly status: number; readonly html: string } {
  const words = texts.pages[page];
  const title = escape(fillTemplate(words.title, { server: serverName }));
  const text = escape(fillTemplate(words.text, { server: serverName }));
  const html = `<!doctype html>
<html lang="${escape(texts.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`;
  return { status: STATUS[page], html };
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
