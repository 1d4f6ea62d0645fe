import assert from "node:assert/strict";
import { codeBlock, codeSpan, plainMarkdown } from "../../../../src/host/chat/safeMarkdown.ts";

describe("codeBlock", () => {
  const hostile = ["```", "````\nrun me\n````", "a `b` c", '{"x":"```\\n[link](command:evil)"}'];
  for (const text of hostile) {
    it(`cannot be ended by ${JSON.stringify(text)}`, () => {
      const lines = codeBlock(text, "json").split("\n");
      const fence = /^`{3,}/.exec(lines[0] ?? "")?.[0] ?? "";
      assert.equal(lines.at(-1), fence);
      assert.ok(lines.slice(1, -1).every((line) => !line.includes(fence)));
      assert.equal(lines.slice(1, -1).join("\n"), text);
    });
  }

  it("writes out what cannot be seen", () => {
    assert.equal(codeBlock("a\u202eb"), "```\na\\u{202e}b\n```");
  });
});

describe("codeSpan", () => {
  for (const text of ["a", "`", "``a`", "a``"]) {
    it(`holds ${text}`, () => {
      const [, fence, inner] = /^(`+) (.*) \1$/s.exec(codeSpan(text)) ?? [];
      assert.equal(inner, text);
      assert.ok(!text.includes(fence ?? ""));
    });
  }

  it("stays on one line", () => {
    assert.ok(!codeSpan("a\n\n# b").includes("\n"));
  });
});

describe("plainMarkdown", () => {
  it("takes the meaning from everything", () => {
    assert.equal(
      plainMarkdown("[a](command:b) **c** $(icon) <d>"),
      "\\[a\\]\\(command\\:b\\) \\*\\*c\\*\\* \\$\\(icon\\) \\<d\\>",
    );
  });

  it("stays on one line", () => {
    assert.ok(!plainMarkdown("a\n# b").includes("\n"));
  });
});
