/**
 * Mathematical functions as a learner calls them, in both engines, against definitions of their own: exact ones to the
 * bit, the others within the error that the CUDA C++ Programming Guide documents ("Mathematical Functions").
 */
import { describe, expect, it } from "vitest";
import {
  device,
  f32,
  f64,
  i32,
  i64,
  kernel,
  type Parameters,
  ptr,
  u32,
  u64,
} from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";

const gpu = new Gpu("h200", { memoryBytes: 32 << 20 });
const COUNT = 40 * 64;
const GRID = { grid: 40, block: 64 };

const specials = [0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999997, 8388609, -8388607.5, 1e-40, 3e38, -3e38];
const unusual = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN];

/** Corners first, then values of every size from a generator that is nobody's own. */
function inputs(low: number, high: number): Float64Array {
  let state = 12345;
  const next = (): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state / 2 ** 32;
  };
  const corners = [...specials, ...unusual].filter((x) => Number.isNaN(x) || (x >= low && x <= high));
  return Float64Array.from({ length: COUNT }, (_, i) => corners[i] ?? low + (high - low) * next());
}

type Unary = readonly [name: string, reference: (x: number) => number, low: number, high: number, ulps32: number];

/** Errors of the float versions as the guide has them; 0: exact. */
const unary: readonly Unary[] = [
  ["round", (x) => (Math.abs(x) < 2 ** 52 ? Math.sign(x) * Math.floor(Math.abs(x) + 0.5) : x), -1e6, 1e6, 0],
  ["floor", Math.floor, -1e6, 1e6, 0],
  ["ceil", Math.ceil, -1e6, 1e6, 0],
  ["trunc", Math.trunc, -1e6, 1e6, 0],
  ["exp10", (x) => Math.exp(x * Math.LN10), -30, 30, 2],
  ["expm1", (x) => (Math.abs(x) < 1e-5 ? x + (x * x) / 2 : Math.exp(x) - 1), -10, 80, 1],
  ["log10", (x) => Math.log(x) / Math.LN10, 1e-3, 1e30, 2],
  ["log1p", (x) => (Math.abs(x) < 1e-5 ? x - (x * x) / 2 : Math.log(1 + x)), -0.9, 1e6, 1],
  ["tan", (x) => Math.sin(x) / Math.cos(x), -100, 100, 4],
  ["asin", (x) => Math.atan2(x, Math.sqrt((1 - x) * (1 + x))), -1, 1, 2],
  ["acos", (x) => Math.atan2(Math.sqrt((1 - x) * (1 + x)), x), -1, 1, 2],
  ["atan", (x) => Math.atan2(x, 1), -1e6, 1e6, 2],
  ["sinh", (x) => (Math.abs(x) < 1e-3 ? x + x ** 3 / 6 : (Math.exp(x) - Math.exp(-x)) / 2), -80, 80, 3],
  ["cosh", (x) => (Math.exp(x) + Math.exp(-x)) / 2, -80, 80, 2],
  ["asinh", (x) => Math.sign(x) * Math.log(Math.abs(x) + Math.sqrt(x * x + 1)), 1, 1e6, 3],
  ["acosh", (x) => Math.log(x + Math.sqrt(x * x - 1)), 1.1, 1e6, 4],
  ["atanh", (x) => 0.5 * Math.log((1 + x) / (1 - x)), 0.1, 0.9, 3],
  ["cbrt", (x) => Math.sign(x) * Math.exp(Math.log(Math.abs(x)) / 3), 0.01, 1e9, 1],
  ["sinpi", (x) => Math.sin(Math.PI * (x - 2 * Math.round(x / 2))), -0.99, 0.99, 1],
  ["cospi", (x) => Math.cos(Math.PI * (x - 2 * Math.round(x / 2))), -0.49, 0.49, 1],
];

/** Distance in units in the last place of the reference, as the guide counts it. */
function ulps32(got: number, exact: number): number {
  const rounded = Math.fround(exact);
  if (Object.is(got, rounded) || (Number.isNaN(got) && Number.isNaN(exact))) return 0;
  if (!Number.isFinite(exact) || !Number.isFinite(got)) return got === rounded ? 0 : Number.POSITIVE_INFINITY;
  const exponent = Math.max(-126, Math.floor(Math.log2(Math.abs(exact) || 1e-300)));
  return Math.abs(got - exact) / 2 ** (exponent - 23);
}

describe.each(unary)("%s", (name, reference, low, high, allowed) => {
  it("of float is within CUDA's error, for infinities and NaN too", () => {
    const one = named(name, f32);
    const x = Float32Array.from(inputs(low, high));
    const out = gpu.alloc(f32, COUNT);
    gpu.launch(one, GRID, { x: gpu.upload(x), out });
    const got = out.read();
    for (let i = 0; i < COUNT; i++) {
      const error = ulps32(got[i]!, reference(x[i]!));
      if (error > (allowed === 0 ? 0 : allowed)) expect([name, x[i], got[i], reference(x[i]!), error]).toEqual([]);
    }
    gpu.reset();
  });

  it("of double is the same function", () => {
    const one = named(name, f64);
    const x = inputs(low, high);
    const out = gpu.alloc(f64, COUNT);
    gpu.launch(one, GRID, { x: gpu.upload(x), out });
    out.read().forEach((got, i) => {
      const exact = reference(x[i]!);
      const close = Object.is(got, exact) || Math.abs(got - exact) <= 1e-12 * Math.max(Math.abs(exact), 1e-3);
      if (!close && !(Number.isNaN(got) && Number.isNaN(exact))) expect([name, x[i], got]).toEqual([name, x[i], exact]);
    });
    gpu.reset();
  });
});

/** A kernel that calls the function `name`: as its text, for the name changes. */
function named(name: string, type: typeof f32 | typeof f64) {
  const body = `({ x, out }, { blockIdx, blockDim, threadIdx, ${name} }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = ${name}(x[i]);
  }`;
  return fromText({ x: ptr(type), out: ptr(type) }, body);
}

function fromText(params: Parameters, body: string) {
  // The text is compiled, never run.
  const made = new Function(`return ${body}`)() as never;
  return kernel("applied", { params }, made);
}

function apply(
  params: Parameters,
  body: string,
  args: Readonly<
    Record<string, Float32Array | Float64Array | Int32Array | Uint32Array | BigInt64Array | BigUint64Array>
  >,
): Readonly<Record<string, readonly (number | bigint)[]>> {
  const buffers = Object.fromEntries(
    Object.entries(args).map(([name, data]) => [name, gpu.upload(data as Int32Array)]),
  );
  gpu.launch(fromText(params, body), { grid: 40, block: 64 }, buffers);
  const read = Object.fromEntries(
    Object.entries(buffers).map(([name, buffer]) => [name, [...(buffer.read() as unknown as readonly number[])]]),
  );
  gpu.reset();
  return read;
}

const index = "const i = blockIdx.x * blockDim.x + threadIdx.x;";
const words = "blockIdx, blockDim, threadIdx";

describe("functions of two floats", () => {
  const a = Float32Array.from(inputs(-1000, 1000));
  const b = Float32Array.from(inputs(-30, 30)).reverse();
  const float = { a: ptr(f32), b: ptr(f32), out: ptr(f32) };
  const both = (name: string) =>
    apply(float, `({ a, b, out }, { ${words}, ${name} }) => { ${index} out[i] = ${name}(a[i], b[i]); }`, {
      a,
      b,
      out: new Float32Array(COUNT),
    }).out;

  it("fmodf is the exact remainder with the sign of its first operand", () => {
    // x - y * trunc(x / y) in integers of 2^-149.
    const exact = (x: number, y: number): number => {
      if (!Number.isFinite(x) || Number.isNaN(y) || y === 0) return Number.NaN;
      if (!Number.isFinite(y)) return x;
      const scale = (v: number): bigint => {
        let [mantissa, exponent] = [v, 149];
        let result = 0n;
        while (!Number.isInteger(mantissa)) {
          mantissa *= 2;
          exponent--;
        }
        result = BigInt(mantissa) << BigInt(exponent);
        return result;
      };
      const remainder = scale(x) % scale(y);
      const value = Number(remainder) * 2 ** -149;
      return value === 0 && (x < 0 || Object.is(x, -0)) ? -0 : value;
    };
    expect(both("fmodf")).toEqual([...a].map((x, i) => exact(x, b[i]!)));
    expect(both("fmod")).toEqual(both("fmodf"));
  });

  it("copysignf takes the sign, of zeros too", () => {
    const negative = (y: number): boolean => y < 0 || Object.is(y, -0);
    expect(both("copysignf")).toEqual([...a].map((x, i) => (negative(b[i]!) ? -Math.abs(x) : Math.abs(x))));
  });

  it("fdimf is the positive difference", () => {
    expect(both("fdimf")).toEqual(
      [...a].map((x, i) => (x > b[i]! ? Math.fround(x - b[i]!) : x <= b[i]! ? 0 : Number.NaN)),
    );
  });

  it("atan2f and hypotf are within 3 ulp", () => {
    const angles = both("atan2f")!;
    const lengths = both("hypotf")!;
    a.forEach((x, i) => {
      const y = b[i]!;
      expect(ulps32(Number(angles[i]), Math.atan2(x, y))).toBeLessThanOrEqual(3);
      const infinite = Math.abs(x) === Number.POSITIVE_INFINITY || Math.abs(y) === Number.POSITIVE_INFINITY;
      const length = infinite ? Number.POSITIVE_INFINITY : Math.sqrt(x * x + y * y);
      expect(ulps32(Number(lengths[i]), length)).toBeLessThanOrEqual(3);
    });
  });

  it("__fmul_rn and __fadd_rn round each by itself, where the compiler would make one multiply-add", () => {
    const body = (sum: string) =>
      `({ a, b, out }, { ${words}, __fmul_rn, __fadd_rn }) => { ${index} out[i] = ${sum}; }`;
    const run = (sum: string) => apply(float, body(sum), { a, b, out: new Float32Array(COUNT) }).out;
    const apart = [...a].map((x, i) => Math.fround(Math.fround(x * b[i]!) + x));
    expect(run("__fadd_rn(__fmul_rn(a[i], b[i]), a[i])")).toEqual(apart);
    expect(run("__fmul_rn(a[i], b[i]) + a[i]")).toEqual(apart);
    expect(run("__fadd_rn(a[i] * b[i], a[i])")).toEqual(apart);
    expect(run("a[i] * b[i] + a[i]")).not.toEqual(apart);
  });
});

describe("tests of floats", () => {
  it.each([
    ["float", f32, Float32Array],
    ["double", f64, Float64Array],
  ] as const)("of %s: isnan, isinf, isfinite, signbit", (_, type, array) => {
    const x = array.from(inputs(-3e38, 3e38));
    const { out } = apply(
      { x: ptr(type), out: ptr(i32) },
      `({ x, out }, { ${words}, isnan, isinf, isfinite, signbit }) => { ${index}
        out[i] = (isnan(x[i]) ? 1 : 0) + (isinf(x[i]) ? 2 : 0) + (isfinite(x[i]) ? 4 : 0) + (!isnan(x[i]) && signbit(x[i]) ? 8 : 0); }`,
      { x, out: new Int32Array(COUNT) },
    );
    const expected = Array.from(x as Float64Array, (v) => {
      const sign = v < 0 || Object.is(v, -0) ? 8 : 0;
      return Number.isNaN(v) ? 1 : (Number.isFinite(v) ? 4 : 2) + sign;
    });
    expect(out).toEqual(expected);
  });
});

describe("bits of integers", () => {
  let state = 99n;
  const words64 = BigInt64Array.from({ length: COUNT }, (_, i) => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return BigInt.asIntN(64, i < 64 ? 1n << BigInt(i) : i === 64 ? 0n : state >> BigInt(i % 64));
  });
  const words32 = Uint32Array.from(words64, (word) => Number(BigInt.asUintN(32, word ^ (word >> 32n))));
  const text = (word: bigint): string => BigInt.asUintN(64, word).toString(2).padStart(64, "0");

  it("of 64 bits: __popcll, __ffsll, __clzll, __brevll", () => {
    const read = apply(
      { x: ptr(i64), pop: ptr(i32), first: ptr(i32), zeros: ptr(i32), reversed: ptr(u64) },
      `({ x, pop, first, zeros, reversed }, { ${words}, __popcll, __ffsll, __clzll, __brevll }) => { ${index}
        pop[i] = __popcll(x[i]); first[i] = __ffsll(x[i]); zeros[i] = __clzll(x[i]); reversed[i] = __brevll(x[i]); }`,
      {
        x: words64,
        pop: new Int32Array(COUNT),
        first: new Int32Array(COUNT),
        zeros: new Int32Array(COUNT),
        reversed: new BigUint64Array(COUNT),
      },
    );
    const bits = Array.from(words64, text);
    expect(read.pop).toEqual(bits.map((b) => b.replaceAll("0", "").length));
    expect(read.first).toEqual(bits.map((b) => (b.includes("1") ? 64 - b.lastIndexOf("1") : 0)));
    expect(read.zeros).toEqual(bits.map((b) => (b.includes("1") ? b.indexOf("1") : 64)));
    expect(read.reversed).toEqual(bits.map((b) => BigInt(`0b${[...b].reverse().join("")}`)));
  });

  it("high halves of products: __mulhi, __umulhi, __mul64hi, __umul64hi", () => {
    const read = apply(
      { a: ptr(u32), w: ptr(i64), s: ptr(i32), u: ptr(u32), sw: ptr(i64), uw: ptr(u64) },
      `({ a, w, s, u, sw, uw }, { ${words}, __mulhi, __umulhi, __mul64hi, __umul64hi, i32, u64 }) => { ${index}
        const n = a[i]; const m = a[i ^ 5];
        s[i] = __mulhi(i32(n), i32(m)); u[i] = __umulhi(n, m);
        sw[i] = __mul64hi(w[i], w[i ^ 9]); uw[i] = __umul64hi(u64(w[i]), u64(w[i ^ 9])); }`,
      {
        a: words32,
        w: words64,
        s: new Int32Array(COUNT),
        u: new Uint32Array(COUNT),
        sw: new BigInt64Array(COUNT),
        uw: new BigUint64Array(COUNT),
      },
    );
    const pair = (i: number, j: number): readonly [bigint, bigint] => [BigInt(words32[i]!), BigInt(words32[j]!)];
    const signed = (v: bigint): bigint => BigInt.asIntN(32, v);
    const all = Array.from({ length: COUNT }, (_, i) => i);
    expect(read.s).toEqual(all.map((i) => pair(i, i ^ 5)).map(([n, m]) => Number((signed(n) * signed(m)) >> 32n)));
    expect(read.u).toEqual(all.map((i) => pair(i, i ^ 5)).map(([n, m]) => Number((n * m) >> 32n)));
    expect(read.sw).toEqual(all.map((i) => (words64[i]! * words64[i ^ 9]!) >> 64n));
    const u = (v: bigint): bigint => BigInt.asUintN(64, v);
    expect(read.uw).toEqual(all.map((i) => (u(words64[i]!) * u(words64[i ^ 9]!)) >> 64n));
  });

  it("funnel shifts and 24-bit products", () => {
    const zero = (): Uint32Array => new Uint32Array(COUNT);
    const read = apply(
      { a: ptr(u32), l: ptr(u32), r: ptr(u32), lc: ptr(u32), rc: ptr(u32), m: ptr(i32), um: ptr(u32) },
      `({ a, l, r, lc, rc, m, um }, { ${words}, __funnelshift_l, __funnelshift_r, funnelshift_lc, funnelshift_rc, __mul24, __umul24, i32 }) => {
        ${index} const low = a[i]; const high = a[i ^ 3]; const count = i % 70;
        l[i] = __funnelshift_l(low, high, count); r[i] = __funnelshift_r(low, high, count);
        lc[i] = funnelshift_lc(low, high, count); rc[i] = funnelshift_rc(low, high, count);
        m[i] = __mul24(i32(low), i32(high)); um[i] = __umul24(low, high); }`,
      { a: words32, l: zero(), r: zero(), lc: zero(), rc: zero(), m: new Int32Array(COUNT), um: zero() },
    );
    const parts = Array.from({ length: COUNT }, (_, i) => {
      const [low, high] = [BigInt(words32[i]!), BigInt(words32[i ^ 3]!)];
      return { low, high, both: (high << 32n) | low, count: BigInt(i % 70) };
    });
    const word = (v: bigint): number => Number(BigInt.asUintN(32, v));
    const held = (count: bigint): bigint => (count > 32n ? 32n : count);
    expect(read.l).toEqual(parts.map(({ both, count }) => word((both << (count & 31n)) >> 32n)));
    expect(read.r).toEqual(parts.map(({ both, count }) => word(both >> (count & 31n))));
    expect(read.lc).toEqual(parts.map(({ both, count }) => word((both << held(count)) >> 32n)));
    expect(read.rc).toEqual(parts.map(({ both, count }) => word(both >> held(count))));
    const s24 = (v: bigint): bigint => BigInt.asIntN(24, v);
    expect(read.m).toEqual(parts.map(({ low, high }) => Number(BigInt.asIntN(32, s24(low) * s24(high)))));
    const u24 = (v: bigint): bigint => BigInt.asUintN(24, v);
    expect(read.um).toEqual(parts.map(({ low, high }) => word(u24(low) * u24(high))));
  });

  it("the bits of a double as a long long and back", () => {
    const x = inputs(-1e300, 1e300).map((v) => (Number.isNaN(v) ? 7 : v));
    const read = apply(
      { x: ptr(f64), out: ptr(i64), back: ptr(f64) },
      `({ x, out, back }, { ${words}, __double_as_longlong, __longlong_as_double }) => { ${index}
        out[i] = __double_as_longlong(x[i]); back[i] = __longlong_as_double(out[i] ^ 1n); }`,
      { x, out: new BigInt64Array(COUNT), back: new Float64Array(COUNT) },
    );
    const bits = [...new BigInt64Array(x.buffer)];
    expect(read.out).toEqual(bits);
    expect(read.back).toEqual([...new Float64Array(BigInt64Array.from(bits, (b) => b ^ 1n).buffer)]);
  });
});

describe("conversions with a rounding of their own", () => {
  it("__float2int_rn, _rz, _rd, _ru saturate, and give 0 for NaN", () => {
    const x = Float32Array.from(inputs(-3e9, 3e9), (v, i) => (i > 30 && i % 2 === 0 ? v / 1e9 : v));
    const names = ["rn", "rz", "rd", "ru"];
    const read = apply(
      { x: ptr(f32), rn: ptr(i32), rz: ptr(i32), rd: ptr(i32), ru: ptr(i32) },
      `({ x, rn, rz, rd, ru }, { ${words}, ${names.map((n) => `__float2int_${n}`).join(", ")} }) => { ${index}
        ${names.map((n) => `${n}[i] = __float2int_${n}(x[i]);`).join(" ")} }`,
      { x, ...Object.fromEntries(names.map((n) => [n, new Int32Array(COUNT)])) },
    );
    const even = (v: number): number => {
      const low = Math.floor(v);
      return v - low === 0.5 ? 2 * Math.round(low / 2 + 0.25 - 1e-9) : Math.round(v);
    };
    const clip = (v: number): number => (Number.isNaN(v) ? 0 : Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, v)) | 0);
    const roundings = { rn: even, rz: Math.trunc, rd: Math.floor, ru: Math.ceil };
    for (const [name, rounding] of Object.entries(roundings))
      expect(read[name], name).toEqual(Array.from(x, (v) => clip(rounding(v))));
  });
});

it("a device function may use them too", () => {
  const distance = device("distance", { params: { x: f32, y: f32 } }, ({ x, y }, { hypotf }) => hypotf(x, y));
  const far = kernel(
    "far",
    { params: { out: ptr(f32) }, functions: { distance } },
    ({ out }, { threadIdx }, { distance }) => {
      out[threadIdx.x] = distance(3, 4);
    },
  );
  const out = gpu.alloc(f32, 32);
  gpu.launch(far, { grid: 1, block: 32 }, { out });
  expect([...out.read()]).toEqual(new Array(32).fill(5));
});
