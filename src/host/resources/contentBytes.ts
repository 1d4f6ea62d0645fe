import type { ResourceContents } from "../../protocol/model/resource.ts";
import { isTextType } from "./mediaTypes.ts";

/** How many bytes of a content are looked at to tell text from the rest. */
const SAMPLE = 8_192;

/** The bytes of one content: its text in UTF-8, or what its Base64 stands for. */
export function contentBytes({ text, blob }: ResourceContents): Uint8Array {
  return text === undefined ? Buffer.from(blob ?? "", "base64") : Buffer.from(text, "utf8");
}

/** Whether a content can be read as text: it came as one, or nothing in its type and bytes speaks against it. */
export function isTextContent({ text, mimeType }: ResourceContents, bytes: Uint8Array): boolean {
  if (text !== undefined) return true;
  const sample = bytes.subarray(0, SAMPLE);
  if (sample.includes(0)) return false;
  return isTextType(mimeType) || (mimeType === undefined && isUtf8(sample));
}

function isUtf8(sample: Uint8Array): boolean {
  try {
    // As a stream, because the sample may end within a character.
    new TextDecoder("utf-8", { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The first bytes as a table for reading: offset, bytes, characters. */
export function hexDump(bytes: Uint8Array, limit: number): string {
  const lines: string[] = [];
  for (let offset = 0; offset < Math.min(bytes.length, limit); offset += 16) {
    const row = [...bytes.subarray(offset, Math.min(offset + 16, limit))];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const characters = row
      .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "."))
      .join("");
    lines.push(`${offset.toString(16).padStart(8, "0")}  ${hex.padEnd(47)}  ${characters}`);
  }
  return lines.join("\n");
}
