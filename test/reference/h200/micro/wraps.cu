// Strided reads that come round to the beginning again and again: in[i * stride % n], with n a multiple of the stride and not.
#include <cuda_runtime.h>
typedef unsigned int uint;
#define K extern "C" __global__ void

K readWrap(const float *in, float *out, uint stride, uint n) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * stride % n];
}
K sumWraps(const float *in, float *out, uint stride, uint n, int rounds) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  float v = 0.0f;
  for (int k = 0; k < rounds; k++) v += in[(i + k * all) * stride % n];
  out[i] = v;
}
