/** Day 45: eight elements, one barrier: one solution. */
import { blockDim, blockIdx, i32, kernel, ptr, shared, shfl_xor_sync, syncthreads, threadIdx, } from "warplab";
export const answer = kernel("answer", { input: ptr(i32), output: ptr(i32), n: i32 }, ({ input, output, n }) => {
    const warpSums = shared(i32, 32);
    const tid = i32(threadIdx.x);
    const width = i32(blockDim.x);
    const first = i32(blockIdx.x) * (8 * width) + tid;
    let sum = 0;
    for (let k = 0; k < 8; k++) {
        const i = first + k * width;
        if (i < n)
            sum += input[i];
    }
    for (let s = 16; s > 0; s >>= 1)
        sum += shfl_xor_sync(0xffffffff, sum, s);
    if ((tid & 31) === 0)
        warpSums[tid >> 5] = sum;
    syncthreads();
    if (tid < 32) {
        sum = tid < width >> 5 ? warpSums[tid] : 0;
        for (let s = 16; s > 0; s >>= 1)
            sum += shfl_xor_sync(0xffffffff, sum, s);
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
    console.log("output[0]", output.read()[0], "right is", data.slice(0, 512).reduce((sum, value) => (sum + value) | 0, 0));
}
