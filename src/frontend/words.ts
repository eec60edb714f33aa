/**
 * CUDA's words as names to import: `import { kernel, threadIdx, syncthreads } from "warplab"`. A kernel is compiled from
 * its text, where these names mean what they mean in CUDA; used on the host, each throws an error that says so.
 */
import type { Cuda } from "./cuda.js";
import { word } from "./word.js";

/** This thread's index in its block: `.x`, `.y`, `.z`. */
export const threadIdx: Cuda["threadIdx"] = word("threadIdx");
/** This block's index in the grid: `.x`, `.y`, `.z`. */
export const blockIdx: Cuda["blockIdx"] = word("blockIdx");
/** Threads of a block: `.x`, `.y`, `.z`. */
export const blockDim: Cuda["blockDim"] = word("blockDim");
/** Blocks of the grid: `.x`, `.y`, `.z`. */
export const gridDim: Cuda["gridDim"] = word("gridDim");
/** Lanes of a warp: 32. */
export const warpSize: Cuda["warpSize"] = word("warpSize");
/** An array of the block, `__shared__`: `shared(i32, 256)`, `shared(f32, [32, 33])`. The size is known at compile time. */
export const shared: Cuda["shared"] = word("shared");
/** The block's array whose size the launch gives, `extern __shared__`. All such arrays start at one address. */
export const externShared: Cuda["externShared"] = word("externShared");
/** An array of the thread's own: `local(f32, 8)`. */
export const local: Cuda["local"] = word("local");
/** The same memory as vectors, for wide loads: `asVector(input, float4)[i]`. Its address must be aligned for that. */
export const asVector: Cuda["asVector"] = word("asVector");
/** Waits until all threads of the block are here, and makes their writes visible to each other: `__syncthreads()`. */
export const syncthreads: Cuda["syncthreads"] = word("syncthreads");
/** syncthreads, and the number of threads whose condition holds. */
export const syncthreadsCount: Cuda["syncthreadsCount"] = word("syncthreadsCount");
/** syncthreads, and whether the condition holds in all threads. */
export const syncthreadsAnd: Cuda["syncthreadsAnd"] = word("syncthreadsAnd");
/** syncthreads, and whether the condition holds in any thread. */
export const syncthreadsOr: Cuda["syncthreadsOr"] = word("syncthreadsOr");
/** `__syncthreads_count(condition)`. */
export const syncthreads_count: Cuda["syncthreads_count"] = word("syncthreads_count");
/** `__syncthreads_and(condition)`. */
export const syncthreads_and: Cuda["syncthreads_and"] = word("syncthreads_and");
/** `__syncthreads_or(condition)`. */
export const syncthreads_or: Cuda["syncthreads_or"] = word("syncthreads_or");
/** Waits for the lanes of the mask (all, if left out) and makes their writes visible to each other: `__syncwarp(mask)`. */
export const syncwarp: Cuda["syncwarp"] = word("syncwarp");
/** This thread's writes before it become visible to the whole GPU before its writes after it: `__threadfence()`. It waits for nobody. */
export const threadfence: Cuda["threadfence"] = word("threadfence");
/** The same within the block: `__threadfence_block()`. */
export const threadfence_block: Cuda["threadfence_block"] = word("threadfence_block");
/** The value of lane `sourceLane`, within segments of `width` lanes: `__shfl_sync(mask, value, sourceLane, width)`. */
export const shfl_sync: Cuda["shfl_sync"] = word("shfl_sync");
/** The value of the lane `delta` below; the lowest lanes keep their own: `__shfl_up_sync(mask, value, delta, width)`. */
export const shfl_up_sync: Cuda["shfl_up_sync"] = word("shfl_up_sync");
/** The value of the lane `delta` above; the highest lanes keep their own: `__shfl_down_sync(mask, value, delta, width)`. */
export const shfl_down_sync: Cuda["shfl_down_sync"] = word("shfl_down_sync");
/** The value of lane `own ^ laneMask`: `__shfl_xor_sync(mask, value, laneMask, width)`. */
export const shfl_xor_sync: Cuda["shfl_xor_sync"] = word("shfl_xor_sync");
/** From before CUDA 9, over the active lanes; refused from compute capability 7.0 on. */
export const shfl: Cuda["shfl"] = word("shfl");
/** From before CUDA 9; refused from compute capability 7.0 on. */
export const shfl_up: Cuda["shfl_up"] = word("shfl_up");
/** From before CUDA 9; refused from compute capability 7.0 on. */
export const shfl_down: Cuda["shfl_down"] = word("shfl_down");
/** From before CUDA 9; refused from compute capability 7.0 on. */
export const shfl_xor: Cuda["shfl_xor"] = word("shfl_xor");
/** From before CUDA 9; refused from compute capability 7.0 on. */
export const ballot: Cuda["ballot"] = word("ballot");
/** From before CUDA 9; refused from compute capability 7.0 on. */
export const any: Cuda["any"] = word("any");
/** From before CUDA 9; refused from compute capability 7.0 on. */
export const all: Cuda["all"] = word("all");
/** Bit i is set where the condition holds in lane i: `__ballot_sync(mask, condition)`. */
export const ballot_sync: Cuda["ballot_sync"] = word("ballot_sync");
/** Whether the condition holds in any lane of the mask: `__any_sync(mask, condition)`. */
export const any_sync: Cuda["any_sync"] = word("any_sync");
/** Whether the condition holds in all lanes of the mask: `__all_sync(mask, condition)`. */
export const all_sync: Cuda["all_sync"] = word("all_sync");
/** The lanes that execute this together: `__activemask()`. No promise about others of the same branch. */
export const activemask: Cuda["activemask"] = word("activemask");
/** The lanes with the same value: `__match_any_sync(mask, value)`. Needs compute capability 7.0. */
export const match_any_sync: Cuda["match_any_sync"] = word("match_any_sync");
/** `mask` if all lanes have the same value, else 0; and whether they have: `__match_all_sync`. Needs compute capability 7.0. */
export const match_all_sync: Cuda["match_all_sync"] = word("match_all_sync");
/** The sum over the lanes of the mask: `__reduce_add_sync(mask, value)`. Needs compute capability 8.0. */
export const reduce_add_sync: Cuda["reduce_add_sync"] = word("reduce_add_sync");
/** The least over the lanes of the mask. Needs compute capability 8.0. */
export const reduce_min_sync: Cuda["reduce_min_sync"] = word("reduce_min_sync");
/** The greatest over the lanes of the mask. Needs compute capability 8.0. */
export const reduce_max_sync: Cuda["reduce_max_sync"] = word("reduce_max_sync");
/** Bitwise and over the lanes of the mask. Needs compute capability 8.0. */
export const reduce_and_sync: Cuda["reduce_and_sync"] = word("reduce_and_sync");
/** Bitwise or over the lanes of the mask. Needs compute capability 8.0. */
export const reduce_or_sync: Cuda["reduce_or_sync"] = word("reduce_or_sync");
/** Bitwise exclusive or over the lanes of the mask. Needs compute capability 8.0. */
export const reduce_xor_sync: Cuda["reduce_xor_sync"] = word("reduce_xor_sync");
/** This thread's lane in its warp, 0 to 31. */
export const laneId: Cuda["laneId"] = word("laneId");
/** Adds to `array[index]` in one step and gives the value before: `atomicAdd(&array[index], value)`. */
export const atomicAdd: Cuda["atomicAdd"] = word("atomicAdd");
/** Subtracts from `array[index]` in one step and gives the value before. */
export const atomicSub: Cuda["atomicSub"] = word("atomicSub");
/** Keeps the lesser in `array[index]` and gives the value before. */
export const atomicMin: Cuda["atomicMin"] = word("atomicMin");
/** Keeps the greater in `array[index]` and gives the value before. */
export const atomicMax: Cuda["atomicMax"] = word("atomicMax");
/** Bitwise and into `array[index]`; gives the value before. */
export const atomicAnd: Cuda["atomicAnd"] = word("atomicAnd");
/** Bitwise or into `array[index]`; gives the value before. */
export const atomicOr: Cuda["atomicOr"] = word("atomicOr");
/** Bitwise exclusive or into `array[index]`; gives the value before. */
export const atomicXor: Cuda["atomicXor"] = word("atomicXor");
/** Stores and gives the value before. */
export const atomicExch: Cuda["atomicExch"] = word("atomicExch");
/** Stores `value` if `array[index]` equals `compare`; gives the value before. */
export const atomicCAS: Cuda["atomicCAS"] = word("atomicCAS");
/** Counts up to `limit`, then starts at 0; u32. */
export const atomicInc: Cuda["atomicInc"] = word("atomicInc");
/** Counts down to 0, then starts at `limit`; u32. */
export const atomicDec: Cuda["atomicDec"] = word("atomicDec");
/** CUDA's `make_int2`. */
export const make_int2: Cuda["make_int2"] = word("make_int2");
/** CUDA's `make_int4`. */
export const make_int4: Cuda["make_int4"] = word("make_int4");
/** CUDA's `make_uint2`. */
export const make_uint2: Cuda["make_uint2"] = word("make_uint2");
/** CUDA's `make_uint4`. */
export const make_uint4: Cuda["make_uint4"] = word("make_uint4");
/** CUDA's `make_float2`. */
export const make_float2: Cuda["make_float2"] = word("make_float2");
/** CUDA's `make_float4`. */
export const make_float4: Cuda["make_float4"] = word("make_float4");
/** CUDA's `make_double2`. */
export const make_double2: Cuda["make_double2"] = word("make_double2");
/** Device printf: %d %u %x %lld %llu %f %e %g %c, %s of a text in quotes. Printed in order of execution when the launch ends. */
export const printf: Cuda["printf"] = word("printf");
/** As the first statement of a loop: copies its body so many times (all iterations, if left out). CUDA's `#pragma unroll`. */
export const unroll: Cuda["unroll"] = word("unroll");
/** The SM's cycle counter, the low 32 bits: `clock()`. */
export const clock: Cuda["clock"] = word("clock");
/** This kernel, for `launch`. */
export const self: Cuda["self"] = word("self");
/** Dynamic parallelism: launches a child grid from this thread, as `child<<<grid, block, shared>>>(...)` does. */
export const launch: Cuda["launch"] = word("launch");
/** Waits for this thread's child grids: `cudaDeviceSynchronize()` before CUDA 12. */
export const deviceSynchronize: Cuda["deviceSynchronize"] = word("deviceSynchronize");
/** Cooperative groups: the block. */
export const this_thread_block: Cuda["this_thread_block"] = word("this_thread_block");
/** Cooperative groups: the grid of a cooperative launch. */
export const this_grid: Cuda["this_grid"] = word("this_grid");
/** Splits a block (or a tile) into tiles of 2, 4, 8, 16 or 32 threads. */
export const tiled_partition: Cuda["tiled_partition"] = word("tiled_partition");
/** The threads of the warp that are here together. */
export const coalesced_threads: Cuda["coalesced_threads"] = word("coalesced_threads");
/** The operator + for `reduce` and the scans. */
export const plus: Cuda["plus"] = word("plus");
/** The lesser, for `reduce` and the scans. */
export const less: Cuda["less"] = word("less");
/** The greater, for `reduce` and the scans. */
export const greater: Cuda["greater"] = word("greater");
/** Bitwise and, for `reduce` and the scans. */
export const bit_and: Cuda["bit_and"] = word("bit_and");
/** Bitwise or, for `reduce` and the scans. */
export const bit_or: Cuda["bit_or"] = word("bit_or");
/** Bitwise exclusive or, for `reduce` and the scans. */
export const bit_xor: Cuda["bit_xor"] = word("bit_xor");
/** The group's values combined, in every thread of the group. `plus` if no operator is given. */
export const reduce: Cuda["reduce"] = word("reduce");
/** The values of the ranks up to this one combined. */
export const inclusive_scan: Cuda["inclusive_scan"] = word("inclusive_scan");
/** The values of the ranks below this one combined; the operator's neutral value in rank 0. */
export const exclusive_scan: Cuda["exclusive_scan"] = word("exclusive_scan");
/** The value of lane `sourceLane`, within segments of `width` lanes: `__shfl_sync(mask, value, sourceLane, width)`. */
export const __shfl_sync: Cuda["__shfl_sync"] = word("__shfl_sync");
/** The value of the lane `delta` below; the lowest lanes keep their own: `__shfl_up_sync(mask, value, delta, width)`. */
export const __shfl_up_sync: Cuda["__shfl_up_sync"] = word("__shfl_up_sync");
/** The value of the lane `delta` above; the highest lanes keep their own: `__shfl_down_sync(mask, value, delta, width)`. */
export const __shfl_down_sync: Cuda["__shfl_down_sync"] = word("__shfl_down_sync");
/** The value of lane `own ^ laneMask`: `__shfl_xor_sync(mask, value, laneMask, width)`. */
export const __shfl_xor_sync: Cuda["__shfl_xor_sync"] = word("__shfl_xor_sync");
/** From before CUDA 9, over the active lanes; refused from compute capability 7.0 on. */
export const __shfl: Cuda["__shfl"] = word("__shfl");
/** From before CUDA 9; refused from compute capability 7.0 on. */
export const __shfl_up: Cuda["__shfl_up"] = word("__shfl_up");
/** From before CUDA 9; refused from compute capability 7.0 on. */
export const __shfl_down: Cuda["__shfl_down"] = word("__shfl_down");
/** From before CUDA 9; refused from compute capability 7.0 on. */
export const __shfl_xor: Cuda["__shfl_xor"] = word("__shfl_xor");
/** From before CUDA 9; refused from compute capability 7.0 on. */
export const __ballot: Cuda["__ballot"] = word("__ballot");
/** From before CUDA 9; refused from compute capability 7.0 on. */
export const __any: Cuda["__any"] = word("__any");
/** From before CUDA 9; refused from compute capability 7.0 on. */
export const __all: Cuda["__all"] = word("__all");
/** Bit i is set where the condition holds in lane i: `__ballot_sync(mask, condition)`. */
export const __ballot_sync: Cuda["__ballot_sync"] = word("__ballot_sync");
/** Whether the condition holds in any lane of the mask: `__any_sync(mask, condition)`. */
export const __any_sync: Cuda["__any_sync"] = word("__any_sync");
/** Whether the condition holds in all lanes of the mask: `__all_sync(mask, condition)`. */
export const __all_sync: Cuda["__all_sync"] = word("__all_sync");
/** The lanes that execute this together: `__activemask()`. No promise about others of the same branch. */
export const __activemask: Cuda["__activemask"] = word("__activemask");
/** The lanes with the same value: `__match_any_sync(mask, value)`. Needs compute capability 7.0. */
export const __match_any_sync: Cuda["__match_any_sync"] = word("__match_any_sync");
/** `mask` if all lanes have the same value, else 0; and whether they have: `__match_all_sync`. Needs compute capability 7.0. */
export const __match_all_sync: Cuda["__match_all_sync"] = word("__match_all_sync");
/** The sum over the lanes of the mask: `__reduce_add_sync(mask, value)`. Needs compute capability 8.0. */
export const __reduce_add_sync: Cuda["__reduce_add_sync"] = word("__reduce_add_sync");
/** The least over the lanes of the mask. Needs compute capability 8.0. */
export const __reduce_min_sync: Cuda["__reduce_min_sync"] = word("__reduce_min_sync");
/** The greatest over the lanes of the mask. Needs compute capability 8.0. */
export const __reduce_max_sync: Cuda["__reduce_max_sync"] = word("__reduce_max_sync");
/** Bitwise and over the lanes of the mask. Needs compute capability 8.0. */
export const __reduce_and_sync: Cuda["__reduce_and_sync"] = word("__reduce_and_sync");
/** Bitwise or over the lanes of the mask. Needs compute capability 8.0. */
export const __reduce_or_sync: Cuda["__reduce_or_sync"] = word("__reduce_or_sync");
/** Bitwise exclusive or over the lanes of the mask. Needs compute capability 8.0. */
export const __reduce_xor_sync: Cuda["__reduce_xor_sync"] = word("__reduce_xor_sync");
/** Waits for the lanes of the mask (all, if left out) and makes their writes visible to each other: `__syncwarp(mask)`. */
export const __syncwarp: Cuda["__syncwarp"] = word("__syncwarp");
/** Waits until all threads of the block are here, and makes their writes visible to each other: `__syncthreads()`. */
export const __syncthreads: Cuda["__syncthreads"] = word("__syncthreads");
/** `__syncthreads_count(condition)`. */
export const __syncthreads_count: Cuda["__syncthreads_count"] = word("__syncthreads_count");
/** `__syncthreads_and(condition)`. */
export const __syncthreads_and: Cuda["__syncthreads_and"] = word("__syncthreads_and");
/** `__syncthreads_or(condition)`. */
export const __syncthreads_or: Cuda["__syncthreads_or"] = word("__syncthreads_or");
/** This thread's writes before it become visible to the whole GPU before its writes after it: `__threadfence()`. It waits for nobody. */
export const __threadfence: Cuda["__threadfence"] = word("__threadfence");
/** The same within the block: `__threadfence_block()`. */
export const __threadfence_block: Cuda["__threadfence_block"] = word("__threadfence_block");
