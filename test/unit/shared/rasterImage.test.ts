import assert from "node:assert/strict";
import { decodeBase64, sniffRaster } from "../../../src/shared/rasterImage.ts";

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe("rasterImage", () => {
  const cases: [string, Uint8Array, string | undefined][] = [
    ["PNG", ascii("\x89PNG\r\n\x1a\n...."), "image/png"],
    ["JPEG", ascii("\xff\xd8\xff\xe0"), "image/jpeg"],
    ["GIF", ascii("GIF89a"), "image/gif"],
    ["WebP", ascii("RIFF\x00\x00\x00\x00WEBPVP8 "), "image/webp"],
    ["other RIFF files", ascii("RIFF\x00\x00\x00\x00WAVE"), undefined],
    ["SVG", ascii("<svg xmlns='http://www.w3.org/2000/svg'/>"), undefined],
    ["HTML", ascii("<html>"), undefined],
    ["nothing", new Uint8Array(), undefined],
  ];
  for (const [name, bytes, expected] of cases) {
    it(`knows ${name} by its bytes`, () => assert.equal(sniffRaster(bytes), expected));
  }

  it("decodes both alphabets of Base64 and refuses anything else", () => {
    assert.deepEqual([...(decodeBase64("-_8") ?? [])], [251, 255]);
    assert.deepEqual([...(decodeBase64("+/8=\n") ?? [])], [251, 255]);
    assert.equal(decodeBase64("not base64!"), undefined);
  });
});
