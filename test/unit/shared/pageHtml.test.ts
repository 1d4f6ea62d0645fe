import assert from "node:assert/strict";
import { escapeHtml, pageHtml } from "../../../src/shared/pageHtml.ts";

const parts = {
  page: "toolRun",
  title: "<b>\"evil\" & 'worse'</b>",
  language: "zh-cn",
  scriptUri: "https://resource/dist/webview/toolRun.js",
  styleUri: "https://resource/dist/webview/toolRun.css",
  cspSource: "https://resource",
  nonce: "0123abcd",
  l10n: { "</script><script>alert(1)</script>": "\u2028" },
} as const;

describe("pageHtml", () => {
  const html = pageHtml(parts);

  it("escapes the title", () => {
    assert.ok(html.includes("<title>&lt;b&gt;&quot;evil&quot; &amp; &#39;worse&#39;&lt;/b&gt;</title>"));
  });

  // Duty: 10.3.2
  it("allows scripts by nonce only, styles from the extension only, and no network", () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]?.replaceAll("&#39;", "'");
    assert.equal(
      policy,
      "default-src 'none'; script-src 'nonce-0123abcd'; style-src https://resource 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; font-src https://resource; img-src data: blob:; media-src data: blob:; base-uri 'none'; form-action 'none'",
    );
  });

  it("has no inline script, style or handler", () => {
    assert.ok(!/<style|\sstyle=|\son\w+=/.test(html));
    const scripts = [...html.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes ?? "");
    assert.equal(scripts.length, 2);
    assert.ok(scripts.every((attributes) => attributes.includes('nonce="0123abcd"')));
    assert.ok(
      scripts.every((attributes) => attributes.includes("src=") || attributes.includes("application/json")),
    );
  });

  it("keeps translations from ending their element, and readable as JSON", () => {
    const json = /id="l10n"[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? "";
    assert.deepEqual(JSON.parse(json), parts.l10n);
    assert.ok(!json.includes("<"));
  });

  it("names the page and the language", () => {
    assert.ok(html.includes('<body data-page="toolRun">'));
    assert.ok(html.includes('<html lang="zh-cn">'));
  });
});

describe("escapeHtml", () => {
  it("escapes what has a meaning", () => {
    assert.equal(escapeHtml(`&<>"'`), "&amp;&lt;&gt;&quot;&#39;");
  });
});
