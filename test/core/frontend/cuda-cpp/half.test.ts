/** cuda_fp16.h against exact arithmetic: every value of 16 bits, and sums, products, quotients and fused sums of random ones. */
import { describe, expect, test } from "vitest";
import { f32, u16 } from "../../../../src/core/frontend/declare/element.js";
import { Gpu } from "../../../../src/core/host/gpu.js";
import { programFor } from "../../../../src/core/host/timed-launch.js";
import { hasClang } from "../../../../src/node/clang/clang.js";
import { cudaText } from "../../../../src/node/clang/cuda.js";
import { Choices } from "../../../random/prng.js";

const TEXT = `#include <cuda_fp16.h>
__global__ void values(const half* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __half2float(in[i]);
}
__global__ void rounded(const float* in, half* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __float2half(in[i]);
}
__global__ void computed(const half* a, const half* b, const half* c, half* out, int n) {
  __shared__ half s[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = a[i];
  half x = s[threadIdx.x], y = b[i];
  out[i] = x + y;
  out[n + i] = __hsub(x, y);
  half product = x;
  product *= y;
  out[2 * n + i] = product;
  out[3 * n + i] = x / y;
  out[4 * n + i] = __hfma(x, y, c[i]);
  half2 pair = __hadd2(__halves2half2(x, y), __float2half2_rn(1.0f));
  out[5 * n + i] = x < y ? __low2half(pair) : __high2half(pair);
}
`;

/** A finite half as an integer times 2^-24. */
function unitsOf(half: number): bigint {
  const exponent = (half >> 10) & 31;
  const fraction = BigInt(half & 1023);
  const size = exponent === 0 ? fraction : (1024n + fraction) << BigInt(exponent - 1);
  return (half & 0x8000) === 0 ? size : -size;
}

/** The half nearest to numerator / denominator, halves to even; `negative` is the sign of a zero. */
function nearest(numerator: bigint, denominator: bigint, negative: boolean): number {
  const [top, bottom] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator];
  const sign = top < 0n || (top === 0n && negative) ? 0x8000 : 0;
  const size = top < 0n ? -top : top;
  // In units of 2^-24: the exponent is the one whose 11 digits reach the value.
  let exponent = 0;
  while (size >= bottom << BigInt(11 + exponent)) exponent++;
  const step = bottom << BigInt(exponent);
  let digits = size / step;
  const rest = 2n * (size % step);
  if (rest > step || (rest === step && (digits & 1n) === 1n)) digits++;
  const bits = (exponent === 0 ? 0 : exponent << 10) + Number(digits);
  return sign | Math.min(bits, 0x7c00);
}

const GPU = new Gpu("v100");
const isNegative = (half: number): boolean => (half & 0x8000) !== 0;

describe.runIf(hasClang())("a half", () => {
  const kernels = cudaText(TEXT, "half.cu");

  test("has the value of its bits, for all of them, and comes back from it", () => {
    const all = Uint16Array.from({ length: 65536 }, (_, bits) => bits);
    const out = GPU.alloc(f32, 65536);
    GPU.launch(kernels.values!, { grid: 512, block: 128 }, { in: GPU.upload(all), out });
    const values = out.read();
    const wrong = [...all].filter((bits) => {
      const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
      const sign = isNegative(bits) ? -1 : 1;
      const size =
        exponent === 31 ? (fraction === 0 ? Infinity : Number.NaN) : Math.abs(Number(unitsOf(bits))) * 2 ** -24;
      return !Object.is(values[bits], sign * size) && !(Number.isNaN(size) && Number.isNaN(values[bits]!));
    });
    expect(wrong).toEqual([]);
    const back = GPU.alloc(u16, 65536);
    GPU.launch(kernels.rounded!, { grid: 512, block: 128 }, { in: out, out: back });
    const isNaNBits = (bits: number): boolean => (bits & 0x7fff) > 0x7c00;
    expect([...back.read()].filter((bits, k) => (isNaNBits(k) ? bits !== 0x7fff : bits !== k))).toEqual([]);
  });

  test("is the nearest to a float", () => {
    const choices = new Choices(5);
    const floats = Float32Array.from({ length: 4096 }, (_, k) => {
      const near = Number(unitsOf(choices.below(0x7c00))) * 2 ** -24;
      // Midway between two halves, beside that, or anywhere.
      return [near * (1 + 2 ** -11), near * (1 + 2 ** -11) + 2 ** -24, near * 1.0003, -near * (1 - 2 ** -12)][k % 4]!;
    });
    floats.set([65504, 65519.99609375, 65520, 2 ** -24, 2 ** -25, 2 ** -25 * 1.0001, -0, Infinity]);
    const out = GPU.alloc(u16, 4096);
    GPU.launch(kernels.rounded!, { grid: 32, block: 128 }, { in: GPU.upload(floats), out });
    const halves = out.read();
    floats.forEach((value, k) => {
      const wanted =
        value === Infinity ? 0x7c00 : nearest(BigInt(value * 2 ** 100), 2n ** 76n, Object.is(value, -0) || value < 0);
      expect([value, halves[k]]).toEqual([value, wanted]);
    });
  });

  test("is added, multiplied, divided and fused as exact arithmetic rounds", () => {
    const n = 4096;
    const choices = new Choices(9);
    const finite = (): number => (choices.below(2) << 15) | choices.below(choices.chance(0.3) ? 0x800 : 0x7c00);
    const [a, b, c] = [0, 0, 0].map(() => Uint16Array.from({ length: n }, finite)) as [
      Uint16Array,
      Uint16Array,
      Uint16Array,
    ];
    const out = GPU.alloc(u16, 6 * n);
    const given = { a: GPU.upload(a), b: GPU.upload(b), c: GPU.upload(c), out, n };
    GPU.launch(kernels.computed!, { grid: n / 128, block: 128 }, given);
    const halves = out.read();
    const unit = 2n ** 24n;
    for (let k = 0; k < n; k++) {
      const [x, y, z] = [a[k]!, b[k]!, c[k]!].map(unitsOf) as [bigint, bigint, bigint];
      const [nx, ny, nz] = [a[k]!, b[k]!, c[k]!].map(isNegative) as [boolean, boolean, boolean];
      const opposite = nx !== ny;
      const chosen = x < y ? ([x, nx] as const) : ([y, ny] as const);
      expect([a[k], b[k], c[k], ...[0, 1, 2, 3, 4, 5].map((part) => halves[part * n + k])]).toEqual([
        ...[a[k], b[k], c[k]],
        nearest(x + y, 1n, nx && ny),
        nearest(x - y, 1n, nx && !ny),
        nearest(x * y, unit, opposite),
        y === 0n ? (x === 0n ? 0x7fff : (opposite ? 0x8000 : 0) | 0x7c00) : nearest(x * unit, y, opposite),
        nearest(x * y + z * unit, unit, opposite && nz),
        nearest(chosen[0] + unit, 1n, false),
      ]);
    }
    expect(kernels.computed!.warnings.map(({ message }) => message)).toEqual([expect.stringMatching(/^A half/)]);
    expect(kernels.computed!.ir.params[3]).toMatchObject({ type: { pointer: "u16" } });
  });
});

describe.runIf(hasClang())("a sum of halves", () => {
  test("takes more instructions than the one of a GPU, which the kernel's warning says (K16)", () => {
    const text = (type: string): string => `#include <cuda_fp16.h>
__global__ void sum(const ${type}* a, const ${type}* b, ${type}* out) { out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; }`;
    const [halves, floats] = ["half", "float"].map((type) => cudaText(text(type), "sum.cu").sum!);
    const count = (kernel: typeof halves): number => programFor(kernel!.ir, GPU.device, true).instructions.length;
    expect(count(halves)).toBeGreaterThan(count(floats) + 10);
    expect(halves!.warnings.map(({ message }) => message).join()).toMatch(/half/i);
    expect(floats!.warnings).toEqual([]);
  });
});
