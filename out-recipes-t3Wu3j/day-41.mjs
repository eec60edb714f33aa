/** Day 41: fill the SM: one solution. */
import { blockDim, blockIdx, externShared, i32, kernel, ptr, syncthreads, threadIdx, } from "warplab";
export const answer = kernel("answer", { input: ptr(i32), output: ptr(i32), n: i32 }, ({ input, output, n }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    const start = i32(blockIdx.x * blockDim.x * 8 + tid);
    let sum = 0;
    for (let k = 0; k < 8; k++) {
        const i = start + k * i32(blockDim.x);
        if (i < n)
            sum += input[i];
    }
    sdata[tid] = sum;
    syncthreads();
    for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
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
    const output = lab.upload(new Int32Array(1));
    const look = lab.step(answer, { grid: 1, block: 64, sharedBytes: 256 }, { input: lab.upload(data), output, n: 1 }, { block: 0 });
    do {
        console.log("warp", look.position?.warp, look.sourceLine, ...look.registers().map((each) => each.name + " " + each.values.slice(0, 4)));
    } while (look.stepLine());
    console.log("output[0]", output.read()[0], "right is", data.slice(0, 512).reduce((sum, value) => (sum + value) | 0, 0));
}
