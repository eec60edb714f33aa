import fc from "fast-check";
import { expect, test } from "vitest";
import { indexedPng } from "../../../src/node/display/indexed-png.js";
import { pngPixels } from "../../core/show/png-pixels.js";

const opaque = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map(([r, g, b]) => [r, g, b, 255]);

test("a picture of few colours is read back as it was", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 12 }), fc.gen(), (width, height, draw) => {
      const rgba = Uint8Array.from(Array.from({ length: width * height }, () => draw(() => opaque)).flat());
      const png = indexedPng(width, height, rgba);
      const { data, ...size } = pngPixels(png ?? new Uint8Array());
      expect(size).toEqual({ width, height, channels: 3 });
      expect([...data]).toEqual([...rgba].filter((_, index) => index % 4 !== 3));
    }),
  );
});

test("257 colours, or one that lets the ground through, are for another kind of PNG", () => {
  const ramp = (length: number): Uint8Array =>
    Uint8Array.from(Array.from({ length }, (_, index) => [index & 255, index >> 8, 0, 255]).flat());
  expect(indexedPng(256, 1, ramp(256))).not.toBeNull();
  expect(indexedPng(257, 1, ramp(257))).toBeNull();
  expect(indexedPng(1, 1, Uint8Array.from([0, 0, 0, 254]))).toBeNull();
});
