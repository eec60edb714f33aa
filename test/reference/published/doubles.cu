// The nine sums of doubles of "Optimizing Reduction using CUDA from Scratch", written anew after its description and
// stored versions (v100-doubles.json). Versions 5 to 7 combine two loads a thread, which their launches show, with what
// their names say.
#include <cuda_runtime.h>
#define K extern "C" __global__ void
#define FULL 0xffffffff

K doublesInterleaved(double *in, int n, double *out) {
  extern __shared__ double sums[];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[t] = (i < n) ? in[i] : 0;
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
K doublesContiguous(double *in, int n, double *out) {
  extern __shared__ double sums[];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[t] = (i < n) ? in[i] : 0;
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    int at = (2 * t) * s;
    if (at < blockDim.x) sums[at] += sums[at + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
K doublesSequential(double *in, int n, double *out) {
  extern __shared__ double sums[];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[t] = (i < n) ? in[i] : 0;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
K doublesTwoLoads(double *in, int n, double *out) {
  extern __shared__ double sums[];
  int t = threadIdx.x;
  int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  sums[t] = (i < n) ? in[i] : 0;
  sums[t] += (i + blockDim.x) < n ? in[i + blockDim.x] : 0;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
__device__ double warpSum(double v) {
  for (int d = 32 / 2; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
  return v;
}
K doublesShuffledLastWarp(double *in, int n, double *out) {
  extern __shared__ double sums[];
  int t = threadIdx.x;
  int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  sums[t] = (i < n) ? in[i] : 0;
  sums[t] += (i + blockDim.x) < n ? in[i + blockDim.x] : 0;
  __syncthreads();
  for (int s = blockDim.x / 2; s >= 32; s >>= 1) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  double sum = 0.0;
  if (t < 32) sum = warpSum(sums[t]);
  if (t == 0) out[blockIdx.x] = sum;
}
__device__ void lastWarp(volatile double *sums, int t) {
  sums[t] += sums[t + 32];
  sums[t] += sums[t + 16];
  sums[t] += sums[t + 8];
  sums[t] += sums[t + 4];
  sums[t] += sums[t + 2];
  sums[t] += sums[t + 1];
}
K doublesUnrolledLastWarp(double *in, int n, double *out) {
  extern __shared__ double sums[];
  int t = threadIdx.x;
  int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  sums[t] = (i < n) ? in[i] : 0;
  sums[t] += (i + blockDim.x) < n ? in[i + blockDim.x] : 0;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 32; s >>= 1) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t < 32) lastWarp(sums, t);
  if (t == 0) out[blockIdx.x] = sums[0];
}
K doublesUnrolled(double *in, int n, double *out) {
  extern __shared__ double sums[];
  int t = threadIdx.x;
  int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  sums[t] = (i < n) ? in[i] : 0;
  sums[t] += (i + blockDim.x) < n ? in[i + blockDim.x] : 0;
  __syncthreads();
  if (t < 64) sums[t] += sums[t + 64];
  __syncthreads();
  if (t < 32) lastWarp(sums, t);
  if (t == 0) out[blockIdx.x] = sums[0];
}
K doublesTuned(double *in, int n, double *out) {
  extern __shared__ double sums[];
  int t = threadIdx.x;
  int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  sums[t] = 0;
  if (i < n) sums[t] = in[i];
  if (i + blockDim.x < n) sums[t] += in[i + blockDim.x];
  __syncthreads();
  if (t < 128) sums[t] += sums[t + 128];
  __syncthreads();
  if (t < 64) sums[t] += sums[t + 64];
  __syncthreads();
  if (t < 32) lastWarp(sums, t);
  if (t == 0) out[blockIdx.x] = sums[0];
}
K doublesShuffled(double *in, int n, double *out) {
  __shared__ double sums[8];
  int t = threadIdx.x;
  int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  double sum = (i < n) ? in[i] : 0;
  sum += (i + blockDim.x) < n ? in[i + blockDim.x] : 0;
  __syncthreads();
  sum = warpSum(sum);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    int warps = blockDim.x / 32;
    sum = (t < warps) ? sums[lane] : 0;
    sum = warpSum(sum);
  }
  if (t == 0) out[blockIdx.x] = sum;
}
