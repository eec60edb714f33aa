/** Arrays of 8 and 16 bits in the kernel language, against typed arrays of JavaScript, which hold the same numbers. */
import { describe, expect, it } from "vitest";
import { InputError, KernelFault } from "../../../src/core/base/errors.js";
import { lower } from "../../../src/core/lower/lower.js";
import {
  blockIdx,
  Gpu,
  i8,
  i16,
  i32,
  kernel,
  local,
  ptr,
  sanitize,
  shared,
  syncthreads,
  threadIdx,
  u8,
  u16,
} from "../../../src/index.js";
import { hasClang } from "../../../src/node/clang/clang.js";
import { cudaText } from "../../../src/node/clang/cuda.js";

const GPU = new Gpu("v100", { memoryBytes: 1 << 20 });

const mixed = kernel("mixed", { a: ptr(u8), b: ptr(i8), c: ptr(u16), d: ptr(i16), n: i32 }, ({ a, b, c, d, n }) => {
  const own = shared(i16, 128);
  const last = local(u8, 4);
  const t = threadIdx.x;
  const i = blockIdx.x * 128 + t;
  own[127 - t] = i * 977;
  last[t & 3] = i + 250;
  syncthreads();
  if (i < n) {
    b[i] = 255 - a[i];
    d[i] = c[i] * a[i] + b[i] + own[127 - t];
    a[i] += 200 + last[t & 3];
    c[i] = u16(d[i]) + i8(a[i]);
  }
});

/** What the kernel means, with arrays of JavaScript. */
function expected(a: Uint8Array, b: Int8Array, c: Uint16Array, d: Int16Array): void {
  const own = new Int16Array(1);
  const last = new Uint8Array(1);
  for (let i = 0; i < a.length; i++) {
    own[0] = i * 977;
    last[0] = i + 250;
    b[i] = 255 - a[i]!;
    d[i] = Math.imul(c[i]!, a[i]!) + b[i]! + own[0];
    a[i]! += 200 + last[0];
    c[i] = (d[i]! & 0xffff) + ((a[i]! << 24) >> 24);
  }
}

function arraysOf(n: number): readonly [Uint8Array, Int8Array, Uint16Array, Int16Array] {
  return [
    Uint8Array.from({ length: n }, (_, i) => i * 7),
    new Int8Array(n),
    Uint16Array.from({ length: n }, (_, i) => i * 777),
    new Int16Array(n),
  ];
}

function run(chosen: typeof mixed, schedule: "default" | { readonly seed: number }, gpu: Gpu = GPU): unknown[] {
  const n = 1000;
  const [a, b, c, d] = arraysOf(n).map((array) => gpu.upload(array as Uint8Array));
  gpu.launch(chosen, { grid: 8, block: 128, schedule }, { a: a!, b: b!, c: c!, d: d!, n });
  const left = [a, b, c, d].map((buffer) => [...buffer!.read()]);
  for (const buffer of [a, b, c, d]) buffer!.free();
  return left;
}

const wanted = arraysOf(1000);
expected(...wanted);
const WANTED = wanted.map((array) => [...array]);

describe("an array of 8 or 16 bits", () => {
  it("holds what a typed array holds, in both engines and in seeded orders", () => {
    for (const schedule of ["default", { seed: 1 }, { seed: 2 }] as const) expect(run(mixed, schedule)).toEqual(WANTED);
    for (const id of ["m2070", "h200"] as const) expect(run(mixed, "default", new Gpu(id))).toEqual(WANTED);
  });

  it.runIf(hasClang())("holds the same where the kernel's CUDA C++ is read again", () => {
    const again = cudaText(mixed.toCuda(), "mixed.cu").mixed as unknown as typeof mixed;
    expect(run(again, "default")).toEqual(WANTED);
  });

  it("is loaded and stored by one instruction, which takes the low bits by itself", () => {
    const program = lower(mixed.ir, { computeCapability: { major: 9, minor: 0 }, contractFma: true });
    const mnemonics = program.instructions.flatMap(({ issue }) => issue.map(({ mnemonic }) => mnemonic));
    const accesses = mnemonics.filter((each) => /^(LD|ST)[GSL]/.test(each));
    expect(new Set(accesses)).toEqual(
      new Set(["LDG.E.U8", "LDG.E.U16", "LDG.E.S16", "STG.E.U8", "STG.E.U16", "LDS.S16", "STS.U16", "STL.U8"]),
    );
  });

  it("is 1 or 2 bytes a lane to sectors, and 2 or 4 lanes a bank", () => {
    const copy = kernel("copy", { a: ptr(u8), b: ptr(u16) }, ({ a, b }) => {
      const s = shared(u8, 256);
      const t = threadIdx.x;
      s[t * 8] = a[t];
      b[t] = s[t];
    });
    const gpu = new Gpu("v100");
    const args = { a: gpu.upload(new Uint8Array(32)), b: gpu.alloc(u16, 32) };
    const { counters } = gpu.launch(copy, { grid: 1, block: 32 }, args);
    expect(counters.globalLoadSectors).toBe(1);
    expect(counters.globalStoreSectors).toBe(2);
    // 32 lanes 8 bytes apart take every second bank twice; 32 neighbours share 8 words.
    expect(counters.sharedStoreWavefronts).toBe(2);
    expect(counters.sharedLoadWavefronts).toBe(1);
  });

  it("ends at its last byte", () => {
    const past = kernel("past", { a: ptr(u8) }, ({ a }) => {
      a[threadIdx.x] = 1;
    });
    const a = GPU.alloc(u8, 31);
    expect(() => GPU.launch(past, { grid: 1, block: 31 }, { a })).not.toThrow();
    for (const schedule of ["default", { seed: 1 }] as const) {
      expect(() => GPU.launch(past, { grid: 1, block: 32, schedule }, { a })).toThrow(
        /writes a\[31\], but a has 31 unsigned char elements/,
      );
    }
    expect(() => GPU.launch(past, { grid: 1, block: 32 }, { a })).toThrow(KernelFault);
  });

  it("takes a buffer of its own type alone, but a char's may be of bytes", () => {
    const text = kernel("text", { a: ptr(i8), b: ptr(i16) }, ({ a, b }) => {
      b[threadIdx.x] = a[threadIdx.x];
    });
    const a = GPU.upload(new TextEncoder().encode("warp"));
    const b = GPU.alloc(i16, 4);
    GPU.launch(text, { grid: 1, block: 4 }, { a, b });
    expect(String.fromCharCode(...b.read())).toBe("warp");
    expect(() => GPU.launch(text, { grid: 1, block: 4 }, { a, b: GPU.alloc(u16, 4) })).toThrow(
      /short\*.*unsigned short/,
    );
    expect(() => GPU.alloc(u8, 4).fill(256)).toThrow(InputError);
  });

  it("is no type of a kernel's number", () => {
    expect(() =>
      kernel("number", { x: u8, out: ptr(i32) } as never, "({ x, out }) => { out[0] = x; }" as never),
    ).toThrow();
  });
});

describe("the sanitizers see bytes", () => {
  const found = (run: () => void): readonly string[] => sanitize(run).findings.map(({ tool }) => tool);

  it("where neighbours in one word write side by side, which is no race", () => {
    const side = kernel("side", { out: ptr(u8) }, ({ out }) => {
      const s = shared(i16, 64);
      const t = threadIdx.x;
      s[t] = t;
      out[blockIdx.x * 64 + t] = s[t];
    });
    const out = GPU.alloc(u8, 256);
    for (const schedule of ["default", { seed: 1 }] as const) {
      expect(found(() => GPU.launch(side, { grid: 4, block: 64, schedule }, { out }))).toEqual([]);
    }
  });

  it("where two threads write one byte, or a word is read of which another thread writes a byte", () => {
    const same = kernel("same", { out: ptr(u8) }, ({ out }) => {
      out[threadIdx.x >> 1] = threadIdx.x;
    });
    expect(found(() => GPU.launch(same, { grid: 1, block: 64 }, { out: GPU.alloc(u8, 64) }))).toContain("racecheck");
  });

  it("where a byte was never written beside one that was", () => {
    const next = kernel("next", { a: ptr(u8), out: ptr(i32) }, ({ a, out }) => {
      a[2 * threadIdx.x] = 1;
      out[threadIdx.x] = a[2 * threadIdx.x] + a[2 * threadIdx.x + 1];
    });
    const { findings } = sanitize(() =>
      GPU.launch(next, { grid: 1, block: 32 }, { a: GPU.alloc(u8, 64), out: GPU.alloc(i32, 32) }),
    );
    expect(findings.map(({ tool, places, count }) => [tool, places[0]?.bytes, count])).toEqual([["initcheck", 1, 32]]);
  });

  it("where a byte of shared or local memory is read that nobody has written beside one that was", () => {
    const part = kernel("part", { out: ptr(i32), odd: i32 }, ({ out, odd }) => {
      const s = shared(u8, 64);
      const l = local(u8, 4);
      const t = threadIdx.x;
      s[2 * t] = t;
      l[(t & 1) * 2] = t;
      out[t] = s[2 * t + odd];
      out[32 + t] = l[(t & 1) * 2 + odd];
    });
    const out = GPU.alloc(i32, 64);
    const kinds = (odd: number): readonly string[] =>
      GPU.launch(part, { grid: 1, block: 32, schedule: { seed: 4 } }, { out, odd })
        .warnings.map(({ kind }) => kind as string)
        .filter((kind) => kind.startsWith("uninitialized"));
    expect(kinds(0)).toEqual([]);
    expect([...kinds(1)].sort()).toEqual(["uninitialized-local", "uninitialized-shared"]);
  });
});
