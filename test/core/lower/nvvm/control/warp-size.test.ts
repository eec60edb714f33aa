/** `warpSize` is 32 everywhere, even as a divisor, where NVVM and ptxas keep the division. */
import { describe, expect, it } from "vitest";
import { execute } from "../../../engine/launch.js";
import { compileCuda } from "../../kernel-code.js";

const VALUES = [0, 1, 31, 32, 33, 1000, 2 ** 31 - 1, -1, -31, -32, -33, -(2 ** 31)];

describe("warpSize", () => {
  it("divides signed and unsigned values", () => {
    const program = compileCuda(
      `__global__ void f(const int *in, int *q, int *r, unsigned *uq, unsigned *ur) { int i = threadIdx.x; unsigned u = in[i];
         q[i] = in[i] / warpSize; r[i] = in[i] % warpSize; uq[i] = u / warpSize; ur[i] = u % warpSize; }`,
    );
    const signed = (): Int32Array => new Int32Array(VALUES.length);
    const unsigned = (): Uint32Array => new Uint32Array(VALUES.length);
    const args = { in: Int32Array.from(VALUES), q: signed(), r: signed(), uq: unsigned(), ur: unsigned() };
    const run = execute(program, { block: VALUES.length, args });
    expect([...run.read<Int32Array>("q")]).toEqual(VALUES.map((value) => Math.trunc(value / 32) + 0));
    expect([...run.read<Int32Array>("r")]).toEqual(VALUES.map((value) => (value % 32) + 0));
    expect([...run.read<Uint32Array>("uq")]).toEqual(VALUES.map((value) => value >>> 5));
    expect([...run.read<Uint32Array>("ur")]).toEqual(VALUES.map((value) => value & 31));
  });

  it("bounds loops and steps them", () => {
    const program = compileCuda(
      `__global__ void f(int *o) { int s = 0; for (int d = warpSize / 2; d > 0; d /= 2) s += d;
         for (int i = threadIdx.x; i < 300; i += warpSize) s += 100; o[threadIdx.x] = s; }`,
    );
    const run = execute(program, { block: 64, args: { o: new Int32Array(64) } });
    const rounds = (t: number): number => Math.ceil((300 - t) / 32);
    expect([...run.read<Int32Array>("o")]).toEqual(Array.from({ length: 64 }, (_, t) => 31 + 100 * rounds(t)));
  });
});
