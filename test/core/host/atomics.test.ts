/**
 * Atomic functions as a learner calls them: on global and shared memory, in both engines, against sequential sums. What a
 * thread gets back depends on the order, so what comes back is checked as a set.
 */
import { describe, expect, it } from "vitest";
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
import type { HostArray } from "../../../src/core/host/buffer.js";
import { Gpu } from "../../../src/core/host/gpu.js";

const gpus = ["m2070", "v100", "h200"].map((id) => new Gpu(id, { memoryBytes: 8 << 20 }));
const [BLOCKS, THREADS] = [40, 96];
const COUNT = BLOCKS * THREADS;

const types = { i32, u32, i64, u64, f32, f64 } as const;
type TypeName = keyof typeof types;

/** A value of type `t` for thread i; whole and small enough that float sums are exact in any order. */
function given(t: TypeName, i: number): number | bigint {
  const small = (Math.imul(i + 3, 0x9e3779b1) >>> 24) - (t === "u32" || t === "u64" ? 0 : 100);
  if (t === "i64" || t === "u64") return BigInt(small) * 0x1_0000_0001n;
  return small;
}

type Join = (a: bigint, b: bigint) => bigint;
const joins: Readonly<Record<string, Join>> = {
  Add: (a, b) => a + b,
  Sub: (a, b) => a - b,
  Min: (a, b) => (a < b ? a : b),
  Max: (a, b) => (a > b ? a : b),
  And: (a, b) => a & b,
  Or: (a, b) => a | b,
  Xor: (a, b) => a ^ b,
};

/** As CUDA has them. */
const forms: readonly (readonly [string, readonly TypeName[]])[] = [
  ["Add", ["i32", "u32", "u64", "f32", "f64"]],
  ["Sub", ["i32", "u32"]],
  ["Min", ["i32", "u32", "i64", "u64"]],
  ["Max", ["i32", "u32", "i64", "u64"]],
  ["And", ["i32", "u32", "u64"]],
  ["Or", ["i32", "u32", "u64"]],
  ["Xor", ["i32", "u32", "u64"]],
];

function fromText(name: string, params: Parameters, body: string): Kernel {
  const words = "threadIdx, blockIdx, blockDim, shared, syncthreads, i32, u32, i64, u64, f32, f64, __syncthreads_or";
  const text = `({ ${Object.keys(params).join(", ")} }, { ${words}, ...cuda }) => {\n${body}\n}`;
  return kernel(name, { params }, new Function(`return ${text}`)() as never);
}

const index = "const i = blockIdx.x * blockDim.x + threadIdx.x;";

function wrap(t: TypeName, value: bigint): number | bigint {
  if (t === "i64") return BigInt.asIntN(64, value);
  if (t === "u64") return BigInt.asUintN(64, value);
  if (t === "i32") return Number(BigInt.asIntN(32, value));
  return t === "u32" ? Number(BigInt.asUintN(32, value)) : Number(value);
}

function supports(gpu: Gpu, word: string, t: TypeName): boolean {
  const { major } = gpu.device.computeCapability;
  if (word === "Add" && t === "f64") return major >= 6;
  const wide = t === "i64" || t === "u64";
  return !(wide && word !== "Add" && word !== "Exch" && word !== "CAS") || major >= 5;
}

describe.each(gpus.map((gpu) => [gpu.device.id, gpu] as const))("atomics on %s", (_, gpu) => {
  const cases = forms.flatMap(([word, names]) => names.map((t) => [word, t] as const));
  it.each(cases.filter(([word, t]) => supports(gpu, word, t)))("atomic%s of %s, global and shared", (word, t) => {
    const type = types[t];
    const one = fromText(
      `atomic${word}`,
      { values: ptr(type), global: ptr(type), sums: ptr(type) },
      `  ${index}
  const s = shared(${t}, 4);
  if (threadIdx.x < 4) s[threadIdx.x] = global[threadIdx.x];
  syncthreads();
  cuda.atomic${word}(s, i % 4, values[i]);
  cuda.atomic${word}(global, 4 + i % 3, values[i]);
  syncthreads();
  if (threadIdx.x < 4) sums[blockIdx.x * 4 + threadIdx.x] = s[threadIdx.x];`,
    );
    const start = given(t, 777);
    const filled = (length: number, of: (i: number) => number | bigint): HostArray => {
      const array = gpu.alloc(type, length);
      const values = array.read() as unknown as { fill(v: unknown): void; [i: number]: unknown };
      for (let i = 0; i < length; i++) values[i] = of(i);
      array.free();
      return values as unknown as HostArray;
    };
    const [values, global] = [gpu.upload(filled(COUNT, (i) => given(t, i))), gpu.upload(filled(7, () => start))];
    const sums = gpu.alloc(type, BLOCKS * 4);
    gpu.launch(one, { grid: BLOCKS, block: THREADS }, { values, global, sums });
    const joined = (own: readonly number[]): number | bigint =>
      wrap(
        t,
        own.reduce((sum, i) => joins[word]!(sum, BigInt(given(t, i))), BigInt(start)),
      );
    const every = Array.from({ length: COUNT }, (_, i) => i);
    const expectedGlobal = [0, 1, 2].map((k) => joined(every.filter((i) => i % 3 === k)));
    expect([...(global.read() as unknown as number[])].slice(4)).toEqual(expectedGlobal);
    const expectedSums = Array.from({ length: BLOCKS * 4 }, (_, at) => {
      const block = Math.floor(at / 4);
      return joined(every.slice(block * THREADS, (block + 1) * THREADS).filter((i) => i % 4 === at % 4));
    });
    expect([...(sums.read() as unknown as number[])]).toEqual(expectedSums);
    gpu.reset();
  });

  it("atomicAdd gives each thread another place, atomicInc and atomicDec count round", () => {
    const one = kernel(
      "places",
      { params: { counter: ptr(i32), round: ptr(u32), place: ptr(i32), up: ptr(u32), down: ptr(u32) } },
      ({ counter, round, place, up, down }, { blockIdx, blockDim, threadIdx, atomicAdd, atomicInc, atomicDec }) => {
        const i = blockIdx.x * blockDim.x + threadIdx.x;
        place[i] = atomicAdd(counter, 0, 1);
        up[i] = atomicInc(round, 0, 9);
        down[i] = atomicDec(round, 1, 6);
      },
    );
    const [counter, round] = [gpu.alloc(i32, 1), gpu.alloc(u32, 2)];
    const [place, up, down] = [gpu.alloc(i32, COUNT), gpu.alloc(u32, COUNT), gpu.alloc(u32, COUNT)];
    gpu.launch(one, { grid: BLOCKS, block: THREADS }, { counter, round, place, up, down });
    expect([...place.read()].sort((a, b) => a - b)).toEqual(Array.from({ length: COUNT }, (_, i) => i));
    const times = (read: Uint32Array): number[] => {
      const counts: number[] = [];
      for (const value of read) counts[value] = (counts[value] ?? 0) + 1;
      return counts;
    };
    expect(times(up.read())).toEqual(new Array(10).fill(COUNT / 10));
    // From 0 it goes to 6 and down: 3840 steps through 7 values.
    const counts = times(down.read());
    expect(counts.reduce((a, b) => a + b)).toBe(COUNT);
    expect(counts).toHaveLength(7);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    expect([...round.read()]).toEqual([COUNT % 10, (7 - (COUNT % 7)) % 7]);
    gpu.reset();
  });

  it("atomicExch hands values on: nothing is lost, nothing twice", () => {
    for (const t of ["i32", "f32", "u64"] as const) {
      const one = fromText(
        "exchange",
        { slot: ptr(types[t]), out: ptr(types[t]) },
        `  ${index}\n  out[i] = cuda.atomicExch(slot, 0, ${t}(i + 1));`,
      );
      const [slot, out] = [gpu.alloc(types[t], 1), gpu.alloc(types[t], COUNT)];
      gpu.launch(one, { grid: BLOCKS, block: THREADS }, { slot, out });
      const seen = [...(out.read() as unknown as number[]), ...(slot.read() as unknown as number[])].map(Number);
      expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: COUNT + 1 }, (_, i) => i));
      gpu.reset();
    }
  });

  it("a loop of atomicCAS makes an atomic of any function: a product, a maximum of floats", () => {
    const one = kernel(
      "loops",
      { params: { product: ptr(u32), largest: ptr(i32), wide: ptr(u64), x: ptr(f32) } },
      ({ product, largest, wide, x }, { blockIdx, blockDim, threadIdx, ...cuda }) => {
        const i = blockIdx.x * blockDim.x + threadIdx.x;
        let seen = product[0];
        let assumed = seen;
        do {
          assumed = seen;
          seen = cuda.atomicCAS(product, 0, assumed, assumed * (2 * i + 1));
        } while (seen !== assumed);
        let bits = largest[0];
        while (cuda.int_as_float(bits) < x[i]) {
          const before = cuda.atomicCAS(largest, 0, bits, cuda.float_as_int(x[i]));
          if (before === bits) break;
          bits = before;
        }
        let long = wide[0];
        let kept = long;
        do {
          kept = long;
          long = cuda.atomicCAS(wide, 0, kept, kept + cuda.u64(i) * cuda.u64(3));
        } while (long !== kept);
      },
    );
    const threads = gpu.device.id === "m2070" ? 1 : 32;
    const x = Float32Array.from({ length: 40 * threads }, (_, i) => Math.sin(i * 1.7) * 1000);
    const product = gpu.upload(new Uint32Array([1]));
    const [largest, wide] = [gpu.alloc(i32, 1), gpu.alloc(u64, 1)];
    gpu.launch(one, { grid: 40, block: threads }, { product, largest, wide, x: gpu.upload(x) });
    const n = 40 * threads;
    let expected = 1;
    for (let i = 0; i < n; i++) expected = Math.imul(expected, 2 * i + 1) >>> 0;
    expect(product.read()[0]).toBe(expected);
    expect(new Float32Array(largest.read().buffer)[0]).toBe(Math.max(...x));
    expect(wide.read()[0]).toBe(BigInt((3 * n * (n - 1)) / 2));
    gpu.reset();
  });
});

describe("atomics that a GPU lacks", () => {
  it.each([
    ["atomicAdd(d, 0, x);", f64, "6.0"],
    ["atomicMin(d, 0, x);", u64, "3.5"],
    ["atomicXor(d, 0, x);", u64, "3.5"],
  ] as const)("%s is refused on an M2070 and names the capability", (call, type, needs) => {
    const one = fromText("lacking", { d: ptr(type) }, `  const x = d[1]; cuda.${call}`);
    const gpu = gpus[0]!;
    const d = gpu.alloc(type, 2);
    const launch = (): unknown => gpu.launch(one, { grid: 1, block: 32 }, { d });
    expect(launch).toThrow(`compute capability 2.0`);
    expect(launch).toThrow(needs);
    gpu.reset();
  });

  /** The refusal's cure as a kernel: what stands behind "by a loop:". */
  const cureOf = (call: string, array: "sum" | "best", element: typeof f64 | typeof u64): Kernel => {
    const refused = fromText("lacking", { d: ptr(element) }, `  const x = d[1]; cuda.${call}`);
    let cure = "";
    try {
      const d = gpus[0]!.alloc(element as typeof u64, 2);
      gpus[0]!.launch(refused, { grid: 1, block: 32 }, { d });
    } catch (error) {
      cure = (error as Error).message;
    }
    const loop = /by a loop: (.*;)\.$/m.exec(cure)?.[1] ?? "";
    const words = "{ threadIdx, blockIdx, atomicCAS, double_as_longlong, longlong_as_double, min }";
    const body = `({ ${array}, values }, ${words}) => { const x = values[blockIdx.x * 32 + threadIdx.x]; ${loop} }`;
    const params = { [array]: ptr(u64), values: ptr(element) };
    return kernel("cured", { params }, new Function(`return ${body}`)() as () => void);
  };

  it.each(["default", { seed: 11 }] as const)(
    "the cures of a double's sum and a wide minimum give them (%o)",
    (schedule) => {
      const gpu = gpus[0]!;
      const values = Float64Array.from({ length: 2048 }, (_, i) => ((i * 7919) % 1013) - 500.5);
      const sum = gpu.alloc(u64, 1);
      const config = { grid: 64, block: 32, schedule };
      gpu.launch(cureOf("atomicAdd(d, 0, x);", "sum", f64), config, { sum, values: gpu.upload(values) });
      const total = values.reduce((a, b) => a + b, 0);
      expect(new Float64Array(sum.read().buffer)[0]).toBe(total);
      const wide = BigUint64Array.from({ length: 2048 }, (_, i) => (BigInt((i * 7919) % 2053) << 40n) + 5n);
      const best = gpu.alloc(u64, 1).fill(2n ** 64n - 1n);
      gpu.launch(cureOf("atomicMin(d, 0, x);", "best", u64), config, { best, values: gpu.upload(wide) });
      expect(best.read()[0]).toBe([...wide].reduce((a, b) => (a < b ? a : b)));
      gpu.reset();
    },
  );

  it("what CUDA has on no GPU is refused when the kernel is made", () => {
    const make = (call: string, type: typeof f32 | typeof i64) => () =>
      fromText("none", { d: ptr(type) }, `  cuda.${call}`);
    expect(make("atomicMin(d, 0, d[1])", f32)).toThrow("CUDA has no atomicMin on float");
    expect(make("atomicAnd(d, 0, d[1])", f32)).toThrow("CUDA has no atomicAnd on float");
  });
});
