// Kernels as a primer introduces them, one technique after the other, each as another author writes it.
// None is in an earlier file. Simulated before they were measured on an H200.
#include <cuda_runtime.h>
#define ALL_LANES 0xffffffffu

// ======== reductions ==================================================================================================
// Interleaved, the active threads packed at the front.
__global__ void largestPacked(const unsigned int *data, unsigned int *result, unsigned int n) {
  extern __shared__ unsigned int big[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  big[tid] = (i < n) ? data[i] : 0u;
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    unsigned int index = 2 * s * tid;
    if (index < blockDim.x) big[index] = max(big[index], big[index + s]);
    __syncthreads();
  }
  if (tid == 0) result[blockIdx.x] = big[0];
}

// First add on load, of two arrays' distances; sequential addressing.
__global__ void absoluteDistance(const float *a, const float *b, float *sums, int n) {
  __shared__ float part[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * (blockDim.x * 2) + t;
  float d = 0.f;
  if (i < n) d = fabsf(a[i] - b[i]);
  if (i + blockDim.x < n) d += fabsf(a[i + blockDim.x] - b[i + blockDim.x]);
  part[t] = d;
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) part[t] = part[t] + part[t + stride];
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

// The last warp goes on by itself, with a barrier of the warp between reading and writing.
__global__ void leastLongLastWarp(const long long *g_in, long long *g_out) {
  __shared__ long long sdata[256];
  const unsigned int tid = threadIdx.x;
  const size_t at = (size_t)blockIdx.x * 1024 + tid;
  long long v = min(min(g_in[at], g_in[at + 256]), min(g_in[at + 512], g_in[at + 768]));
  sdata[tid] = v;
  __syncthreads();
  if (tid < 128) {
    v = min(v, sdata[tid + 128]);
    sdata[tid] = v;
  }
  __syncthreads();
  if (tid < 64) {
    v = min(v, sdata[tid + 64]);
    sdata[tid] = v;
  }
  __syncthreads();
  if (tid < 32) {
    v = min(v, sdata[tid + 32]);
    sdata[tid] = v;
    __syncwarp();
#pragma unroll
    for (unsigned int d = 16; d > 0; d >>= 1) {
      if (tid < d) {
        v = min(v, sdata[tid + d]);
        sdata[tid] = v;
      }
      __syncwarp();
    }
  }
  if (tid == 0) g_out[blockIdx.x] = sdata[0];
}

// Sixteen lanes together, then a table of half warps.
__global__ void sumHalfWarpGroups(const float *x, float *out, int n) {
  __shared__ float group[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? x[i] : 0.0f;
  v += __shfl_down_sync(ALL_LANES, v, 8, 16);
  v += __shfl_down_sync(ALL_LANES, v, 4, 16);
  v += __shfl_down_sync(ALL_LANES, v, 2, 16);
  v += __shfl_down_sync(ALL_LANES, v, 1, 16);
  if (threadIdx.x % 16 == 0) group[threadIdx.x / 16] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int g = 0; g < (blockDim.x + 15) / 16; g++) sum += group[g];
    out[blockIdx.x] = sum;
  }
}

// One chunk of neighbouring elements a block, walked by the whole block; the partial sums by one block afterwards.
__global__ void chunkTotals(const int *in, long long *totals, unsigned int chunk, unsigned int n) {
  __shared__ long long warpTotal[32];
  unsigned int begin = blockIdx.x * chunk;
  unsigned int end = begin + chunk;
  if (end > n) end = n;
  long long acc = 0;
  for (unsigned int k = begin + threadIdx.x; k < end; k += blockDim.x) acc += in[k];
  for (int lanes = 16; lanes >= 1; lanes >>= 1) acc += __shfl_xor_sync(ALL_LANES, acc, lanes);
  if ((threadIdx.x & 31) == 0) warpTotal[threadIdx.x >> 5] = acc;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned int w = 1; w < blockDim.x / 32; w++) acc += warpTotal[w];
    totals[blockIdx.x] = acc;
  }
}
__global__ void totalOfTotals(const long long *totals, long long *grand, int count) {
  __shared__ long long s[1024];
  int t = threadIdx.x;
  long long mine = 0;
  int k = t;
  while (k < count) {
    mine += totals[k];
    k += blockDim.x;
  }
  s[t] = mine;
  __syncthreads();
  for (int w = blockDim.x / 2; w > 0; w >>= 1) {
    if (t < w) s[t] += s[t + w];
    __syncthreads();
  }
  if (t == 0) *grand = s[0];
}

// The last block adds the partial means.
__global__ void meanLastBlock(const double *v, double *partial, double *mean, unsigned int *ticket, int n) {
  __shared__ double sm[128];
  __shared__ unsigned int order;
  const int t = threadIdx.x;
  double acc = 0.0;
  for (int i = blockIdx.x * 128 + t; i < n; i += 128 * gridDim.x) acc += v[i];
  sm[t] = acc;
  __syncthreads();
#pragma unroll
  for (int h = 64; h > 0; h /= 2) {
    if (t < h) sm[t] += sm[t + h];
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = sm[0];
    __threadfence();
    order = atomicAdd(ticket, 1u);
  }
  __syncthreads();
  if (order + 1 == gridDim.x) {
    acc = 0.0;
    for (int k = t; k < gridDim.x; k += 128) acc += partial[k];
    sm[t] = acc;
    __syncthreads();
    for (int h = 64; h > 0; h /= 2) {
      if (t < h) sm[t] += sm[t + h];
      __syncthreads();
    }
    if (t == 0) mean[0] = sm[0] / n;
  }
}

// Is there one? Do all?
__global__ void anyAboveLimit(const float *x, int *flag, float limit, int n) {
  int found = 0;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) found |= x[i] > limit;
  found = __syncthreads_or(found);
  if (threadIdx.x == 0 && found) *flag = 1;
}
__global__ void allBelowLimit(const int *x, int *verdicts, int limit, int n) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  int ok = 1;
  if (i < n) ok = x[i] < limit;
  ok = __syncthreads_and(ok);
  if (threadIdx.x == 0) verdicts[blockIdx.x] = ok;
}

// How many are greater than both neighbours.
__global__ void countPeaks(const int *x, int *count, int n) {
  __shared__ int peaks;
  if (threadIdx.x == 0) peaks = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  bool peak = false;
  if (i < n - 1) {
    int here = x[i];
    peak = here > x[i - 1] && here > x[i + 1];
  }
  unsigned int votes = __ballot_sync(ALL_LANES, peak);
  if (threadIdx.x % 32 == 0) atomicAdd(&peaks, __popc(votes));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(count, peaks);
}

// A warp for each row of float4.
__global__ void rowSumsWarpQuads(const float4 *rows, float *sums, int nRows, int quadsPerRow) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= nRows) return;
  const float4 *p = rows + (size_t)row * quadsPerRow;
  float4 acc = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int q = threadIdx.x; q < quadsPerRow; q += 32) {
    float4 v = p[q];
    acc.x += v.x;
    acc.y += v.y;
    acc.z += v.z;
    acc.w += v.w;
  }
  float s = (acc.x + acc.y) + (acc.z + acc.w);
#pragma unroll
  for (int m = 16; m > 0; m >>= 1) s += __shfl_xor_sync(ALL_LANES, s, m);
  if (threadIdx.x == 0) sums[row] = s;
}

// Columns, 32 of them a block, the rows dealt out to the block's warps; added up in shared memory.
__global__ void columnTotalsTall(const int *m, int *totals, int height, int width) {
  __shared__ int strip[8][32];
  int col = blockIdx.x * 32 + threadIdx.x;
  int sum = 0;
  for (int r = threadIdx.y; r < height; r += 8) sum += m[r * width + col];
  strip[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  for (int half = 4; half > 0; half >>= 1) {
    if (threadIdx.y < half) strip[threadIdx.y][threadIdx.x] += strip[threadIdx.y + half][threadIdx.x];
    __syncthreads();
  }
  if (threadIdx.y == 0) totals[col] = strip[0][threadIdx.x];
}

// Eight lanes a segment, segments of any one length.
__global__ void segmentsEightLanes(const double *x, double *segmentSum, int length, int segments) {
  int seg = (blockIdx.x * blockDim.x + threadIdx.x) >> 3;
  int lane = threadIdx.x & 7;
  double sum = 0.0;
  if (seg < segments) {
    int last = (seg + 1) * length;
    for (int k = seg * length + lane; k < last; k += 8) sum += x[k];
  }
  sum += __shfl_xor_sync(ALL_LANES, sum, 4);
  sum += __shfl_xor_sync(ALL_LANES, sum, 2);
  sum += __shfl_xor_sync(ALL_LANES, sum, 1);
  if (lane == 0 && seg < segments) segmentSum[seg] = sum;
}

// Pairwise: eight loads, a tree of adds in registers, then the block's tree.
__global__ void pairwiseEight(const float *__restrict__ x, float *__restrict__ out) {
  __shared__ float s[256];
  const int b = blockIdx.x * blockDim.x * 8 + threadIdx.x;
  float r[8];
#pragma unroll
  for (int k = 0; k < 8; k++) r[k] = x[b + k * blockDim.x];
  float v = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  s[threadIdx.x] = v;
  __syncthreads();
  for (int w = blockDim.x >> 1; w >= 32; w >>= 1) {
    if (threadIdx.x < w) {
      v += s[threadIdx.x + w];
      s[threadIdx.x] = v;
    }
    __syncthreads();
  }
  if (threadIdx.x < 32) {
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(ALL_LANES, v, d);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
  }
}

__device__ __forceinline__ float lanesTogether(float v) {
#pragma unroll
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(ALL_LANES, v, d);
  return v;
}
// How alike two rows are: three sums, a block a pair of rows.
__global__ void cosineRows(const float *u, const float *v, float *similarity, int length) {
  __shared__ float uv[32], uu[32], vv[32];
  float a = 0.0f, b = 0.0f, c = 0.0f;
  int base = blockIdx.x * length;
  for (int k = threadIdx.x; k < length; k += blockDim.x) {
    float p = u[base + k];
    float q = v[base + k];
    a += p * q;
    b += p * p;
    c += q * q;
  }
  a = lanesTogether(a);
  b = lanesTogether(b);
  c = lanesTogether(c);
  int warp = threadIdx.x / 32, warps = blockDim.x / 32;
  if (threadIdx.x % 32 == 0) {
    uv[warp] = a;
    uu[warp] = b;
    vv[warp] = c;
  }
  __syncthreads();
  if (warp == 0) {
    int lane = threadIdx.x;
    a = lanesTogether(lane < warps ? uv[lane] : 0.0f);
    b = lanesTogether(lane < warps ? uu[lane] : 0.0f);
    c = lanesTogether(lane < warps ? vv[lane] : 0.0f);
    if (lane == 0) similarity[blockIdx.x] = a * rsqrtf(b * c);
  }
}

// Five sums for a correlation, each warp adding its own to memory.
__global__ void correlationSums(const float *x, const float *y, float *five, int n) {
  float sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  int all = gridDim.x * blockDim.x;
  for (; id < n; id += all) {
    float a = x[id], b = y[id];
    sx += a;
    sy += b;
    sxx += a * a;
    syy += b * b;
    sxy += a * b;
  }
  sx = lanesTogether(sx);
  sy = lanesTogether(sy);
  sxx = lanesTogether(sxx);
  syy = lanesTogether(syy);
  sxy = lanesTogether(sxy);
  if ((threadIdx.x & 31) == 0) {
    atomicAdd(&five[0], sx);
    atomicAdd(&five[1], sy);
    atomicAdd(&five[2], sxx);
    atomicAdd(&five[3], syy);
    atomicAdd(&five[4], sxy);
  }
}

// The greatest double and where it stands, tree of indices.
__global__ void whereGreatest(const double *x, int *place, int n) {
  __shared__ double val[512];
  __shared__ int idx[512];
  int t = threadIdx.x;
  int best = 0;
  double most = -1.0;
  for (int i = t + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x)
    if (x[i] > most) {
      most = x[i];
      best = i;
    }
  val[t] = most;
  idx[t] = best;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s = s / 2) {
    if (t < s)
      if (val[t + s] > val[t]) {
        val[t] = val[t + s];
        idx[t] = idx[t + s];
      }
    __syncthreads();
  }
  if (t == 0) place[blockIdx.x] = idx[0];
}

// Simpson's rule over samples, odd ones by four, even ones by two.
__global__ void simpsonSum(const double *f, double *area, int n) {
  double s = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    double w = (i == 0 || i == n - 1) ? 1.0 : ((i & 1) ? 4.0 : 2.0);
    s += w * f[i];
  }
  for (int d = 16; d > 0; d >>= 1) s += __shfl_down_sync(ALL_LANES, s, d);
  if ((threadIdx.x & 31) == 0) atomicAdd(area, s);
}

// The two greatest of each block's share.
__global__ void topTwo(const int *x, int2 *best, int n) {
  __shared__ int first[256], second[256];
  int hi = -1, next = -1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int v = x[i];
    next = max(next, min(hi, v));
    hi = max(hi, v);
  }
  int t = threadIdx.x;
  first[t] = hi;
  second[t] = next;
  __syncthreads();
  for (int s = blockDim.x / 2; s; s >>= 1) {
    if (t < s) {
      int otherHi = first[t + s];
      int otherNext = second[t + s];
      next = max(max(next, otherNext), min(hi, otherHi));
      hi = max(hi, otherHi);
      first[t] = hi;
      second[t] = next;
    }
    __syncthreads();
  }
  if (t == 0) best[blockIdx.x] = make_int2(hi, next);
}

// ======== scans =======================================================================================================
// Hillis and Steele in one buffer, a barrier after reading and one after writing.
__global__ void hillisOneBuffer(const int *in, int *out, int n) {
  extern __shared__ int line[];
  int tid = threadIdx.x;
  int i = blockDim.x * blockIdx.x + tid;
  line[tid] = i < n ? in[i] : 0;
  __syncthreads();
  for (int offset = 1; offset < blockDim.x; offset *= 2) {
    int add = 0;
    if (tid >= offset) add = line[tid - offset];
    __syncthreads();
    line[tid] += add;
    __syncthreads();
  }
  if (i < n) out[i] = line[tid];
}

// Blelloch, two elements a thread, exclusive; the block's sum goes to an array.
__global__ void blellochWithSums(const unsigned int *in, unsigned int *out, unsigned int *blockSums) {
  extern __shared__ unsigned int tree[];
  const unsigned int t = threadIdx.x;
  const unsigned int n = blockDim.x * 2;
  const unsigned int base = blockIdx.x * n;
  tree[t] = in[base + t];
  tree[t + blockDim.x] = in[base + t + blockDim.x];
  unsigned int offset = 1;
  for (unsigned int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
    offset <<= 1;
  }
  __syncthreads();
  if (t == 0) {
    blockSums[blockIdx.x] = tree[n - 1];
    tree[n - 1] = 0;
  }
  for (unsigned int d = 1; d < n; d <<= 1) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      unsigned int left = tree[offset * (2 * t + 1) - 1];
      tree[offset * (2 * t + 1) - 1] = tree[offset * (2 * t + 2) - 1];
      tree[offset * (2 * t + 2) - 1] += left;
    }
  }
  __syncthreads();
  out[base + t] = tree[t];
  out[base + t + blockDim.x] = tree[t + blockDim.x];
}

// Two floats a thread, warps by shuffles, the warps' totals by the first warp.
__global__ void scanPairsShuffled(const float2 *in, float2 *out, int pairs) {
  __shared__ float warpSum[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  float2 p = make_float2(0.0f, 0.0f);
  if (i < pairs) p = in[i];
  float own = p.x + p.y;
  float run = own;
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    float up = __shfl_up_sync(ALL_LANES, run, d);
    if (lane >= d) run += up;
  }
  if (lane == 31) warpSum[w] = run;
  __syncthreads();
  if (w == 0) {
    float s = lane < blockDim.x / 32 ? warpSum[lane] : 0.0f;
    for (int d = 1; d < 32; d <<= 1) {
      float up = __shfl_up_sync(ALL_LANES, s, d);
      if (lane >= d) s += up;
    }
    warpSum[lane] = s;
  }
  __syncthreads();
  float before = run - own;
  if (w > 0) before += warpSum[w - 1];
  if (i < pairs) out[i] = make_float2(before + p.x, before + own);
}

// Looks back over the blocks' aggregates, which all are there: a warp adds up 32 of them at a time.
__global__ void lookBackAggregates(const int *in, const int *aggregate, int *out) {
  __shared__ int prefix;
  if (threadIdx.x < 32) {
    int sum = 0;
    for (int b = (int)blockIdx.x - 1 - (int)threadIdx.x; b >= 0; b -= 32) sum += aggregate[b];
    sum = __reduce_add_sync(ALL_LANES, sum);
    if (threadIdx.x == 0) prefix = sum;
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + prefix;
}

// Segmented: a segment begins where the key differs from the one before; greatest so far within it.
__global__ void segmentedMaxByKey(const int *values, int *out, int keyShift, int n) {
  __shared__ int v[256];
  __shared__ int head[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  v[t] = i < n ? values[i] : 0;
  head[t] = t == 0 || (i >> keyShift) != ((i - 1) >> keyShift);
  __syncthreads();
  for (int d = 1; d < 256; d <<= 1) {
    int left = -1, leftHead = 0;
    if (t >= d) {
      left = v[t - d];
      leftHead = head[t - d];
    }
    __syncthreads();
    if (t >= d) {
      if (!head[t]) v[t] = max(v[t], left);
      head[t] |= leftHead;
    }
    __syncthreads();
  }
  if (i < n) out[i] = v[t];
}

// Rows: a warp scans a row, 32 doubles at a time, with a carry from the last lane.
__global__ void rowScanCarry(const double *m, double *out, int rows, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row < rows) {
    double carry = 0.0;
    for (int c = lane; c < cols; c += 32) {
      double v = m[row * cols + c];
      for (int d = 1; d < 32; d *= 2) {
        double up = __shfl_up_sync(ALL_LANES, v, d);
        if (lane >= d) v += up;
      }
      v += carry;
      out[row * cols + c] = v;
      carry = __shfl_sync(ALL_LANES, v, 31);
    }
  }
}
// Rows: each thread its own.
__global__ void rowScanAlone(const int *m, int *out, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  int acc = 0;
  for (int c = 0; c < cols; ++c) {
    out[r * cols + c] = acc;
    acc += m[r * cols + c];
  }
}

// ======== transposes ==================================================================================================
__global__ void turnNaiveLongs(const long long *a, long long *b, unsigned int width, unsigned int height) {
  unsigned int col = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < width && row < height) b[(size_t)col * height + row] = a[(size_t)row * width + col];
}
__global__ void turnTileWhole(const int *in, int *out, int n) {
  __shared__ int tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[(blockIdx.y * 32 + threadIdx.y) * n + blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
// Tiles of 16 rows and 64 columns, any block of 256 threads in a line.
__global__ void turnTile16x64(const float *in, float *out, int width, int height) {
  __shared__ float tile[16][65];
  int x0 = blockIdx.x * 64, y0 = blockIdx.y * 16;
  int t = threadIdx.x;
  for (int r = t / 64; r < 16; r += 4) tile[r][t % 64] = in[(y0 + r) * width + x0 + t % 64];
  __syncthreads();
  for (int c = t / 16; c < 64; c += 16) out[(x0 + c) * height + y0 + t % 16] = tile[t % 16][c];
}
// Blocks taken along diagonals, pairs of floats.
__global__ void turnDiagonalPairs(const float2 *in, float2 *out, int n) {
  __shared__ float2 tile[16][17];
  int by = blockIdx.x;
  int bx = (blockIdx.x + blockIdx.y) % gridDim.x;
  int x = bx * 16 + threadIdx.x;
  int y = by * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = by * 16 + threadIdx.x;
  y = bx * 16 + threadIdx.y;
  out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void turnRectDoubles(double *odata, const double *idata, int width, int height) {
  __shared__ double block[16][16 + 1];
  unsigned int xIndex = blockIdx.x * 16 + threadIdx.x;
  unsigned int yIndex = blockIdx.y * 16 + threadIdx.y;
  if ((xIndex < width) && (yIndex < height)) {
    unsigned int index_in = yIndex * width + xIndex;
    block[threadIdx.y][threadIdx.x] = idata[index_in];
  }
  __syncthreads();
  xIndex = blockIdx.y * 16 + threadIdx.x;
  yIndex = blockIdx.x * 16 + threadIdx.y;
  if ((xIndex < height) && (yIndex < width)) {
    unsigned int index_out = yIndex * height + xIndex;
    odata[index_out] = block[threadIdx.x][threadIdx.y];
  }
}
// In place: the blocks on and above the diagonal swap two tiles.
__global__ void turnInPlaceTiles(float *m, int n) {
  if (blockIdx.x < blockIdx.y) return;
  __shared__ float upper[32][33];
  __shared__ float lower[32][33];
  int ux = blockIdx.x * 32 + threadIdx.x;
  int uy = blockIdx.y * 32;
  int lx = blockIdx.y * 32 + threadIdx.x;
  int ly = blockIdx.x * 32;
  for (int k = threadIdx.y; k < 32; k += blockDim.y) {
    upper[k][threadIdx.x] = m[(uy + k) * n + ux];
    lower[k][threadIdx.x] = m[(ly + k) * n + lx];
  }
  __syncthreads();
  for (int k = threadIdx.y; k < 32; k += blockDim.y) {
    m[(ly + k) * n + lx] = upper[threadIdx.x][k];
    m[(uy + k) * n + ux] = lower[threadIdx.x][k];
  }
}

// ======== strides, offsets, indices ===================================================================================
__global__ void takeColumn(const float *matrix, float *column, int rows, int cols, int which) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) column[r] = matrix[r * cols + which];
}
__global__ void offsetDoubles(const double *a, double *b, int offset, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) b[i + offset] = a[i] + 1.0;
}
// Reads and writes at the same stride, the thread number turned so that every element is met once.
__global__ void strideTurned(const int *in, int *out, unsigned int stride, unsigned int n) {
  unsigned int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int lines = n / stride;
  if (t < lines * stride) {
    unsigned int at = (t % lines) * stride + t / lines;
    out[at] = in[at] * 3;
  }
}
// Rows of a table by their numbers: 64 floats a row, sixteen lanes a row.
__global__ void lookUpRows(const int *numbers, const float4 *rowTable, float4 *out, int wanted) {
  int group = (blockIdx.x * blockDim.x + threadIdx.x) / 16;
  int part = threadIdx.x % 16;
  if (group < wanted) {
    int row = numbers[group] & 0x3ffff;
    out[group * 16 + part] = rowTable[row * 16 + part];
  }
}
__global__ void gatherLongs(const int *index, const long long *from, long long *to, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[index[i]];
}
__global__ void invertIndex(const int *index, int *inverse, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) inverse[index[i]] = i;
}
// Turned round within each 32 by a shuffle.
__global__ void reverseInWarps(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? in[i] : 0.0f;
  v = __shfl_sync(ALL_LANES, v, 31 - (threadIdx.x & 31));
  if (i < n) out[i] = v;
}

// ======== histograms ==================================================================================================
// Bytes of a word, one byte a thread, straight to memory.
__global__ void byteBinsGlobal(const int *packed, int *bins, int bytes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < bytes) {
    int value = (packed[i / 4] >> (8 * (i % 4))) & 255;
    atomicAdd(&bins[value], 1);
  }
}
__global__ void binsOfQuads512(const int4 *keys, int *hist, int quads) {
  __shared__ int h[512];
  for (int b = threadIdx.x; b < 512; b += blockDim.x) h[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
    int4 k = keys[i];
    atomicAdd(&h[k.x >> 1], 1);
    atomicAdd(&h[k.y >> 1], 1);
    atomicAdd(&h[k.z >> 1], 1);
    atomicAdd(&h[k.w >> 1], 1);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 512; b += blockDim.x) atomicAdd(&hist[b], h[b]);
}
// A copy for every warp in dynamic shared memory.
__global__ void warpBinsDynamic(const unsigned int *keys, unsigned int *hist, int binCount, int n) {
  extern __shared__ unsigned int copies[];
  int warps = blockDim.x / 32;
  for (int k = threadIdx.x; k < binCount * warps; k += blockDim.x) copies[k] = 0;
  __syncthreads();
  int mine = threadIdx.x / 32 * binCount;
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&copies[mine + keys[i] % binCount], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < binCount; b += blockDim.x) {
    unsigned int total = 0;
    for (int w = 0; w < warps; w++) total += copies[w * binCount + b];
    if (total != 0) atomicAdd(&hist[b], total);
  }
}
// Even lanes count in one copy of 1024 bins, odd lanes in the other; each block its own part of the data.
__global__ void binsTwoLanes(const int *data, int *hist, int perBlock) {
  __shared__ int twice[2][1024];
  int t = threadIdx.x;
  for (int k = t; k < 1024; k += blockDim.x) {
    twice[0][k] = 0;
    twice[1][k] = 0;
  }
  __syncthreads();
  int start = blockIdx.x * perBlock;
  for (int k = t; k < perBlock; k += blockDim.x) atomicAdd(&twice[t & 1][data[start + k]], 1);
  __syncthreads();
  for (int k = t; k < 1024; k += blockDim.x) {
    int sum = twice[0][k] + twice[1][k];
    if (sum > 0) atomicAdd(hist + k, sum);
  }
}
// Of the differences of neighbours, in 128 bins.
__global__ void binsOfSteps(const int *x, int *hist, int n) {
  __shared__ int bins[128];
  if (threadIdx.x < 128) bins[threadIdx.x] = 0;
  __syncthreads();
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i + 1 < n) {
    int d = abs(x[i + 1] - x[i]);
    atomicAdd(&bins[d >> 3], 1);
    i += blockDim.x * gridDim.x;
  }
  __syncthreads();
  if (threadIdx.x < 128) atomicAdd(&hist[threadIdx.x], bins[threadIdx.x]);
}

// ======== neighbours ==================================================================================================
__global__ void binomialFive(const int *in, int *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x + 2; i < n - 2; i += gridDim.x * blockDim.x)
    out[i] = (in[i - 2] + 4 * in[i - 1] + 6 * in[i] + 4 * in[i + 1] + in[i + 2]) >> 4;
}
// Gauss' three by three with edges clamped.
__global__ void gaussClamped(const float *image, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      int xx = min(max(x + dx, 0), w - 1);
      int yy = min(max(y + dy, 0), h - 1);
      float weight = (dx == 0 ? 2.0f : 1.0f) * (dy == 0 ? 2.0f : 1.0f);
      sum += weight * image[yy * w + xx];
    }
  }
  out[y * w + x] = sum * 0.0625f;
}
// Down a column with a sum that slides: what comes in less what goes out.
__global__ void slideDownColumns(const float *in, float *out, int w, int h, int rowsEach) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  int y0 = blockIdx.y * rowsEach;
  int y1 = y0 + rowsEach;
  float sum = 0.0f;
  for (int y = y0 - 4; y < y0 + 4; y++)
    if (y >= 0 && y < h) sum += in[y * w + x];
  for (int y = y0; y < y1 && y < h; y++) {
    if (y + 4 < h) sum += in[(y + 4) * w + x];
    out[y * w + x] = sum / 9.0f;
    if (y - 4 >= 0) sum -= in[(y - 4) * w + x];
  }
}
// A cross of nine points, fourth order, its halo of two loaded by a walk over the tile.
__global__ void crossFourthOrder(const float *u, float *lap, int w, int h) {
  __shared__ float s[12][36];
  int t = threadIdx.y * 32 + threadIdx.x;
  int left = blockIdx.x * 32 - 2, top = blockIdx.y * 8 - 2;
  for (int k = t; k < 12 * 36; k += 256) {
    int x = left + k % 36, y = top + k / 36;
    float v = 0.0f;
    if (x >= 0 && x < w && y >= 0 && y < h) v = u[y * w + x];
    s[k / 36][k % 36] = v;
  }
  __syncthreads();
  int x = left + 2 + threadIdx.x, y = top + 2 + threadIdx.y;
  int cx = threadIdx.x + 2, cy = threadIdx.y + 2;
  if (x < w && y < h) {
    float near = s[cy][cx - 1] + s[cy][cx + 1] + s[cy - 1][cx] + s[cy + 1][cx];
    float far = s[cy][cx - 2] + s[cy][cx + 2] + s[cy - 2][cx] + s[cy + 2][cx];
    lap[y * w + x] = (16.0f * near - far - 60.0f * s[cy][cx]) * (1.0f / 12.0f);
  }
}
__global__ void upwind(const double *q, double *next, double courant, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double here = q[i];
  double back = i == 0 ? q[n - 1] : q[i - 1];
  next[i] = here - courant * (here - back);
}

// ======== matrices ====================================================================================================
// Many products of four by four, a thread an element.
__global__ void smallProducts4(const float *A, const float *C, float *X, int matrices) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  int m = id / 16, e = id % 16;
  if (m >= matrices) return;
  int row = e / 4, col = e % 4;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 4; k++) sum += A[m * 16 + row * 4 + k] * C[m * 16 + k * 4 + col];
  X[id] = sum;
}
// Tiles of 16, four rows of the result a thread.
__global__ void productFourRows(const float *A, const float *C, float *X, int n) {
  __shared__ float a[64][16];
  __shared__ float c[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row0 = blockIdx.y * 64 + ty, col = blockIdx.x * 16 + tx;
  float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
  for (int k0 = 0; k0 < n; k0 += 16) {
    a[ty][tx] = A[row0 * n + k0 + tx];
    a[ty + 16][tx] = A[(row0 + 16) * n + k0 + tx];
    a[ty + 32][tx] = A[(row0 + 32) * n + k0 + tx];
    a[ty + 48][tx] = A[(row0 + 48) * n + k0 + tx];
    c[ty][tx] = C[(k0 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; k++) {
      float b = c[k][tx];
      s0 += a[ty][k] * b;
      s1 += a[ty + 16][k] * b;
      s2 += a[ty + 32][k] * b;
      s3 += a[ty + 48][k] * b;
    }
    __syncthreads();
  }
  X[row0 * n + col] = s0;
  X[(row0 + 16) * n + col] = s1;
  X[(row0 + 32) * n + col] = s2;
  X[(row0 + 48) * n + col] = s3;
}
// Every row with every row.
__global__ void gramPlain(const double *A, double *gram, int rows, int inner) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows && j < rows) {
    double dot = 0.0;
    for (int k = 0; k < inner; k++) dot += A[i * inner + k] * A[j * inner + k];
    gram[i * rows + j] = dot;
  }
}
// Column-major matrix, the vector in pieces through shared memory.
__global__ void columnMajorVector(const double *A, const double *x, double *y, int rows, int cols) {
  __shared__ double piece[128];
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0.0;
  for (int c0 = 0; c0 < cols; c0 += 128) {
    if (threadIdx.x < 128) piece[threadIdx.x] = x[c0 + threadIdx.x];
    __syncthreads();
    if (r < rows)
      for (int c = 0; c < 128; c++) sum += A[(c0 + c) * rows + r] * piece[c];
    __syncthreads();
  }
  if (r < rows) y[r] = sum;
}
__global__ void threeDiagonals(const float *below, const float *on, const float *above, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = on[i] * x[i];
    if (i > 0) sum += below[i] * x[i - 1];
    if (i < n - 1) sum += above[i] * x[i + 1];
    y[i] = sum;
  }
}

// ======== element by element ==========================================================================================
// Four elements a thread, a block's width apart.
__global__ void daxpyFourApart(double a, const double *x, double *y, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x * 4 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    if (i < n) y[i] = a * x[i] + y[i];
    i += blockDim.x;
  }
}
__global__ void scaleAndShift(float a, float c, const float *x, float *y, long long n) {
  long long step = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) y[i] = a * x[i] + c;
}
// Clenshaw's recurrence for a series of Chebyshev polynomials.
__global__ void clenshaw(const float *x, float *y, int terms, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float t = 2.0f * x[i] - 1.0f;
  float b1 = 0.0f, b2 = 0.0f;
  float coefficient = 1.0f;
  for (int k = 0; k < terms; k++) {
    float b = 2.0f * t * b1 - b2 + coefficient;
    b2 = b1;
    b1 = b;
    coefficient *= 0.5f;
  }
  y[i] = b1 - t * b2;
}
// Estrin's scheme, degree seven, in double.
__global__ void estrinSeven(const double *x, double *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    double v = x[i], v2 = v * v, v4 = v2 * v2;
    double a = 1.0 + 0.5 * v, b = 0.25 + 0.125 * v, c = 0.0625 + 0.03125 * v, d = 0.015625 + 0.0078125 * v;
    y[i] = (a + b * v2) + (c + d * v2) * v4;
  }
}
// Between two entries of a table of 256 that each block builds for itself.
__global__ void interpolateTable(const float *x, float *y, int n) {
  __shared__ float curve[257];
  for (int k = threadIdx.x; k < 257; k += blockDim.x) curve[k] = k * k * (1.0f / 65536.0f);
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    float at = x[i] * 255.0f;
    int k = (int)at;
    float part = at - k;
    y[i] = curve[k] + part * (curve[k + 1] - curve[k]);
  }
}

// ======== votes and branches ==========================================================================================
// Those that pass first, the others behind them, order kept, within each block.
__global__ void partitionBlock(const int *in, int *out, int pivot) {
  __shared__ int warpPass[32];
  int t = threadIdx.x, lane = t & 31, w = t >> 5;
  int v = in[blockIdx.x * blockDim.x + t];
  bool pass = v < pivot;
  unsigned int votes = __ballot_sync(ALL_LANES, pass);
  int rank = __popc(votes & ((1u << lane) - 1u));
  if (lane == 0) warpPass[w] = __popc(votes);
  __syncthreads();
  int before = 0, total = 0;
  for (int k = 0; k < blockDim.x / 32; k++) {
    if (k < w) before += warpPass[k];
    total += warpPass[k];
  }
  rank += before;
  int to = pass ? rank : total + t - rank;
  out[blockIdx.x * blockDim.x + to] = v;
}
// Each warp searches its own stretch and stops at the first that is found.
__global__ void firstInStretch(const int *x, int *where, int wanted, int stretch) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  int begin = warp * stretch;
  int found = -1;
  for (int k = lane; k < stretch; k += 32) {
    unsigned int hits = __ballot_sync(ALL_LANES, x[begin + k] == wanted);
    if (hits != 0) {
      found = begin + k - lane + __ffs(hits) - 1;
      break;
    }
  }
  if (lane == 0) where[warp] = found;
}
// What most of a warp's lanes say, for each of the lower eight bits.
__global__ void majorityBits(const int *x, int *majority, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? x[i] : 0;
  int word = 0;
#pragma unroll
  for (int b = 0; b < 8; b++) {
    unsigned int set = __ballot_sync(ALL_LANES, (v >> b) & 1);
    if (__popc(set) > 16) word |= 1 << b;
  }
  if ((threadIdx.x & 31) == 0) majority[i / 32] = word;
}
// As many rounds as the lane number modulo `spread` says.
__global__ void unequalRounds(const float *in, float *out, int spread, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = in[i];
    int rounds = 4 + (threadIdx.x % spread) * 4;
    for (int k = 0; k < rounds; k++) v = v * 0.75f + 0.125f;
    out[i] = v;
  }
}
// A decision tree of depth three over two measurements.
__global__ void decideLeaf(const int *a, const int *b, int *leaf, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int p = a[i], q = b[i];
  int result;
  if (p < 512) {
    if (q < 256) result = p < 128 ? p * q : p + q;
    else {
      if (p < 300) result = p / 7 + q;
      else result = q % 13;
    }
  } else {
    if (q > 700) {
      result = p - q;
      if (p > 900) result *= result;
    } else result = (p ^ q) / 3;
  }
  leaf[i] = result;
}

// ======== banks and occupancy =========================================================================================
// Shared memory read again and again at a stride given at run time.
__global__ void bankStride(const int *in, int *out, int stride, int rounds) {
  __shared__ int s[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) s[k] = in[k];
  __syncthreads();
  int at = threadIdx.x * stride;
  int sum = 0;
  for (int r = 0; r < rounds; r++) {
    sum += s[at & 1023];
    at += 33 * stride;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// A tile of doubles in dynamic shared memory, written by rows, read by columns: the pitch makes the conflicts.
__global__ void bankPitch(const double *in, double *out, int pitch) {
  extern __shared__ double cells[];
  int row = threadIdx.x / 32, col = threadIdx.x % 32;
  int base = blockIdx.x * 1024;
  for (int r = row; r < 32; r += blockDim.x / 32) cells[r * pitch + col] = in[base + r * 32 + col];
  __syncthreads();
  for (int r = row; r < 32; r += blockDim.x / 32) out[base + r * 32 + col] = cells[col * pitch + r];
}
// How much shared memory a block takes says how many run at once; the work is the same.
__global__ void roomyBlocks(const float *in, float *out, int n) {
  extern __shared__ float room[];
  float acc = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    room[threadIdx.x] = in[i];
    acc = acc * 0.5f + room[threadIdx.x];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = acc;
}
// Sixteen sums in registers, each along its own row.
__global__ void sixteenSums(const float *in, float *out, int length, int n) {
  float acc[16];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 16; k++) acc[k] = 0.0f;
  for (int c = i; c < length; c += n) {
#pragma unroll
    for (int k = 0; k < 16; k++) acc[k] += in[k * length + c];
  }
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 16; k++) sum += acc[k] * (k + 1);
  out[i] = sum;
}
