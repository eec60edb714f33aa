/** 64-bit quotients and remainders by constants, computed by reciprocals, against BigInt. */
import { describe, expect, it } from "vitest";
import { execute } from "../engine/launch.js";
import { compileCuda } from "./kernel-code.js";

const EDGES = [0n, 1n, 2n, 9n, 10n, 65520n, 65521n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 62n, 2n ** 63n - 1n];
const VALUES = [
  ...EDGES,
  ...EDGES.map((value) => -value - 1n),
  ...Array.from({ length: 40 }, (_, i) => BigInt.asIntN(64, 0x9e3779b97f4a7c15n * BigInt(i + 1))),
];
const DIVISORS = [3n, 6n, 7n, 10n, 14n, 28n, 100n, 641n, 1000n, 65521n, 1000000007n, 10000000019n, 2n ** 52n + 21n];

describe("by a constant", () => {
  it.each(DIVISORS)("%i, quotient and remainder of unsigned values are right", (divisor) => {
    const program = compileCuda(
      `__global__ void f(const unsigned long long *in, unsigned long long *q, unsigned *r) { int i = threadIdx.x;
         q[i] = in[i] / ${divisor}ull; r[i] = in[i] % ${divisor}ull; }`,
    );
    const values = VALUES.map((value) => BigInt.asUintN(64, value));
    const run = execute(program, {
      block: values.length,
      args: {
        in: BigUint64Array.from(values),
        q: new BigUint64Array(values.length),
        r: new Uint32Array(values.length),
      },
    });
    expect([...run.read<BigUint64Array>("q")]).toEqual(values.map((value) => value / divisor));
    expect([...run.read<Uint32Array>("r")]).toEqual(values.map((value) => Number(BigInt.asUintN(32, value % divisor))));
  });

  it.each(DIVISORS.flatMap((divisor) => [divisor, -divisor]))(
    "%i, quotient and remainder of signed values are right",
    (divisor) => {
      const program = compileCuda(
        `__global__ void f(const long long *in, long long *q, long long *r) { int i = threadIdx.x;
         q[i] = in[i] / (${divisor}ll); r[i] = in[i] % (${divisor}ll); }`,
      );
      const made = (): BigInt64Array => new BigInt64Array(VALUES.length);
      const args = { in: BigInt64Array.from(VALUES), q: made(), r: made() };
      const run = execute(program, { block: VALUES.length, args });
      expect([...run.read<BigInt64Array>("q")]).toEqual(VALUES.map((value) => value / divisor));
      expect([...run.read<BigInt64Array>("r")]).toEqual(VALUES.map((value) => value % divisor));
    },
  );
});
