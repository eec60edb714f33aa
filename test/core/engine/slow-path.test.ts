/** Which operands take the slow paths of nvcc's code, against times of an H200 and the constants in its machine code. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  slowQuotient32,
  slowQuotient64,
  slowQuotientLong,
  slowReciprocal32,
  slowReciprocal64,
  slowRoot32,
  slowRoot64,
} from "../../../src/core/engine/semantics/slow-path.js";

const { fastDenominators } = JSON.parse(
  readFileSync(new URL("../../reference/h200/micro/paths.json", import.meta.url), "utf8"),
) as { readonly fastDenominators: readonly (readonly [number, number] | null)[] };

const DENORMAL = 1e-40;

function float(exponent: number, fraction: number): number {
  const bits = new Uint32Array([(exponent << 23) | fraction]);
  return new Float32Array(bits.buffer)[0]!;
}

describe("slow paths", () => {
  it.each([0, 0x400000, 0x7fffff])(
    "of quotients of floats are those that an H200 takes, fractions of %i",
    (fraction) => {
      const wrong: string[] = [];
      for (let a = 0; a < 256; a++) {
        const fast = fastDenominators[a] ?? [256, 0];
        for (let b = 0; b < 256; b++) {
          const slow = slowQuotient32(float(a, fraction), -float(b, fraction));
          if (slow !== (b < fast[0] || b > fast[1])) wrong.push(`${a} ${b}`);
        }
      }
      expect(fastDenominators.length).toBe(256);
      expect(wrong).toEqual([]);
    },
  );

  it("of reciprocals of floats are for 0, denormal ones, infinity and those from 2^126 on", () => {
    expect([0, -0, DENORMAL, 3e38, Number.NEGATIVE_INFINITY, 2 ** 126].map(slowReciprocal32)).not.toContain(false);
    expect([1, -7, 2 ** -126, 2 ** 125, 3].map(slowReciprocal32)).not.toContain(true);
  });

  it("of roots of floats are for 0, negative ones, infinity and those below 2^-101", () => {
    expect([0, -1, DENORMAL, 1e-32, Number.POSITIVE_INFINITY, 2 ** -102].map(slowRoot32)).not.toContain(false);
    expect([1, 2 ** -101, 3e38].map(slowRoot32)).not.toContain(true);
  });

  it("of quotients of doubles are for 0, tiny ones and tiny or infinite quotients", () => {
    const slow = [0, 7, 3, 0, 1e-300, 7, 1e-10, 1e300, 3, Number.POSITIVE_INFINITY];
    for (let i = 0; i < slow.length; i += 2) expect(slowQuotient64(slow[i]!, slow[i + 1]!)).toBe(true);
    expect(slowQuotient64(3, 7)).toBe(false);
    expect(slowQuotient64(-1e200, 1e100)).toBe(false);
  });

  it("of reciprocals and roots of doubles are for 0 and the ends of the range", () => {
    expect([0, 1e308, Number.POSITIVE_INFINITY].map(slowReciprocal64)).not.toContain(false);
    expect([1, -3e-300, 1e300].map(slowReciprocal64)).not.toContain(true);
    expect([0, -1, 1e-308].map(slowRoot64)).not.toContain(false);
    expect([1, 1e-200, 1e300].map(slowRoot64)).not.toContain(true);
  });

  it("of 64-bit integers are for those that do not fit 32 bits, and negative ones", () => {
    expect(slowQuotientLong(1000n, 7n)).toBe(false);
    expect(slowQuotientLong(0xffffffffn, 0xffffffffn)).toBe(false);
    expect(slowQuotientLong(-1n, 7n)).toBe(true);
    expect(slowQuotientLong(7n, 1n << 32n)).toBe(true);
  });
});
