/** Capstone: the fastest sum that you can write: one solution. */
import { asVector, atomicAdd, blockDim, blockIdx, gridDim, i32, int4, kernel, ptr, shared, shfl_down_sync, syncthreads, threadIdx, u32, } from "warplab";
export const answer = kernel("answer", { input: ptr(i32), output: ptr(i32), n: u32 }, 
// Eight blocks of 256 threads are all that an SM holds.
{ BLOCK: 256, BLOCKS_PER_SM: 8 }, ({ input, output, n }, { BLOCK }) => {
    const warpSums = shared(i32, BLOCK >> 5);
    const fours = asVector(input, int4);
    const tid = threadIdx.x;
    const count = n >> 2;
    const step = blockDim.x * gridDim.x;
    const first = blockIdx.x * blockDim.x + tid;
    let sum = 0;
    let i = first;
    // Two vectors are in flight at a time.
    for (; i + step < count; i += 2 * step) {
        const a = fours[i];
        const b = fours[i + step];
        sum += a.x + a.y + (a.z + a.w) + (b.x + b.y + (b.z + b.w));
    }
    if (i < count) {
        const a = fours[i];
        sum += a.x + a.y + (a.z + a.w);
    }
    // Up to three elements are in no vector.
    if (4 * count + first < n)
        sum += input[4 * count + first];
    for (let s = 16; s > 0; s >>= 1)
        sum += shfl_down_sync(0xffffffff, sum, s);
    if ((tid & 31) === 0)
        warpSums[tid >> 5] = sum;
    syncthreads();
    if (tid < 32) {
        let total = tid < BLOCK >> 5 ? warpSums[tid] : 0;
        for (let s = 16; s > 0; s >>= 1)
            total += shfl_down_sync(0xffffffff, total, s);
        if (tid === 0)
            atomicAdd(output, 0, total - 1);
    }
});
{
    const { Gpu, randomInts } = await import("warplab");
    const lab = new Gpu("h200", { warpStepLimit: 60000 });
    const data = new Int32Array(1).fill(1);
    const output = lab.upload(new Int32Array(3));
    lab.launch(answer, { grid: 1, block: 256, sharedBytes: 1024 }, { input: lab.upload(data), output, n: 1 });
    console.log("output", output.read(), "sum", output.read()[0], "right is", data.reduce((sum, value) => (sum + value) | 0, 0));
}
