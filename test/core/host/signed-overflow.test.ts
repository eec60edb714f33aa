/**
 * Signed sums that overflow. The lowering decides `i + 1 > i` without the sum, as nvcc -O3 does. Everything else is two's
 * complement; a sum left of `<` and its own term, which nvcc -O3 decides too, has a warning.
 */
import { describe, expect, test } from "vitest";
import { device, Gpu, i32, i64, type Kernel, kernel, ptr } from "../../../src/index.js";

const MOST = 2 ** 31 - 1;

/** A statement that stores o[0], its value by default, and with `debug`; `i` is 2^31 - 1. */
const FORMS: readonly (readonly [statement: string, optimized: number, debug: number])[] = [
  ["o[0] = i + 100 < i ? 1 : 0;", 1, 1],
  ["o[0] = i > i + 100 ? 1 : 0;", 0, 1],
  ["o[0] = i - -100 < i ? 1 : 0;", 1, 1],
  ["let j = i; j += 100; o[0] = j < i ? 1 : 0;", 1, 1],
  ["if (i + 100 < i) o[0] = 1; else o[0] = 0;", 1, 1],
  ["o[0] = isLessAfter(i) ? 1 : 0;", 1, 1],
  ["o[0] = i + one < i ? 1 : 0;", 1, 1],
  ["o[0] = w + 5n < w ? 1 : 0;", 1, 1],
  ["o[0] = i + 1 > i ? 1 : 0;", 1, 0],
  ["o[0] = i + 5 > 10 ? 1 : 0;", 1, 0],
  ["if (i > 0) o[0] = i + 1 > 0 ? 1 : 0; else o[0] = 5;", 1, 0],
  ["let c = 0; let j = i - 3; while (j + 1 > j && c < 10) { j += 1; c += 1; } o[0] = c;", 10, 3],
  ["let c = 0; for (let j = i - 3; j <= i; j++) { c += 1; if (c > 20) break; } o[0] = c;", 21, 21],
  ["o[0] = i + 1;", -(2 ** 31), -(2 ** 31)],
  ["let j = i; j *= 2; o[0] = j;", -2, -2],
  ["o[0] = (i + 1) % 7;", -2, -2],
  ["o[0] = i + 1 === least ? 1 : 0;", 1, 1],
  ["o[(i + 1) & 7] = 9;", 9, 9],
  ["const s = shared(i32, 8); s[i + one - i] = 6; o[0] = s[1];", 6, 6],
  ["o[0] = i64(i + one) < 0n ? 1 : 0;", 1, 1],
  ["o[0] = i64(i) + 1n < 0n ? 1 : 0;", 0, 0],
];

device("isLessAfter", { x: i32 }, ({ x }) => x + 100 < x);

const params = { o: ptr(i32), i: i32, one: i32, least: i32, w: i64 };

function of(statement: string): Kernel {
  return kernel("overflows", params, new Function(`return ({ o, i, one, least, w }) => { ${statement} }`)());
}

describe.each(FORMS)("%s", (statement, optimized, debug) => {
  const made = of(statement);
  test.each(["m2070", "v100", "h200"])("is the same on %s in both engines, by default and with debug", (name) => {
    const values = [{}, { schedule: { seed: 1 } }, { debug: true }, { debug: true, schedule: { seed: 1 } }].map(
      (how) => {
        const gpu = new Gpu(name);
        const o = gpu.alloc(i32, 8);
        const args = { o, i: MOST, one: 1, least: -(2 ** 31), w: 2n ** 63n - 1n };
        gpu.launch(made, { grid: 1, block: 1, ...how }, args);
        return o.read()[0];
      },
    );
    expect(values).toEqual([optimized, optimized, debug, debug]);
  });
});

describe("a sum that is compared with its own term", () => {
  test.each(["i + 100 < i", "i > i + one", "i - one >= i", "w + 5n < w"])("gives a warning: %s", (comparison) => {
    const { warnings } = of(`if (${comparison}) o[0] = 1;`);
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining("as if no sum did")]);
    expect(warnings[0]?.span.line).toBe(1);
  });

  test.each(["i + 100 < one", "u32(i) + 100 < u32(i)", "i + 100 === i", "i < one - i"])(
    "gives none: %s",
    (comparison) => {
      expect(of(`if (${comparison}) o[0] = 1;`).warnings).toEqual([]);
    },
  );
});
