// A block's sum over 2^20 floats, the kernel of Day 48 as toCuda writes it. measured.json has what ncu read on an H200.
#include <vector>

extern "C" __global__ void sum(float* input, float* output, int n) {
  __shared__ float warpSums[32];
  const int tid = threadIdx.x;
  const int i = (int)(blockIdx.x * blockDim.x) + tid;
  float value = i < n ? input[i] : 0.0f;
  for (int s = 16; s > 0; s >>= 1) {
    value += __shfl_xor_sync(4294967295u, value, s, 32);
  }
  if ((tid & 31) == 0) {
    warpSums[tid >> 5] = value;
  }
  __syncthreads();
  if (tid < 32) {
    value = tid < (int)blockDim.x >> 5 ? warpSums[tid] : 0.0f;
    for (int s_2 = 16; s_2 > 0; s_2 >>= 1) {
      value += __shfl_xor_sync(4294967295u, value, s_2, 32);
    }
    if (tid == 0) {
      output[blockIdx.x] = value;
    }
  }
}

int main() {
  const int n = 1 << 20;
  std::vector<float> host(n, 0.5f);
  float *input, *output;
  cudaMalloc(&input, n * 4);
  cudaMalloc(&output, n / 64);
  cudaMemcpy(input, host.data(), n * 4, cudaMemcpyHostToDevice);
  sum<<<n / 256, 256>>>(input, output, n);
  cudaDeviceSynchronize();
}
