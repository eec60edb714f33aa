// Fourteen kernels with one trait each, for the table of metrics against Nsight Compute. None is in an earlier file, and the
// timing model was fixed before. ../h200/measure.sh and collect.py made counters.json with the names in metrics.txt.
#include <cuda_runtime.h>
#define K extern "C" __global__ void

K axpyEverySecond(const float *x, float *y, float a, int n) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = a * x[i] + y[i];
}
K transposeByRows(const float *in, float *out, int width) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  out[x * width + y] = in[y * width + x];
}
K greyOfTriples(const int *rgb, int *grey, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) grey[i] = (rgb[3 * i] * 77 + rgb[3 * i + 1] * 151 + rgb[3 * i + 2] * 28) >> 8;
}
K columnsOfATile(const int *in, int *out) {
  __shared__ int tile[32 * 32];
  int t = threadIdx.x;
  int first = blockIdx.x * 1024;
  for (int k = t; k < 1024; k += 256) tile[k] = in[first + k];
  __syncthreads();
  int lane = t % 32;
  int warp = t / 32;
  int sum = 0;
  for (int k = 0; k < 4; k++) sum += tile[lane * 32 + warp * 4 + k];
  out[blockIdx.x * 256 + t] = sum;
}
K fourWays(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i];
  int way = i % 4;
  if (way == 0) {
    for (int k = 0; k < 20; k++) v = v * 1.5f + 0.25f;
  } else if (way == 1) {
    for (int k = 0; k < 30; k++) v = v * 0.5f - 1.0f;
  } else if (way == 2) {
    v = sqrtf(v) + sqrtf(v + 1.0f);
  } else {
    v = v * v;
  }
  out[i] = v;
}
K gatherFromTable(const int *index, const float *table, float *out, int n, int mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[index[i] & mask];
}
K hornerOfDegree64(const float *in, float *out, float c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  float p = c;
  for (int k = 0; k < 64; k++) p = p * x + c;
  out[i] = p;
}
K doublesAlongARow(const double *a, const double *b, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0.0;
  for (int k = i; k < n; k += gridDim.x * blockDim.x) sum += a[k] * b[k];
  out[i] = sum;
}
K histogramOfBytes(const int *in, int *out, int n) {
  __shared__ int bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] & 255], 1);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
K stencilWithHalo(const float *in, float *out, int width) {
  __shared__ float tile[18][34];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int x = blockIdx.x * 32 + tx + 1;
  int y = blockIdx.y * 16 + ty + 1;
  tile[ty + 1][tx + 1] = in[y * width + x];
  if (ty == 0) tile[0][tx + 1] = in[(y - 1) * width + x];
  if (ty == 15) tile[17][tx + 1] = in[(y + 1) * width + x];
  if (tx == 0) tile[ty + 1][0] = in[y * width + x - 1];
  if (tx == 31) tile[ty + 1][33] = in[y * width + x + 1];
  __syncthreads();
  out[y * width + x] = 0.2f * (tile[ty + 1][tx + 1] + tile[ty][tx + 1] + tile[ty + 2][tx + 1] + tile[ty + 1][tx] + tile[ty + 1][tx + 2]);
}
K barrierAStep(const int *in, int *out) {
  __shared__ int values[1024];
  int t = threadIdx.x;
  values[t] = in[blockIdx.x * 1024 + t];
  __syncthreads();
  for (int k = 1; k < 1024; k *= 2) {
    int other = t >= k ? values[t - k] : 0;
    __syncthreads();
    values[t] += other;
    __syncthreads();
  }
  out[blockIdx.x * 1024 + t] = values[t];
}
K tripsByValue(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int trips = in[i] & 63;
  int sum = 0;
  for (int k = 0; k < trips; k++) sum += sum * 3 + k;
  out[i] = sum;
}
K digitsInLocalMemory(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int counts[16];
  for (int k = 0; k < 16; k++) counts[k] = 0;
  int v = in[i];
  for (int k = 0; k < 4; k++) counts[(v >> (2 * k)) & 15] += k + 1;
  out[i] = counts[v & 15] + counts[(v >> 4) & 15];
}
K oneWarpShares(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? in[i] : 0;
  for (int k = 16; k > 0; k /= 2) v += __shfl_xor_sync(0xffffffff, v, k);
  unsigned voted = __ballot_sync(0xffffffff, v % 2 == 0);
  if (threadIdx.x % 32 == 0) out[i / 32] = v + __popc(voted);
}
