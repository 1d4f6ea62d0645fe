import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { ResourceContents } from "../../../../src/protocol/model/resource.ts";
import type { SkillFile } from "../../../../src/protocol/model/skill.ts";
import { decodeText, verifyFile } from "../../../../src/protocol/skills/verifyFile.ts";

const URI = "skill://pdf/a.md";

function announce(bytes: Uint8Array): SkillFile {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { uri: URI, path: "a.md", sha256, size: bytes.length };
}

const content = (fields: Partial<ResourceContents>): ResourceContents => ({ uri: URI, raw: {}, ...fields });

describe("verifyFile", () => {
  it("knows the digest of a text that is known elsewhere", () => {
    const sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    const file = { uri: URI, path: "a.md", sha256, size: 3 };
    assert.equal(verifyFile(file, [content({ text: "abc" })]).kind, "verified");
  });

  const texts = ["", "abc", "ä€😀", "a\r\nb", "\uFEFFabc", "a\u0000b", "e\u0301"];
  for (const text of texts) {
    it(`takes ${JSON.stringify(text)} as its exact bytes, as text or as bytes`, () => {
      const file = announce(Buffer.from(text));
      const blob = Buffer.from(text).toString("base64");
      assert.equal(verifyFile(file, [content({ text, mimeType: "text/plain" })]).kind, "verified");
      const verdict = verifyFile(file, [content({ blob })]);
      assert.deepEqual(verdict.kind === "verified" && decodeText(verdict.bytes), text);
    });
  }

  const file = announce(Buffer.from("abc"));
  const refused: readonly (readonly [string, readonly ResourceContents[], string])[] = [
    ["a byte more", [content({ text: "abcd" })], "size"],
    ["a byte less", [content({ text: "ab" })], "size"],
    ["another text of the same length", [content({ text: "abd" })], "digest"],
    ["as many characters and more bytes", [content({ text: "abä" })], "size"],
    ["half a character", [content({ text: "\ud800" })], "digest"],
    ["nothing", [], "unreadable"],
    ["two contents", [content({ text: "abc" }), content({ text: "abc" })], "unreadable"],
    ["a content with another URI", [content({ uri: "skill://pdf/b.md", text: "abc" })], "unreadable"],
    ["a content with a problem", [content({ text: "abc", problem: "It is odd." })], "unreadable"],
    ["neither text nor bytes", [content({})], "size"],
  ];
  for (const [what, contents, kind] of refused) {
    it(`refuses ${what}`, () => {
      assert.equal(verifyFile(file, contents).kind, kind);
    });
  }

  it("makes no text of bytes that are none", () => {
    assert.equal(decodeText(Buffer.from([0xff, 0x00])), undefined);
  });
});
