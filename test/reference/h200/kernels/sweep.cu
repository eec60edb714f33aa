// Reductions, scans, transposes, strided reads and histograms as a text book writes them, each launched over a range of
// blocks, grids, sizes, strides and bins; none in an earlier file. Simulated before they were
// measured on an H200.
#include <cuda_runtime.h>
typedef unsigned int uint;
#define K extern "C" __global__ void
#define FULL 0xffffffff

// ---- reductions --------------------------------------------------------------------------------------------------
// A tree for blocks of any size: the upper half, rounded up, is folded onto the lower.
K foldAnyBlock(const float *in, float *out, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  int live = blockDim.x;
  while (live > 1) {
    int half = (live + 1) / 2;
    if (t < live / 2) s[t] += s[t + half];
    __syncthreads();
    live = half;
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
K interleavedLong(const long long *in, long long *out, int n) {
  extern __shared__ long long sl[];
  uint t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sl[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (uint step = 1; step < blockDim.x; step *= 2) {
    if (t % (2 * step) == 0 && t + step < blockDim.x) sl[t] += sl[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sl[0];
}
K maxFourFirst(const int *in, int *out, int n) {
  extern __shared__ int si[];
  int t = threadIdx.x, b = blockDim.x, i = blockIdx.x * b * 4 + t;
  int m = -2147483647;
  if (i < n) m = in[i];
  if (i + b < n) m = max(m, in[i + b]);
  if (i + 2 * b < n) m = max(m, in[i + 2 * b]);
  if (i + 3 * b < n) m = max(m, in[i + 3 * b]);
  si[t] = m;
  __syncthreads();
  for (int s = b / 2; s > 0; s >>= 1) {
    if (t < s) si[t] = max(si[t], si[t + s]);
    __syncthreads();
  }
  if (t == 0) atomicMax(out, si[0]);
}
K norm1Float2(const float2 *in, float *total, int pairs) {
  __shared__ float warps[32];
  int t = threadIdx.x, lane = t % 32, w = t / 32;
  float v = 0.0f;
  for (int i = blockIdx.x * blockDim.x + t; i < pairs; i += blockDim.x * gridDim.x) {
    float2 p = in[i];
    v += fabsf(p.x) + fabsf(p.y);
  }
  for (int d = 16; d >= 1; d /= 2) v += __shfl_xor_sync(FULL, v, d);
  if (lane == 0) warps[w] = v;
  __syncthreads();
  if (t == 0) {
    float all = 0.0f;
    for (int k = 0; k < (blockDim.x + 31) / 32; k++) all += warps[k];
    atomicAdd(total, all);
  }
}
K reduxBlock(const uint *in, uint *out, int n) {
  __shared__ uint sum;
  int t = threadIdx.x;
  if (t == 0) sum = 0;
  __syncthreads();
  uint v = 0;
  int start = blockIdx.x * blockDim.x * 8 + t;
  for (int k = 0; k < 8; k++) {
    int i = start + k * blockDim.x;
    if (i < n) v += in[i];
  }
  v = __reduce_add_sync(FULL, v);
  if (t % 32 == 0) atomicAdd(&sum, v);
  __syncthreads();
  if (t == 0) out[blockIdx.x] = sum;
}
K fourSumsDouble(const double *in, double *out, int n) {
  extern __shared__ double sd[];
  int t = threadIdx.x, all = gridDim.x * blockDim.x;
  double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
  int i = blockIdx.x * blockDim.x + t;
  for (; i + 3 * all < n; i += 4 * all) {
    a += in[i];
    b += in[i + all];
    c += in[i + 2 * all];
    d += in[i + 3 * all];
  }
  for (; i < n; i += all) a += in[i];
  sd[t] = (a + b) + (c + d);
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) sd[t] += sd[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sd[0];
}
K argminBlock(const float *in, float *values, int *places, int n) {
  __shared__ float sv[512];
  __shared__ int sp[512];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sv[t] = i < n ? in[i] : 1e30f;
  sp[t] = i;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s && sv[t + s] < sv[t]) {
      sv[t] = sv[t + s];
      sp[t] = sp[t + s];
    }
    __syncthreads();
  }
  if (t == 0) {
    values[blockIdx.x] = sv[0];
    places[blockIdx.x] = sp[0];
  }
}
// Sixteen lanes a row.
K rowMeansHalf(const float *in, float *mean, int rows, int cols) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float v = 0.0f;
  for (int c = threadIdx.x; c < cols; c += 16) v += in[row * cols + c];
  for (int d = 8; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d, 16);
  if (threadIdx.x == 0) mean[row] = v / cols;
}
K colMaxTile(const float *in, float *out, int rows, int cols) {
  __shared__ float s[8][33];
  int c = blockIdx.x * 32 + threadIdx.x, y = threadIdx.y;
  float m = -1e30f;
  if (c < cols)
    for (int r = blockIdx.y * 8 + y; r < rows; r += 8 * gridDim.y) m = fmaxf(m, in[r * cols + c]);
  s[y][threadIdx.x] = m;
  __syncthreads();
  if (y == 0 && c < cols) {
    for (int k = 1; k < 8; k++) m = fmaxf(m, s[k][threadIdx.x]);
    out[blockIdx.y * cols + c] = m;
  }
}
K segmentThread(const int *in, int *out, int segments, int length) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= segments) return;
  int v = 0;
  for (int k = 0; k < length; k++) v += in[s * length + k];
  out[s] = v;
}
// ---- scans -------------------------------------------------------------------------------------------------------
K hillisLong(const long long *in, long long *out, int n) {
  extern __shared__ long long sl[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sl[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    long long v = sl[t];
    if (t >= d) v += sl[t - d];
    __syncthreads();
    sl[t] = v;
    __syncthreads();
  }
  if (i < n) out[i] = sl[t];
}
// Two elements a thread, the sums moved up by one: exclusive.
K brentKungExclusive(const int *in, int *out, int n) {
  extern __shared__ int si[];
  int t = threadIdx.x, b = blockDim.x, i = 2 * blockIdx.x * b + t;
  si[t] = i < n ? in[i] : 0;
  si[t + b] = i + b < n ? in[i + b] : 0;
  for (int stride = 1; stride <= b; stride *= 2) {
    __syncthreads();
    int k = (t + 1) * 2 * stride - 1;
    if (k < 2 * b) si[k] += si[k - stride];
  }
  for (int stride = b / 2; stride > 0; stride /= 2) {
    __syncthreads();
    int k = (t + 1) * stride * 2 - 1;
    if (k + stride < 2 * b) si[k + stride] += si[k];
  }
  __syncthreads();
  if (i < n) out[i] = t > 0 ? si[t - 1] : 0;
  if (i + b < n) out[i + b] = si[t + b - 1];
}
K scanWarpsDouble(const double *in, double *out, double *sums, int n) {
  __shared__ double warps[32];
  int t = threadIdx.x, lane = t & 31, w = t >> 5, i = blockIdx.x * blockDim.x + t;
  double v = i < n ? in[i] : 0.0;
  for (int d = 1; d < 32; d *= 2) {
    double u = __shfl_up_sync(FULL, v, d);
    if (lane >= d) v += u;
  }
  if (lane == 31) warps[w] = v;
  __syncthreads();
  double before = 0.0;
  for (int k = 0; k < w; k++) before += warps[k];
  v += before;
  if (i < n) out[i] = v;
  if (t == blockDim.x - 1) sums[blockIdx.x] = v;
}
// Each thread scans its own part of shared memory, then the ends of the parts are scanned (Kogge and Stone).
K coarseScan(const float *in, float *out, int each) {
  extern __shared__ float s[];
  __shared__ float ends[256];
  int t = threadIdx.x, b = blockDim.x, base = blockIdx.x * b * each;
  for (int k = 0; k < each; k++) s[k * b + t] = in[base + k * b + t];
  __syncthreads();
  for (int k = 1; k < each; k++) s[t * each + k] += s[t * each + k - 1];
  ends[t] = s[t * each + each - 1];
  for (int d = 1; d < b; d *= 2) {
    __syncthreads();
    float u = t >= d ? ends[t - d] : 0.0f;
    __syncthreads();
    ends[t] += u;
  }
  __syncthreads();
  if (t > 0)
    for (int k = 0; k < each; k++) s[t * each + k] += ends[t - 1];
  __syncthreads();
  for (int k = 0; k < each; k++) out[base + k * b + t] = s[k * b + t];
}
// A block a row; what is before a chunk is carried on.
K carryScanRow(const int *in, int *out, int cols) {
  __shared__ int warps[32];
  __shared__ int carry;
  int t = threadIdx.x, lane = t & 31, w = t >> 5;
  const int *x = in + blockIdx.x * cols;
  int *y = out + blockIdx.x * cols;
  if (t == 0) carry = 0;
  for (int c = 0; c < cols; c += blockDim.x) {
    int v = c + t < cols ? x[c + t] : 0;
    for (int d = 1; d < 32; d *= 2) {
      int u = __shfl_up_sync(FULL, v, d);
      if (lane >= d) v += u;
    }
    if (lane == 31) warps[w] = v;
    __syncthreads();
    int before = carry;
    for (int k = 0; k < w; k++) before += warps[k];
    if (c + t < cols) y[c + t] = before + v;
    __syncthreads();
    if (t == blockDim.x - 1) carry = before + v;
    __syncthreads();
  }
}
// The second step of a scan of columns: a thread a column and part of 32 rows, with what is above.
K columnScanPart(const float *in, const float *above, float *out, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float sum = above[blockIdx.y * cols + c];
  for (int r = blockIdx.y * 32; r < blockIdx.y * 32 + 32; r++) {
    sum += in[r * cols + c];
    out[r * cols + c] = sum;
  }
}
K addCarries(float4 *data, const float *carries, int quadsEach) {
  float c = carries[blockIdx.x];
  float4 *mine = data + blockIdx.x * quadsEach;
  for (int k = threadIdx.x; k < quadsEach; k += blockDim.x) {
    float4 q = mine[k];
    mine[k] = make_float4(q.x + c, q.y + c, q.z + c, q.w + c);
  }
}
// ---- transposes --------------------------------------------------------------------------------------------------
K transposeAnyShape(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}
K transposeTile16(const int *in, int *out, int width, int height) {
  __shared__ int tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
K transposeRows32(const float *in, float *out, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
  for (int j = threadIdx.y; j < 32; j += blockDim.y)
    if (x < width && y + j < height) tile[j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32;
  for (int j = threadIdx.y; j < 32; j += blockDim.y)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][j];
}
K transposeFloat2Unpadded(const float2 *in, float2 *out, int width, int height) {
  __shared__ float2 tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
K transposeSwap(float *a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < y && y < n) {
    float t = a[y * n + x];
    a[y * n + x] = a[x * n + y];
    a[x * n + y] = t;
  }
}
K transposeBatch(const double *in, double *out, int side) {
  __shared__ double tile[8][9];
  int base = blockIdx.z * side * side;
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[base + y * side + x];
  __syncthreads();
  x = blockIdx.y * 8 + threadIdx.x;
  y = blockIdx.x * 8 + threadIdx.y;
  out[base + y * side + x] = tile[threadIdx.x][threadIdx.y];
}
// Four bytes a word: 4 x 4 bytes a thread.
K transposeBytes(const uint *in, uint *out, int wordsWide, int wordsHigh) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= wordsWide || y >= wordsHigh) return;
  uint a = in[(4 * y) * wordsWide + x], b = in[(4 * y + 1) * wordsWide + x];
  uint c = in[(4 * y + 2) * wordsWide + x], d = in[(4 * y + 3) * wordsWide + x];
  for (int k = 0; k < 4; k++) {
    uint word = ((a >> (8 * k)) & 255) | (((b >> (8 * k)) & 255) << 8) | (((c >> (8 * k)) & 255) << 16) | (((d >> (8 * k)) & 255) << 24);
    out[(4 * x + k) * wordsHigh + y] = word;
  }
}
// ---- strides and offsets -----------------------------------------------------------------------------------------
K gatherStride(const float *in, float *out, int stride, int mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[(i * stride) & mask];
}
K scaleEveryLong(long long *a, int stride, int offset) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride + offset;
  a[i] *= 3;
}
K offsetDifference(const float *in, float *out, int n, int offset) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n - offset; i += gridDim.x * blockDim.x) out[i] = in[i + offset] - in[i];
}
K subMatrixCopy(const int *in, int *out, int pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = in[y * pitch + x];
}
K stridedSum(const double *in, double *out, int count, int stride) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  double v = 0.0;
  for (int k = t; k < count; k += all) v += in[k * stride];
  out[t] = v;
}
// ---- histograms --------------------------------------------------------------------------------------------------
K histDynamic(const int *in, int *bins, int n, int count, int shift) {
  extern __shared__ int si[];
  for (int b = threadIdx.x; b < count; b += blockDim.x) si[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&si[in[i] >> shift], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < count; b += blockDim.x) atomicAdd(&bins[b], si[b]);
}
K histGlobalShift(const int *in, int *bins, int n, int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i] >> shift], 1);
}
K histPerWarp(const int *in, int *bins, int n, int count, int shift) {
  extern __shared__ int si[];
  int warps = blockDim.x / 32;
  int *mine = si + (threadIdx.x / 32) * count;
  for (int b = threadIdx.x; b < count * warps; b += blockDim.x) si[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i] >> shift], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < count; b += blockDim.x) {
    int sum = 0;
    for (int w = 0; w < warps; w++) sum += si[w * count + b];
    atomicAdd(&bins[b], sum);
  }
}
// Sixteen counters for each thread, in columns: no atomics.
K histOwnColumn(const int *in, int *bins, int n) {
  extern __shared__ int si[];
  int t = threadIdx.x, width = blockDim.x;
  for (int b = 0; b < 16; b++) si[b * width + t] = 0;
  for (int i = blockIdx.x * width + t; i < n; i += gridDim.x * width) si[(in[i] >> 6) * width + t]++;
  __syncthreads();
  if (t < 16) {
    int sum = 0;
    for (int k = 0; k < width; k++) sum += si[t * width + (k + t) % width];
    atomicAdd(&bins[t], sum);
  }
}
K histWide(const int *a, const int *b, int *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int x = a[i] >> 4, y = b[i] >> 4;
    atomicAdd(&bins[y * 64 + x], 1);
  }
}
K histDoubleRange(const double *in, int *bins, int n, double low, double scale) {
  __shared__ int s[64];
  if (threadIdx.x < 64) s[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < 4; k++) {
    int i = (blockIdx.x * 4 + k) * blockDim.x + threadIdx.x;
    if (i < n) {
      int b = (int)((in[i] - low) * scale);
      b = min(max(b, 0), 63);
      atomicAdd(&s[b], 1);
    }
  }
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
