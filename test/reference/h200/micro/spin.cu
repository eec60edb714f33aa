// Additions of floats and doubles to shared memory by the warps of one block: each is a loop of compare-and-swap, which goes round
// again where a lane of the same bank comes first, or another warp has changed the word since it was read. n additions a thread in
// the first `lanes` lanes of each warp, to random ones of `words` words, or (stride > 0) to the word lane * stride. One line a
// launch; ncu says the cycles and warp instructions.
#include <cstdio>
#include <cuda_runtime.h>
template <class T> __global__ void spin(T *out, int n, int words, int lanes) {
  __shared__ T s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  unsigned int k = (threadIdx.x + 77u) * 2654435761u;
  for (int i = 0; i < n; i++) {
    k = k * 1664525u + 1013904223u;
    if ((threadIdx.x & 31) < lanes) atomicAdd(&s[(k >> 16) & (words - 1)], (T)1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) out[i] = s[i];
}
template <class T> __global__ void strided(T *out, int n, int stride) {
  __shared__ T s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = 0;
  __syncthreads();
  for (int i = 0; i < n; i++) atomicAdd(&s[((threadIdx.x & 31) * stride + i) & 1023], (T)1);
  __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) out[i] = s[i];
}
template <class T> void run(const char *type, T *out) {
  for (int warps : {1, 2, 4, 8, 16, 32})
    for (int lanes : {1, 4, 32})
      for (int words : {1, 32, 1024})
        for (int n : {32, 96}) {
          spin<T><<<1, warps * 32>>>(out, n, words, lanes);
          printf("{\"type\":\"%s\",\"warps\":%d,\"lanes\":%d,\"words\":%d,\"n\":%d}\n", type, warps, lanes, words, n);
        }
  for (int warps : {1, 8})
    for (int stride : {0, 1, 2, 4, 8, 16, 32})
      for (int n : {32, 96}) {
        strided<T><<<1, warps * 32>>>(out, n, stride);
        printf("{\"type\":\"%s\",\"warps\":%d,\"stride\":%d,\"n\":%d}\n", type, warps, stride, n);
      }
}
int main() {
  void *out;
  cudaMalloc(&out, 8192);
  spin<float><<<1, 32>>>((float *)out, 1, 32, 32);
  run<float>("float", (float *)out);
  run<double>("double", (double *)out);
  cudaError_t e = cudaDeviceSynchronize();
  fprintf(stderr, "%s\n", cudaGetErrorString(e));
  return e != cudaSuccess;
}
