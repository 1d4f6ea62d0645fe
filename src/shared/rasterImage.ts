/** Image types that are drawn. SVG is not among them: it is a program as much as a picture. */
export type RasterType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** The type that the first bytes of an image really have, or undefined when it is none of the four. */
export function sniffRaster(bytes: Uint8Array): RasterType | undefined {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return "image/png";
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return "image/jpeg";
  if (
    startsWith(bytes, [0x47, 0x49, 0x46, 0x38]) &&
    (bytes[4] === 0x37 || bytes[4] === 0x39) &&
    bytes[5] === 0x61
  ) {
    return "image/gif";
  }
  const riff = startsWith(bytes, [0x52, 0x49, 0x46, 0x46]);
  return riff && startsWith(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50]) ? "image/webp" : undefined;
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** Bytes from Base64 (either alphabet, padding optional), or undefined when the text is none. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const plain = text.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/");
  try {
    const binary = atob(plain);
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
