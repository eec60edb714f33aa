/** Kernels of textbooks, written as a learner would, on Fermi, Volta and Hopper, against plain JavaScript. */
import { describe, expect, it } from "vitest";
import { device, f32, i32, kernel, ptr, u32 } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";

const gpus = ["m2070", "v100", "h200"].map((id) => new Gpu(id, { memoryBytes: 16 << 20 }));
const all = gpus.map((gpu) => [gpu.device.id, gpu] as const);
const withShuffles = all.filter(([id]) => id !== "m2070");

function ints(length: number, below: number): Int32Array {
  return Int32Array.from({ length }, (_, i) => (Math.imul(i + 1, 0x9e3779b1) >>> 8) % below);
}

const matMul = kernel(
  "matMul",
  { params: { A: ptr(f32), B: ptr(f32), C: ptr(f32), width: i32 }, constants: { TILE: 16 } },
  ({ A, B, C, width }, { threadIdx, blockIdx, shared, syncthreads, idiv, f32 }, { TILE }) => {
    const As = shared(f32, [TILE, TILE]);
    const Bs = shared(f32, [TILE, TILE + 1]);
    const { x: tx, y: ty } = threadIdx;
    const row = blockIdx.y * TILE + ty;
    const col = blockIdx.x * TILE + tx;
    let sum = f32(0);
    for (let m = 0; m < idiv(width, TILE); ++m) {
      As[ty][tx] = A[row * width + m * TILE + tx];
      Bs[ty][tx] = B[(m * TILE + ty) * width + col];
      syncthreads();
      for (let k = 0; k < TILE; k++) sum += As[ty][k] * Bs[k][tx];
      syncthreads();
    }
    C[row * width + col] = sum;
  },
);

const histogram = kernel(
  "histogram",
  { params: { data: ptr(i32), bins: ptr(u32), n: i32 } },
  ({ data, bins, n }, { threadIdx, blockIdx, blockDim, gridDim, shared, syncthreads, atomicAdd, u32 }) => {
    const local = shared(u32, 64);
    for (let b = threadIdx.x; b < 64; b += blockDim.x) local[b] = 0;
    syncthreads();
    const stride = gridDim.x * blockDim.x;
    for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(local, data[i], 1);
    syncthreads();
    for (let b = threadIdx.x; b < 64; b += blockDim.x) if (local[b]) atomicAdd(bins, b, local[b]);
  },
);

/** Blelloch's scan of two elements a thread. */
const blelloch = kernel(
  "blelloch",
  { params: { data: ptr(i32), sums: ptr(i32) } },
  ({ data, sums }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, i32 }) => {
    const temp = externShared(i32);
    const thid = i32(threadIdx.x);
    const n = i32(blockDim.x) * 2;
    const base = i32(blockIdx.x) * n;
    let offset = 1;
    temp[2 * thid] = data[base + 2 * thid];
    temp[2 * thid + 1] = data[base + 2 * thid + 1];
    for (let d = n >> 1; d > 0; d >>= 1) {
      syncthreads();
      if (thid < d) {
        const ai = offset * (2 * thid + 1) - 1;
        const bi = offset * (2 * thid + 2) - 1;
        temp[bi] += temp[ai];
      }
      offset *= 2;
    }
    if (thid === 0) {
      sums[blockIdx.x] = temp[n - 1];
      temp[n - 1] = 0;
    }
    for (let d = 1; d < n; d *= 2) {
      offset >>= 1;
      syncthreads();
      if (thid < d) {
        const ai = offset * (2 * thid + 1) - 1;
        const bi = offset * (2 * thid + 2) - 1;
        const t = temp[ai];
        temp[ai] = temp[bi];
        temp[bi] += t;
      }
    }
    syncthreads();
    data[base + 2 * thid] = temp[2 * thid];
    data[base + 2 * thid + 1] = temp[2 * thid + 1];
  },
);

/** NVIDIA's threadFenceReduction: the block that is done last adds the others' sums. */
const singlePass = kernel(
  "singlePass",
  { params: { input: ptr(i32), partial: ptr(i32), count: ptr(u32), result: ptr(i32), n: i32 } },
  ({ input, partial, count, result, n }, cuda) => {
    const { threadIdx, blockIdx, blockDim, gridDim, syncthreads } = cuda;
    const sdata = cuda.shared(cuda.i32, 128);
    const isLast = cuda.shared(cuda.i32, 1);
    const tid = threadIdx.x;
    let sum = 0;
    for (let i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) sum += input[i];
    sdata[tid] = sum;
    syncthreads();
    for (let s = 64; s > 0; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid === 0) {
      partial[blockIdx.x] = sdata[0];
      cuda.threadfence();
      const ticket = cuda.atomicInc(count, 0, gridDim.x);
      isLast[0] = ticket === gridDim.x - 1 ? 1 : 0;
    }
    syncthreads();
    if (isLast[0] !== 0) {
      let total = 0;
      for (let b = tid; b < gridDim.x; b += blockDim.x) total += cuda.volatile(partial)[b];
      cuda.atomicAdd(result, 0, total);
      if (tid === 0) count[0] = 0;
    }
  },
);

const bitonic = kernel(
  "bitonic",
  { params: { values: ptr(i32) } },
  ({ values }, { threadIdx, blockIdx, shared, syncthreads, i32 }) => {
    const s = shared(i32, 256);
    const tid = threadIdx.x;
    s[tid] = values[blockIdx.x * 256 + tid];
    syncthreads();
    for (let k = 2; k <= 256; k <<= 1) {
      for (let j = k >> 1; j > 0; j >>= 1) {
        const ixj = tid ^ j;
        if (ixj > tid) {
          const ascending = (tid & k) === 0;
          if (ascending ? s[tid] > s[ixj] : s[tid] < s[ixj]) {
            [s[tid], s[ixj]] = [s[ixj], s[tid]];
          }
        }
        syncthreads();
      }
    }
    values[blockIdx.x * 256 + tid] = s[tid];
  },
);

const warpScan = device("warpScan", { params: { value: i32, lane: u32 } }, ({ value, lane }, { shfl_up_sync }) => {
  let sum = value;
  for (let d = 1; d < 32; d <<= 1) {
    const other = shfl_up_sync(0xffffffff, sum, d);
    if (lane >= d) sum += other;
  }
  return sum;
});

/** Keeps the positive values, in order: ballot, popc, and a scan of the warps' counts. */
const compact = kernel(
  "compact",
  { params: { input: ptr(i32), out: ptr(i32), counts: ptr(i32) }, functions: { warpScan } },
  (
    { input, out, counts },
    { threadIdx, blockIdx, blockDim, shared, syncthreads, ballot_sync, popc, i32 },
    { warpScan },
  ) => {
    const warpSums = shared(i32, 32);
    const lane = threadIdx.x & 31;
    const warp = threadIdx.x >> 5;
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    const keep = input[i] > 500;
    const mask = ballot_sync(0xffffffff, keep);
    const before = popc(mask & ((1 << lane) - 1));
    if (lane === 0) warpSums[warp] = popc(mask);
    syncthreads();
    if (warp === 0) {
      const mine = lane < blockDim.x >> 5 ? warpSums[lane] : 0;
      const total = warpScan(mine, lane);
      warpSums[lane] = total - mine;
      if (lane === 31) counts[blockIdx.x] = total;
    }
    syncthreads();
    if (keep) out[blockIdx.x * blockDim.x + warpSums[warp] + before] = input[i];
  },
);

const mandelbrot = kernel(
  "mandelbrot",
  { params: { out: ptr(i32), width: i32, height: i32, maxIterations: i32 } },
  ({ out, width, height, maxIterations }, { threadIdx, blockIdx, blockDim, f32 }) => {
    const x = blockIdx.x * blockDim.x + threadIdx.x;
    const y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const cx = (f32(x) / f32(width)) * 3.5 - 2.5;
    const cy = (f32(y) / f32(height)) * 2.5 - 1.25;
    let zx = f32(0);
    let zy = f32(0);
    let iterations = 0;
    while (zx * zx + zy * zy < 4 && iterations < maxIterations) {
      const t = zx * zx - zy * zy + cx;
      zy = 2 * zx * zy + cy;
      zx = t;
      iterations++;
    }
    out[y * width + x] = iterations;
  },
);

describe.each(all)("on %s", (_, gpu) => {
  it("a tiled matrix product is the product", () => {
    const width = 96;
    const a = Float32Array.from(ints(width * width, 7));
    const b = Float32Array.from(ints(width * width, 5).reverse());
    const [A, B, C] = [gpu.upload(a), gpu.upload(b), gpu.alloc(f32, width * width)];
    gpu.launch(matMul, { grid: [6, 6], block: [16, 16] }, { A, B, C, width });
    const expected = Float32Array.from(a, (_, i) => {
      let sum = 0;
      for (let k = 0; k < width; k++) sum += a[i - (i % width) + k]! * b[k * width + (i % width)]!;
      return sum;
    });
    expect(C.read()).toEqual(expected);
    gpu.reset();
  });

  it("a histogram in shared memory counts every value", () => {
    const data = ints(50_000, 64);
    const [from, bins] = [gpu.upload(data), gpu.alloc(u32, 64)];
    gpu.launch(histogram, { grid: 48, block: 96 }, { data: from, bins, n: data.length });
    const expected = new Uint32Array(64);
    for (const value of data) expected[value]! += 1;
    expect(bins.read()).toEqual(expected);
    gpu.reset();
  });

  it("Blelloch's scan gives the sums before each element", () => {
    const data = ints(40 * 256, 1000);
    const [values, sums] = [gpu.upload(data), gpu.alloc(i32, 40)];
    gpu.launch(blelloch, { grid: 40, block: 128, sharedBytes: 1024 }, { data: values, sums });
    let sum = 0;
    const expected = data.map((value, i) => {
      if (i % 256 === 0) sum = 0;
      sum += value;
      return sum - value;
    });
    expect(values.read()).toEqual(expected);
    expect(sums.read()[7]).toBe(data.subarray(7 * 256, 8 * 256).reduce((a, b) => a + b));
    gpu.reset();
  });

  it("a reduction in one launch, by the block that is done last", () => {
    const data = ints(100_003, 1 << 20);
    const args = {
      input: gpu.upload(data),
      partial: gpu.alloc(i32, 50),
      count: gpu.alloc(u32, 1),
      result: gpu.alloc(i32, 1),
      n: data.length,
    };
    gpu.launch(singlePass, { grid: 50, block: 128 }, args);
    gpu.launch(singlePass, { grid: 50, block: 128 }, args);
    expect(args.result.read()[0]).toBe((2 * data.reduce((a, b) => a + b)) | 0);
    gpu.reset();
  });

  it("a Mandelbrot set has the iterations of its float arithmetic", () => {
    const [width, height, maxIterations] = [70, 50, 100];
    const out = gpu.alloc(i32, width * height);
    gpu.launch(mandelbrot, { grid: [5, 7], block: [16, 8] }, { out, width, height, maxIterations });
    const f = Math.fround;
    // Only the clear cases: next to the border the multiply-adds of the compiler decide.
    out.read().forEach((iterations, i) => {
      const [x, y] = [i % width, Math.floor(i / width)];
      const [cx, cy] = [f(f(x / width) * 3.5 - 2.5), f(f(y / height) * 2.5 - 1.25)];
      let [zx, zy, n] = [0, 0, 0];
      while (zx * zx + zy * zy < 4 && n < maxIterations) {
        [zx, zy] = [zx * zx - zy * zy + cx, 2 * zx * zy + cy];
        n++;
      }
      if (n < 12 || n === maxIterations) expect(Math.abs(iterations - n)).toBeLessThanOrEqual(1);
    });
    gpu.reset();
  });
});

describe.each(withShuffles)("with shuffles on %s", (_, gpu) => {
  it("a stream is compacted in order", () => {
    const data = ints(40 * 256, 1000);
    const [input, out, counts] = [gpu.upload(data), gpu.alloc(i32, data.length), gpu.alloc(i32, 40)];
    gpu.launch(compact, { grid: 40, block: 256 }, { input, out, counts });
    const [read, n] = [out.read(), counts.read()];
    for (let b = 0; b < 40; b++) {
      const kept = [...data.subarray(b * 256, b * 256 + 256)].filter((value) => value > 500);
      expect(n[b]).toBe(kept.length);
      expect([...read.subarray(b * 256, b * 256 + kept.length)]).toEqual(kept);
    }
    gpu.reset();
  });
});

it.each(all)("a bitonic sort sorts each block on %s", (_, gpu) => {
  const data = ints(40 * 256, 1 << 24);
  const values = gpu.upload(data);
  gpu.launch(bitonic, { grid: 40, block: 256 }, { values });
  const expected = data.slice();
  for (let b = 0; b < 40; b++) expected.subarray(b * 256, b * 256 + 256).sort();
  expect(values.read()).toEqual(expected);
  gpu.reset();
});
