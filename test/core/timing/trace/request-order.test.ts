import { describe, expect, it } from "vitest";
import { goesOn, isIrregular, STRIDE_SLACK } from "../../../../src/core/timing/trace/request-order.js";

/** Sectors of 32 lanes' words, `strideBytes` apart. */
const strided = (strideBytes: number): Int32Array =>
  Int32Array.from(new Set(Array.from({ length: 32 }, (_, lane) => Math.floor((lane * strideBytes) / 32))));

describe("a request's lines", () => {
  it("are in order at every stride, whole lines or not", () => {
    for (let stride = 4; stride < 20_000; stride += 4) {
      const sectors = strided(stride);
      expect(isIrregular(sectors, 0, sectors.length, STRIDE_SLACK), `${stride} bytes`).toBe(false);
    }
  });

  it("are in order where a warp has several rows of a picture, however many lines a row takes", () => {
    for (const width of [4, 8, 16]) {
      for (const bytes of [4, 12, 16, 32]) {
        const address = (lane: number): number => (lane % width) * bytes + Math.floor(lane / width) * 24_576;
        const sectors = Array.from({ length: 32 }, (_, lane) => Math.floor(address(lane) / 32));
        const request = Int32Array.from(new Set(sectors));
        expect(isIrregular(request, 0, request.length), `${width} pixels of ${bytes} bytes`).toBe(false);
      }
    }
  });

  it("are in none at random", () => {
    const sectors = Int32Array.from(Array.from({ length: 32 }, (_, k) => (k * k * 7919) % 100_003)).sort();
    expect(isIrregular(sectors, 0, 32, STRIDE_SLACK)).toBe(true);
  });

  it("go on where the next request reads beside the one before, not where it reads elsewhere", () => {
    const record = (first: number): readonly number[] => [32, 1, 4, first, first + 25, first + 50, first + 75];
    const memory = Int32Array.from([...record(100), ...record(101), ...record(3000)]);
    expect(goesOn(memory, 0, 7)).toBe(true);
    expect(goesOn(memory, 7, 14)).toBe(false);
  });
});
