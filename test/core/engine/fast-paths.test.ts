/** Wavefronts of lanes at equal distances against a count of the distinct words of each bank, and fma32 against exact sums. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { APART, sharedPasses, sharedWavefronts, TOGETHER } from "../../../src/core/engine/semantics/bank-conflicts.js";
import { fma32 } from "../../../src/core/engine/semantics/float32.js";

function wordsOfBusiestBank(addresses: Int32Array, banks: number): number {
  const words = Array.from({ length: banks }, () => new Set<number>());
  for (const address of addresses) words[(address >>> 2) % banks]?.add(address >>> 2);
  return Math.max(...words.map(({ size }) => size));
}

describe("shared wavefronts", () => {
  it("of all lanes at any distance are the distinct words of the busiest bank", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -300, max: 300 }),
        fc.constantFrom(8, 16, 32, 64),
        fc.integer({ min: 0, max: 31 }),
        fc.boolean(),
        fc.constantFrom(1, 2, 4),
        (stride, banks, odd, even, size) => {
          const addresses = Int32Array.from({ length: 32 }, (_, lane) => size * (10_000 + lane * stride));
          if (!even) addresses[odd] = 40;
          expect(sharedPasses(addresses, -1, size)).toBe(1);
          expect(sharedWavefronts(addresses, -1, size, banks, TOGETHER)).toBe(wordsOfBusiestBank(addresses, banks));
        },
      ),
    );
  });

  it("of lanes at parts of words are those of the words", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 32, maxLength: 32 }),
        fc.integer({ min: 1, max: 2 ** 32 - 1 }),
        fc.constantFrom(1, 2),
        fc.constantFrom(TOGETHER, APART),
        (places, mask, size, service) => {
          const addresses = Int32Array.from(places, (place) => place * size);
          const words = addresses.map((address) => address & ~3);
          expect(sharedWavefronts(addresses, mask | 0, size, 32, service)).toBe(
            sharedWavefronts(words, mask | 0, 4, 32, service),
          );
        },
      ),
    );
  });
});

/** A float32 as a whole number of 2^-298, which the product of any two is. */
function exact(value: number): bigint {
  let whole = value;
  let power = 298;
  while (!Number.isInteger(whole)) {
    whole *= 2;
    power--;
  }
  return BigInt(whole) << BigInt(power);
}

function distance(result: number, sum: bigint): bigint {
  const away = exact(result) - sum;
  return away < 0n ? -away : away;
}

describe("fma32", () => {
  // Products such as 4097 * 4097 put a little beside the half of a last place.
  const part = fc.oneof(fc.integer({ min: -(2 ** 24), max: 2 ** 24 }), fc.constantFrom(1, -1, 3, 4097, 2 ** 23 + 1));
  const power = fc.integer({ min: -50, max: 20 });
  it("gives no float32 farther from the exact sum than its neighbours are", () => {
    fc.assert(
      fc.property(part, part, part, power, power, (x, y, z, p, q) => {
        const [a, b, c] = [Math.fround(x), Math.fround(y * 2 ** p), Math.fround(z * 2 ** q)];
        const sum = exact(a) * (exact(b) >> 149n) + (exact(c) << 149n);
        const result = fma32(a, b, c);
        const bits = new Int32Array(new Float32Array([result]).buffer);
        for (const step of [-1, 1]) {
          const [neighbour] = new Float32Array(new Int32Array([(bits[0] ?? 0) + step]).buffer);
          expect(distance(result, sum >> 149n) <= distance(neighbour ?? Number.NaN, sum >> 149n)).toBe(true);
        }
      }),
    );
  });
});
