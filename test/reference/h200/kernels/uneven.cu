// Kernels whose blocks differ in their work: one that is heavy, half of them, triangles, random lengths, fractals; measured
// on an H200 (h200/measured/uneven.json).
#include <cuda_runtime.h>
typedef unsigned int uint;
#define K extern "C" __global__ void
#define FULL 0xffffffff

// ---- Arithmetic alone: rounds of one chain a thread ------------------------------------------------------------
K oneHeavy(const float *in, float *out, int at, int few, int many) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int rounds = blockIdx.x == at ? many : few;
  float x = in[i];
  for (int k = 0; k < rounds; k++) x = x * 0.75f + 0.125f;
  out[i] = x;
}
K rareHeavy(const float *in, float *out, int one, int few, int many) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint h = blockIdx.x * 2654435761u;
  int rounds = (h >> 8) % one == 0 ? many : few;
  float x = in[i];
  for (int k = 0; k < rounds; k++) x = x * 0.75f + 0.125f;
  out[i] = x;
}
K halfHeavy(const float *in, float *out, int first, int second) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int rounds = 2 * blockIdx.x < gridDim.x ? first : second;
  float x = in[i];
  for (int k = 0; k < rounds; k++) x = x * 0.75f + 0.125f;
  out[i] = x;
}

// ---- Triangles -------------------------------------------------------------------------------------------------
K rowSumsLower(const float *a, float *sums, int n) {
  __shared__ float parts[4];
  int row = blockIdx.x;
  float s = 0.0f;
  for (int k = threadIdx.x; k <= row; k += blockDim.x) s += a[row * n + k];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(FULL, s, o);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) sums[row] = parts[0] + parts[1] + parts[2] + parts[3];
}
K rowSumsUpper(const float *a, float *sums, int n) {
  __shared__ float parts[4];
  int row = blockIdx.x;
  float s = 0.0f;
  for (int k = row + threadIdx.x; k < n; k += blockDim.x) s += a[row * n + k];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(FULL, s, o);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) sums[row] = parts[0] + parts[1] + parts[2] + parts[3];
}
K triMatVec(const float *a, const float *x, float *y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k <= row; k++) s += a[k * n + row] * x[k];
  y[row] = s;
}
K triMatMul(const float *A, const float *B, float *C, int n) {
  __shared__ float a[16][16], b[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float s = 0.0f;
  for (int m = 0; m <= blockIdx.y; m++) {
    a[ty][tx] = A[row * n + m * 16 + tx];
    b[ty][tx] = B[(m * 16 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; k++) s += a[ty][k] * b[k][tx];
    __syncthreads();
  }
  C[row * n + col] = s;
}
K upperProduct(const float *A, float *C, int n, int depth) {
  if (blockIdx.x < blockIdx.y) return;
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < depth; k++) s += A[k * n + row] * A[k * n + col];
  C[row * n + col] = s;
}

// ---- Random lengths --------------------------------------------------------------------------------------------
K powerRowsWarp(const int *length, const int *start, const float *a, const float *x, float *y, int scale) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int n = scale / (1 + length[row]), from = start[row];
  float s = 0.0f;
  for (int k = lane; k < n; k += 32) s += a[from + k] * x[(from + k) & 0xffff];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(FULL, s, o);
  if (lane == 0) y[row] = s;
}
K powerRowsThread(const int *length, const int *start, const float *a, const int *column, const float *x, float *y, int scale) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int n = scale / (1 + length[row]), from = start[row];
  float s = 0.0f;
  for (int k = 0; k < n; k++) s += a[from + k] * x[column[from + k]];
  y[row] = s;
}
K powerRowsBlock(const int *length, const float *a, float *y, int scale) {
  __shared__ float parts[4];
  int row = blockIdx.x, n = scale / (1 + length[row]);
  float s = 0.0f;
  for (int k = threadIdx.x; k < n; k += blockDim.x) s += a[row * 64 + k];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(FULL, s, o);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) y[row] = parts[0] + parts[1] + parts[2] + parts[3];
}
K collatzSteps(int *steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint v = i + 1;
  int count = 0;
  while (v != 1 && count < 500) {
    v = v % 2 == 0 ? v / 2 : 3 * v + 1;
    count++;
  }
  steps[i] = count;
}
K primeTrial(int *prime, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = 2 * i + 3, is = 1;
  for (int d = 3; d * d <= v; d += 2) {
    if (v % d == 0) { is = 0; break; }
  }
  prime[i] = is;
}

// ---- Fractals --------------------------------------------------------------------------------------------------
K mandelView(int *out, int width, int height, float x0, float y0, float scale, int most) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  float cx = x0 + px * scale, cy = y0 + py * scale, x = 0.0f, y = 0.0f;
  int k = 0;
  while (k < most && x * x + y * y < 4.0f) {
    float z = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = z;
    k++;
  }
  out[py * width + px] = k;
}
K burningShip(int *out, int width, float x0, float y0, float scale, int most) {
  int px = blockIdx.x * blockDim.x + threadIdx.x;
  float cx = x0 + px * scale, cy = y0 + blockIdx.y * scale, x = 0.0f, y = 0.0f;
  int k = 0;
  for (; k < most; k++) {
    float a = fabsf(x), b = fabsf(y);
    float z = a * a - b * b + cx;
    y = 2.0f * a * b + cy;
    x = z;
    if (x * x + y * y > 4.0f) break;
  }
  out[blockIdx.y * width + px] = k;
}
