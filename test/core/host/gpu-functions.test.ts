/**
 * The exact functions of the language against a real GPU: arrays of results on corners and random values, by checksum
 * (test/reference/values/functions.json).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { checksum } from "../../../src/core/cuda/host-data.js";
import {
  f32,
  f64,
  i32,
  i64,
  type Kernel,
  kernel,
  type Parameters,
  ptr,
  u32,
  u64,
} from "../../../src/core/frontend/index.js";
import type { DeviceBuffer } from "../../../src/core/host/buffer.js";
import { toCudaProgram } from "../../../src/core/host/cuda-program.js";
import { Gpu } from "../../../src/core/host/gpu.js";

interface GpuRecord {
  readonly checksums: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
const record = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../reference/values/functions.json"), "utf8"),
) as GpuRecord;

const gpu = new Gpu("h200", { memoryBytes: 4 << 20 });
afterEach(() => gpu.reset());

const N = 256;
const CORNERS = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  1.5,
  2.5,
  -2.5,
  0.49999997,
  8388609,
  -8388607.5,
  1e-40,
  3e38,
  -3e38,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NaN,
  1e-45,
  16777217,
  4194304.5,
  -4194303.5,
  2147483648,
  -2147483904,
  1e10,
  9.3e18,
];
const valueAt = (i: number, scale: number, salt: number): number =>
  CORNERS[(i + salt) % 97] ?? (Math.imul(i + salt, 0x9e3779b1) / 2 ** 31) * scale;
const floats = (scale: number, salt: number): Float32Array =>
  Float32Array.from({ length: N }, (_, i) => valueAt(i, scale, salt));
const doubles = (scale: number, salt: number): Float64Array =>
  Float64Array.from({ length: N }, (_, i) => valueAt(i, scale, salt));

function applied(name: string, params: Parameters, words: readonly string[], body: string): Kernel {
  const text = `({ ${Object.keys(params).join(", ")} }, { threadIdx, blockIdx, blockDim, ${words.join(", ")} }) => {
const i = blockIdx.x * blockDim.x + threadIdx.x;
${body}
}`;
  return kernel(name, { params }, new Function(`return ${text}`)() as never);
}

/** Launches it, and says whether the results are the GPU's; writes the program for a GPU where that is asked for. */
function compare(name: string, one: Kernel, args: Readonly<Record<string, DeviceBuffer>>): void {
  const launch = { gpu, kernel: one, grid: N / 128, block: 128, args };
  const folder = process.env.GPU_FUNCTIONS;
  if (folder !== undefined) writeFileSync(join(folder, `${name}.cu`), toCudaProgram(launch));
  gpu.launch(one, { grid: N / 128, block: 128 }, args);
  const expected = record.checksums[name] ?? {};
  const sums = Object.fromEntries(
    Object.keys(expected).map((array) => [
      array,
      checksum(args[array]!.read() as Float32Array)
        .toString(16)
        .padStart(16, "0"),
    ]),
  );
  expect(Object.keys(expected).length).toBeGreaterThan(0);
  expect(sums).toEqual(expected);
}

describe("an H200 gives the same bits for", () => {
  it.each([
    [
      "exact_f32",
      f32,
      floats,
      "f",
      ["__fadd_rn", "__fsub_rn", "__fmul_rn", "__fdiv_rn", "__fsqrt_rn", "__frcp_rn", "__fmaf_rn"],
    ],
    [
      "exact_f64",
      f64,
      doubles,
      "",
      ["__dadd_rn", "__dsub_rn", "__dmul_rn", "__ddiv_rn", "__dsqrt_rn", "__drcp_rn", "__fma_rn"],
    ],
  ] as const)(
    "%s: roundings, remainders, signs, operations that round by themselves, tests",
    (name, type, data, s, rounded) => {
      const [add, sub, mul, div, sqrt, rcp, fma] = rounded;
      const plain = ["round", "rint", "fmod", "copysign", "fdim", "fmin", "fmax", "trunc", "floor", "ceil"].map(
        (word) => word + s,
      );
      const values = [
        `round${s}(x)`,
        `rint${s}(x)`,
        `fmod${s}(x, y)`,
        `copysign${s}(x, y)`,
        `fdim${s}(x, y)`,
        `${add}(${mul}(x, y), x)`,
        `${sub}(x, y)`,
        `${div}(x, y)`,
        `${sqrt}(x)`,
        `${rcp}(x)`,
        `${fma}(x, y, x)`,
        `fmin${s}(x, y)`,
        `fmax${s}(x, y)`,
        `trunc${s}(x)`,
        `floor${s}(x)`,
        `ceil${s}(x)`,
      ];
      const body = [
        "const x = a[i]; const y = b[i];",
        ...values.map((value, k) => `out[i * 16 + ${k}] = ${value};`),
        "flags[i] = (isnan(x) ? 1 : 0) + (isinf(x) ? 2 : 0) + (isfinite(x) ? 4 : 0) + (!isnan(x) && signbit(x) ? 8 : 0);",
      ].join("\n");
      const params = { a: ptr(type), b: ptr(type), out: ptr(type), flags: ptr(i32) };
      const one = applied(name, params, [...plain, ...rounded, "isnan", "isinf", "isfinite", "signbit"], body);
      const [a, b] = [gpu.upload(data(1000, 0) as Float32Array), gpu.upload(data(30, 50) as Float32Array)];
      compare(name, one, { a, b, out: gpu.alloc(type, 16 * N), flags: gpu.alloc(i32, N) });
    },
  );

  const conversions = ["int", "uint", "ll", "ull"].flatMap((to) =>
    ["rn", "rz", "rd", "ru"].flatMap((rounding) => [
      `__float2${to}_${rounding}(a[i])`,
      `__double2${to}_${rounding}(d[i])`,
    ]),
  );
  it.each([0, 1])("conversions to integers with each rounding, part %i", (part) => {
    const calls = conversions.slice(16 * part, 16 * part + 16);
    const words = [...calls.map((call) => call.split("(")[0] ?? ""), "i64"];
    const body = calls.map((call, k) => `out[i * 16 + ${k}] = i64(${call});`).join("\n");
    const one = applied(`convert${part}`, { a: ptr(f32), d: ptr(f64), out: ptr(i64) }, words, body);
    const [a, d] = [gpu.upload(floats(5e9, 3)), gpu.upload(doubles(1e19, 7))];
    compare(`convert${part}`, one, { a, d, out: gpu.alloc(i64, 16 * N) });
  });

  it("operations on bits, of 32 and 64", () => {
    const narrow = [
      "popc(a) + ffs(b) * 64 + clz(c) * 4096",
      "brev(a)",
      "byte_perm(a, b, c)",
      "mulhi(a, b)",
      "umulhi(a, b)",
      "mul24(a, b)",
      "umul24(a, b)",
      "funnelshift_l(a, b, c)",
      "funnelshift_r(a, b, c)",
      "funnelshift_lc(a, b, i % 70)",
      "funnelshift_rc(a, b, i % 70)",
      "popcll(p) + ffsll(p) * 128 + clzll(q) * 65536",
      "funnelshift_l(a, b, i % 70)",
      "funnelshift_r(a, b, i % 70)",
    ];
    const wide = [
      "brevll(p)",
      "mul64hi(p, q)",
      "umul64hi(p, q)",
      "double_as_longlong(longlong_as_double(p & 0x3fffffffffffffffn))",
    ];
    const words = [...new Set([...narrow, ...wide].join(" ").match(/[a-z_]+\w*(?=\()/g))];
    const body = [
      "const a = x[i]; const b = x[i ^ 77]; const c = x[(i + 31) & 255]; const p = l[i]; const q = l[i ^ 9];",
      ...narrow.map((value, k) => `out[i * 16 + ${k}] = ${value};`),
      ...wide.map((value, k) => `wide[i * 4 + ${k}] = ${value};`),
    ].join("\n");
    const one = applied("bits", { x: ptr(i32), l: ptr(i64), out: ptr(u32), wide: ptr(u64) }, words, body);
    const x = gpu.upload(
      Int32Array.from({ length: N }, (_, i) => (i < 64 ? 1 << (i & 31) : Math.imul(i + 1, 0x9e3779b1))),
    );
    const l = BigInt64Array.from({ length: N }, (_, i) =>
      i < 64 ? 1n << BigInt(i) : BigInt.asIntN(64, BigInt(i) * 0x9e3779b97f4a7c15n) >> BigInt(i % 64),
    );
    compare("bits", one, { x, l: gpu.upload(l), out: gpu.alloc(u32, 16 * N), wide: gpu.alloc(u64, 4 * N) });
  });
});
