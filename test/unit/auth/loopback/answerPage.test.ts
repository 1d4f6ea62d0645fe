import assert from "node:assert/strict";
import { createHash } from "node:crypto";

import { answerPage, PAGE_HEADERS } from "../../../../src/auth/loopback/answerPage.ts";
import { ENGLISH_ANSWER_TEXTS } from "../../../../src/auth/loopback/answerTexts.ts";
import type { AnswerPage } from "../../../../src/auth/model/signInPorts.ts";

const PAGES = Object.keys(ENGLISH_ANSWER_TEXTS.pages) as AnswerPage[];

describe("the page that the browser ends on", () => {
  it("says in words what happened, and for which server", () => {
    for (const page of PAGES) {
      const { html } = answerPage(page, ENGLISH_ANSWER_TEXTS, "Files");
      assert.match(html, /<h1>[^<{]+<\/h1><p>[^<{]+<\/p>/, page);
    }
    assert.match(answerPage("taken", ENGLISH_ANSWER_TEXTS, "Files").html, /“Files”/);
  });

  it("shows names and words as text", () => {
    const { html } = answerPage("taken", ENGLISH_ANSWER_TEXTS, `<script>"&'`);
    assert.ok(html.includes("&lt;script&gt;&quot;&amp;&#39;"));
    assert.ok(!html.includes("<script"));
  });

  it("speaks the language of the host", () => {
    const texts = {
      language: "zh-cn",
      pages: { ...ENGLISH_ANSWER_TEXTS.pages, taken: { title: "返回编辑器", text: "“{server}”" } },
    };
    const { html } = answerPage("taken", texts, "文件");
    assert.ok(html.includes('<html lang="zh-cn">'));
    assert.ok(html.includes("<h1>返回编辑器</h1><p>“文件”</p>"));
  });

  it("allows its own style and nothing else", () => {
    const { html } = answerPage("taken", ENGLISH_ANSWER_TEXTS, "Files");
    const style = /<style>([^]*)<\/style>/.exec(html)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    assert.ok(
      PAGE_HEADERS["content-security-policy"]?.startsWith(`default-src 'none'; style-src 'sha256-${hash}'`),
    );
    assert.equal(PAGE_HEADERS["cache-control"], "no-store");
    assert.equal(PAGE_HEADERS["referrer-policy"], "no-referrer");
    assert.equal(PAGE_HEADERS["x-content-type-options"], "nosniff");
  });
});
