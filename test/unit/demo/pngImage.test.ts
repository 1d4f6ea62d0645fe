import assert from "node:assert/strict";
import { inflateSync } from "node:zlib";
import { createCanvas, encodePng, fillRectangle } from "../../../demo/pngImage.ts";
import { encodeChime } from "../../../demo/notes/chimeSound.ts";

describe("demo: picture and sound", () => {
  it("encodes a picture whose pixels can be read back", () => {
    const canvas = createCanvas(3, 2, [10, 20, 30]);
    fillRectangle(canvas, 1, 0, 1, 1, [255, 0, 0]);
    fillRectangle(canvas, -5, 1, 6, 99, [0, 255, 0]);
    const file = encodePng(canvas);
    assert.equal(file.subarray(1, 4).toString("latin1"), "PNG");
    assert.equal(file.readUInt32BE(16), 3);
    assert.equal(file.readUInt32BE(20), 2);
    const start = file.indexOf("IDAT");
    const rows = inflateSync(file.subarray(start + 4, start + 4 + file.readUInt32BE(start - 4)));
    assert.deepEqual([...rows], [0, 10, 20, 30, 255, 0, 0, 10, 20, 30, 0, 0, 255, 0, 10, 20, 30, 10, 20, 30]);
  });

  it("encodes a sound whose sizes agree", () => {
    const file = encodeChime();
    assert.equal(file.readUInt32LE(4), file.length - 8);
    assert.equal(file.readUInt32LE(40), file.length - 44);
    assert.equal(file.subarray(8, 12).toString("latin1"), "WAVE");
  });
});
