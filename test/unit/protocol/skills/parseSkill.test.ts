import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../../../src/base/json.ts";
import { parseSkill } from "../../../../src/protocol/skills/parseSkill.ts";

const DIGEST = `sha256:${"0a".repeat(32)}`;
const MAIN = { uri: "skill://x/pdf/SKILL.md", digest: DIGEST, size: 10 };
const OTHER = { uri: "skill://x/pdf/references/FORMS.md", digest: DIGEST, size: 0 };
const ENTRY: JsonObject = {
  uri: "skill://x/pdf/SKILL.md",
  frontmatter: { name: "pdf", description: "Fills forms", license: "MIT" },
  resources: [MAIN, OTHER],
};

describe("parseSkill", () => {
  it("reads an entry with all of its files", () => {
    assert.deepEqual(parseSkill(ENTRY), {
      uri: "skill://x/pdf/SKILL.md",
      name: "pdf",
      description: "Fills forms",
      frontMatter: { name: "pdf", description: "Fills forms", license: "MIT" },
      files: [
        { uri: MAIN.uri, path: "SKILL.md", sha256: "0a".repeat(32), size: 10 },
        { uri: OTHER.uri, path: "references/FORMS.md", sha256: "0a".repeat(32), size: 0 },
      ],
      raw: ENTRY,
    });
  });

  for (const [what, change] of [
    ["a URI", { uri: 1 }],
    ["front matter", { frontmatter: null }],
    ["a name", { frontmatter: { description: "x" } }],
  ] as const) {
    it(`cannot show one without ${what}`, () => {
      assert.equal(typeof parseSkill({ ...ENTRY, ...change }), "string");
    });
  }

  const file = (change: JsonObject): readonly JsonValue[] => [MAIN, { ...OTHER, ...change }];
  const flawed: readonly (readonly [string, JsonObject, string])[] = [
    ["without a description", { frontmatter: { name: "pdf" } }, "invalid"],
    ["with another name than its folder", { frontmatter: { name: "pdf2", description: "x" } }, "invalid"],
    ["with a URI that is no SKILL.md", { uri: "skill://x/pdf/README.md" }, "invalid"],
    ["without resources", { resources: undefined }, "invalid"],
    ["with resources of another kind", { resources: "static" }, "invalid"],
    ["with content that is made anew", { resources: "dynamic" }, "dynamic"],
    ["that does not list its SKILL.md", { resources: [OTHER] }, "invalid"],
    ["that lists a file twice", { resources: [MAIN, MAIN] }, "invalid"],
    [
      "that lists a file twice in two spellings",
      { resources: [MAIN, { ...MAIN, uri: "skill://x/pdf/SKILL%2Emd" }] },
      "invalid",
    ],
    ["with a file elsewhere", { resources: file({ uri: "skill://x/other/FORMS.md" }) }, "invalid"],
    ["with a file outside", { resources: file({ uri: "skill://x/pdf/../other/FORMS.md" }) }, "invalid"],
    ["with a digest in capitals", { resources: file({ digest: DIGEST.toUpperCase() }) }, "invalid"],
    [
      "with a digest of another kind",
      { resources: file({ digest: `sha512:${"0a".repeat(64)}` }) },
      "invalid",
    ],
    ["with a short digest", { resources: file({ digest: "sha256:0a" }) }, "invalid"],
    ["without a digest", { resources: file({ digest: undefined }) }, "invalid"],
    ["without a size", { resources: file({ size: undefined }) }, "invalid"],
    ["with a size below nothing", { resources: file({ size: -1 }) }, "invalid"],
    ["with a part of a byte", { resources: file({ size: 1.5 }) }, "invalid"],
    ["with a size beyond all numbers", { resources: file({ size: 2n ** 60n }) }, "invalid"],
    ["with more bytes than a skill may have", { resources: file({ size: 16 * 1024 * 1024 }) }, "too-large"],
    [
      "with more files than a skill may have",
      {
        resources: Array.from({ length: 513 }, (_, n) =>
          n === 0 ? MAIN : { ...OTHER, uri: `skill://x/pdf/${String(n)}` },
        ),
      },
      "too-large",
    ],
  ];
  for (const [what, change, kind] of flawed) {
    it(`gives no file of one ${what}`, () => {
      const skill = parseSkill({ ...ENTRY, ...change });
      assert.ok(typeof skill !== "string");
      assert.deepEqual([skill.flaw?.kind, skill.files], [kind, []]);
    });
  }

  it("takes a skill at both limits", () => {
    const resources = Array.from({ length: 512 }, (_, n) =>
      n === 0 ? { ...MAIN, size: 16 * 1024 * 1024 } : { ...OTHER, uri: `skill://x/pdf/${String(n)}` },
    );
    const skill = parseSkill({ ...ENTRY, resources });
    assert.equal(typeof skill === "string" ? 0 : skill.files.length, 512);
  });
});
