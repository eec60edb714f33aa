/** The garbage of seeded schedules: nothing that a reduction would not notice, the same for the same seed. */
import { describe, expect, it } from "vitest";
import { garbageWord, PLACE } from "../../../src/core/engine/reference/garbage.js";

const SEEDS = Array.from({ length: 50 }, (_, seed) => seed * seed - 20);
const words = SEEDS.flatMap((seed) =>
  [0, 1, 2, 1000, 2 ** 31].flatMap((block) =>
    Object.values(PLACE).flatMap((place) =>
      Array.from({ length: 64 }, (_, index) => garbageWord(seed, block, place, index)),
    ),
  ),
);
const bytes = new DataView(new ArrayBuffer(8));

describe("a word of garbage", () => {
  it("is the same for the same seed and place", () => {
    expect(garbageWord(7, 3, PLACE.shared, 11)).toBe(garbageWord(7, 3, PLACE.shared, 11));
  });

  it("is large as an int, as an unsigned one, and as a finite float or double, so no sum or bit operation leaves it out", () => {
    for (const word of words) {
      expect(word).toBe(word | 0);
      expect(Math.abs(word)).toBeGreaterThan(2 ** 29);
      expect(~word).not.toBe(0);
      bytes.setInt32(0, word);
      bytes.setInt32(4, garbageWord(1, 2, 3, word));
      for (const value of [Math.abs(bytes.getFloat32(0)), Math.abs(bytes.getFloat64(0))]) {
        expect(Number.isFinite(value)).toBe(true);
        expect(value).toBeGreaterThan(2 ** 28);
      }
    }
  });

  it("differs between places, blocks, indices and seeds", () => {
    const near = [
      garbageWord(1, 0, PLACE.shared, 0),
      garbageWord(1, 0, PLACE.local, 0),
      garbageWord(1, 1, PLACE.shared, 0),
      garbageWord(1, 0, PLACE.shared, 1),
      garbageWord(2, 0, PLACE.shared, 0),
    ];
    expect(new Set(near).size).toBe(near.length);
    expect(new Set(words).size).toBeGreaterThan(0.99 * words.length);
  });

  it("has another sign for the next seed, so that two of them try a minimum and a maximum", () => {
    for (let index = 0; index < 100; index++) {
      const signs = [8, 9].map((seed) => Math.sign(garbageWord(seed, 5, PLACE.lane, index)));
      expect([...signs].sort()).toEqual([-1, 1]);
    }
  });
});
