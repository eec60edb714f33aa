/**
 * A PNG with a palette: a figure has few colours, and a byte a pixel compresses to a third of four.
 * Source: PNG specification, third edition (https://www.w3.org/TR/png-3/), colour type 3.
 */
import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_COLOURS = 256;
const BIT_DEPTH = 8;
const INDEXED = 3;
const OPAQUE = 255;

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/**
 * @param rgba four bytes a pixel, row by row
 * @returns the file, without loss; null where the picture has more than 256 colours or lets its ground show through
 */
export function indexedPng(width: number, height: number, rgba: Uint8Array): Uint8Array | null {
  const bytes = rgba.byteOffset % 4 === 0 ? rgba : rgba.slice();
  const pixels = new Uint32Array(bytes.buffer, bytes.byteOffset, width * height);
  const indices = new Map<number, number>();
  // Each row begins with its filter's number: 0, since neighbouring indices say nothing of each other.
  const rows = Buffer.alloc((width + 1) * height);
  // Most pixels have the colour of the one before.
  let [colour, index]: [number, number | undefined] = [-1, undefined];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const own = pixels[y * width + x]!;
      if (own !== colour || index === undefined) {
        colour = own;
        if (colour >>> 24 !== OPAQUE) return null;
        index = indices.get(colour);
        if (index === undefined) {
          if (indices.size === MAX_COLOURS) return null;
          index = indices.size;
          indices.set(colour, index);
        }
      }
      rows[y * (width + 1) + 1 + x] = index;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = BIT_DEPTH;
  header[9] = INDEXED;
  const palette = [...indices.keys()].flatMap((colour) => [
    colour & 0xff,
    (colour >>> 8) & 0xff,
    (colour >>> 16) & 0xff,
  ]);
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", Uint8Array.from(palette)),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", new Uint8Array(0)),
  ]);
}
