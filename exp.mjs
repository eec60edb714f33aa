import { Gpu, i32, kernel, ptr } from "warplab";

const parameters = { data: ptr(i32), flags: ptr(i32), out: ptr(i32) };
const ring = kernel(
  "ring",
  parameters,
  ({ data, flags, out }, { threadIdx, blockIdx, gridDim, threadfence, volatile }) => {
    if (threadIdx.x !== 0) return;
    const token = volatile(flags);
    const b = i32(gridDim.x - 1 - blockIdx.x);
    for (let round = 0; round < 3; round++) {
      const turn = round * i32(gridDim.x) + b;
      while (token[0] !== turn) {}
      token[1] = token[1] * 3 + data[b];
      threadfence();
      token[0] = turn + 1;
    }
    out[b] = token[0] > 0 ? 1 : 0;
  },
);
const gpu = new Gpu("h200");
const n = Number(process.argv[2]);
const data = gpu.alloc(i32, n),
  flags = gpu.alloc(i32, 8),
  out = gpu.alloc(i32, n);
const t = performance.now();
gpu.launch(ring, { grid: n, block: 64 }, { data, flags, out });
console.log((performance.now() - t) / 1000);
