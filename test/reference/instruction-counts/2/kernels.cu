// Kernels of the kinds that exercises and graders use, none in the other tables: their instructions a warp were measured
// on an H200 (counts.json) after the lowering had been looked into with those.
#include <cuda_runtime.h>
typedef unsigned int uint;
#define K extern "C" __global__ void
#define FULL 0xffffffff

// ---- reductions ----------------------------------------------------------------------------------------------------
K sumHalves(const float *in, float *out, int n) {
  __shared__ float part[256];
  int t = threadIdx.x;
  int i = blockIdx.x * (2 * blockDim.x) + t;
  float v = 0.0f;
  if (i < n) v = in[i];
  if (i + blockDim.x < n) v += in[i + blockDim.x];
  part[t] = v;
  __syncthreads();
  for (int half = blockDim.x / 2; half >= 1; half /= 2) {
    if (t < half) part[t] = part[t] + part[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
__device__ int warpMin(int v) {
  for (int d = 16; d > 0; d >>= 1) v = min(v, __shfl_xor_sync(FULL, v, d));
  return v;
}
K minTwoLevels(const int *in, int *out, int n) {
  __shared__ int mins[32];
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  int best = 2147483647;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) best = min(best, in[i]);
  best = warpMin(best);
  if (lane == 0) mins[warp] = best;
  __syncthreads();
  if (warp == 0) {
    best = lane < blockDim.x / 32 ? mins[lane] : 2147483647;
    best = warpMin(best);
    if (lane == 0) atomicMin(out, best);
  }
}
K argminGrid(const float *in, float *values, int *places, int n) {
  __shared__ float bestValue[256];
  __shared__ int bestPlace[256];
  int t = threadIdx.x;
  float v = 1e30f;
  int at = -1;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) {
    float x = in[i];
    if (x < v) {
      v = x;
      at = i;
    }
  }
  bestValue[t] = v;
  bestPlace[t] = at;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (t < s && bestValue[t + s] < bestValue[t]) {
      bestValue[t] = bestValue[t + s];
      bestPlace[t] = bestPlace[t + s];
    }
    __syncthreads();
  }
  if (t == 0) {
    values[blockIdx.x] = bestValue[0];
    places[blockIdx.x] = bestPlace[0];
  }
}
K normSquared(const float4 *in, float *out, int n) {
  __shared__ float sums[8];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += blockDim.x * gridDim.x) {
    float4 v = in[i];
    sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(FULL, sum, d);
  if ((threadIdx.x & 31) == 0) sums[threadIdx.x >> 5] = sum;
  __syncthreads();
  if (threadIdx.x < 8) {
    float v = sums[threadIdx.x];
    for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xff, v, d);
    if (threadIdx.x == 0) atomicAdd(out, v);
  }
}
K sumOrCount(const int *in, int *sums, int *counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? in[i] : 0;
  int positive = __popc(__ballot_sync(FULL, v > 500));
  int all = __reduce_add_sync(FULL, v);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&sums[blockIdx.x], all);
    atomicAdd(&counts[blockIdx.x], positive);
  }
}
K meanOfColumns(const float *m, float *out, int rows, int cols) {
  __shared__ float tile[8][33];
  int col = blockIdx.x * 32 + threadIdx.x;
  float sum = 0.0f;
  if (col < cols)
    for (int r = threadIdx.y; r < rows; r += 8) sum += m[r * cols + col];
  tile[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && col < cols) {
    for (int r = 1; r < 8; r++) sum += tile[r][threadIdx.x];
    out[col] = sum / rows;
  }
}
K varianceRow(const float *m, float *out, int cols) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  const float *p = m + row * cols;
  float sum = 0.0f;
  for (int c = lane; c < cols; c += 32) sum += p[c];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(FULL, sum, d);
  float mean = sum / cols;
  float dev = 0.0f;
  for (int c = lane; c < cols; c += 32) {
    float x = p[c] - mean;
    dev += x * x;
  }
  for (int d = 16; d > 0; d /= 2) dev += __shfl_xor_sync(FULL, dev, d);
  if (lane == 0) out[row] = dev / (cols - 1);
}
K anyAbove(const float *in, int *out, float limit, int n) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > limit) found = 1;
  __syncthreads();
  if (threadIdx.x == 0 && found) out[blockIdx.x] = 1;
}
K sumEvenOdd(const int *in, int *even, int *odd, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int e = 0;
  int o = 0;
  while (i < n) {
    int v = in[i];
    if (v % 2 == 0)
      e += v;
    else
      o += v;
    i += gridDim.x * blockDim.x;
  }
  atomicAdd(even, e);
  atomicAdd(odd, o);
}

// ---- dot products, matrices and vectors ----------------------------------------------------------------------------
K dotUnrolled(const float *a, const float *b, float *out, int n) {
  extern __shared__ float cache[];
  int t = threadIdx.x;
  int base = blockIdx.x * blockDim.x * 4 + t;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int i = base + k * blockDim.x;
    if (i < n) sum += a[i] * b[i];
  }
  cache[t] = sum;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 32; s >>= 1) {
    if (t < s) cache[t] += cache[t + s];
    __syncthreads();
  }
  if (t < 32) {
    float v = cache[t] + cache[t + 32];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
    if (t == 0) out[blockIdx.x] = v;
  }
}
K matVecTile(const float *m, const float *x, float *y, int rows, int cols) {
  __shared__ float part[128];
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int c0 = 0; c0 < cols; c0 += 128) {
    part[threadIdx.x] = c0 + threadIdx.x < cols ? x[c0 + threadIdx.x] : 0.0f;
    __syncthreads();
    if (row < rows)
      for (int c = 0; c < 128; c++) sum += m[row + (c0 + c) * rows] * part[c];
    __syncthreads();
  }
  if (row < rows) y[row] = sum;
}
K matMulEdge(const float *a, const float *b, float *c, int n) {
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int m = 0; m < (n + 15) / 16; m++) {
    if (row < n && m * 16 + tx < n)
      as[ty][tx] = a[row * n + m * 16 + tx];
    else
      as[ty][tx] = 0.0f;
    if (col < n && m * 16 + ty < n)
      bs[ty][tx] = b[(m * 16 + ty) * n + col];
    else
      bs[ty][tx] = 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; k++) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}
K outerProduct(const float *x, const float *y, float *m, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) m[r * cols + c] += x[r] * y[c];
}

// ---- scans ---------------------------------------------------------------------------------------------------------
K scanExclusive(const int *in, int *out, int *totals, int n) {
  __shared__ int warpSums[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int v = i < n ? in[i] : 0;
  int sum = v;
  for (int d = 1; d < 32; d *= 2) {
    int u = __shfl_up_sync(FULL, sum, d);
    if (lane >= d) sum += u;
  }
  if (lane == 31) warpSums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    int w = lane < blockDim.x / 32 ? warpSums[lane] : 0;
    for (int d = 1; d < 32; d *= 2) {
      int u = __shfl_up_sync(FULL, w, d);
      if (lane >= d) w += u;
    }
    warpSums[lane] = w;
  }
  __syncthreads();
  int before = warp > 0 ? warpSums[warp - 1] : 0;
  if (i < n) out[i] = before + sum - v;
  if (threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = before + sum;
}
K scanDouble(const float *in, float *out, int n) {
  extern __shared__ float temp[];
  int t = threadIdx.x;
  int from = 0, to = 1;
  temp[t] = t > 0 ? in[blockIdx.x * n + t - 1] : 0.0f;
  __syncthreads();
  for (int offset = 1; offset < n; offset <<= 1) {
    to = 1 - to;
    from = 1 - from;
    if (t >= offset)
      temp[to * n + t] = temp[from * n + t] + temp[from * n + t - offset];
    else
      temp[to * n + t] = temp[from * n + t];
    __syncthreads();
  }
  out[blockIdx.x * n + t] = temp[to * n + t];
}
K segmentedScan(const int *values, const int *heads, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  if (i >= n) return;
  int v = values[i];
  int head = heads[i] % 8 == 0 ? 1 : 0;
  for (int d = 1; d < 32; d <<= 1) {
    int u = __shfl_up_sync(FULL, v, d);
    int h = __shfl_up_sync(FULL, head, d);
    if (lane >= d && !head) {
      v += u;
      head = h;
    }
  }
  out[i] = v;
}
K compactBlock(const int *in, int *out, int *count, int n) {
  __shared__ int place;
  __shared__ int start;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) place = 0;
  __syncthreads();
  int v = 0;
  int mine = -1;
  if (i < n) {
    v = in[i];
    if (v > 512) mine = atomicAdd(&place, 1);
  }
  __syncthreads();
  if (threadIdx.x == 0) start = atomicAdd(count, place);
  __syncthreads();
  if (mine >= 0) out[start + mine] = v;
}

// ---- transposes, strides, copies -----------------------------------------------------------------------------------
K transposeLoop(const float *in, float *out, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += blockDim.y)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += blockDim.y)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
K transposeGrid(const int *in, int *out, int width, int height) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += blockDim.y * gridDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += blockDim.x * gridDim.x)
      out[x * height + y] = in[y * width + x];
}
K gatherStride(const float *in, float *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / stride) out[i] = in[i * stride] + in[i * stride + 1];
}
K copyTail(const int4 *in, int4 *out, const int *rest, int *last, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) out[i] = in[i];
  if (i < n % 4) last[n / 4 * 4 + i] = rest[n / 4 * 4 + i];
}
K rotateBlock(const int *in, int *out, int shift) {
  __shared__ int s[256];
  int base = blockIdx.x * blockDim.x;
  s[threadIdx.x] = in[base + threadIdx.x];
  __syncthreads();
  out[base + threadIdx.x] = s[(threadIdx.x + shift) % blockDim.x];
}

// ---- histograms ----------------------------------------------------------------------------------------------------
K histRange(const float *in, int *bins, int n, float low, float width) {
  __shared__ int own[32];
  if (threadIdx.x < 32) own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    int b = (int)((in[i] - low) / width);
    if (b >= 0 && b < 32) atomicAdd(&own[b], 1);
  }
  __syncthreads();
  if (threadIdx.x < 32 && own[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
K histDigits(const uint *keys, uint *counts, int n, int shift) {
  __shared__ uint digits[16];
  int t = threadIdx.x;
  if (t < 16) digits[t] = 0;
  __syncthreads();
  int first = blockIdx.x * blockDim.x * 4 + t;
  for (int k = 0; k < 4; k++) {
    int i = first + k * blockDim.x;
    if (i < n) atomicAdd(&digits[(keys[i] >> shift) & 15], 1);
  }
  __syncthreads();
  if (t < 16) counts[t * gridDim.x + blockIdx.x] = digits[t];
}

// ---- stencils and pictures -----------------------------------------------------------------------------------------
K smooth5(const float *in, float *out, int n) {
  __shared__ float s[260];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x + 2;
  s[t] = i < n ? in[i] : 0.0f;
  if (threadIdx.x < 2) {
    s[threadIdx.x] = i >= 2 ? in[i - 2] : 0.0f;
    s[t + blockDim.x] = i + blockDim.x < n ? in[i + blockDim.x] : 0.0f;
  }
  __syncthreads();
  if (i < n) out[i] = 0.1f * s[t - 2] + 0.2f * s[t - 1] + 0.4f * s[t] + 0.2f * s[t + 1] + 0.1f * s[t + 2];
}
K boxClamp(const float *in, float *out, int width, int height, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  int count = 0;
  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++) {
      int xx = x + dx, yy = y + dy;
      if (xx >= 0 && xx < width && yy >= 0 && yy < height) {
        sum += in[yy * width + xx];
        count++;
      }
    }
  out[y * width + x] = sum / count;
}
K sobel(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
    const float *p = in + y * width + x;
    float gx = p[1 - width] + 2.0f * p[1] + p[1 + width] - p[-1 - width] - 2.0f * p[-1] - p[width - 1];
    float gy = p[width - 1] + 2.0f * p[width] + p[width + 1] - p[-width - 1] - 2.0f * p[-width] - p[1 - width];
    out[y * width + x] = sqrtf(gx * gx + gy * gy);
  }
}
K threshold3(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int v = in[i];
    int r;
    if (v < 100)
      r = 0;
    else if (v < 500)
      r = v - 100;
    else if (v < 900)
      r = v * 2;
    else
      r = 1000;
    out[i] = r;
  }
}
K applyOp(const int *a, const int *b, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = a[i], y = b[i], r = 0;
  switch (x & 3) {
    case 0: r = x + y; break;
    case 1: r = x - y; break;
    case 2: r = x * y; break;
    default: r = x ^ y; break;
  }
  out[i] = r;
}
K iterateMap(const float *in, float *out, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  for (int s = 0; s < steps; s++) {
    if (x > 0.5f)
      x = 3.7f * x * (1.0f - x);
    else
      x = x * x + 0.3f;
  }
  out[i] = x;
}
K insertSort(int *data) {
  int v[8];
  int base = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  for (int k = 0; k < 8; k++) v[k] = data[base + k];
  for (int k = 1; k < 8; k++)
    for (int j = k; j > 0; j--)
      if (v[j] < v[j - 1]) {
        int swap = v[j];
        v[j] = v[j - 1];
        v[j - 1] = swap;
      }
  for (int k = 0; k < 8; k++) data[base + k] = v[k];
}
K findFirst(const int *in, int *out, int n, int wanted) {
  int per = n / (gridDim.x * blockDim.x);
  int from = (blockIdx.x * blockDim.x + threadIdx.x) * per;
  int found = -1;
  for (int k = 0; k < per; k++)
    if (in[from + k] == wanted) {
      found = from + k;
      break;
    }
  if (found >= 0) atomicMin(out, found);
}
