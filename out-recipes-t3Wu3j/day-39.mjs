/** Day 39: a nested sum with few launches: one solution. */
import { blockDim, blockIdx, externShared, gridDim, i32, kernel, launch, ptr, self, syncthreads, threadIdx, } from "warplab";
export const answer = kernel("answer", { input: ptr(i32), output: ptr(i32), n: i32 }, ({ input, output, n }) => {
    const sdata = externShared(i32);
    const tid = i32(threadIdx.x);
    const width = i32(blockDim.x);
    const blocks = i32(gridDim.x);
    const first = i32(blockIdx.x) * width + tid;
    let sum = 0;
    for (let i = first; i < n; i += blocks * width)
        sum += input[i];
    sdata[tid] = sum;
    syncthreads();
    for (let s = width >> 1; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        syncthreads();
    }
    if (tid === 0)
        output[blockIdx.x] = sdata[0] - 1;
    if (first === 0 && blocks > 1) {
        launch(self, { grid: 1, block: width, shared: 4 * width, stream: "tail" }, { input: output, output, n: blocks });
    }
});
{
    const { Gpu, randomInts } = await import("warplab");
    const lab = new Gpu("h200", { warpStepLimit: 60000 });
    const data = new Int32Array(1).fill(1);
    const output = lab.upload(new Int32Array(1));
    lab.launch(answer, { grid: 1, block: 64, sharedBytes: 256 }, { input: lab.upload(data), output, n: 1 });
    console.log("output", output.read(), "sum", output.read()[0], "right is", data.reduce((sum, value) => (sum + value) | 0, 0));
}
