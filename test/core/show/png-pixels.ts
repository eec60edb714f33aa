/** Reads the pixels of a PNG (8-bit RGB, RGBA or indices of a palette, not interlaced): https://www.w3.org/TR/png-3/ */
import { inflateSync } from "node:zlib";

export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Uint8Array;
}

function paeth(a: number, b: number, c: number): number {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

export function pngPixels(png: Uint8Array): Pixels {
  const file = Buffer.from(png);
  if (file.toString("latin1", 1, 4) !== "PNG") throw new Error("This is no PNG.");
  const [width, height, colorType] = [file.readUInt32BE(16), file.readUInt32BE(20), file[25]];
  if (file[24] !== 8 || (colorType !== 6 && colorType !== 2 && colorType !== 3))
    throw new Error("Unexpected kind of PNG.");
  const parts: Buffer[] = [];
  let palette = Buffer.alloc(0);
  for (let at = 8; at < file.length; at += file.readUInt32BE(at) + 12) {
    const [type, part] = [
      file.toString("latin1", at + 4, at + 8),
      file.subarray(at + 8, at + 8 + file.readUInt32BE(at)),
    ];
    if (type === "IDAT") parts.push(part);
    if (type === "PLTE") palette = Buffer.from(part);
  }
  const raw = inflateSync(Buffer.concat(parts));
  const channels = colorType === 6 ? 4 : colorType === 2 ? 3 : 1;
  const stride = width * channels;
  const data = new Uint8Array(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (stride + 1)];
    for (let at = 0; at < stride; at++) {
      const to = row * stride + at;
      const left = at >= channels ? (data[to - channels] ?? 0) : 0;
      const up = row > 0 ? (data[to - stride] ?? 0) : 0;
      const corner = row > 0 && at >= channels ? (data[to - stride - channels] ?? 0) : 0;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      data[to] = (raw[row * (stride + 1) + 1 + at] ?? 0) + predicted;
    }
  }
  if (colorType !== 3) return { width, height, channels, data };
  const colours = [...data].flatMap((index) => [...palette.subarray(3 * index, 3 * index + 3)]);
  return { width, height, channels: 3, data: Uint8Array.from(colours) };
}

/** The pixel as "#rrggbb". */
export function pixelColor({ width, channels, data }: Pixels, x: number, y: number): string {
  const at = (y * width + x) * channels;
  return `#${[0, 1, 2].map((each) => (data[at + each] ?? 0).toString(16).padStart(2, "0")).join("")}`;
}

/** How many pixels of the region have the colour. */
export function countColor(
  pixels: Pixels,
  color: string,
  region?: { x0: number; y0: number; x1: number; y1: number },
): number {
  const { x0, y0, x1, y1 } = region ?? { x0: 0, y0: 0, x1: pixels.width, y1: pixels.height };
  let found = 0;
  for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) if (pixelColor(pixels, x, y) === color) found++;
  return found;
}
