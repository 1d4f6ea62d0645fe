import assert from "node:assert/strict";
import {
  pathWithin,
  resolveReference,
  skillFolderName,
  skillRoot,
} from "../../../../src/protocol/skills/skillPath.ts";

describe("skillRoot", () => {
  const roots: readonly (readonly [string, string | undefined])[] = [
    ["skill://pdf/SKILL.md", "skill://pdf"],
    ["skill://acme/billing/refunds/SKILL.md", "skill://acme/billing/refunds"],
    ["github://owner/repo/skills/refunds/SKILL.md", "github://owner/repo/skills/refunds"],
    ["skill://SKILL.md", undefined],
    ["skill:///SKILL.md", undefined],
    ["skill://pdf/skill.md", undefined],
    ["skill://pdf/README.md", undefined],
    ["skill://a/../b/SKILL.md", undefined],
    ["skill://a/%2e%2e/b/SKILL.md", undefined],
    ["skill://a//b/SKILL.md", undefined],
    ["skill://a%2fb/SKILL.md", undefined],
    ["skill://a?b/SKILL.md", undefined],
    ["skill://a#b/SKILL.md", undefined],
    ["skill://a/SKILL.md?x", undefined],
    ["/etc/SKILL.md", undefined],
    ["..\\SKILL.md", undefined],
    ["skill://a%zz/SKILL.md", undefined],
  ];
  for (const [uri, root] of roots) {
    it(`of ${uri} is ${root ?? "none"}`, () => {
      assert.equal(skillRoot(uri), root);
    });
  }

  it("ends with the name of the skill, decoded", () => {
    assert.equal(skillFolderName("skill://acme/billing/refunds"), "refunds");
    assert.equal(skillFolderName("skill://pdf"), "pdf");
    assert.equal(skillFolderName("skill://a/%C3%BC"), "ü");
  });
});

describe("pathWithin", () => {
  const root = "skill://pdf";
  const paths: readonly (readonly [string, string | undefined])[] = [
    ["skill://pdf/SKILL.md", "SKILL.md"],
    ["skill://pdf/references/FORMS.md", "references/FORMS.md"],
    ["skill://pdf/a%20b.md", "a b.md"],
    ["skill://pdf", undefined],
    ["skill://pdf/", undefined],
    ["skill://pdf-other/x.md", undefined],
    ["skill://other/x.md", undefined],
    ["skill://pdf/../other/x.md", undefined],
    ["skill://pdf/./x.md", undefined],
    ["skill://pdf//x.md", undefined],
    ["skill://pdf/%2E%2e/x.md", undefined],
    ["skill://pdf/..%2fx.md", undefined],
    ["skill://pdf/..%5cx.md", undefined],
    ["skill://pdf/a\\b.md", undefined],
    ["skill://pdf/x.md?y", undefined],
    ["skill://pdf/x.md#y", undefined],
    ["skill://pdf/a%00b", undefined],
    ["file:///etc/passwd", undefined],
  ];
  for (const [uri, path] of paths) {
    it(`of ${uri} is ${path ?? "none"}`, () => {
      assert.equal(pathWithin(root, uri), path);
    });
  }
});

describe("resolveReference", () => {
  const references: readonly (readonly [string, string | undefined])[] = [
    ["references/FORMS.md", "references/FORMS.md"],
    ["./references/FORMS.md", "references/FORMS.md"],
    ["././a.md", "a.md"],
    ["a b.md", "a b.md"],
    ["a%20b.md", "a b.md"],
    ["100%.md", "100%.md"],
    ["../other/SKILL.md", undefined],
    ["references/../../x", undefined],
    ["%2e%2e/x", "%2e%2e/x"],
    ["/etc/passwd", undefined],
    ["C:\\x", undefined],
    ["a\\..\\b", undefined],
    ["https://evil.test/x", undefined],
    ["file:///etc/passwd", undefined],
    ["", undefined],
    ["a//b", undefined],
  ];
  for (const [reference, path] of references) {
    it(`of ${JSON.stringify(reference)} is ${path ?? "none"}`, () => {
      assert.equal(resolveReference(reference), path);
    });
  }
});
