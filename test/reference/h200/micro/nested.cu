// The reduction nestedNoWait of test/kernels/nested.ts, as toCuda prints it, on a GPU: times to hold the simulator's against.
// nvcc -O3 -rdc=true -arch=sm_90 h200/micro/nested.cu -o nested -lcudadevrt
#include <cstdio>
#include <vector>
#include <algorithm>
extern "C" __global__ void nestedNoWait(int* input, int* output, unsigned int size) {
  const unsigned int tid = threadIdx.x;
  int* data = input + blockIdx.x * blockDim.x;
  int* result = output + blockIdx.x;
  if (size == 2 && tid == 0) { result[0] = data[0] + data[1]; return; }
  const unsigned int half = size >> 1;
  if (half > 1 && tid < half) {
    data[tid] += data[tid + half];
    if (tid == 0) { nestedNoWait<<<dim3(1u, 1u, 1u), dim3(half, 1u, 1u), 0u>>>(data, result, half); }
  }
}
int main() {
  int *in, *out; cudaMalloc(&in, 4 << 20); cudaMalloc(&out, 8192);
  int cs[][2] = {{1,64},{8,512},{64,512},{256,512},{1000,256}};
  for (auto &c : cs) { std::vector<float> t; bool ok = true; for (int r = 0; r < 7; r++) { std::vector<int> h(c[0]*c[1], 1); cudaMemcpy(in, h.data(), h.size()*4, cudaMemcpyHostToDevice); cudaEvent_t a,b; cudaEventCreate(&a); cudaEventCreate(&b); cudaDeviceSynchronize(); cudaEventRecord(a); nestedNoWait<<<c[0],c[1]>>>(in,out,c[1]); cudaEventRecord(b); cudaDeviceSynchronize(); float m; cudaEventElapsedTime(&m,a,b); t.push_back(m); std::vector<int> o(c[0]); cudaMemcpy(o.data(), out, c[0]*4, cudaMemcpyDeviceToHost); for (int v : o) ok &= v == c[1]; }
    std::sort(t.begin(), t.end()); printf("{\"blocks\": %d, \"block\": %d, \"ms\": %.5f, \"least_ms\": %.5f, \"most_ms\": %.5f, \"right\": %s}\n", c[0], c[1], t[3], t[0], t[6], ok ? "true" : "false"); }
}
