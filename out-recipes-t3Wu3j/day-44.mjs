/** Day 44: four blocks of data, every size: one solution. */
import { blockDim, blockIdx, externShared, i32, kernel, ptr, shfl_down_sync, syncthreads, threadIdx, } from "warplab";
export const answer = kernel("answer", { input: ptr(i32), output: ptr(i32), n: i32 }, ({ input, output, n }) => {
    const sdata = externShared(i32);
    const tid = i32(threadIdx.x);
    const width = i32(blockDim.x);
    const i = i32(blockIdx.x) * (4 * width) + tid;
    let sum = 0;
    if (i < n)
        sum = input[i];
    if (i + width < n)
        sum += input[i + width];
    if (i + 2 * width < n)
        sum += input[i + 2 * width];
    if (i + 3 * width < n)
        sum += input[i + 3 * width];
    sdata[tid] = sum;
    syncthreads();
    for (let s = width >> 1; s > 32; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        syncthreads();
    }
    if (tid < 32) {
        sum = sdata[tid] + sdata[tid + 32];
        for (let s = 16; s > 0; s >>= 1)
            sum += shfl_down_sync(0xffffffff, sum, s);
        if (tid === 0)
            output[blockIdx.x] = sum - 1;
    }
});
{
    const { Gpu, randomInts } = await import("warplab");
    const lab = new Gpu("v100", { warpStepLimit: 60000 });
    const data = new Int32Array(1).fill(1);
    const output = lab.upload(new Int32Array(1));
    const look = lab.step(answer, { grid: 1, block: 64, sharedBytes: 256 }, { input: lab.upload(data), output, n: 1 }, { block: 0 });
    do {
        console.log("warp", look.position?.warp, look.sourceLine, ...look.registers().map((each) => each.name + " " + each.values.slice(0, 4)));
    } while (look.stepLine());
    console.log("output[0]", output.read()[0], "right is", data.slice(0, 256).reduce((sum, value) => (sum + value) | 0, 0));
}
