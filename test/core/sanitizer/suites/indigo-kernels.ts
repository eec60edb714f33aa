/**
 * The code patterns of Indigo, written anew. A constant that ends in Bug plants a fault; what else the suite varies is a parameter
 * of the launch, so that one compiled kernel serves many of its codes.
 */
import { i32, type Kernel, kernel, type PointerParameter, ptr, type ScalarType } from "../../../../src/index.js";

type Ints = PointerParameter<ScalarType<"i32">>;
type Int = ScalarType<"i32">;

export type PatternParameters = {
  /** A graph as compressed sparse rows. */
  readonly nindex: Ints;
  readonly nlist: Ints;
  readonly data1: Ints;
  readonly data2: Ints;
  readonly numv: Int;
  /** All neighbours of a vertex, not only the first. */
  readonly every: Int;
  /** A thread, warp or block goes through several vertices. */
  readonly persistent: Int;
  /** Neighbours from the last one on. */
  readonly reverse: Int;
  /** Only neighbours with greater numbers. */
  readonly cond: Int;
  readonly breaks: Int;
  /** Leaves out a check that keeps indices inside the arrays. */
  readonly boundsBug: Int;
};

export const params: PatternParameters = {
  nindex: ptr(i32),
  nlist: ptr(i32),
  data1: ptr(i32),
  data2: ptr(i32),
  numv: i32,
  every: i32,
  persistent: i32,
  reverse: i32,
  cond: i32,
  breaks: i32,
  boundsBug: i32,
};

export type PatternKernel = Kernel<PatternParameters>;

/** Counts the vertices or neighbours with a condition, a thread to a vertex. */
export const conditionalVertex: PatternKernel = kernel(
  "conditional_vertex",
  { params, constants: { atomicBug: false } },
  (
    { nindex, nlist, data1, numv, every, persistent, reverse, breaks, boundsBug },
    { blockIdx, blockDim, gridDim, threadIdx, min, atomicAdd, i32 },
    { atomicBug },
  ) => {
    const step = i32(gridDim.x * blockDim.x);
    for (let i = i32(threadIdx.x + blockIdx.x * blockDim.x); i < numv || (every && boundsBug); i += step) {
      const begin = nindex[i];
      const end = nindex[i + 1];
      const visits = every ? end - begin : boundsBug ? 1 : min(end - begin, 1);
      for (let k = 0; k < visits; k++) {
        const neighbor = nlist[reverse ? end - 1 - k : begin + k];
        if (i < neighbor) {
          if (atomicBug) data1[0]++;
          else atomicAdd(data1, 0, 1);
          if (breaks) break;
        }
      }
      if (!persistent) break;
    }
  },
);

/** The greatest value of all neighbours with a condition, a thread to a vertex. */
export const conditionalEdge: PatternKernel = kernel(
  "conditional_edge",
  { params, constants: { atomicBug: false, guardBug: false } },
  (
    { nindex, nlist, data1, data2, numv, every, persistent, reverse, cond, breaks, boundsBug },
    { blockIdx, blockDim, gridDim, threadIdx, min, max, atomicMax, i32 },
    { atomicBug, guardBug },
  ) => {
    const step = i32(gridDim.x * blockDim.x);
    for (let i = i32(threadIdx.x + blockIdx.x * blockDim.x); i < numv || (every && boundsBug); i += step) {
      const begin = nindex[i];
      const end = nindex[i + 1];
      const visits = every ? end - begin : boundsBug ? 1 : min(end - begin, 1);
      for (let k = 0; k < visits; k++) {
        const neighbor = nlist[reverse ? end - 1 - k : begin + k];
        if (!cond || i < neighbor) {
          if (!guardBug || data1[0] < data2[neighbor]) {
            if (atomicBug) data1[0] = max(data1[0], data2[neighbor]);
            else atomicMax(data1, 0, data2[neighbor]);
          }
          if (breaks) break;
        }
      }
      if (!persistent) break;
    }
  },
);

/** A vertex takes values from its neighbours, a thread to a vertex. */
export const pull: PatternKernel = kernel(
  "pull_node",
  { params },
  (
    { nindex, nlist, data1, data2, numv, every, persistent, reverse, cond, breaks, boundsBug },
    { blockIdx, blockDim, gridDim, threadIdx, min, i32 },
  ) => {
    const step = i32(gridDim.x * blockDim.x);
    for (let i = i32(threadIdx.x + blockIdx.x * blockDim.x); i < numv || (every && boundsBug); i += step) {
      const begin = nindex[i];
      const end = nindex[i + 1];
      const visits = every ? end - begin : boundsBug ? 1 : min(end - begin, 1);
      for (let k = 0; k < visits; k++) {
        const neighbor = nlist[reverse ? end - 1 - k : begin + k];
        if (!cond || i < neighbor) {
          data1[i] += data2[neighbor];
          if (breaks) break;
        }
      }
      if (!persistent) break;
    }
  },
);

/** A vertex gives its value to its neighbours; `width` threads to a vertex, 0 for a block. */
export const push: PatternKernel = kernel(
  "push_node",
  { params, constants: { width: 1, atomicBug: false } },
  (
    { nindex, nlist, data1, data2, numv, every, persistent, reverse, cond, breaks, boundsBug },
    { blockIdx, blockDim, gridDim, threadIdx, min, atomicMin, idiv, i32 },
    { width, atomicBug },
  ) => {
    const lanes = width === 0 ? i32(blockDim.x) : width;
    const thread = i32(threadIdx.x + blockIdx.x * blockDim.x);
    const step = idiv(i32(gridDim.x * blockDim.x), lanes);
    for (let i = idiv(thread, lanes); i < numv || (every && boundsBug); i += step) {
      const begin = nindex[i];
      const end = nindex[i + 1];
      const visits = every ? end - begin : boundsBug ? 1 : min(end - begin, 1);
      for (let k = thread % lanes; k < visits; k += lanes) {
        const neighbor = nlist[reverse ? end - 1 - k : begin + k];
        if (!cond || i < neighbor) {
          if (atomicBug) data1[neighbor] = min(data1[neighbor], data2[i]);
          else atomicMin(data1, neighbor, data2[i]);
          if (breaks) break;
        }
      }
      if (!persistent) break;
    }
  },
);

/** Edges with a condition are written to a list, one behind the other. */
export const populateWorklist: PatternKernel = kernel(
  "populate_worklist",
  { params, constants: { width: 1, atomicBug: false } },
  (
    { nindex, nlist, data1, data2, numv, every, persistent, reverse, breaks, boundsBug },
    { blockIdx, blockDim, gridDim, threadIdx, min, atomicAdd, idiv, i32 },
    { width, atomicBug },
  ) => {
    const lanes = width === 0 ? i32(blockDim.x) : width;
    const thread = i32(threadIdx.x + blockIdx.x * blockDim.x);
    const step = idiv(i32(gridDim.x * blockDim.x), lanes);
    for (let i = idiv(thread, lanes); i < numv || (every && boundsBug); i += step) {
      const begin = nindex[i];
      const end = nindex[i + 1];
      const visits = every ? end - begin : boundsBug ? 1 : min(end - begin, 1);
      for (let k = thread % lanes; k < visits; k += lanes) {
        const edge = reverse ? end - 1 - k : begin + k;
        if (i < nlist[edge]) {
          let place = 0;
          if (atomicBug) {
            place = data2[0];
            data2[0] = place + 1;
          } else {
            place = atomicAdd(data2, 0, 1);
          }
          data1[place] = edge;
          if (breaks) break;
        }
      }
      if (!persistent) break;
    }
  },
);

/** Every vertex looks for the end of its chain of parents. */
export const pathCompression: PatternKernel = kernel(
  "path_compression",
  { params, constants: { raceBug: false, traverse: false } },
  (
    { data1, data2, numv, persistent },
    { blockIdx, blockDim, gridDim, threadIdx, atomicOr, atomicExch, i32 },
    { raceBug, traverse },
  ) => {
    const step = i32(gridDim.x * blockDim.x);
    for (let i = i32(threadIdx.x + blockIdx.x * blockDim.x); i < numv; i += step) {
      let vertex = i;
      let parent = raceBug || traverse ? data1[vertex] : atomicOr(data1, vertex, 0);
      while (vertex > parent) {
        vertex = parent;
        parent = raceBug || traverse ? data1[vertex] : atomicOr(data1, vertex, 0);
      }
      if (traverse) data2[i] = vertex;
      else if (raceBug) data1[i] = vertex;
      else atomicExch(data1, i, vertex);
      if (!persistent) break;
    }
  },
);
