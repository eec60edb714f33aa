/** Ranges of memory against a comparison byte by byte, at every alignment of their starts. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { equalBytes } from "../../../src/core/program/equal-bytes.js";

test("ranges are equal where all of their bytes are, wherever they begin", () => {
  const range = fc.record({
    left: fc.nat(7),
    right: fc.nat(7),
    bytes: fc.uint8Array({ maxLength: 40 }),
    changed: fc.nat(60),
  });
  fc.assert(
    fc.property(range, ({ left, right, bytes, changed }) => {
      const [a, b] = [left, right].map((start) => new Uint8Array(new ArrayBuffer(64), start, bytes.length));
      a!.set(bytes);
      b!.set(bytes);
      expect(equalBytes(a!, b!)).toBe(true);
      if (changed >= bytes.length) return;
      b![changed]! ^= 1;
      expect(equalBytes(a!, b!)).toBe(false);
    }),
    { seed: 11, numRuns: 500 },
  );
});
