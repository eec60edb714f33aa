/** Day 47: the last block adds: one solution. */
import { atomicAdd, blockDim, blockIdx, device, gridDim, i32, kernel, ptr, shared, shfl_xor_sync, syncthreads, threadfence, threadIdx, u32, } from "warplab";
/** The sum of a block's values, in its first warp. */
export const addUp = device("addUp", { value: i32 }, ({ value }) => {
    const warpSums = shared(i32, 32);
    const tid = threadIdx.x;
    for (let s = 16; s > 0; s >>= 1)
        value += shfl_xor_sync(0xffffffff, value, s);
    if ((tid & 31) === 0)
        warpSums[tid >> 5] = value;
    syncthreads();
    if (tid < 32) {
        value = tid < blockDim.x >> 5 ? warpSums[tid] : 0;
        for (let s = 16; s > 0; s >>= 1)
            value += shfl_xor_sync(0xffffffff, value, s);
    }
    return value;
});
export const answer = kernel("answer", { input: ptr(i32), output: ptr(i32), n: u32 }, ({ input, output, n }) => {
    const isLast = shared(i32, 1);
    const tid = threadIdx.x;
    const step = blockDim.x * gridDim.x;
    let sum = 0;
    for (let i = blockIdx.x * blockDim.x + tid; i < n; i += step)
        sum += input[i];
    sum = addUp(sum);
    if (tid === 0) {
        output[blockIdx.x + 1] = sum;
        threadfence();
        const ticket = atomicAdd(output, gridDim.x + 1, 1);
        isLast[0] = ticket === i32(gridDim.x) - 1 ? 1 : 0;
    }
    syncthreads();
    if (isLast[0] === 1) {
        let all = 0;
        for (let b = tid; b < gridDim.x; b += blockDim.x)
            all += output[b + 1];
        all = addUp(all);
        if (tid === 0)
            output[0] = all - 1;
    }
});
{
    const { Gpu, randomInts } = await import("warplab");
    const lab = new Gpu("v100", { warpStepLimit: 60000 });
    const data = new Int32Array(1).fill(1);
    const output = lab.upload(new Int32Array(3));
    lab.launch(answer, { grid: 1, block: 64, sharedBytes: 256 }, { input: lab.upload(data), output, n: 1 });
    console.log("output", output.read(), "sum", output.read()[0], "right is", data.reduce((sum, value) => (sum + value) | 0, 0));
}
