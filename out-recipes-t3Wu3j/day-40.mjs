/** Day 40: no SM idles: one solution. */
import { blockDim, blockIdx, externShared, gridDim, i32, kernel, ptr, syncthreads, threadIdx, } from "warplab";
export const answer = kernel("answer", { input: ptr(i32), output: ptr(i32), n: i32 }, 
// 560 is 7 x 80 and 40 x 14: each SM of both GPUs gets the same number of blocks.
{ BLOCKS: 560 }, ({ input, output, n }) => {
    const sdata = externShared(i32);
    const tid = i32(threadIdx.x);
    const step = i32(blockDim.x * gridDim.x);
    let sum = 0;
    for (let i = i32(blockIdx.x * blockDim.x) + tid; i < n; i += step)
        sum += input[i];
    sdata[tid] = sum;
    syncthreads();
    for (let s = i32(blockDim.x >> 1); s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        syncthreads();
    }
    if (tid === 0)
        output[blockIdx.x] = sdata[0] - 1;
});
{
    const { Gpu, randomInts } = await import("warplab");
    const lab = new Gpu("v100", { warpStepLimit: 60000 });
    const data = new Int32Array(1).fill(1);
    const output = lab.upload(new Int32Array(560));
    lab.launch(answer.with({ BLOCKS: 560 }), { grid: 560, block: 64, sharedBytes: 256 }, { input: lab.upload(data), output, n: 1 });
    console.log("output", output.read(), "sum", output.read().reduce((sum, value) => (sum + value) | 0, 0), "right is", data.reduce((sum, value) => (sum + value) | 0, 0));
}
