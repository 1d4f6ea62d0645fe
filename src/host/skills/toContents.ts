import type { ResourceContents } from "../../protocol/model/resource.ts";
import type { VerifiedFile } from "../../protocol/model/skill.ts";

/** A verified file as the content of a resource. */
export function toContents({ file, text, bytes, mimeType }: VerifiedFile): ResourceContents {
  const type = mimeType === undefined ? {} : { mimeType };
  const data = text === undefined ? { blob: Buffer.from(bytes).toString("base64") } : { text };
  return { uri: file.uri, ...type, ...data, raw: {} };
}
