// Plain kernels as they stand in courses, blogs, samples and homework: reductions, scans, transposes, strided reads and writes,
// histograms, stencils, products, BLAS 1, compaction. None is in an earlier file. Simulated before they were
// measured on an H200.
#include <cuda_runtime.h>
#define ALL_LANES 0xffffffffu

// ======== reductions ==================================================================================================
// Interleaved addressing with strided index, doubles.
__global__ void reduce_interleaved_d(const double *g_idata, double *g_odata, unsigned int n) {
  __shared__ double sdata[512];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < n) ? g_idata[i] : 0.0;
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    int index = 2 * s * tid;
    if (index < blockDim.x) {
      sdata[index] += sdata[index + s];
    }
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

// First step during the load, greatest of floats.
__global__ void reduce_max_first(const float *g_idata, float *g_odata, unsigned int n) {
  extern __shared__ float smax[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  float m = (i < n) ? g_idata[i] : -1e30f;
  if (i + blockDim.x < n) m = fmaxf(m, g_idata[i + blockDim.x]);
  smax[tid] = m;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) smax[tid] = fmaxf(smax[tid], smax[tid + s]);
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = smax[0];
}

template <unsigned int blockSize>
__device__ __forceinline__ void last_warp_ll(volatile long long *sdata, unsigned int tid) {
  if (blockSize >= 64) sdata[tid] += sdata[tid + 32];
  if (blockSize >= 32) sdata[tid] += sdata[tid + 16];
  if (blockSize >= 16) sdata[tid] += sdata[tid + 8];
  if (blockSize >= 8) sdata[tid] += sdata[tid + 4];
  if (blockSize >= 4) sdata[tid] += sdata[tid + 2];
  if (blockSize >= 2) sdata[tid] += sdata[tid + 1];
}
// Completely unrolled, several elements a thread, long long.
__global__ void reduce_complete_ll(const long long *g_idata, long long *g_odata, unsigned int n) {
  __shared__ long long sd[256];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * 512 + tid;
  unsigned int gridSize = 512 * gridDim.x;
  long long mySum = 0;
  while (i < n) {
    mySum += g_idata[i];
    if (i + 256 < n) mySum += g_idata[i + 256];
    i += gridSize;
  }
  sd[tid] = mySum;
  __syncthreads();
  if (tid < 128) sd[tid] += sd[tid + 128];
  __syncthreads();
  if (tid < 64) sd[tid] += sd[tid + 64];
  __syncthreads();
  if (tid < 32) last_warp_ll<256>(sd, tid);
  if (tid == 0) g_odata[blockIdx.x] = sd[0];
}

__device__ float warpSum(float val) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) val += __shfl_down_sync(ALL_LANES, val, offset);
  return val;
}
__device__ float blockSum(float val, float *shared) {
  int lane = threadIdx.x % 32;
  int wid = threadIdx.x / 32;
  val = warpSum(val);
  if (lane == 0) shared[wid] = val;
  __syncthreads();
  val = (threadIdx.x < (blockDim.x + 31) / 32) ? shared[lane] : 0.0f;
  if (wid == 0) val = warpSum(val);
  return val;
}
// 16 elements a thread, a block's width apart.
__global__ void sum_16_per_thread(const float *x, float *partial) {
  __shared__ float shared[32];
  int base = blockIdx.x * blockDim.x * 16 + threadIdx.x;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 16; ++k) sum += x[base + k * blockDim.x];
  sum = blockSum(sum, shared);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

// Four neighbouring ints a thread, one atomic a block.
__global__ void sum_4_neighbours(const int *data, int *result, int n) {
  __shared__ int cache[1024];
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  int temp = 0;
  for (int k = 0; k < 4; k++) {
    if (first + k < n) temp += data[first + k];
  }
  cache[threadIdx.x] = temp;
  __syncthreads();
  int i = blockDim.x / 2;
  while (i != 0) {
    if (threadIdx.x < i) cache[threadIdx.x] += cache[threadIdx.x + i];
    __syncthreads();
    i /= 2;
  }
  if (threadIdx.x == 0) atomicAdd(result, cache[0]);
}

// Any number of threads in a block.
__global__ void min_any_block(const int *a, int *mins, int n) {
  extern __shared__ int smin[];
  int t = threadIdx.x;
  int best = 2147483647;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) best = min(best, a[i]);
  smin[t] = best;
  __syncthreads();
  int count = blockDim.x;
  while (count > 1) {
    int half = (count + 1) / 2;
    if (t < count / 2) smin[t] = min(smin[t], smin[t + half]);
    __syncthreads();
    count = half;
  }
  if (t == 0) mins[blockIdx.x] = smin[0];
}

__global__ void argmin_tree(const float *x, float *value, int *index, int n) {
  __shared__ float sv[256];
  __shared__ int si[256];
  int tid = threadIdx.x;
  float v = 1e30f;
  int at = -1;
  for (int i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x) {
    if (x[i] < v) {
      v = x[i];
      at = i;
    }
  }
  sv[tid] = v;
  si[tid] = at;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) {
      if (sv[tid + s] < sv[tid]) {
        sv[tid] = sv[tid + s];
        si[tid] = si[tid + s];
      }
    }
    __syncthreads();
  }
  if (tid == 0) {
    value[blockIdx.x] = sv[0];
    index[blockIdx.x] = si[0];
  }
}

__device__ double warpSumD(double v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(ALL_LANES, v, d);
  return v;
}
// Sum and sum of squares in double, two atomics a warp.
__global__ void mean_variance_d(const float *x, double *acc, int n) {
  double s = 0.0, s2 = 0.0;
  int stride = blockDim.x * gridDim.x;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += stride) {
    double v = x[i];
    s += v;
    s2 += v * v;
  }
  s = warpSumD(s);
  s2 = warpSumD(s2);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&acc[0], s);
    atomicAdd(&acc[1], s2);
  }
}

// A warp for each row, several rows a block.
__global__ void row_norms_warp(const float *A, float *norms, int rows, int cols) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  int lane = threadIdx.x & 31;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int j = lane; j < cols; j += 32) {
    float a = A[row * cols + j];
    sum += a * a;
  }
  sum = warpSum(sum);
  if (lane == 0) norms[row] = sqrtf(sum);
}

// A thread for each row: no coalescing.
__global__ void row_totals_thread(const int *m, int *totals, int rows, int cols) {
  int r = blockDim.x * blockIdx.x + threadIdx.x;
  if (r < rows) {
    int total = 0;
    for (int c = 0; c < cols; c++) total += m[r * cols + c];
    totals[r] = total;
  }
}

#define DIM 16
// Columns' means by tiles of 16 x 16 threads, the tile added up along y.
__global__ void col_mean_tile(const float *in, float *mean, int height, int width) {
  __shared__ float part[DIM][DIM + 1];
  int x = blockIdx.x * DIM + threadIdx.x;
  float sum = 0.0f;
  for (int y = threadIdx.y; y < height; y += DIM) sum += in[y * width + x];
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  for (int s = DIM / 2; s > 0; s >>= 1) {
    if (threadIdx.y < s) part[threadIdx.y][threadIdx.x] += part[threadIdx.y + s][threadIdx.x];
    __syncthreads();
  }
  if (threadIdx.y == 0) mean[x] = part[0][threadIdx.x] / height;
}

// The second pass: few blocks over the partial sums of the first.
__global__ void second_pass(const float *partial, float *out, int n) {
  __shared__ float shared[32];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += partial[blockIdx.x * n + i];
  sum = blockSum(sum, shared);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void count_in_range(const int *x, unsigned int *count, int lo, int hi, int n) {
  unsigned int found = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    unsigned int mask = __ballot_sync(ALL_LANES, x[i] >= lo && x[i] < hi);
    if ((threadIdx.x & 31) == 0) found += __popc(mask);
  }
  if ((threadIdx.x & 31) == 0) atomicAdd(count, found);
}

// Four independent sums for instruction-level parallelism.
__global__ void dot_ilp4(const float *a, const float *b, float *out, int n) {
  __shared__ float shared[32];
  int stride = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
  for (; i + 3 * stride < n; i += 4 * stride) {
    s0 += a[i] * b[i];
    s1 += a[i + stride] * b[i + stride];
    s2 += a[i + 2 * stride] * b[i + 2 * stride];
    s3 += a[i + 3 * stride] * b[i + 3 * stride];
  }
  for (; i < n; i += stride) s0 += a[i] * b[i];
  float sum = blockSum((s0 + s1) + (s2 + s3), shared);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

// Rows of eight by groups of eight lanes.
__global__ void group_sums_8(const float *in, float *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? in[i] : 0.0f;
  v += __shfl_down_sync(ALL_LANES, v, 4, 8);
  v += __shfl_down_sync(ALL_LANES, v, 2, 8);
  v += __shfl_down_sync(ALL_LANES, v, 1, 8);
  if (i < n && threadIdx.x % 8 == 0) sums[i / 8] = v;
}

// Every warp adds its sum to the block's with an atomic in shared memory.
__global__ void sum_warps_shared_atomic(const int *in, int *out, int n) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  int v = 0;
  if (i < n) v += in[i];
  if (i + blockDim.x < n) v += in[i + blockDim.x];
  v = __reduce_add_sync(ALL_LANES, v);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, v);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}

// Is the key there? One flag for all.
__global__ void contains_key(const int *x, int *flag, int key, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int hit = 0;
  if (idx < n) hit = x[idx] == key;
  if (__any_sync(ALL_LANES, hit)) {
    if ((threadIdx.x & 31) == 0) *flag = 1;
  }
}

// |x - y| of ints as long long, a tree whose places are padded.
__global__ void l1_distance_ll(const int *x, const int *y, long long *out, int n) {
  __shared__ long long s[256 + 8];
  int t = threadIdx.x;
  long long sum = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += abs(x[i] - y[i]);
  s[t + t / 32] = sum;
  __syncthreads();
  for (int k = 128; k > 0; k /= 2) {
    if (t < k) s[t + t / 32] += s[t + k + (t + k) / 32];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// ======== scans =======================================================================================================
// Hillis and Steele, exclusive, one buffer and two barriers a step.
__global__ void hs_exclusive(const float *in, float *out, int n) {
  extern __shared__ float buf[];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  buf[t] = (t > 0 && i < n) ? in[i - 1] : 0.0f;
  __syncthreads();
  for (int offset = 1; offset < blockDim.x; offset *= 2) {
    float v = buf[t];
    if (t >= offset) v += buf[t - offset];
    __syncthreads();
    buf[t] = v;
    __syncthreads();
  }
  if (i < n) out[i] = buf[t];
}

// Eight elements a thread in registers, Blelloch's sweeps over the threads' sums.
__global__ void blelloch_eight(const int *in, int *out) {
  __shared__ int sums[256];
  int t = threadIdx.x;
  int base = (blockIdx.x * 256 + t) * 8;
  int v[8];
  int total = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    v[k] = total;
    total += in[base + k];
  }
  sums[t] = total;
  for (int d = 1; d < 256; d *= 2) {
    __syncthreads();
    int i = (t + 1) * d * 2 - 1;
    if (i < 256) sums[i] += sums[i - d];
  }
  __syncthreads();
  if (t == 0) sums[255] = 0;
  for (int d = 128; d > 0; d /= 2) {
    __syncthreads();
    int i = (t + 1) * d * 2 - 1;
    if (i < 256) {
      int left = sums[i - d];
      sums[i - d] = sums[i];
      sums[i] += left;
    }
  }
  __syncthreads();
  int before = sums[t];
#pragma unroll
  for (int k = 0; k < 8; k++) out[base + k] = before + v[k];
}

#define SECTION 512
// Kogge and Stone over a section of doubles.
__global__ void kogge_stone_d(const double *X, double *Y, unsigned int N_) {
  __shared__ double XY[SECTION];
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N_) {
    XY[threadIdx.x] = X[i];
  } else {
    XY[threadIdx.x] = 0.0;
  }
  for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    double temp;
    if (threadIdx.x >= stride) temp = XY[threadIdx.x] + XY[threadIdx.x - stride];
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] = temp;
  }
  if (i < N_) Y[i] = XY[threadIdx.x];
}

// Brent and Kung, two elements a thread, long long.
__global__ void brent_kung_ll(const long long *X, long long *Y, unsigned int count) {
  __shared__ long long XYL[1024];
  unsigned int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) XYL[threadIdx.x] = X[i];
  if (i + blockDim.x < count) XYL[threadIdx.x + blockDim.x] = X[i + blockDim.x];
  for (unsigned int stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    unsigned int index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index < 2 * blockDim.x) XYL[index] += XYL[index - stride];
  }
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned int index = (threadIdx.x + 1) * stride * 2 - 1;
    if (index + stride < 2 * blockDim.x) XYL[index + stride] += XYL[index];
  }
  __syncthreads();
  if (i < count) Y[i] = XYL[threadIdx.x];
  if (i + blockDim.x < count) Y[i + blockDim.x] = XYL[threadIdx.x + blockDim.x];
}

__device__ int warpScanInclusive(int v, int lane) {
  for (int d = 1; d < 32; d *= 2) {
    int up = __shfl_up_sync(ALL_LANES, v, d);
    if (lane >= d) v += up;
  }
  return v;
}
// First phase of scan-then-propagate: blocks' scans and their totals.
__global__ void scan_phase_one(const int *in, int *out, int *totals, int n) {
  __shared__ int warpTotals[32];
  int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  int gid = blockIdx.x * blockDim.x + tid;
  int v = gid < n ? in[gid] : 0;
  v = warpScanInclusive(v, lane);
  if (lane == 31) warpTotals[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int w = lane < (blockDim.x + 31) / 32 ? warpTotals[lane] : 0;
    warpTotals[lane] = warpScanInclusive(w, lane);
  }
  __syncthreads();
  if (warp > 0) v += warpTotals[warp - 1];
  if (gid < n) out[gid] = v;
  if (tid == blockDim.x - 1) totals[blockIdx.x] = v;
}
// Third phase: four elements a thread, the total before the block read once into shared memory.
__global__ void scan_phase_three(int *data, const int *totals, int n) {
  __shared__ int before;
  if (threadIdx.x == 0) before = blockIdx.x > 0 ? totals[blockIdx.x - 1] : 0;
  __syncthreads();
  int start = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  for (int k = 0; k < 4; k++) {
    int i = start + k * blockDim.x;
    if (i < n) data[i] += before;
  }
}

// Each thread adds up its own stretch in place.
__global__ void prefix_stretch(float *data, int length, int n) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int begin = thread * length;
  float running = 0.0f;
  for (int i = begin; i < begin + length && i < n; ++i) {
    running += data[i];
    data[i] = running;
  }
}

// Segmented, inclusive, within warps; flags mark the heads.
__global__ void segmented_warp_scan(const float *value, const int *key, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31;
  float v = 0.0f;
  int head = 1;
  if (i < n) {
    v = value[i];
    head = key[i] < 200 ? 1 : 0;
  }
  if (lane == 0) head = 1;
  for (int d = 1; d < 32; d <<= 1) {
    float pv = __shfl_up_sync(ALL_LANES, v, d);
    int ph = __shfl_up_sync(ALL_LANES, head, d);
    if (lane >= d) {
      if (!head) v += pv;
      head = head | ph;
    }
  }
  if (i < n) out[i] = v;
}

// Rows of an image, a block each, tile by tile with a carry (the first half of an integral image).
__global__ void integral_rows(const float *img, float *sum, int width) {
  __shared__ float tile[256];
  __shared__ float carry;
  int t = threadIdx.x;
  const float *row = img + blockIdx.x * width;
  float *outRow = sum + blockIdx.x * width;
  if (t == 0) carry = 0.0f;
  for (int x0 = 0; x0 < width; x0 += 256) {
    tile[t] = x0 + t < width ? row[x0 + t] : 0.0f;
    __syncthreads();
    for (int d = 1; d < 256; d <<= 1) {
      float add = t >= d ? tile[t - d] : 0.0f;
      __syncthreads();
      tile[t] += add;
      __syncthreads();
    }
    float c = carry;
    if (x0 + t < width) outRow[x0 + t] = tile[t] + c;
    __syncthreads();
    if (t == 255) carry = c + tile[255];
    __syncthreads();
  }
}

// ======== transposes ==================================================================================================
__global__ void tr_naive_double(double *odata, const double *idata, int width, int height) {
  int xIndex = blockIdx.x * blockDim.x + threadIdx.x;
  int yIndex = blockIdx.y * blockDim.y + threadIdx.y;
  if (xIndex < width && yIndex < height) {
    int index_in = xIndex + width * yIndex;
    int index_out = yIndex + height * xIndex;
    odata[index_out] = idata[index_in];
  }
}

#define TILE_DIM 32
#define ROWS_PER_BLOCK 4
__global__ void tr_32x4_ll(long long *odata, const long long *idata) {
  __shared__ long long tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM;
  int height = gridDim.y * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += ROWS_PER_BLOCK) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += ROWS_PER_BLOCK) odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

// Half tiles: 32 x 16 threads move a tile of as many elements.
__global__ void tr_half_tile(const float *in, float *out, int nx, int ny) {
  __shared__ float tile[16][32 + 1];
  int ix = 32 * blockIdx.x + threadIdx.x, iy = 16 * blockIdx.y + threadIdx.y;
  int linear = threadIdx.y * 32 + threadIdx.x;
  int col = linear % 16, row = linear / 16;
  if (ix < nx && iy < ny) tile[threadIdx.y][threadIdx.x] = in[iy * nx + ix];
  __syncthreads();
  int ox = 16 * blockIdx.y + col, oy = 32 * blockIdx.x + row;
  if (ox < ny && oy < nx) out[oy * ny + ox] = tile[col][row];
}

// Tiles of 16, no padding, unguarded.
__global__ void tr_tile16_plain(const float *A, float *AT, int n) {
  __shared__ float T_[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  T_[ty][tx] = A[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx];
  __syncthreads();
  AT[(blockIdx.x * 16 + ty) * n + blockIdx.y * 16 + tx] = T_[tx][ty];
}

// A block goes over four tiles one after the other.
__global__ void tr_four_tiles(const int *src, int *dst, int cols, int rows) {
  __shared__ int tile[32][33];
  for (int k = 0; k < 4; k++) {
    int bx = blockIdx.x * 4 + k;
    int x = bx * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
      if (x < cols && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = src[(y + j) * cols + x];
    }
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = bx * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
      if (x < rows && y + j < cols) dst[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
    }
    __syncthreads();
  }
}

// In place, tiles of 16 above the diagonal change places with those below.
__global__ void tr_in_place_16(int *m, int n) {
  __shared__ int a[16][17];
  __shared__ int b[16][17];
  if (blockIdx.x < blockIdx.y) return;
  int tx = threadIdx.x, ty = threadIdx.y;
  int upper = (blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx;
  int lower = (blockIdx.x * 16 + ty) * n + blockIdx.y * 16 + tx;
  a[ty][tx] = m[upper];
  b[ty][tx] = m[lower];
  __syncthreads();
  m[upper] = b[tx][ty];
  m[lower] = a[tx][ty];
}

// The read is a column's.
__global__ void tr_read_columns_f2(const float2 *in, float2 *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * n + x] = in[x * n + y];
}

// ======== strided reads and writes ====================================================================================
__global__ void strided_copy_d(const double *a, double *b, int stride, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i * stride];
}
__global__ void strided_both(const float *a, float *b, int stride) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
  b[i] = 2.0f * a[i];
}
__global__ void strided_store_int4(int4 *a, int stride, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i * stride] = make_int4(i, i + 1, i + 2, i + 3);
}
__global__ void strided_sum_loop(const int *a, int *b, int stride, int count) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  int sum = 0;
  for (int k = 0; k < count; k++) sum += a[(t + k * threads) * stride];
  b[t] = sum;
}
__global__ void offset_add_d(const double *a, double *b, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + offset;
  b[i] = a[i] + 1.0;
}
// A pitch wider than the rows.
__global__ void pitched_scale(float *img, int width, int height, int pitch, float s) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  img[y * pitch + x] *= s;
}
// x runs along the columns' memory: neighbours are a row apart.
__global__ void column_major_add(const float *a, const float *b, float *c, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) c[row * cols + col] = a[row * cols + col] + b[row * cols + col];
}
// Structures of five floats to five arrays.
__global__ void aos5_to_soa(const float *aos, float *soa, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    soa[i] = aos[i * 5];
    soa[n + i] = aos[i * 5 + 1];
    soa[2 * n + i] = aos[i * 5 + 2];
    soa[3 * n + i] = aos[i * 5 + 3];
    soa[4 * n + i] = aos[i * 5 + 4];
  }
}
// Particles of six floats: position and velocity.
__global__ void aos6_step(float *p, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k = 6 * i;
  p[k] += p[k + 3] * dt;
  p[k + 1] += p[k + 4] * dt;
  p[k + 2] += p[k + 5] * dt;
}
// Pixels of three floats to grey.
__global__ void rgb_to_grey(const float *rgb, float *grey, int pixels) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) {
    grey[i] = 0.299f * rgb[3 * i] + 0.587f * rgb[3 * i + 1] + 0.114f * rgb[3 * i + 2];
  }
}
// Four doubles that lie together, a thread each four.
__global__ void chunk4_double(const double *in, double *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; k++) out[4 * t + k] = in[4 * t + k] * 0.5;
}

// ======== histograms ==================================================================================================
__global__ void hist_naive_mask(const int *data, unsigned int *bins, int mask, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[data[i] & mask], 1u);
}
// Floats between two bounds.
__global__ void hist_float_range(const float *x, unsigned int *hist, int nbins, float lo, float hi, int n) {
  extern __shared__ unsigned int hs[];
  for (int b = threadIdx.x; b < nbins; b += blockDim.x) hs[b] = 0;
  __syncthreads();
  float scale = nbins / (hi - lo);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    int b = (int)((x[i] - lo) * scale);
    b = min(max(b, 0), nbins - 1);
    atomicAdd(&hs[b], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < nbins; b += blockDim.x) atomicAdd(&hist[b], hs[b]);
}
// Sixteen bytes a thread and round.
__global__ void hist_bytes16(const uint4 *data, unsigned int *hist, int quads) {
  __shared__ unsigned int s_hist[256];
  if (threadIdx.x < 256) s_hist[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += blockDim.x * gridDim.x) {
    uint4 q = data[i];
    for (int shift = 0; shift < 32; shift += 8) {
      atomicAdd(&s_hist[(q.x >> shift) & 255], 1u);
      atomicAdd(&s_hist[(q.y >> shift) & 255], 1u);
      atomicAdd(&s_hist[(q.z >> shift) & 255], 1u);
      atomicAdd(&s_hist[(q.w >> shift) & 255], 1u);
    }
  }
  __syncthreads();
  if (threadIdx.x < 256) atomicAdd(&hist[threadIdx.x], s_hist[threadIdx.x]);
}
// Three histograms of packed pixels.
__global__ void hist_rgb(const unsigned int *pixels, unsigned int *hist, int n) {
  __shared__ unsigned int h[3 * 256];
  for (int i = threadIdx.x; i < 768; i += blockDim.x) h[i] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = blockDim.x * gridDim.x;
  while (i < n) {
    unsigned int p = pixels[i];
    atomicAdd(&h[p & 0xff], 1u);
    atomicAdd(&h[256 + ((p >> 4) & 0xff)], 1u);
    atomicAdd(&h[512 + ((p >> 8) & 0xff)], 1u);
    i += stride;
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 768; k += blockDim.x) {
    if (h[k] > 0) atomicAdd(&hist[k], h[k]);
  }
}
// Seven bins of four letters each.
__global__ void hist_letters(const int *text, unsigned int *histo, unsigned int length) {
  __shared__ unsigned int histo_s[7];
  if (threadIdx.x < 7) histo_s[threadIdx.x] = 0u;
  __syncthreads();
  unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int i = tid; i < length; i += blockDim.x * gridDim.x) {
    int position = text[i] % 32;
    if (position >= 0 && position < 26) atomicAdd(&(histo_s[position / 4]), 1u);
  }
  __syncthreads();
  if (threadIdx.x < 7) {
    unsigned int value = histo_s[threadIdx.x];
    if (value > 0) atomicAdd(&(histo[threadIdx.x]), value);
  }
}
// A copy of the bins for each two warps, added up before the atomics.
__global__ void hist_private_pairs(const int *in, int *hist, int n) {
  __shared__ int priv[4][128];
  for (int i = threadIdx.x; i < 4 * 128; i += blockDim.x) priv[i / 128][i % 128] = 0;
  __syncthreads();
  int mine = (threadIdx.x / 64) % 4;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&priv[mine][in[i] >> 3], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 128; b += blockDim.x) atomicAdd(&hist[b], priv[0][b] + priv[1][b] + priv[2][b] + priv[3][b]);
}
// A histogram for each block in global memory, without atomics there.
__global__ void hist_block_rows(const int *in, int *rows, int per_block) {
  __shared__ int h[1024];
  for (int b = threadIdx.x; b < 1024; b += blockDim.x) h[b] = 0;
  __syncthreads();
  const int *mine = in + blockIdx.x * per_block;
  for (int i = threadIdx.x; i < per_block; i += blockDim.x) atomicAdd(&h[mine[i] & 1023], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 1024; b += blockDim.x) rows[blockIdx.x * 1024 + b] = h[b];
}

// ======== stencils and convolutions ===================================================================================
#define R 4
__global__ void conv1d_r4_shared(const float *in, const float *w, float *out, int n) {
  __shared__ float tile[512 + 2 * R];
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  int l = threadIdx.x + R;
  tile[l] = g < n ? in[g] : 0.0f;
  if (threadIdx.x < R) {
    tile[l - R] = g >= R ? in[g - R] : 0.0f;
    tile[l + blockDim.x] = g + blockDim.x < n ? in[g + blockDim.x] : 0.0f;
  }
  __syncthreads();
  float sum = 0.0f;
  for (int k = -R; k <= R; k++) sum += tile[l + k] * w[k + R];
  if (g < n) out[g] = sum;
}
#undef R
__global__ void blur_5x5(const float *img, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0.0f;
  int count = 0;
  for (int dy = -2; dy <= 2; dy++) {
    for (int dx = -2; dx <= 2; dx++) {
      int xx = x + dx, yy = y + dy;
      if (xx >= 0 && xx < w && yy >= 0 && yy < h) {
        sum += img[yy * w + xx];
        count++;
      }
    }
  }
  out[y * w + x] = sum / count;
}
#define BX 16
// A tile with its halo: 18 x 18 of 16 x 16 threads.
__global__ void sharpen_tile(const float *in, float *out, int w, int h) {
  __shared__ float s[BX + 2][BX + 2];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x0 = blockIdx.x * BX - 1, y0 = blockIdx.y * BX - 1;
  for (int k = ty * BX + tx; k < (BX + 2) * (BX + 2); k += BX * BX) {
    int sx = k % (BX + 2), sy = k / (BX + 2);
    int gx = min(max(x0 + sx, 0), w - 1), gy = min(max(y0 + sy, 0), h - 1);
    s[sy][sx] = in[gy * w + gx];
  }
  __syncthreads();
  float v = 5.0f * s[ty + 1][tx + 1] - s[ty][tx + 1] - s[ty + 2][tx + 1] - s[ty + 1][tx] - s[ty + 1][tx + 2];
  int x = blockIdx.x * BX + tx, y = blockIdx.y * BX + ty;
  if (x < w && y < h) out[y * w + x] = fminf(fmaxf(v, 0.0f), 1.0f);
}
__global__ void jacobi_double(const double *u, double *unew, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1) {
    int c = j * nx + i;
    unew[c] = 0.25 * (u[c - 1] + u[c + 1] + u[c - nx] + u[c + nx]);
  }
}
__global__ void heat_3d(const float *a, float *b, int nx, int ny, int nz, float k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  int i = (z * ny + y) * nx + x;
  b[i] = a[i] + k * (a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] + a[i - nx * ny] + a[i + nx * ny] - 6.0f * a[i]);
}
__global__ void max_pool_2x2(const float *in, float *out, int outW, int outH) {
  int ox = blockIdx.x * blockDim.x + threadIdx.x;
  int oy = blockIdx.y * blockDim.y + threadIdx.y;
  if (ox < outW && oy < outH) {
    int inW = 2 * outW;
    int p = 2 * oy * inW + 2 * ox;
    out[oy * outW + ox] = fmaxf(fmaxf(in[p], in[p + 1]), fmaxf(in[p + inW], in[p + inW + 1]));
  }
}

// ======== products ====================================================================================================
__global__ void gemm_naive_d(const double *A, const double *C, double *out, int M, int N_, int K_) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < M && col < N_) {
    double sum = 0.0;
    for (int k = 0; k < K_; k++) sum += A[row * K_ + k] * C[k * N_ + col];
    out[row * N_ + col] = sum;
  }
}
#define TW 16
// Tiles of 16, any shape.
__global__ void gemm_tile16_any(const float *A, const float *C, float *out, int M, int N_, int K_) {
  __shared__ float As[TW][TW];
  __shared__ float Cs[TW][TW];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TW + ty, col = blockIdx.x * TW + tx;
  float acc = 0.0f;
  for (int t = 0; t < (K_ + TW - 1) / TW; t++) {
    As[ty][tx] = (row < M && t * TW + tx < K_) ? A[row * K_ + t * TW + tx] : 0.0f;
    Cs[ty][tx] = (t * TW + ty < K_ && col < N_) ? C[(t * TW + ty) * N_ + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TW; k++) acc += As[ty][k] * Cs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N_) out[row * N_ + col] = acc;
}
// Two by two results a thread, tiles of 32 with 16 x 16 threads.
__global__ void gemm_2x2(const float *A, const float *C, float *out, int n) {
  __shared__ float As[32][32];
  __shared__ float Cs[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
  float c00 = 0.0f, c01 = 0.0f, c10 = 0.0f, c11 = 0.0f;
  for (int t = 0; t < n; t += 32) {
    As[ty][tx] = A[row * n + t + tx];
    As[ty][tx + 16] = A[row * n + t + tx + 16];
    As[ty + 16][tx] = A[(row + 16) * n + t + tx];
    As[ty + 16][tx + 16] = A[(row + 16) * n + t + tx + 16];
    Cs[ty][tx] = C[(t + ty) * n + col];
    Cs[ty][tx + 16] = C[(t + ty) * n + col + 16];
    Cs[ty + 16][tx] = C[(t + ty + 16) * n + col];
    Cs[ty + 16][tx + 16] = C[(t + ty + 16) * n + col + 16];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; k++) {
      float a0 = As[ty][k], a1 = As[ty + 16][k];
      float b0 = Cs[k][tx], b1 = Cs[k][tx + 16];
      c00 += a0 * b0;
      c01 += a0 * b1;
      c10 += a1 * b0;
      c11 += a1 * b1;
    }
    __syncthreads();
  }
  out[row * n + col] = c00;
  out[row * n + col + 16] = c01;
  out[(row + 16) * n + col] = c10;
  out[(row + 16) * n + col + 16] = c11;
}
// y = transposed A times x: a thread for each column, x in shared memory.
__global__ void gemv_transposed(const float *A, const float *x, float *y, int rows, int cols) {
  __shared__ float xs[256];
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int r0 = 0; r0 < rows; r0 += blockDim.x) {
    xs[threadIdx.x] = x[r0 + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < blockDim.x; r++) sum += A[(r0 + r) * cols + col] * xs[r];
    __syncthreads();
  }
  y[col] = sum;
}

// ======== BLAS 1 and the like =========================================================================================
__global__ void axpby_double(int n, double alpha, const double *x, double beta, double *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = alpha * x[i] + beta * y[i];
}
__global__ void triad_float4(const float4 *b, const float4 *c, float4 *a, float q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 u = b[i], v = c[i];
    a[i] = make_float4(u.x + q * v.x, u.y + q * v.y, u.z + q * v.z, u.w + q * v.w);
  }
}
__global__ void scale_in_place(float *x, float a, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n) x[i] = a * x[i];
}
__global__ void sum_three(const float *a, const float *b, const float *c, float *d, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  while (tid < n) {
    d[tid] = a[tid] + b[tid] + c[tid];
    tid += blockDim.x * gridDim.x;
  }
}
__global__ void copy_2d_block(const int *src, int *dst, int width, int height) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < width && y + j < height) dst[(y + j) * width + x] = src[(y + j) * width + x];
  }
}
__global__ void relu_backward(const float *x, const float *grad, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] > 0.5f ? grad[i] : 0.0f;
}

// ======== compaction and partition ====================================================================================
// Flags, their count a block.
__global__ void flag_and_count(const float *x, int *flags, int *counts, float limit, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int f = 0;
  if (i < n) {
    f = x[i] > limit ? 1 : 0;
    flags[i] = f;
  }
  int total = __syncthreads_count(f);
  if (threadIdx.x == 0) counts[blockIdx.x] = total;
}
// Hillis and Steele over the flags of a block, one place in the output taken a block.
__global__ void compact_hs(const int *in, int *out, int *length, int limit, int n) {
  __shared__ int pos[512];
  __shared__ int start;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  int v = i < n ? in[i] : 0;
  int keep = v > limit;
  pos[t] = keep;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int add = 0;
    if (t >= d) add = pos[t - d];
    __syncthreads();
    pos[t] += add;
    __syncthreads();
  }
  if (t == blockDim.x - 1) start = atomicAdd(length, pos[t]);
  __syncthreads();
  if (keep) out[start + pos[t] - 1] = v;
}
// Even values to the left of the block's part, odd ones to the right, by ballots.
__global__ void partition_parity(const int *in, int *out) {
  __shared__ int evens[32];
  int t = threadIdx.x, lane = t & 31, w = t >> 5, warps = blockDim.x >> 5;
  int v = in[blockIdx.x * blockDim.x + t];
  bool even = (v & 1) == 0;
  unsigned int ballot = __ballot_sync(ALL_LANES, even);
  if (lane == 0) evens[w] = __popc(ballot);
  __syncthreads();
  int before = 0, total = 0;
  for (int k = 0; k < warps; k++) {
    int e = evens[k];
    if (k < w) before += e;
    total += e;
  }
  int rank = before + __popc(ballot & ((1u << lane) - 1u));
  int place = even ? rank : total + (t - rank);
  out[blockIdx.x * blockDim.x + place] = v;
}
