/**
 * The forms of the language as a learner writes them, on Fermi, Volta and Hopper, in both engines (grids are larger than
 * what is traced), each against an independent computation.
 */
import { describe, expect, it } from "vitest";
import { f32, float4, i32, i64, int2, int4, kernel, ptr, u32, volatile } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";

const gpus = ["m2070", "v100", "h200"].map((id) => new Gpu(id, { memoryBytes: 16 << 20 }));
const all = gpus.map((gpu) => [gpu.device.id, gpu] as const);
const BLOCKS = 40;

function ints(length: number): Int32Array {
  return Int32Array.from({ length }, (_, i) => Math.imul(i + 1, 0x9e3779b1));
}

describe.each(all)("on %s", (_, gpu) => {
  it("transposes through a padded tile, in blocks of two dimensions", () => {
    const transpose = kernel(
      "transpose",
      { params: { input: ptr(f32), output: ptr(f32), width: i32, height: i32 } },
      ({ input, output, width, height }, { shared, threadIdx, blockIdx, syncthreads, f32 }) => {
        const tile = shared(f32, [16, 17]);
        let x = blockIdx.x * 16 + threadIdx.x;
        let y = blockIdx.y * 16 + threadIdx.y;
        if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = input[y * width + x];
        syncthreads();
        x = blockIdx.y * 16 + threadIdx.x;
        y = blockIdx.x * 16 + threadIdx.y;
        if (x < height && y < width) output[y * height + x] = tile[threadIdx.x][threadIdx.y];
      },
    );
    const [width, height] = [100, 75];
    const values = Float32Array.from({ length: width * height }, (_, i) => i * 0.5);
    const [input, output] = [gpu.upload(values), gpu.alloc(f32, values.length)];
    gpu.launch(transpose, { grid: [7, 5], block: [16, 16] }, { input, output, width, height });
    expect(output.read()).toEqual(
      Float32Array.from(values, (_, i) => values[(i % height) * width + Math.floor(i / height)]!),
    );
    gpu.reset();
  });

  it("indexes shared memory of three dimensions, and blocks and grids of three", () => {
    const cube = kernel(
      "cube",
      { params: { out: ptr(i32) } },
      ({ out }, { shared, threadIdx, blockIdx, gridDim, syncthreads, i32 }) => {
        const c = shared(i32, [3, 4, 5]);
        const { x, y, z } = threadIdx;
        c[z][y][x] = i32(x + 10 * y + 100 * z);
        syncthreads();
        const block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
        out[block * 60 + x + 5 * (y + 4 * z)] = c[2 - z][3 - y][4 - x] + 1000 * i32(block);
      },
    );
    const out = gpu.alloc(i32, 60 * 60);
    gpu.launch(cube, { grid: [3, 4, 5], block: [5, 4, 3] }, { out });
    const expected = Int32Array.from({ length: 3600 }, (_, i) => {
      const [x, y, z] = [i % 5, Math.floor(i / 5) % 4, Math.floor(i / 20) % 3];
      return 4 - x + 10 * (3 - y) + 100 * (2 - z) + 1000 * Math.floor(i / 60);
    });
    expect(out.read()).toEqual(expected);
    gpu.reset();
  });

  it("keeps arrays of the thread's own, with indices known and not", () => {
    const sort = kernel(
      "sort",
      { params: { input: ptr(i32), out: ptr(i32), start: i32 } },
      ({ input, out, start }, cuda) => {
        const i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x;
        const own = cuda.local(cuda.i32, 8);
        const grid = cuda.local(cuda.f32, [2, 3]);
        for (let k = 0; k < 8; k++) own[k] = input[i * 8 + k];
        for (let k = 1; k < 8; k++) {
          const value = own[k];
          let at = k - 1;
          while (at >= 0 && own[at] > value) {
            own[at + 1] = own[at];
            at--;
          }
          own[at + 1] = value;
        }
        grid[start & 1][i % 3] = 2.5;
        for (let k = 0; k < 8; k++) out[i * 8 + k] = own[(k + start) % 8];
        if (grid[1][0] + grid[1][1] + grid[1][2] !== 2.5) out[i * 8] = 0;
      },
    );
    const values = ints(BLOCKS * 64 * 8);
    const [input, out] = [gpu.upload(values), gpu.alloc(i32, values.length)];
    gpu.launch(sort, { grid: BLOCKS, block: 64 }, { input, out, start: 3 });
    const expected = values.slice();
    for (let t = 0; t < expected.length; t += 8) {
      const sorted = values.slice(t, t + 8).sort();
      for (let k = 0; k < 8; k++) expected[t + k] = sorted[(k + 3) % 8]!;
    }
    expect(out.read()).toEqual(expected);
    gpu.reset();
  });

  it("loads and stores vectors: as parameters, and as a view of scalars", () => {
    const vectors = kernel(
      "vectors",
      { params: { a: ptr(float4), b: ptr(f32), pairs: ptr(int2), sums: ptr(f32), copy: ptr(int4) } },
      ({ a, b, pairs, sums, copy }, { blockIdx, blockDim, threadIdx, asVector, make_float4, make_int4, float4 }) => {
        const i = blockIdx.x * blockDim.x + threadIdx.x;
        const v = a[i];
        const w = asVector(b, float4)[i];
        const p = pairs[i];
        sums[i] = v.x + v.y * 2 + v.z * 4 + v.w * 8 + w.w;
        a[i] = make_float4(w.x, v.y, w.z, v.w);
        a[i].y += 1;
        pairs[i].x = p.y;
        copy[i] = make_int4(p.x, p.y, p.x ^ p.y, 7);
      },
    );
    const n = BLOCKS * 32;
    const f = (length: number, step: number): Float32Array => Float32Array.from({ length }, (_, i) => (i % 97) * step);
    const [left, right, ip] = [f(4 * n, 0.5), f(4 * n, 0.25), ints(2 * n)];
    const a = gpu.alloc(float4, n).write(left);
    const pairs = gpu.alloc(int2, n).write(ip);
    const [b, sums, copy] = [gpu.upload(right), gpu.alloc(f32, n), gpu.alloc(int4, n)];
    gpu.launch(vectors, { grid: BLOCKS, block: 32 }, { a, b, pairs, sums, copy });
    for (let i = 0; i < n; i++) {
      const [x, y, z, w] = left.subarray(4 * i) as unknown as [number, number, number, number];
      const r = right.subarray(4 * i);
      const [p, q] = [ip[2 * i]!, ip[2 * i + 1]!];
      expect(sums.read()[i]).toBe(x + y * 2 + z * 4 + w * 8 + r[3]!);
      expect([...a.read().subarray(4 * i, 4 * i + 4)]).toEqual([r[0], y + 1, r[2], w]);
      expect([...copy.read().subarray(4 * i, 4 * i + 4)]).toEqual([p, q, p ^ q, 7]);
      expect([...pairs.read().subarray(2 * i, 2 * i + 2)]).toEqual([q, q]);
      if (i > 40 && i < n - 40) i += 37;
    }
    gpu.reset();
  });

  it("moves pointers by subarray, and counts on from there", () => {
    const moved = kernel("moved", { params: { input: ptr(i32), out: ptr(i32) } }, ({ input, out }, cuda) => {
      const s = cuda.shared(cuda.i32, 128);
      const part = input.subarray(cuda.blockIdx.x * 64);
      const upper = s.subarray(64);
      const tid = cuda.threadIdx.x;
      s[tid] = part[tid];
      upper[tid] = part.subarray(32)[tid & 31];
      cuda.syncthreads();
      out.subarray(cuda.blockIdx.x * 64)[tid] = s[127 - tid] - upper[-1 - cuda.i32(tid)];
    });
    const values = ints(BLOCKS * 64);
    const [input, out] = [gpu.upload(values), gpu.alloc(i32, values.length)];
    gpu.launch(moved, { grid: BLOCKS, block: 64 }, { input, out });
    expect(out.read()).toEqual(
      Int32Array.from(values, (_, i) => {
        const [b, tid] = [i - (i % 64), i % 64];
        return (values[b + 32 + ((63 - tid) & 31)]! - values[b + 63 - tid]!) | 0;
      }),
    );
    gpu.reset();
  });

  it("counts, ands and ors over a block whose last warp is partial", () => {
    const votes = kernel("votes", { params: { input: ptr(i32), out: ptr(i32) } }, ({ input, out }, cuda) => {
      const i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x;
      const n = cuda.syncthreadsCount(input[i] > 0);
      const every = cuda.syncthreadsAnd(input[i] !== 12345);
      const any = cuda.syncthreads_or(input[i] === input[0]);
      out[i] = n + (every ? 1000 : 0) + (any ? 2000 : 0);
    });
    const values = ints(BLOCKS * 77);
    values[77 * 3 + 5] = 12345;
    const [input, out] = [gpu.upload(values), gpu.alloc(i32, values.length)];
    gpu.launch(votes, { grid: BLOCKS, block: 77 }, { input, out });
    expect(out.read()).toEqual(
      Int32Array.from(values, (_, i) => {
        const block = values.subarray(i - (i % 77), i - (i % 77) + 77);
        const flags = (block.includes(12345) ? 0 : 1000) + (block.includes(values[0]!) ? 2000 : 0);
        return block.filter((value) => value > 0).length + flags;
      }),
    );
    gpu.reset();
  });

  it("casts as CUDA: to int towards zero and held to its range, to unsigned, to 64 bits, to float", () => {
    const casts = kernel(
      "casts",
      { params: { x: ptr(f32), a: ptr(i32), b: ptr(u32), c: ptr(i64), d: ptr(f32) } },
      ({ x, a, b, c, d }, { blockIdx, blockDim, threadIdx, i32, u32, i64, f32, f64 }) => {
        const i = blockIdx.x * blockDim.x + threadIdx.x;
        a[i] = i32(x[i]);
        b[i] = u32(x[i]);
        c[i] = i64(x[i]) + i64(a[i]) * i64(a[i]);
        d[i] = f32(a[i]) + f32(f64(x[i]) * 0.1);
      },
    );
    const special = [0.99, -0.99, 3e9, -3e9, 5e9, Number.NaN, Number.POSITIVE_INFINITY, -1, 2147483520, 16777217];
    const x = Float32Array.from({ length: BLOCKS * 32 }, (_, i) => special[i] ?? (i - 600) * 7.77);
    const out = {
      a: gpu.alloc(i32, x.length),
      b: gpu.alloc(u32, x.length),
      c: gpu.alloc(i64, x.length),
      d: gpu.alloc(f32, x.length),
    };
    gpu.launch(casts, { grid: BLOCKS, block: 32 }, { x: gpu.upload(x), ...out });
    const held = (v: number, low: number, high: number): number =>
      Number.isNaN(v) ? 0 : Math.min(high, Math.max(low, Math.trunc(v))) + 0;
    const whole = [...x].map((v) => held(v, -(2 ** 31), 2 ** 31 - 1));
    expect([...out.a.read()]).toEqual(whole);
    expect([...out.b.read()]).toEqual([...x].map((v) => held(v, 0, 2 ** 32 - 1)));
    const long = (v: number): bigint =>
      Number.isNaN(v) ? -(2n ** 63n) : v === Number.POSITIVE_INFINITY ? 2n ** 63n - 1n : BigInt(Math.trunc(v));
    const c = [...out.c.read()];
    x.forEach((v, i) => {
      if (Number.isNaN(v)) return;
      expect([v, c[i]]).toEqual([v, BigInt.asIntN(64, long(v) + BigInt(whole[i]!) * BigInt(whole[i]!))]);
    });
    expect([...out.d.read()]).toEqual([...x].map((v, i) => Math.fround(Math.fround(whole[i]!) + Math.fround(v * 0.1))));
    gpu.reset();
  });

  it("computes bits as C does: shifts, masks, unsigned division and remainder, wrapping", () => {
    const mix = kernel(
      "mix",
      { params: { input: ptr(u32), out: ptr(u32) } },
      ({ input, out }, { blockIdx, blockDim, threadIdx, idiv, i32, u32 }) => {
        const i = blockIdx.x * blockDim.x + threadIdx.x;
        const a = input[i];
        const b = input[i ^ 1] | 1;
        let h = (a << 13) ^ (a >> 7) ^ (i32(a) >> 3);
        h = (h * 0x85ebca6b + idiv(a, b)) ^ (a % b);
        h += u32(i32(a) % i32(b)) ^ u32(idiv(i32(a), i32(b)));
        out[i] = (~h & 0xffff0000) | ((h >>> 5) & 0xffff);
      },
    );
    const values = Uint32Array.from(ints(BLOCKS * 64));
    const [input, out] = [gpu.upload(values), gpu.alloc(u32, values.length)];
    gpu.launch(mix, { grid: BLOCKS, block: 64 }, { input, out });
    const word = (v: bigint): bigint => BigInt.asUintN(32, v);
    const signed = (v: bigint): bigint => BigInt.asIntN(32, v);
    const expected = Array.from(values, (value, i) => {
      const [a, b] = [BigInt(value), BigInt((values[i ^ 1]! | 1) >>> 0)];
      let h = word((a << 13n) ^ (a >> 7n) ^ (signed(a) >> 3n));
      h = word(h * 0x85ebca6bn + a / b) ^ (a % b);
      h = word(h + (word(signed(a) % signed(b)) ^ word(signed(a) / signed(b))));
      return Number((word(~h) & 0xffff0000n) | ((h >> 5n) & 0xffffn));
    });
    expect([...out.read()]).toEqual(expected);
    gpu.reset();
  });

  it("prints as C, in order of execution, when the launch has ended", () => {
    const talk = kernel(
      "talk",
      { params: { x: ptr(f32) } },
      ({ x }, { threadIdx, blockIdx, printf, syncthreads, i64, f64, u32 }) => {
        if (threadIdx.x < 2)
          printf("%d:%03u|%-5d|%+d|%x\n", threadIdx.x, blockIdx.x, threadIdx.x, 7, u32(255) << threadIdx.x);
        syncthreads();
        if (threadIdx.x === 33) printf("%.3f %8.2e %g %lld %c%% %s\n", x[0], x[1], f64(0.1), i64(1) << 40, 65, "end");
      },
    );
    const x = gpu.upload(new Float32Array([1.5, 12345.678]));
    const { printed } = gpu.launch(talk, { grid: 2, block: 64 }, { x });
    const lines = (block: string): string[] => [
      `0:${block}|0    |+7|ff\n`,
      `1:${block}|1    |+7|1fe\n`,
      "1.500 1.23e+04 0.1 1099511627776 A% end\n",
    ];
    expect(printed.map(({ text }) => text)).toEqual([...lines("000"), ...lines("001")]);
    gpu.reset();
  });

  it("reads through a volatile pointer what another warp has written behind a fence", () => {
    const flag = kernel(
      "flag",
      { params: { data: ptr(i32), ready: volatile(ptr(i32)), out: ptr(i32) } },
      ({ data, ready, out }, { threadIdx, blockIdx, threadfence }) => {
        if (threadIdx.x === 32) {
          data[blockIdx.x] = blockIdx.x + 100;
          threadfence();
          ready[blockIdx.x] = 1;
        }
        if (threadIdx.x === 0) {
          while (ready[blockIdx.x] === 0) {
            // spins
          }
          out[blockIdx.x] = data[blockIdx.x];
        }
      },
    );
    const [data, ready, out] = [gpu.alloc(i32, BLOCKS), gpu.alloc(i32, BLOCKS), gpu.alloc(i32, BLOCKS)];
    gpu.launch(flag, { grid: BLOCKS, block: 64 }, { data, ready, out });
    expect(out.read()).toEqual(Int32Array.from({ length: BLOCKS }, (_, b) => b + 100));
    gpu.reset();
  });
});

describe("a vector access that is not aligned", () => {
  it("is a fault with the byte, the line and the cure", () => {
    const shifted = kernel(
      "shifted",
      { params: { input: ptr(f32), out: ptr(f32) } },
      ({ input, out }, { threadIdx, asVector, float4 }) => {
        const part = input.subarray(2);
        const v = asVector(part, float4)[threadIdx.x];
        out[threadIdx.x] = v.x;
      },
    );
    const even = kernel(
      "even",
      { params: { input: ptr(f32), out: ptr(f32) } },
      ({ input, out }, { threadIdx, asVector, float2 }) => {
        const part = input.subarray(2);
        out[threadIdx.x] = asVector(part, float2)[threadIdx.x].y;
      },
    );
    for (const gpu of gpus) {
      const [input, out] = [gpu.upload(Float32Array.from({ length: 256 }, (_, i) => i)), gpu.alloc(f32, 32)];
      const launch = (): unknown => gpu.launch(shifted, { grid: 1, block: 32 }, { input, out });
      expect(launch).toThrow("cudaErrorMisalignedAddress");
      expect(launch).toThrow("reads 16 bytes of input at byte 8, which is no multiple of 16");
      expect(launch).toThrow("move the pointer by whole vectors only");
      gpu.launch(even, { grid: 1, block: 32 }, { input, out });
      expect(out.read()[3]).toBe(9);
      gpu.reset();
    }
  });
});
