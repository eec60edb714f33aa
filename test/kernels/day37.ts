/** The kernels of Day 37, Intro to Warp-Level Primitives. */
import { f32, type ScalarType } from "../../src/core/frontend/declare/element.js";
import { type PointerParameter, ptr } from "../../src/core/frontend/declare/parameter.js";
import { type DeviceFunction, device, type Kernel, kernel } from "../../src/core/frontend/kernel.js";

type Floats = PointerParameter<ScalarType<"f32">>;

/** Sum over a warp by shuffles down; lane 0 has it. */
export const warpReduceSum: DeviceFunction<{ readonly val: ScalarType<"f32"> }, number> = device(
  "warpReduceSum",
  { params: { val: f32 } },
  ({ val }, { shfl_down_sync, u32 }) => {
    const mask = u32(0xffffffff);
    val += shfl_down_sync(mask, val, 16, 32);
    val += shfl_down_sync(mask, val, 8, 32);
    val += shfl_down_sync(mask, val, 4, 32);
    val += shfl_down_sync(mask, val, 2, 32);
    val += shfl_down_sync(mask, val, 1, 32);
    return val;
  },
);

/** One block; each warp writes the sum of its 32 elements. */
export const warpReductionExample: Kernel<{ readonly input: Floats; readonly output: Floats }> = kernel(
  "warpReductionExample",
  { params: { input: ptr(f32), output: ptr(f32) }, functions: { warpReduceSum } },
  ({ input, output }, { threadIdx, i32 }, { warpReduceSum }) => {
    const laneId = i32(threadIdx.x & 31);
    const warpId = i32(threadIdx.x >> 5);
    let val = input[threadIdx.x];
    val = warpReduceSum(val);
    if (laneId === 0) output[warpId] = val;
  },
);
