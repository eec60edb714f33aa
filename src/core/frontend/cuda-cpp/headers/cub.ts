/**
 * The blocks and warps of CUB in our own words. A block's sums go by warp shuffles, then by the first thread over the warps, as
 * CUB does by default. Each operation has its own shared memory between two barriers, so that TempStorage is empty.
 */
const BLOCK = `enum { __threads = X * Y * Z, __warps = (__threads + 31) / 32 };
  static __device__ int __rank() { return threadIdx.x + X * (threadIdx.y + Y * threadIdx.z); }
  static __device__ unsigned __mask() {
    return __rank() / 32 == __warps - 1 && __threads % 32 != 0 ? (1u << (__threads % 32)) - 1u : 0xffffffffu;
  }`;

const storage = (name: string): string => `struct TempStorage {};
  __device__ ${name}() {}
  __device__ ${name}(TempStorage&) {}`;

/** An operation on one item, from the one that takes an operator. */
const SCANS = ["Inclusive", "Exclusive"].flatMap((kind) => {
  const init = kind === "Exclusive" ? "T init, " : "";
  const scan = `${kind}Scan`;
  const start = kind === "Exclusive" ? "T(0), " : "";
  return [
    `__device__ void ${kind}Sum(T in, T& out) { ${scan}(in, out, ${start}Sum()); }`,
    `__device__ void ${kind}Sum(T in, T& out, T& total) { ${scan}(in, out, ${start}Sum(), total); }`,
    `template <class Op> __device__ void ${scan}(T in, T& out, ${init}Op op) { T total; ${scan}(in, out, ${init === "" ? "" : "init, "}op, total); }`,
  ];
});

const moves = (["Load", "Store"] as const).map((name) => {
  const [to, from] = name === "Load" ? ["items[i]", "memory[at]"] : ["memory[at]", "items[i]"];
  const pointer = name === "Load" ? "const T* memory" : "T* memory";
  const at = `int at = A == BLOCK_${name.toUpperCase()}_STRIPED ? __rank() + i * __threads : __rank() * I + i;`;
  return `template <class T, int X, int I, Block${name}Algorithm A = BLOCK_${name.toUpperCase()}_DIRECT, int Y = 1, int Z = 1>
struct Block${name} {
  ${BLOCK}
  ${storage(`Block${name}`)}
  __device__ void ${name}(${pointer}, T (&items)[I]) { for (int i = 0; i < I; i++) { ${at} ${to} = ${from}; } }
  __device__ void ${name}(${pointer}, T (&items)[I], int valid) { for (int i = 0; i < I; i++) { ${at} if (at < valid) ${to} = ${from}; } }
  ${name === "Load" ? `__device__ void Load(${pointer}, T (&items)[I], int valid, T other) { for (int i = 0; i < I; i++) { ${at} items[i] = other; if (at < valid) ${to} = ${from}; } }` : ""}
};`;
});

export const CUB: string = `
#pragma once
__device__ unsigned __warplab_lane();
namespace cub {
struct Sum { template <class T> __device__ T operator()(T a, T b) const { return a + b; } };
struct Max { template <class T> __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
struct Min { template <class T> __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE };
template <class T, int W = 32> struct WarpReduce {
  ${storage("WarpReduce")}
  static __device__ unsigned __mask() {
    if constexpr (W == 32) return 0xffffffffu;
    else return ((1u << (W & 31)) - 1u) << (__warplab_lane() & ~(W - 1) & 31);
  }
  template <class Op> __device__ T Reduce(T in, Op op, int valid = W) {
    T result = in;
    int lane = __warplab_lane() & (W - 1);
    for (int d = 1; d < W; d *= 2) {
      T other = __shfl_down_sync(__mask(), result, d, W);
      if (lane + d < valid) result = op(result, other);
    }
    return result;
  }
  __device__ T Sum(T in) { return Reduce(in, cub::Sum()); }
  __device__ T Sum(T in, int valid) { return Reduce(in, cub::Sum(), valid); }
};
template <class T, int X, BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1> struct BlockReduce {
  ${BLOCK}
  ${storage("BlockReduce")}
  template <class Op> __device__ T Reduce(T in, Op op, int valid = __threads) {
    __shared__ T parts[__warps];
    T result = in;
    int lane = __rank() & 31;
    for (int d = 1; d < 32; d *= 2) {
      T other = __shfl_down_sync(__mask(), result, d);
      if (lane + d < 32 && __rank() + d < valid) result = op(result, other);
    }
    __syncthreads();
    if (lane == 0) parts[__rank() / 32] = result;
    __syncthreads();
    if (__rank() == 0) for (int w = 1; w < __warps; w++) if (32 * w < valid) result = op(result, parts[w]);
    return result;
  }
  __device__ T Sum(T in) { return Reduce(in, cub::Sum()); }
  __device__ T Sum(T in, int valid) { return Reduce(in, cub::Sum(), valid); }
  template <int I, class Op> __device__ T Reduce(T (&in)[I], Op op) {
    T own = in[0];
    for (int i = 1; i < I; i++) own = op(own, in[i]);
    return Reduce(own, op);
  }
  template <int I> __device__ T Sum(T (&in)[I]) { return Reduce(in, cub::Sum()); }
};
template <class T, int W = 32> struct WarpScan {
  ${storage("WarpScan")}
  template <class Op> __device__ void InclusiveScan(T in, T& out, Op op) {
    T result = in;
    int lane = __warplab_lane() & (W - 1);
    for (int d = 1; d < W; d *= 2) {
      T other = __shfl_up_sync(WarpReduce<T, W>::__mask(), result, d, W);
      if (lane >= d) result = op(other, result);
    }
    out = result;
  }
  __device__ void InclusiveSum(T in, T& out) { InclusiveScan(in, out, Sum()); }
  __device__ void ExclusiveSum(T in, T& out) { T own = in; InclusiveScan(own, out, Sum()); out = out - own; }
};
template <class T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1> struct BlockScan {
  ${BLOCK}
  ${storage("BlockScan")}
  template <class Op> __device__ void __scan(T in, T& inclusive, T& before, Op op, T& total) {
    __shared__ T parts[__warps];
    int lane = __rank() & 31, warp = __rank() / 32;
    T result = in;
    for (int d = 1; d < 32; d *= 2) {
      T other = __shfl_up_sync(__mask(), result, d);
      if (lane >= d) result = op(other, result);
    }
    T left = __shfl_up_sync(__mask(), result, 1);
    __syncthreads();
    if (lane == 31 || __rank() == __threads - 1) parts[warp] = result;
    __syncthreads();
    T sum = parts[0], prefix = parts[0];
    for (int w = 1; w < __warps; w++) {
      if (w == warp) prefix = sum;
      sum = op(sum, parts[w]);
    }
    before = left;
    if (warp > 0) {
      result = op(prefix, result);
      before = prefix;
      if (lane > 0) before = op(prefix, left);
    }
    inclusive = result;
    total = sum;
  }
  template <class Op> __device__ void InclusiveScan(T in, T& out, Op op, T& total) {
    T own = in, inclusive, before, sum;
    __scan(own, inclusive, before, op, sum);
    out = inclusive;
    total = sum;
  }
  template <class Op> __device__ void ExclusiveScan(T in, T& out, T init, Op op, T& total) {
    T own = in, inclusive, before, sum;
    __scan(own, inclusive, before, op, sum);
    out = init;
    if (__rank() > 0) out = op(init, before);
    total = sum;
  }
  ${SCANS.join("\n  ")}
  template <int I, class Op> __device__ void ExclusiveScan(T (&in)[I], T (&out)[I], T init, Op op, T& total) {
    T own = in[0], last;
    for (int i = 1; i < I; i++) own = op(own, in[i]);
    ExclusiveScan(own, last, init, op, total);
    for (int i = 0; i < I; i++) { T item = in[i]; out[i] = last; last = op(last, item); }
  }
  template <int I, class Op> __device__ void ExclusiveScan(T (&in)[I], T (&out)[I], T init, Op op) { T total; ExclusiveScan(in, out, init, op, total); }
  template <int I> __device__ void ExclusiveSum(T (&in)[I], T (&out)[I]) { ExclusiveScan(in, out, T(0), Sum()); }
  template <int I> __device__ void ExclusiveSum(T (&in)[I], T (&out)[I], T& total) { ExclusiveScan(in, out, T(0), Sum(), total); }
  template <int I, class Op> __device__ void InclusiveScan(T (&in)[I], T (&out)[I], Op op, T& total) {
    T own = in[0], inclusive, before, sum;
    for (int i = 1; i < I; i++) own = op(own, in[i]);
    __scan(own, inclusive, before, op, sum);
    T last = in[0];
    if (__rank() > 0) last = op(before, last);
    out[0] = last;
    for (int i = 1; i < I; i++) { last = op(last, in[i]); out[i] = last; }
    total = sum;
  }
  template <int I, class Op> __device__ void InclusiveScan(T (&in)[I], T (&out)[I], Op op) { T total; InclusiveScan(in, out, op, total); }
  template <int I> __device__ void InclusiveSum(T (&in)[I], T (&out)[I]) { InclusiveScan(in, out, Sum()); }
  template <int I> __device__ void InclusiveSum(T (&in)[I], T (&out)[I], T& total) { InclusiveScan(in, out, Sum(), total); }
};
${moves.join("\n")}
}
`;
