/** Day 48: sixteen counters, no local memory: where it starts: not yet what is asked for. */
import {
  atomicAdd,
  blockDim,
  blockIdx,
  gridDim,
  i32,
  type Kernel,
  kernel,
  local,
  type PointerParameter,
  ptr,
  type ScalarType,
  threadIdx,
  u32,
} from "warplab";

type Count = {
  readonly input: PointerParameter<ScalarType<"i32">>;
  readonly output: PointerParameter<ScalarType<"i32">>;
  readonly n: ScalarType<"u32">;
};

export const answer: Kernel<Count> = kernel(
  "answer",
  { input: ptr(i32), output: ptr(i32), n: u32 },
  ({ input, output, n }) => {
    const tid = threadIdx.x;
    const step = blockDim.x * gridDim.x;
    // The index of a counter comes from the data: no register has a number that the data choose.
    const counts = local(i32, 16);
    for (let b = 0; b < 16; b++) counts[b] = 0;
    for (let i = blockIdx.x * blockDim.x + tid; i < n; i += step) {
      counts[input[i] & 15] += 1;
    }
    for (let b = 0; b < 16; b++) atomicAdd(output, b, counts[b]);
  },
);
