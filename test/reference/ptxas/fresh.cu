// Kernels whose resources ptxas reported: nvcc -O3 -Xptxas -v -arch=sm_90 -c fresh.cu (reports.json).
extern "C" __global__ void vecScale(float *out, const float *in, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * in[i];
}
extern "C" __global__ void tileSum(int *out, const int *in) {
  __shared__ int s[256];
  s[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int k = 128; k > 0; k >>= 1) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
extern "C" __global__ void warpTotals(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = i < n ? in[i] : 0;
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) out[i / 32] = sum;
}
extern "C" __global__ void mixedSizes(double *out, float a, double x, int k, long long big) {
  out[k] = x * a + big;
}
extern "C" __global__ void ownTable(int *out, const int *in, int n) {
  int table[40];
  for (int k = 0; k < 40; k++) table[k] = 0;
  for (int k = 0; k < n; k++) table[in[k] % 40] += k;
  out[threadIdx.x] = table[threadIdx.x % 40];
}
extern "C" __global__ void tableAndTile(int *out, const int *in, int n) {
  int table[12];
  __shared__ int s[100];
  for (int k = 0; k < 12; k++) table[k] = k;
  for (int k = 0; k < n; k++) table[in[k] % 12] += k;
  s[threadIdx.x % 100] = table[threadIdx.x % 12];
  __syncthreads();
  out[threadIdx.x] = s[(threadIdx.x + 1) % 100];
}
extern "C" __global__ void gridSum(float *out, const float *in, int n) {
  extern __shared__ float partial[];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k) partial[threadIdx.x] += partial[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, partial[0]);
}
extern "C" __global__ void quotients(int *out, const int *a, const int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] / b[i] + a[i] % b[i];
}
