import { crc32, deflateSync } from "node:zlib";

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number];

/** A picture of opaque pixels that can become a PNG file. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Three bytes for each pixel, row by row. */
  readonly pixels: Uint8Array;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BYTES_PER_PIXEL = 3;
const TRUE_COLOUR = 2;

export function createCanvas(width: number, height: number, background: Colour): Canvas {
  const canvas = { width, height, pixels: new Uint8Array(width * height * BYTES_PER_PIXEL) };
  fillRectangle(canvas, 0, 0, width, height, background);
  return canvas;
}

/** Fills a rectangle; what lies outside the canvas is left out. */
export function fillRectangle(
  canvas: Canvas,
  left: number,
  top: number,
  width: number,
  height: number,
  colour: Colour,
): void {
  const right = Math.min(canvas.width, left + width);
  const bottom = Math.min(canvas.height, top + height);
  for (let y = Math.max(0, top); y < bottom; y += 1) {
    for (let x = Math.max(0, left); x < right; x += 1) {
      canvas.pixels.set(colour, (y * canvas.width + x) * BYTES_PER_PIXEL);
    }
  }
}

/** Encodes as PNG, 8 bits, true colour, no filter. */
export function encodePng({ width, height, pixels }: Canvas): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, TRUE_COLOUR, 0, 0, 0], 8);
  const stride = width * BYTES_PER_PIXEL;
  // Each row starts with the number of its filter; zero is none.
  const rows = Buffer.alloc(height * (stride + 1));
  for (let y = 0; y < height; y += 1) {
    rows.set(pixels.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  }
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
