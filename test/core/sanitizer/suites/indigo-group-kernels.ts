/** The patterns of Indigo in which a warp or a block combines the values of one vertex's neighbours. */
import { kernel } from "../../../../src/index.js";
import { type PatternKernel, params } from "./indigo-kernels.js";

export const conditionalVertexWarp: PatternKernel = kernel(
  "conditional_vertex_warp",
  { params, constants: { atomicBug: false } },
  (
    { nindex, nlist, data1, numv, persistent, reverse },
    { blockIdx, blockDim, gridDim, threadIdx, any_sync, ballot_sync, popc, atomicAdd, i32 },
    { atomicBug },
  ) => {
    const lane = i32(threadIdx.x % 32);
    const step = i32((gridDim.x * blockDim.x) >> 5);
    for (let i = i32((threadIdx.x + blockIdx.x * blockDim.x) >> 5); i < numv; i += step) {
      const begin = nindex[i];
      const end = nindex[i + 1];
      let sum = 0;
      for (let k = lane; any_sync(0xffffffff, k < end - begin); k += 32) {
        let neighbor = i;
        if (k < end - begin) neighbor = nlist[reverse ? end - 1 - k : begin + k];
        sum += i32(popc(ballot_sync(0xffffffff, i < neighbor)));
      }
      if (lane === 0) {
        if (atomicBug) data1[0] += sum;
        else atomicAdd(data1, 0, sum);
      }
      if (!persistent) break;
    }
  },
);

export const conditionalVertexBlock: PatternKernel = kernel(
  "conditional_vertex_block",
  { params, constants: { atomicBug: false } },
  (
    { nindex, nlist, data1, numv, persistent, reverse },
    { blockIdx, blockDim, gridDim, threadIdx, syncthreadsOr, syncthreadsCount, atomicAdd, i32 },
    { atomicBug },
  ) => {
    for (let i = i32(blockIdx.x); i < numv; i += i32(gridDim.x)) {
      const begin = nindex[i];
      const end = nindex[i + 1];
      let sum = 0;
      for (let k = i32(threadIdx.x); syncthreadsOr(k < end - begin); k += i32(blockDim.x)) {
        let neighbor = i;
        if (k < end - begin) neighbor = nlist[reverse ? end - 1 - k : begin + k];
        sum += i32(syncthreadsCount(i < neighbor));
      }
      if (threadIdx.x === 0) {
        if (atomicBug) data1[0] += sum;
        else atomicAdd(data1, 0, sum);
      }
      if (!persistent) break;
    }
  },
);

export const conditionalEdgeWarp: PatternKernel = kernel(
  "conditional_edge_warp",
  { params, constants: { atomicBug: false, guardBug: false } },
  (
    { nindex, nlist, data1, data2, numv, persistent, reverse, cond },
    { blockIdx, blockDim, gridDim, threadIdx, shfl_xor_sync, max, atomicMax, i32 },
    { atomicBug, guardBug },
  ) => {
    const lane = i32(threadIdx.x % 32);
    const step = i32((gridDim.x * blockDim.x) >> 5);
    for (let i = i32((threadIdx.x + blockIdx.x * blockDim.x) >> 5); i < numv; i += step) {
      const begin = nindex[i];
      const end = nindex[i + 1];
      let value = 0;
      for (let k = lane; k < end - begin; k += 32) {
        const neighbor = nlist[reverse ? end - 1 - k : begin + k];
        if (!cond || i < neighbor) value = max(value, data2[neighbor]);
      }
      for (let offset = 1; offset < 32; offset *= 2) value = max(value, shfl_xor_sync(0xffffffff, value, offset));
      if (lane === 0) {
        if (!guardBug || data1[0] < value) {
          if (atomicBug) data1[0] = max(data1[0], value);
          else atomicMax(data1, 0, value);
        }
      }
      if (!persistent) break;
    }
  },
);

export const conditionalEdgeBlock: PatternKernel = kernel(
  "conditional_edge_block",
  { params, constants: { shfl: false, syncBug: false, atomicBug: false, guardBug: false } },
  (
    { nindex, nlist, data1, data2, numv, persistent, reverse, cond },
    { blockIdx, blockDim, gridDim, threadIdx, shared, syncthreads, shfl_xor_sync, max, atomicMax, i32 },
    { shfl, syncBug, atomicBug, guardBug },
  ) => {
    const carry = shared(i32, 256);
    const tid = i32(threadIdx.x);
    if (!shfl || tid < 32) carry[tid] = 0;
    for (let i = i32(blockIdx.x); i < numv; i += i32(gridDim.x)) {
      syncthreads();
      const begin = nindex[i];
      const end = nindex[i + 1];
      let value = 0;
      for (let k = tid; k < end - begin; k += i32(blockDim.x)) {
        const neighbor = nlist[reverse ? end - 1 - k : begin + k];
        if (!cond || i < neighbor) value = max(value, data2[neighbor]);
      }
      if (shfl) {
        for (let offset = 1; offset < 32; offset *= 2) value = max(value, shfl_xor_sync(0xffffffff, value, offset));
        if (tid % 32 === 0) carry[tid >> 5] = value;
      } else {
        carry[tid] = value;
      }
      if (!syncBug) syncthreads();
      if (!shfl) {
        for (let stride = i32(blockDim.x >> 1); stride > 0; stride >>= 1) {
          if (tid < stride) carry[tid] = max(carry[tid], carry[tid + stride]);
          syncthreads();
        }
      } else if (tid < 32) {
        value = carry[tid];
        for (let offset = 1; offset < 32; offset *= 2) value = max(value, shfl_xor_sync(0xffffffff, value, offset));
      }
      if (tid === 0) {
        if (!shfl) value = carry[0];
        if (!guardBug || data1[0] < value) {
          if (atomicBug) data1[0] = max(data1[0], value);
          else atomicMax(data1, 0, value);
        }
      }
      if (!persistent) break;
    }
  },
);

export const pullWarp: PatternKernel = kernel(
  "pull_node_warp",
  { params },
  (
    { nindex, nlist, data1, data2, numv, persistent, reverse, cond },
    { blockIdx, blockDim, gridDim, threadIdx, shfl_up_sync, i32 },
  ) => {
    const lane = i32(threadIdx.x % 32);
    const step = i32((gridDim.x * blockDim.x) >> 5);
    for (let i = i32((threadIdx.x + blockIdx.x * blockDim.x) >> 5); i < numv; i += step) {
      const begin = nindex[i];
      const end = nindex[i + 1];
      let value = 0;
      for (let k = lane; k < end - begin; k += 32) {
        const neighbor = nlist[reverse ? end - 1 - k : begin + k];
        if (!cond || i < neighbor) value += data2[neighbor];
      }
      for (let offset = 1; offset < 32; offset *= 2) value += shfl_up_sync(0xffffffff, value, offset);
      if (lane === 31) data1[i] += value;
      if (!persistent) break;
    }
  },
);

export const pullBlock: PatternKernel = kernel(
  "pull_node_block",
  { params, constants: { shfl: false, syncBug: false } },
  (
    { nindex, nlist, data1, data2, numv, persistent, reverse, cond },
    { blockIdx, blockDim, gridDim, threadIdx, shared, syncthreads, shfl_up_sync, i32 },
    { shfl, syncBug },
  ) => {
    const carry = shared(i32, 256);
    const tid = i32(threadIdx.x);
    if (!shfl || tid < 32) carry[tid] = 0;
    for (let i = i32(blockIdx.x); i < numv; i += i32(gridDim.x)) {
      syncthreads();
      const begin = nindex[i];
      const end = nindex[i + 1];
      let value = 0;
      for (let k = tid; k < end - begin; k += i32(blockDim.x)) {
        const neighbor = nlist[reverse ? end - 1 - k : begin + k];
        if (!cond || i < neighbor) value += data2[neighbor];
      }
      if (shfl) {
        for (let offset = 1; offset < 32; offset *= 2) value += shfl_up_sync(0xffffffff, value, offset);
        if (tid % 32 === 31) carry[tid >> 5] = value;
      } else {
        carry[tid] = value;
      }
      if (!syncBug) syncthreads();
      if (!shfl) {
        for (let stride = i32(blockDim.x >> 1); stride > 0; stride >>= 1) {
          if (tid < stride) carry[tid] += carry[tid + stride];
          syncthreads();
        }
        if (tid === 0) data1[i] += carry[0];
      } else if (tid < 32) {
        value = carry[tid];
        for (let offset = 1; offset < 32; offset *= 2) value += shfl_up_sync(0xffffffff, value, offset);
        if (tid === 31) data1[i] += value;
      }
      if (!persistent) break;
    }
  },
);
