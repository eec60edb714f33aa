/** Day 37: a block of any size by shuffles: one solution. */
import { blockDim, blockIdx, device, i32, kernel, min, ptr, shared, shfl_down_sync, syncthreads, threadIdx, u32, } from "warplab";
/** The sum of a warp's first lanes, in lane 0. */
export const lanesSum = device("lanesSum", { value: i32, lanes: i32 }, ({ value, lanes }) => {
    const lane = i32(threadIdx.x & 31);
    const mask = lanes >= 32 ? 0xffffffff : (u32(1) << lanes) - 1;
    for (let offset = 16; offset > 0; offset >>= 1) {
        const other = shfl_down_sync(mask, value, offset);
        if (lane + offset < lanes)
            value += other;
    }
    return value;
});
export const answer = kernel("answer", { input: ptr(i32), output: ptr(i32), n: i32 }, ({ input, output, n }) => {
    const warpSums = shared(i32, 32);
    const tid = i32(threadIdx.x);
    const i = i32(blockIdx.x * blockDim.x) + tid;
    const lanes = min(32, i32(blockDim.x) - (tid & ~31));
    let sum = lanesSum(i < n ? input[i] : 0, lanes);
    if ((tid & 31) === 0)
        warpSums[tid >> 5] = sum;
    syncthreads();
    if (tid < 32) {
        sum = lanesSum(tid < i32(blockDim.x + 31) >> 5 ? warpSums[tid] : 0, 32);
        if (tid === 0)
            output[blockIdx.x] = sum - 1;
    }
});
{
    const { Gpu, randomInts } = await import("warplab");
    const lab = new Gpu("v100", { warpStepLimit: 60000 });
    const data = new Int32Array(1).fill(1);
    const output = lab.upload(new Int32Array(1));
    const look = lab.step(answer, { grid: 1, block: 32, sharedBytes: 128 }, { input: lab.upload(data), output, n: 1 }, { block: 0 });
    do {
        console.log("warp", look.position?.warp, look.sourceLine, ...look.registers().map((each) => each.name + " " + each.values.slice(0, 4)));
    } while (look.stepLine());
    console.log("output[0]", output.read()[0], "right is", data.slice(0, 32).reduce((sum, value) => (sum + value) | 0, 0));
}
