// Kernels of the usual tutorials and samples, in several data types and with counters of several kinds, none in the other
// tables: simulated first, then counted on an H200 (counts.json).
#include <cuda_runtime.h>
typedef unsigned int uint;
#define K extern "C" __global__ void
#define FULL 0xffffffff

// ---- reductions ----------------------------------------------------------------------------------------------------
K reduceModDouble(const double *g_in, double *g_out, int n) {
  extern __shared__ double sd[];
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sd[tid] = i < n ? g_in[i] : 0.0;
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0) sd[tid] += sd[tid + s];
    __syncthreads();
  }
  if (tid == 0) g_out[blockIdx.x] = sd[0];
}
K reduceStridedLong(const long long *in, long long *out, uint n) {
  __shared__ long long part[128];
  uint tid = threadIdx.x;
  uint i = blockIdx.x * blockDim.x + tid;
  part[tid] = i < n ? in[i] : 0;
  __syncthreads();
  for (uint s = 1; s < blockDim.x; s <<= 1) {
    uint at = 2 * s * tid;
    if (at < blockDim.x) part[at] += part[at + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = part[0];
}
K maxDoWhile(const float *in, float *out, int n) {
  __shared__ float cache[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float best = -1.0f;
  while (i < n) {
    best = fmaxf(best, in[i]);
    i += blockDim.x * gridDim.x;
  }
  cache[threadIdx.x] = best;
  __syncthreads();
  int half = blockDim.x;
  do {
    half = half / 2;
    if (threadIdx.x < half) cache[threadIdx.x] = fmaxf(cache[threadIdx.x], cache[threadIdx.x + half]);
    __syncthreads();
  } while (half > 1);
  if (threadIdx.x == 0) out[blockIdx.x] = cache[0];
}
K reduceFirstAddDouble(const double *in, double *out, uint n) {
  __shared__ double sdata[256];
  uint tid = threadIdx.x;
  uint i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  double mine = i < n ? in[i] : 0;
  if (i + blockDim.x < n) mine += in[i + blockDim.x];
  sdata[tid] = mine;
  __syncthreads();
  for (uint s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s) {
      mine += sdata[tid + s];
      sdata[tid] = mine;
    }
    __syncthreads();
  }
  if (tid < 32) {
    mine += sdata[tid + 32];
    for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(FULL, mine, d);
  }
  if (tid == 0) out[blockIdx.x] = mine;
}
__device__ void lastWarp(volatile float *s, uint t) {
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}
K reduce512Volatile(const float *in, float *out, uint n) {
  __shared__ float s[512];
  uint t = threadIdx.x;
  uint i = blockIdx.x * 1024 + t;
  uint step = 1024 * gridDim.x;
  s[t] = 0;
  while (i < n) {
    s[t] += in[i] + in[i + 512];
    i += step;
  }
  __syncthreads();
  if (t < 256) s[t] += s[t + 256];
  __syncthreads();
  if (t < 128) s[t] += s[t + 128];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) lastWarp(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}
__device__ long long warpSumLong(long long v) {
  for (int offset = 32 / 2; offset > 0; offset /= 2) v += __shfl_down_sync(FULL, v, offset);
  return v;
}
K blockSumLong(const long long *in, long long *out, size_t n) {
  __shared__ long long sums[32];
  long long sum = 0;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  int lane = threadIdx.x % 32;
  int wid = threadIdx.x / 32;
  sum = warpSumLong(sum);
  if (lane == 0) sums[wid] = sum;
  __syncthreads();
  sum = threadIdx.x < blockDim.x / 32 ? sums[lane] : 0;
  if (wid == 0) sum = warpSumLong(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
K minAndMax(const int *in, int *out, int n) {
  __shared__ int lows[256];
  __shared__ int highs[256];
  uint t = threadIdx.x;
  int low = 2147483647;
  int high = -2147483647;
  for (int i = blockIdx.x * 256 + t; i < n; i += 256 * gridDim.x) {
    int v = in[i];
    if (v < low) low = v;
    if (v > high) high = v;
  }
  lows[t] = low;
  highs[t] = high;
  __syncthreads();
  for (uint s = 128; s >= 1; s /= 2) {
    if (t < s) {
      lows[t] = min(lows[t], lows[t + s]);
      highs[t] = max(highs[t], highs[t + s]);
    }
    __syncthreads();
  }
  if (t == 0) {
    out[2 * blockIdx.x] = lows[0];
    out[2 * blockIdx.x + 1] = highs[0];
  }
}
K countNonzero(const int *in, int *count, size_t n) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  int mine = 0;
  size_t step = (size_t)blockDim.x * gridDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) mine += in[i] != 0 ? 1 : 0;
  for (int d = 16; d >= 1; d >>= 1) mine += __shfl_xor_sync(FULL, mine, d);
  if ((threadIdx.x & 31) == 0) atomicAdd(&total, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(count, total);
}
K reduceUnroll8Uint(const uint *in, uint *out, uint n) {
  extern __shared__ uint sm[];
  uint tid = threadIdx.x;
  uint idx = blockIdx.x * blockDim.x * 8 + threadIdx.x;
  uint sum = 0;
  if (idx + 7 * blockDim.x < n) {
    uint a1 = in[idx];
    uint a2 = in[idx + blockDim.x];
    uint a3 = in[idx + 2 * blockDim.x];
    uint a4 = in[idx + 3 * blockDim.x];
    uint b1 = in[idx + 4 * blockDim.x];
    uint b2 = in[idx + 5 * blockDim.x];
    uint b3 = in[idx + 6 * blockDim.x];
    uint b4 = in[idx + 7 * blockDim.x];
    sum = a1 + a2 + a3 + a4 + b1 + b2 + b3 + b4;
  }
  sm[tid] = sum;
  __syncthreads();
  for (uint stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride) sm[tid] += sm[tid + stride];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sm[0];
}
K dotByExample(const float *a, const float *b, float *c, int n) {
  __shared__ float cache[256];
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  int cacheIndex = threadIdx.x;
  float temp = 0;
  while (tid < n) {
    temp += a[tid] * b[tid];
    tid += blockDim.x * gridDim.x;
  }
  cache[cacheIndex] = temp;
  __syncthreads();
  int i = blockDim.x / 2;
  while (i != 0) {
    if (cacheIndex < i) cache[cacheIndex] += cache[cacheIndex + i];
    __syncthreads();
    i /= 2;
  }
  if (cacheIndex == 0) c[blockIdx.x] = cache[0];
}

// ---- scans ---------------------------------------------------------------------------------------------------------
K prescan(const float *g_idata, float *g_odata, int n) {
  extern __shared__ float temp[];
  int thid = threadIdx.x;
  int offset = 1;
  temp[2 * thid] = g_idata[2 * thid];
  temp[2 * thid + 1] = g_idata[2 * thid + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1;
      int bi = offset * (2 * thid + 2) - 1;
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  if (thid == 0) temp[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1;
      int bi = offset * (2 * thid + 2) - 1;
      float t = temp[ai];
      temp[ai] = temp[bi];
      temp[bi] += t;
    }
  }
  __syncthreads();
  g_odata[2 * thid] = temp[2 * thid];
  g_odata[2 * thid + 1] = temp[2 * thid + 1];
}
K prescanPadded(const int *in, int *out, int *sums) {
  __shared__ int temp[528];
  int thid = threadIdx.x;
  int base = blockIdx.x * 512;
  int ai = thid;
  int bi = thid + 256;
  int offsetA = ai >> 5;
  int offsetB = bi >> 5;
  temp[ai + offsetA] = in[base + ai];
  temp[bi + offsetB] = in[base + bi];
  int offset = 1;
  for (int d = 256; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int x = offset * (2 * thid + 1) - 1;
      int y = offset * (2 * thid + 2) - 1;
      x += x >> 5;
      y += y >> 5;
      temp[y] += temp[x];
    }
    offset *= 2;
  }
  if (thid == 0) {
    sums[blockIdx.x] = temp[511 + 15];
    temp[511 + 15] = 0;
  }
  for (int d = 1; d < 512; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int x = offset * (2 * thid + 1) - 1;
      int y = offset * (2 * thid + 2) - 1;
      x += x >> 5;
      y += y >> 5;
      int t = temp[x];
      temp[x] = temp[y];
      temp[y] += t;
    }
  }
  __syncthreads();
  out[base + ai] = temp[ai + offsetA];
  out[base + bi] = temp[bi + offsetB];
}
K hillisSteele(const float *in, float *out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    float v = 0.0f;
    if (t >= d) v = s[t - d];
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  if (i < n) out[i] = s[t];
}
K hillisPingPong(const int *in, int *out, int n) {
  extern __shared__ int buf[];
  int t = threadIdx.x;
  int pout = 0;
  int pin = 1;
  buf[t] = t > 0 ? in[blockIdx.x * n + t - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset <<= 1) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (t >= offset)
      buf[pout * n + t] = buf[pin * n + t] + buf[pin * n + t - offset];
    else
      buf[pout * n + t] = buf[pin * n + t];
    __syncthreads();
  }
  out[blockIdx.x * n + t] = buf[pout * n + t];
}
K warpScanDouble(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31;
  double v = i < n ? in[i] : 0.0;
  for (int d = 1; d < 32; d *= 2) {
    double u = __shfl_up_sync(FULL, v, d);
    if (lane >= d) v += u;
  }
  if (i < n) out[i] = v;
}
__device__ uint warpInclusive(uint v, uint lane) {
  for (uint d = 1; d <= 16; d <<= 1) {
    uint u = __shfl_up_sync(FULL, v, d);
    if (lane >= d) v += u;
  }
  return v;
}
K blockScanUint(const uint *in, uint *out, uint *totals, uint n) {
  __shared__ uint warps[32];
  uint lane = threadIdx.x & 31;
  uint warp = threadIdx.x >> 5;
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  uint own = i < n ? in[i] : 0;
  uint v = warpInclusive(own, lane);
  if (lane == 31) warps[warp] = v;
  __syncthreads();
  if (warp == 0) {
    uint w = lane < blockDim.x / 32 ? warps[lane] : 0;
    warps[lane] = warpInclusive(w, lane);
  }
  __syncthreads();
  if (warp > 0) v += warps[warp - 1];
  if (i < n) out[i] = v - own;
  if (threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = v;
}
K addBlockSums(int *data, const int *sums, int n) {
  uint address = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  int add = sums[blockIdx.x];
  data[address] += add;
  if (address + blockDim.x < n) data[address + blockDim.x] += add;
}
K scanColumns(const float *in, float *out, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= cols) return;
  float sum = 0.0f;
  for (int r = 0; r < rows; r++) {
    sum += in[r * cols + col];
    out[r * cols + col] = sum;
  }
}

// ---- transposes, strides ---------------------------------------------------------------------------------------------
K transposeTile16(const double *in, double *out, int width, int height) {
  __shared__ double tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x;
  int y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
K transposeDiagonal(const float *in, float *out, int width, int height) {
  __shared__ float tile[32][33];
  int by = blockIdx.x;
  int bx = (blockIdx.x + blockIdx.y) % gridDim.x;
  int x = bx * 32 + threadIdx.x;
  int y = by * 32 + threadIdx.y;
  int from = x + y * width;
  x = by * 32 + threadIdx.x;
  y = bx * 32 + threadIdx.y;
  int to = x + y * height;
  for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[from + i * width];
  __syncthreads();
  for (int i = 0; i < 32; i += 8) out[to + i * height] = tile[threadIdx.x][threadIdx.y + i];
}
K transposeSmemUnrolled(const float *in, float *out, uint nx, uint ny) {
  __shared__ float tile[16 * (32 + 2)];
  uint ix = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  uint iy = blockIdx.y * blockDim.y + threadIdx.y;
  uint ti = iy * nx + ix;
  uint bidx = threadIdx.y * blockDim.x + threadIdx.x;
  uint irow = bidx / blockDim.y;
  uint icol = bidx % blockDim.y;
  uint ix2 = blockIdx.y * blockDim.y + icol;
  uint iy2 = 2 * blockIdx.x * blockDim.x + irow;
  uint to = iy2 * ny + ix2;
  if (ix + blockDim.x < nx && iy < ny) {
    uint row = threadIdx.y * (blockDim.x * 2 + 2) + threadIdx.x;
    tile[row] = in[ti];
    tile[row + blockDim.x] = in[ti + blockDim.x];
    __syncthreads();
    uint col = icol * (blockDim.x * 2 + 2) + irow;
    out[to] = tile[col];
    out[to + ny * blockDim.x] = tile[col + blockDim.x];
  }
}
K strideSize(const double *in, double *out, size_t n, size_t stride) {
  size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * stride;
  while (i < n) {
    out[i] = in[i] * 2.0;
    i += (size_t)gridDim.x * blockDim.x * stride;
  }
}
K daxpyGrid(size_t n, double a, const double *x, double *y) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)blockDim.x * gridDim.x)
    y[i] = a * x[i] + y[i];
}
K sumStrided(const int *in, int *out, int n, int stride) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int i = t; i < n; i += stride) sum += in[i];
  out[t] = sum;
}
K averageChunk(const float *in, float *out, int chunk) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int i = t * chunk; i < (t + 1) * chunk; i++) sum += in[i];
  out[t] = sum / chunk;
}

// ---- histograms ----------------------------------------------------------------------------------------------------
K histAnyBins(const int *in, int *hist, int n, int bins) {
  extern __shared__ int local[];
  for (int b = threadIdx.x; b < bins; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&local[in[i] % bins], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&hist[b], local[b]);
}
K histPerWarp(const uint *in, uint *hist, uint n) {
  __shared__ uint sub[8 * 64];
  for (uint k = threadIdx.x; k < 512; k += 256) sub[k] = 0;
  __syncthreads();
  uint warp = threadIdx.x >> 5;
  for (uint i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x) atomicAdd(sub + warp * 64 + (in[i] >> 4), 1);
  __syncthreads();
  if (threadIdx.x < 64) {
    uint sum = 0;
    for (uint w = 0; w < 8; w++) sum += sub[w * 64 + threadIdx.x];
    atomicAdd(hist + threadIdx.x, sum);
  }
}
K histBytes4(const uint *in, uint *hist, uint n) {
  __shared__ uint s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (uint pos = blockIdx.x * blockDim.x + threadIdx.x; pos < n; pos += blockDim.x * gridDim.x) {
    uint data = in[pos];
    atomicAdd(&s[data & 0xFF], 1);
    atomicAdd(&s[(data >> 8) & 0xFF], 1);
    atomicAdd(&s[(data >> 16) & 0xFF], 1);
    atomicAdd(&s[data >> 24], 1);
  }
  __syncthreads();
  atomicAdd(&hist[threadIdx.x], s[threadIdx.x]);
}
K histFloats(const float *in, int *hist, int n, float low, float high, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int step = blockDim.x * gridDim.x;
  float scale = bins / (high - low);
  while (i < n) {
    int b = (int)((in[i] - low) * scale);
    if (b >= 0 && b < bins) atomicAdd(&hist[b], 1);
    i += step;
  }
}

// ---- compaction, search, sort --------------------------------------------------------------------------------------
K compactBallot(const int *in, int *out, int *counter, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31;
  int v = i < n ? in[i] : 0;
  bool keep = i < n && v < limit;
  uint mask = __ballot_sync(FULL, keep);
  int before = __popc(mask & ((1u << lane) - 1));
  int base = 0;
  if (lane == 0) base = atomicAdd(counter, __popc(mask));
  base = __shfl_sync(FULL, base, 0);
  if (keep) out[base + before] = v;
}
K scatterFlags(const int *in, const int *places, int *out, int n, int limit) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (in[i] > limit) out[places[i]] = in[i];
}
K lowerBound(const int *sorted, const int *keys, int *out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  int key = keys[i];
  int lo = 0;
  int hi = n;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (sorted[mid] < key)
      lo = mid + 1;
    else
      hi = mid;
  }
  out[i] = lo;
}
K bitonicStep(float *values, int j, int k) {
  uint i = threadIdx.x + blockDim.x * blockIdx.x;
  uint ixj = i ^ j;
  if (ixj > i) {
    if ((i & k) == 0) {
      if (values[i] > values[ixj]) {
        float temp = values[i];
        values[i] = values[ixj];
        values[ixj] = temp;
      }
    }
    if ((i & k) != 0) {
      if (values[i] < values[ixj]) {
        float temp = values[i];
        values[i] = values[ixj];
        values[ixj] = temp;
      }
    }
  }
}
K bitonicLoops(uint *data) {
  __shared__ uint s[512];
  uint t = threadIdx.x;
  s[t] = data[blockIdx.x * 512 + t];
  s[t + 256] = data[blockIdx.x * 512 + t + 256];
  for (uint size = 2; size < 512; size <<= 1) {
    uint up = (t & (size / 2)) != 0;
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      uint pos = 2 * t - (t & (stride - 1));
      uint a = s[pos];
      uint b = s[pos + stride];
      if ((a > b) == up) {
        s[pos] = b;
        s[pos + stride] = a;
      }
    }
  }
  __syncthreads();
  data[blockIdx.x * 512 + t] = s[t];
  data[blockIdx.x * 512 + t + 256] = s[t + 256];
}

// ---- stencils, matrices ----------------------------------------------------------------------------------------------
K stencilRadius3(const int *in, int *out, int n) {
  __shared__ int temp[256 + 2 * 3];
  int gindex = threadIdx.x + blockIdx.x * blockDim.x;
  int lindex = threadIdx.x + 3;
  temp[lindex] = gindex < n ? in[gindex] : 0;
  if (threadIdx.x < 3) {
    temp[lindex - 3] = gindex >= 3 ? in[gindex - 3] : 0;
    temp[lindex + 256] = gindex + 256 < n ? in[gindex + 256] : 0;
  }
  __syncthreads();
  int result = 0;
  for (int offset = -3; offset <= 3; offset++) result += temp[lindex + offset];
  if (gindex < n) out[gindex] = result;
}
K jacobiStep(const double *old, double *next, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1)
    next[j * nx + i] = 0.25 * (old[j * nx + i - 1] + old[j * nx + i + 1] + old[(j - 1) * nx + i] + old[(j + 1) * nx + i]);
}
K stencil7Loop(const float *in, float *out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  int plane = nx * ny;
  int at = y * nx + x;
  float below = in[at];
  float here = in[at + plane];
  for (int z = 1; z < nz - 1; z++) {
    at += plane;
    float above = in[at + plane];
    out[at] = 0.4f * here + 0.1f * (below + above + in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx]);
    below = here;
    here = above;
  }
}
K matVecUnsigned(const float *m, const float *x, float *y, uint rows, uint cols) {
  uint r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float sum = 0;
    for (uint c = 0; c < cols; c++) sum += m[r * cols + c] * x[c];
    y[r] = sum;
  }
}
K matVecWarpDouble(const double *m, const double *x, double *y, int rows, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  double sum = 0.0;
  for (int c = lane; c < cols; c += 32) sum += m[row * cols + c] * x[c];
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(FULL, sum, d);
  if (lane == 0) y[row] = sum;
}
K matMulTiledDouble(const double *a, const double *b, double *c, int n) {
  __shared__ double as[16][16];
  __shared__ double bs[16][16];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty;
  int col = blockIdx.x * 16 + tx;
  double sum = 0;
  for (int m = 0; m < n / 16; ++m) {
    as[ty][tx] = a[row * n + m * 16 + tx];
    bs[ty][tx] = b[(m * 16 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
K csrScalar(const int *rowStart, const int *columns, const float *values, const float *x, float *y, int rows) {
  int row = blockDim.x * blockIdx.x + threadIdx.x;
  if (row < rows) {
    float dot = 0;
    int start = row * 8 + (rowStart[row] & 3);
    int end = row * 8 + 8 + (rowStart[row + 1] & 3);
    for (int j = start; j < end; j++) dot += values[j] * x[columns[j]];
    y[row] += dot;
  }
}
K softmaxRow(const float *in, float *out, int cols) {
  __shared__ float red[128];
  int row = blockIdx.x;
  int t = threadIdx.x;
  float most = -1e30f;
  for (int c = t; c < cols; c += blockDim.x) most = fmaxf(most, in[row * cols + c]);
  red[t] = most;
  __syncthreads();
  for (int s = 64; s > 0; s >>= 1) {
    if (t < s) red[t] = fmaxf(red[t], red[t + s]);
    __syncthreads();
  }
  most = red[0];
  __syncthreads();
  float sum = 0.0f;
  for (int c = t; c < cols; c += blockDim.x) sum += __expf(in[row * cols + c] - most);
  red[t] = sum;
  __syncthreads();
  for (int s = 64; s > 0; s >>= 1) {
    if (t < s) red[t] += red[t + s];
    __syncthreads();
  }
  sum = red[0];
  for (int c = t; c < cols; c += blockDim.x) out[row * cols + c] = __expf(in[row * cols + c] - most) / sum;
}
