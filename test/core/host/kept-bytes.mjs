/** Bytes that stay after `kernels` kernels, each of another name or all of one: `node --expose-gc kept-bytes.mjs N NAMES`. */
import { setTimeout } from "node:timers/promises";
import * as warplab from "../../../src/dist/index.js";

const { Gpu, kernel, ones, ptr, i32, sanitize } = warplab;
const [count, names, used] = [Number(process.argv[2]), process.argv[3], process.argv[4]];
const gpus = ["v100", "h200"].map((name) => new Gpu(name));
const buffers = gpus.map((gpu) => gpu.upload(ones(64)));
const config = { grid: 1, block: 64 };

const body = (factor) => `({ data }) => {
  const sums = shared(i32, 64);
  sums[threadIdx.x] = data[threadIdx.x] * ${factor};
  syncthreads();
  for (let width = 32; width > 0; width >>= 1) {
    if (threadIdx.x < width) sums[threadIdx.x] += sums[threadIdx.x + width];
    syncthreads();
  }
  if (threadIdx.x === 0) data[0] = sums[0];
}`;
const parent = (child, own) =>
  `({ data }) => { if (threadIdx.x === 0) launch(${child}, { grid: 1, block: 64 }, { data });
    if (data[0] === -123456789) launch(${own}, { grid: 1, block: 64 }, { data }); }`;
const make = (name, text) => kernel(name, { data: ptr(i32) }, new Function(`return ${text}`)());

for (let i = 0; i < count; i++) {
  const name = names === "distinct" ? `k${i}` : "k";
  let made = make(name, body(i + 2));
  if (used === "child") made = make(`of_${name}`, parent(name, `of_${name}`));
  gpus.forEach((gpu, at) => {
    const run = () => gpu.launch(made, config, { data: buffers[at] });
    if (used === "sanitize") sanitize(run);
    else if (used === "step") gpu.step(made, config, { data: buffers[at] });
    else void run().timeMs;
  });
}
for (let i = 0; i < 4; i++) {
  await setTimeout(1);
  globalThis.gc();
}
const { heapUsed, external } = process.memoryUsage();
process.stdout.write(`${heapUsed + external}\n`);
