/**
 * cooperative_groups.h as C++ over the warp's own functions. It is text of the compilation, not of the precompiled header, so
 * that its functions have bodies in the tree.
 */
export const GROUPS: string = `
#pragma once
#define _CG_HAS_CLUSTER_GROUP 0
__device__ unsigned __warplab_lane();
__device__ void __warplab_grid_sync();
namespace cooperative_groups {
struct thread_block {
  static __device__ void sync() { __syncthreads(); }
  static __device__ void barrier_sync() { __syncthreads(); }
  static __device__ unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static __device__ unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static __device__ unsigned thread_rank() {
    return threadIdx.x + (threadIdx.y + blockDim.y * threadIdx.z) * blockDim.x;
  }
  static __device__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static __device__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static __device__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static __device__ dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
};
struct grid_group {
  static __device__ void sync() { __warplab_grid_sync(); }
  static __device__ bool is_valid() { return true; }
  static __device__ unsigned long long size() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * ((unsigned long long)blockDim.x * blockDim.y * blockDim.z);
  }
  static __device__ unsigned long long num_threads() { return size(); }
  static __device__ unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  static __device__ unsigned long long block_rank() {
    return blockIdx.x + (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z) * gridDim.x;
  }
  static __device__ unsigned long long thread_rank() {
    return block_rank() * (blockDim.x * blockDim.y * blockDim.z) + thread_block::thread_rank();
  }
  static __device__ dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static __device__ dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
};
template <unsigned Size, class Parent = void>
struct thread_block_tile {
  static __device__ unsigned __mask() {
    if constexpr (Size == 32) return 0xffffffffu;
    else return ((1u << (Size & 31)) - 1u) << (__warplab_lane() & ~(Size - 1) & 31);
  }
  static __device__ void sync() { __syncwarp(__mask()); }
  static constexpr __device__ unsigned size() { return Size; }
  static constexpr __device__ unsigned num_threads() { return Size; }
  static __device__ unsigned thread_rank() { return __warplab_lane() & (Size - 1); }
  static __device__ unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
  static __device__ unsigned meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
  template <class T> static __device__ T shfl(T v, int lane) { return __shfl_sync(__mask(), v, lane, Size); }
  template <class T> static __device__ T shfl_up(T v, unsigned d) { return __shfl_up_sync(__mask(), v, d, Size); }
  template <class T> static __device__ T shfl_down(T v, unsigned d) { return __shfl_down_sync(__mask(), v, d, Size); }
  template <class T> static __device__ T shfl_xor(T v, unsigned m) { return __shfl_xor_sync(__mask(), v, m, Size); }
  static __device__ int any(int p) { return __any_sync(__mask(), p); }
  static __device__ int all(int p) { return __all_sync(__mask(), p); }
  static __device__ unsigned ballot(int p) {
    if constexpr (Size == 32) return __ballot_sync(__mask(), p);
    else return (__ballot_sync(__mask(), p) >> (__warplab_lane() & ~(Size - 1) & 31)) & ((1u << (Size & 31)) - 1u);
  }
  template <class T> static __device__ unsigned match_any(T v) { return __match_any_sync(__mask(), v); }
};
template <> struct thread_block_tile<1, void> {
  static __device__ void sync() {}
  static constexpr __device__ unsigned size() { return 1; }
  static __device__ unsigned thread_rank() { return 0; }
};
struct coalesced_group {
  unsigned __lanes;
  __device__ void sync() const { __syncwarp(__lanes); }
  __device__ unsigned size() const { return __popc(__lanes); }
  __device__ unsigned num_threads() const { return __popc(__lanes); }
  __device__ unsigned thread_rank() const { return __popc(__lanes & ((1u << __warplab_lane()) - 1u)); }
  __device__ int __lane_of(int rank) const {
    unsigned rest = __lanes;
    for (int i = 0; i < rank; i++) rest &= rest - 1;
    return rest == 0 || rank < 0 ? (int)__warplab_lane() : __ffs((int)rest) - 1;
  }
  template <class T> __device__ T shfl(T v, int rank) const { return __shfl_sync(__lanes, v, __lane_of(rank)); }
  template <class T> __device__ T shfl_up(T v, int d) const { return __shfl_sync(__lanes, v, __lane_of((int)thread_rank() - d)); }
  template <class T> __device__ T shfl_down(T v, int d) const {
    return __shfl_sync(__lanes, v, __lane_of((int)thread_rank() + d));
  }
  __device__ int any(int p) const { return __any_sync(__lanes, p); }
  __device__ int all(int p) const { return __all_sync(__lanes, p); }
  __device__ unsigned ballot(int p) const {
    unsigned lanes = __ballot_sync(__lanes, p);
    unsigned packed = 0;
    unsigned rank = 0;
    for (unsigned rest = __lanes; rest != 0; rest &= rest - 1) {
      packed |= ((lanes >> (__ffs((int)rest) - 1)) & 1u) << rank;
      rank++;
    }
    return packed;
  }
};
typedef thread_block thread_group;
static __device__ inline thread_block this_thread_block() { return thread_block{}; }
static __device__ inline grid_group this_grid() { return grid_group{}; }
static __device__ inline coalesced_group coalesced_threads() { return coalesced_group{__activemask()}; }
template <unsigned Size, class P> __device__ inline thread_block_tile<Size> tiled_partition(const P&) {
  return thread_block_tile<Size>{};
}
template <class G> __device__ inline void sync(const G& group) { group.sync(); }
template <class T> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { __device__ T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { __device__ T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { __device__ T operator()(T a, T b) const { return a ^ b; } };
template <unsigned Size, class P, class T, class Op>
__device__ inline T reduce(const thread_block_tile<Size, P>& tile, T value, Op op) {
  T result = value;
  for (int offset = Size >> 1; offset > 0; offset >>= 1) {
    T other = tile.shfl_xor(result, offset);
    result = op(result, other);
  }
  return result;
}
template <unsigned Size, class P, class T, class Op>
__device__ inline T inclusive_scan(const thread_block_tile<Size, P>& tile, T value, Op op) {
  T result = value;
  for (int offset = 1; offset < Size; offset *= 2) {
    T other = tile.shfl_up(result, offset);
    if ((int)tile.thread_rank() >= offset) result = op(result, other);
  }
  return result;
}
template <unsigned Size, class P, class T>
__device__ inline T inclusive_scan(const thread_block_tile<Size, P>& tile, T value) {
  return inclusive_scan(tile, value, plus<T>());
}
template <unsigned Size, class P, class T>
__device__ inline T exclusive_scan(const thread_block_tile<Size, P>& tile, T value) {
  T result = inclusive_scan(tile, value, plus<T>());
  T before = tile.shfl_up(result, 1);
  return tile.thread_rank() == 0 ? T(0) : before;
}
}
`;
