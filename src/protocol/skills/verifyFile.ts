import { createHash } from "node:crypto";
import type { ResourceContents } from "../model/resource.ts";
import type { SkillFile } from "../model/skill.ts";

/** What became of comparing a read file with what its skill announces of it. */
export type Verdict =
  | { readonly kind: "verified"; readonly bytes: Uint8Array; readonly mimeType: string | undefined }
  /** The answer has no bytes of this file, or more than one content; an English sentence without its end. */
  | { readonly kind: "unreadable"; readonly reason: string }
  | { readonly kind: "size"; readonly actual: number }
  | { readonly kind: "digest" };

/**
 * Compares the exact bytes that came with the size and the digest of the entry. A match means that both say the same,
 * not that either can be trusted: they come from the same server.
 *
 * @see https://modelcontextprotocol.io/seps/2640-skills-extension#integrity-and-verification
 */
export function verifyFile(file: SkillFile, contents: readonly ResourceContents[]): Verdict {
  const [content, ...more] = contents;
  if (content === undefined || more.length > 0)
    return { kind: "unreadable", reason: `there are ${String(contents.length)} contents` };
  if (content.problem !== undefined) return { kind: "unreadable", reason: content.problem };
  if (content.uri !== file.uri) return { kind: "unreadable", reason: "the content has another URI" };
  const bytes =
    content.text === undefined
      ? Buffer.from(content.blob ?? "", "base64")
      : Buffer.from(content.text, "utf8");
  if (bytes.length !== file.size) return { kind: "size", actual: bytes.length };
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return sha256 === file.sha256
    ? { kind: "verified", bytes, mimeType: content.mimeType }
    : { kind: "digest" };
}

/** Bytes as text, or undefined when they are not UTF-8. Nothing is left out, not even a byte order mark. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
