// Small loops, addresses and masks, several of each kind: how long nvcc's code for each is, and how many loads it has (which say
// how often a loop is unrolled), is in code-lengths.json (nvcc 13.0 -O3 -arch=sm_90, cuobjdump -sass; without what pads the end).
#define K extern "C" __global__ void

// ---- loops by the type of their counter and what they index by it
K unsignedPlain(const int *in, const int *o2, int *out, unsigned n) {
  unsigned t = threadIdx.x;
  int s = 0;
  for (unsigned c = 0; c < n; c++) s += in[c];
  out[t] = s;
}
K unsignedPlainFromThread(const int *in, const int *o2, int *out, unsigned n) {
  unsigned t = threadIdx.x;
  int s = 0;
  for (unsigned c = t; c < n; c++) s += in[c];
  out[t] = s;
}
K intPlain(const int *in, const int *o2, int *out, int n) {
  int t = threadIdx.x;
  int s = 0;
  for (int c = 0; c < n; c++) s += in[c];
  out[t] = s;
}
K intPlainFromThread(const int *in, const int *o2, int *out, int n) {
  int t = threadIdx.x;
  int s = 0;
  for (int c = t; c < n; c++) s += in[c];
  out[t] = s;
}
K unsignedRow(const int *in, const int *o2, int *out, unsigned n) {
  unsigned t = threadIdx.x;
  int s = 0;
  for (unsigned c = 0; c < n; c++) s += in[t * n + c];
  out[t] = s;
}
K unsignedRowFromThread(const int *in, const int *o2, int *out, unsigned n) {
  unsigned t = threadIdx.x;
  int s = 0;
  for (unsigned c = t; c < n; c++) s += in[t * n + c];
  out[t] = s;
}
K intRow(const int *in, const int *o2, int *out, int n) {
  int t = threadIdx.x;
  int s = 0;
  for (int c = 0; c < n; c++) s += in[t * n + c];
  out[t] = s;
}
K intRowFromThread(const int *in, const int *o2, int *out, int n) {
  int t = threadIdx.x;
  int s = 0;
  for (int c = t; c < n; c++) s += in[t * n + c];
  out[t] = s;
}
K unsignedRowBy(const int *in, const int *o2, int *out, unsigned n) {
  unsigned t = threadIdx.x;
  int s = 0;
  for (unsigned c = 0; c < n; c++) s += in[t * n + c] * o2[c];
  out[t] = s;
}
K unsignedRowByFromThread(const int *in, const int *o2, int *out, unsigned n) {
  unsigned t = threadIdx.x;
  int s = 0;
  for (unsigned c = t; c < n; c++) s += in[t * n + c] * o2[c];
  out[t] = s;
}
K intRowBy(const int *in, const int *o2, int *out, int n) {
  int t = threadIdx.x;
  int s = 0;
  for (int c = 0; c < n; c++) s += in[t * n + c] * o2[c];
  out[t] = s;
}
K intRowByFromThread(const int *in, const int *o2, int *out, int n) {
  int t = threadIdx.x;
  int s = 0;
  for (int c = t; c < n; c++) s += in[t * n + c] * o2[c];
  out[t] = s;
}
K unsignedColumn(const int *in, const int *o2, int *out, unsigned n) {
  unsigned t = threadIdx.x;
  int s = 0;
  for (unsigned c = 0; c < n; c++) s += in[c * n + t];
  out[t] = s;
}
K unsignedColumnFromThread(const int *in, const int *o2, int *out, unsigned n) {
  unsigned t = threadIdx.x;
  int s = 0;
  for (unsigned c = t; c < n; c++) s += in[c * n + t];
  out[t] = s;
}
K intColumn(const int *in, const int *o2, int *out, int n) {
  int t = threadIdx.x;
  int s = 0;
  for (int c = 0; c < n; c++) s += in[c * n + t];
  out[t] = s;
}
K intColumnFromThread(const int *in, const int *o2, int *out, int n) {
  int t = threadIdx.x;
  int s = 0;
  for (int c = t; c < n; c++) s += in[c * n + t];
  out[t] = s;
}
K unsignedShared(const int *in, const int *o2, int *out, unsigned n) {
  unsigned t = threadIdx.x;
  __shared__ int sh[1024];
  sh[t] = 0;
  __syncthreads();
  int s = 0;
  for (unsigned c = 0; c < n; c++) s += sh[c];
  out[t] = s;
}
K unsignedSharedFromThread(const int *in, const int *o2, int *out, unsigned n) {
  unsigned t = threadIdx.x;
  __shared__ int sh[1024];
  sh[t] = 0;
  __syncthreads();
  int s = 0;
  for (unsigned c = t; c < n; c++) s += sh[c];
  out[t] = s;
}
K intShared(const int *in, const int *o2, int *out, int n) {
  int t = threadIdx.x;
  __shared__ int sh[1024];
  sh[t] = 0;
  __syncthreads();
  int s = 0;
  for (int c = 0; c < n; c++) s += sh[c];
  out[t] = s;
}
K intSharedFromThread(const int *in, const int *o2, int *out, int n) {
  int t = threadIdx.x;
  __shared__ int sh[1024];
  sh[t] = 0;
  __syncthreads();
  int s = 0;
  for (int c = t; c < n; c++) s += sh[c];
  out[t] = s;
}
K unsignedNext(const int *in, const int *o2, int *out, unsigned n) {
  unsigned t = threadIdx.x;
  int s = 0;
  for (unsigned c = 0; c < n; c++) s += in[c + 1];
  out[t] = s;
}
K unsignedNextFromThread(const int *in, const int *o2, int *out, unsigned n) {
  unsigned t = threadIdx.x;
  int s = 0;
  for (unsigned c = t; c < n; c++) s += in[c + 1];
  out[t] = s;
}
K intNext(const int *in, const int *o2, int *out, int n) {
  int t = threadIdx.x;
  int s = 0;
  for (int c = 0; c < n; c++) s += in[c + 1];
  out[t] = s;
}
K intNextFromThread(const int *in, const int *o2, int *out, int n) {
  int t = threadIdx.x;
  int s = 0;
  for (int c = t; c < n; c++) s += in[c + 1];
  out[t] = s;
}
K unsignedOffset(const int *in, const int *o2, int *out, unsigned n) {
  unsigned t = threadIdx.x;
  int s = 0;
  for (unsigned c = 0; c < n; c++) s += in[t + c];
  out[t] = s;
}
K unsignedOffsetFromThread(const int *in, const int *o2, int *out, unsigned n) {
  unsigned t = threadIdx.x;
  int s = 0;
  for (unsigned c = t; c < n; c++) s += in[t + c];
  out[t] = s;
}
K intOffset(const int *in, const int *o2, int *out, int n) {
  int t = threadIdx.x;
  int s = 0;
  for (int c = 0; c < n; c++) s += in[t + c];
  out[t] = s;
}
K intOffsetFromThread(const int *in, const int *o2, int *out, int n) {
  int t = threadIdx.x;
  int s = 0;
  for (int c = t; c < n; c++) s += in[t + c];
  out[t] = s;
}
// ---- loops by a step known at run time
K stepSum(const int *in, int *out, int n, int step) {
  int t = threadIdx.x;
  int s = 0;
  for (int i = t; i < n; i += step) s += in[i];
  out[t] = s;
}
K wideStepSum(const int *in, int *out, size_t n) {
  int t = threadIdx.x;
  int s = 0;
  for (size_t i = t; i < n; i += (size_t)blockDim.x * gridDim.x) s += in[i];
  out[t] = s;
}
K stepStore(const int *in, int *out, int n, int step) {
  int t = threadIdx.x;
  int s = 0;
  for (int i = t; i < n; i += step) out[i] = in[i] * 2;
}
K wideStepStore(const int *in, int *out, size_t n) {
  int t = threadIdx.x;
  int s = 0;
  for (size_t i = t; i < n; i += (size_t)blockDim.x * gridDim.x) out[i] = in[i] * 2;
}
K stepAtomic(const int *in, int *out, int n, int step) {
  int t = threadIdx.x;
  int s = 0;
  for (int i = t; i < n; i += step) atomicAdd(&out[in[i]], 1);
}
K wideStepAtomic(const int *in, int *out, size_t n) {
  int t = threadIdx.x;
  int s = 0;
  for (size_t i = t; i < n; i += (size_t)blockDim.x * gridDim.x) atomicAdd(&out[in[i]], 1);
}
K stepTest(const int *in, int *out, int n, int step) {
  int t = threadIdx.x;
  int s = 0;
  for (int i = t; i < n; i += step) s += in[i] > 5 ? in[i] : 0;
  out[t] = s;
}
K wideStepTest(const int *in, int *out, size_t n) {
  int t = threadIdx.x;
  int s = 0;
  for (size_t i = t; i < n; i += (size_t)blockDim.x * gridDim.x) s += in[i] > 5 ? in[i] : 0;
  out[t] = s;
}
K wideTwo(const double *in, double *out, size_t n) {
  for (size_t i = threadIdx.x; i < n; i += (size_t)blockDim.x * gridDim.x) out[i] = in[i] * 2.0;
}
K wideProduct(const double *in, double *out, size_t n, size_t stride) {
  for (size_t i = threadIdx.x; i < n; i += (size_t)blockDim.x * gridDim.x * stride) out[i] = in[i] * 2.0;
}
// ---- addresses that two branches compute
K branchesProduct(int *out, int a, int b, int n, int m) {
  int t = threadIdx.x;
  if (t < a) out[t * n] = 1;
  __syncthreads();
  if (t > b) out[t * n] = 2;
}
K valuesProduct(int *out, int a, int b, int n, int m) {
  int t = threadIdx.x;
  if (t < a) out[0] = t * n;
  __syncthreads();
  if (t > b) out[1] = t * n;
}
K branchesProductXor(int *out, int a, int b, int n, int m) {
  int t = threadIdx.x;
  if (t < a) out[(t * n) ^ n] = 1;
  __syncthreads();
  if (t > b) out[(t * n) ^ n] = 2;
}
K valuesProductXor(int *out, int a, int b, int n, int m) {
  int t = threadIdx.x;
  if (t < a) out[0] = (t * n) ^ n;
  __syncthreads();
  if (t > b) out[1] = (t * n) ^ n;
}
K branchesProductSum(int *out, int a, int b, int n, int m) {
  int t = threadIdx.x;
  if (t < a) out[t * n + m] = 1;
  __syncthreads();
  if (t > b) out[t * n + m] = 2;
}
K branchesAnd(int *out, int a, int b, int n, int m) {
  int t = threadIdx.x;
  if (t < a) out[t & n] = 1;
  __syncthreads();
  if (t > b) out[t & n] = 2;
}
K branchesShiftSum(int *out, int a, int b, int n, int m) {
  int t = threadIdx.x;
  if (t < a) out[(t >> 5) + t] = 1;
  __syncthreads();
  if (t > b) out[(t >> 5) + t] = 2;
}
K branchesTwoProducts(int *out, int a, int b, int n, int m) {
  int t = threadIdx.x;
  if (t < a) out[t * n * m] = 1;
  __syncthreads();
  if (t > b) out[t * n * m] = 2;
}
K branchesXorProduct(int *out, int a, int b, int n, int m) {
  int t = threadIdx.x;
  if (t < a) out[(t ^ 3) * 5] = 1;
  __syncthreads();
  if (t > b) out[(t ^ 3) * 5] = 2;
}
K branchesDifference(int *out, int a, int b, int n, int m) {
  int t = threadIdx.x;
  if (t < a) out[(t - m) * n] = 1;
  __syncthreads();
  if (t > b) out[(t - m) * n] = 2;
}
// ---- indices with masks
K binsMask(const unsigned *in, unsigned *out, unsigned n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&s[in[i] & 255], 1);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
K binsShiftMask(const unsigned *in, unsigned *out, unsigned n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&s[(in[i] >> 8) & 255], 1);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
K binsShift(const unsigned *in, unsigned *out, unsigned n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&s[in[i] >> 24], 1);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
K binsRemainder(const unsigned *in, unsigned *out, unsigned n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&s[in[i] % 256], 1);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
K binsPlain(const unsigned *in, unsigned *out, unsigned n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&s[in[i]], 1);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
K loadsShiftMask(const unsigned *in, unsigned *out, unsigned n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  unsigned q = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) q += s[(in[i] >> 8) & 255];
  s[threadIdx.x] = q;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
K flips(const unsigned *in, unsigned *out, unsigned n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  unsigned q = s[in[threadIdx.x] ^ 5];
  s[threadIdx.x] = q + s[threadIdx.x ^ 3];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
K tableShiftMask(const unsigned *in, unsigned *out, unsigned n) {
  unsigned q = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) q += out[(in[i] >> 8) & 255];
  out[threadIdx.x] = q;
}
K addsShiftMask(const unsigned *in, unsigned *out, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&out[(in[i] >> 8) & 255], 1);
}
// ---- loops with stores and barriers, over several arrays
K storeEach(const int *in, int *out, int n, int w) {
  int t = threadIdx.x;
  for (int x = 0; x < n; x++) out[x * w + t] = in[x * w + t];
}
K addEach(const int *in, int *out, int n, int w) {
  int t = threadIdx.x;
  for (int x = 0; x < n; x++) out[x * w + t] += 1;
}
K runningSum(const float *in, float *out, int n, int w) {
  int t = threadIdx.x;
  float s = 0;
  for (int x = 0; x < n; x++) {
    s += in[x * w + t];
    out[x * w + t] = s;
  }
}
K waitEach(const float *in, float *out, int n) {
  int t = threadIdx.x;
  float s = 0;
  for (int x = 0; x < n; x++) {
    s += in[x];
    __syncthreads();
  }
  out[t] = s;
}
K threeArrays(const float *a, const float *b, const float *c, float *out, int n, float w) {
  for (int x = threadIdx.x; x < n; x += 32) out[x] = (a[x] + b[x] + c[x]) * w + 1.5f;
}
K threeArraysTwice(const float *a, const float *b, const float *c, float *out, int n, float w) {
  for (int x = threadIdx.x; x < n; x += 32) out[x] = ((a[x] + b[x] + c[x]) * w + 1.5f) * w + 2.5f;
}
K fourArrays(const float *a, const float *b, const float *c, const float *d, float *out, int n) {
  for (int x = threadIdx.x; x < n; x += 32) out[x] = a[x] + b[x] + c[x] + d[x];
}
// ---- loops in which all lanes talk to each other
K shuffledSums(const int *in, int *out, int n) {
  int c = 0, t = threadIdx.x;
  for (int i = 0; i < n; i++) c += __shfl_xor_sync(0xffffffff, in[i * blockDim.x + t], 1);
  out[blockIdx.x * blockDim.x + t] = c;
}
K votedRounds(const int *in, int *out, int n) {
  int c = 0, t = threadIdx.x;
  for (int i = 0; i < n; i++)
    if (__any_sync(0xffffffff, in[i * blockDim.x + t] == 3)) c += i;
  out[blockIdx.x * blockDim.x + t] = c;
}
K reducedRounds(const int *in, int *out, int n) {
  int c = 0, t = threadIdx.x;
  for (int i = 0; i < n; i++) c += __reduce_add_sync(0xffffffff, in[i * blockDim.x + t]);
  out[blockIdx.x * blockDim.x + t] = c;
}
// ---- squares of an image under tests, written out or not
K boxOfFive(const float *img, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0.0f;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      int xx = x + dx, yy = y + dy;
      if (xx >= 0 && xx < w && yy >= 0 && yy < h) sum += img[yy * w + xx];
    }
  out[y * w + x] = sum;
}
K filterOfFive(const float *img, const float *f, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0.0f;
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) {
      int r = y - 2 + i, c = x - 2 + j;
      if (r >= 0 && r < h && c >= 0 && c < w) sum += img[r * w + c] * f[i * 5 + j];
    }
  out[y * w + x] = sum;
}

// ---- what an index of a loop steps by, and whether NVVM knows that it does not overflow; loops too long to be unrolled
K stepOfSum(const int *in, int *out, int stride, int n, int w) {
  int tx = threadIdx.x, t = blockIdx.x * blockDim.x + tx, all = gridDim.x * blockDim.x;
  int v = 0;
  for (int k = 0; k < n; k++) v += in[(t + k) * stride];
  out[t] = v;
}
K stepOfBlocks(const int *in, int *out, int stride, int n, int w) {
  int tx = threadIdx.x, t = blockIdx.x * blockDim.x + tx, all = gridDim.x * blockDim.x;
  int v = 0;
  for (int k = 0; k < n; k++) v += in[(t + k * all) * stride];
  out[t] = v;
}
K stepByProduct(const int *in, int *out, int stride, int n, int w) {
  int tx = threadIdx.x, t = blockIdx.x * blockDim.x + tx, all = gridDim.x * blockDim.x;
  int v = 0;
  for (int k = 0; k < n; k++) v += in[t + k * all];
  out[t] = v;
}
K stepByProductOfTwo(const float *in, float *out, int stride, int n, int w) {
  int tx = threadIdx.x, t = blockIdx.x * blockDim.x + tx, all = gridDim.x * blockDim.x;
  float v = 0;
  for (int k = 0; k < n; k++) v += in[k * w * stride + tx];
  out[t] = v;
}
K stepOfScaledSum(const float *in, float *out, int stride, int n, int w) {
  int tx = threadIdx.x, t = blockIdx.x * blockDim.x + tx, all = gridDim.x * blockDim.x;
  float v = 0;
  for (int k = 0; k < n; k++) v += in[(tx + k) * stride + w];
  out[t] = v;
}
K stepOfScaledCounter(const float *in, float *out, int stride, int n, int w) {
  int tx = threadIdx.x, t = blockIdx.x * blockDim.x + tx, all = gridDim.x * blockDim.x;
  float v = 0;
  for (int k = 0; k < n; k++) v += in[(k * 16 + tx) * stride + w];
  out[t] = v;
}
K stepByConstant(const float *in, float *out, int stride, int n, int w) {
  int tx = threadIdx.x, t = blockIdx.x * blockDim.x + tx, all = gridDim.x * blockDim.x;
  float v = 0;
  for (int k = 0; k < n; k++) v += in[k * 32 + t];
  out[t] = v;
}
K stepByTwo(const float *in, float *out, int stride, int n, int w) {
  int tx = threadIdx.x, t = blockIdx.x * blockDim.x + tx, all = gridDim.x * blockDim.x;
  float v = 0;
  for (int k = 0; k < n; k++) v += in[k * 2 + w];
  out[t] = v;
}
K stepDown(const float *in, float *out, int stride, int n, int w) {
  int tx = threadIdx.x, t = blockIdx.x * blockDim.x + tx, all = gridDim.x * blockDim.x;
  float v = 0;
  for (int k = 0; k < n; k++) v += in[n - 1 - k];
  out[t] = v;
}
K stepDownFromSum(const float *in, float *out, int stride, int n, int w) {
  int tx = threadIdx.x, t = blockIdx.x * blockDim.x + tx, all = gridDim.x * blockDim.x;
  float v = 0;
  for (int k = 0; k < n; k++) v += in[w + n - k];
  out[t] = v;
}
K stepOfGridByThree(const int *in, int *out, int stride, int n, int w) {
  int tx = threadIdx.x, t = blockIdx.x * blockDim.x + tx, all = gridDim.x * blockDim.x;
  int v = 0;
  for (int k = t; k < n; k += all) v += in[k * 3];
  out[t] = v;
}
K stepOfGrid(const float *in, float *out, int stride, int n, int w) {
  int tx = threadIdx.x, t = blockIdx.x * blockDim.x + tx, all = gridDim.x * blockDim.x;
  float v = 0;
  for (int k = t; k < n; k += all) v += in[k * stride];
  out[t] = v;
}
K stepOfGridBySum(const float *in, float *out, int stride, int n, int w) {
  int tx = threadIdx.x, t = blockIdx.x * blockDim.x + tx, all = gridDim.x * blockDim.x;
  float v = 0;
  for (int k = t; k < n; k += w) v += in[k * stride + t];
  out[t] = v;
}
K stepUnsigned(const float *in, float *out, int stride, int n, int w) {
  int tx = threadIdx.x, t = blockIdx.x * blockDim.x + tx, all = gridDim.x * blockDim.x;
  float v = 0;
  for (int k = 0; k < n; k++) v += in[t + k * blockDim.x];
  out[t] = v;
}
K stepTwoRounds(const float *in, float *out, int stride, int n, int w) {
  int tx = threadIdx.x, t = blockIdx.x * blockDim.x + tx, all = gridDim.x * blockDim.x;
  float v = 0;
  for (int k = 0; k < n; k += 2) v += in[t + k * all];
  out[t] = v;
}
K tileByDivision(const float *a, const float *b, float *out, int n) {
  __shared__ float s[32][32], u[32][32];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float v = 0;
  for (int m = 0; m < n / 16; m++) {
    s[ty][tx] = a[row * n + m * 16 + tx];
    u[ty][tx] = b[(m * 16 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; k++) v += s[ty][k] * u[k][tx];
    __syncthreads();
  }
  out[row * n + col] = v;
}
K tileByStep(const float *a, const float *b, float *out, int n) {
  __shared__ float s[32][32], u[32][32];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float v = 0;
  for (int m = 0; m < n; m += 16) {
    s[ty][tx] = a[row * n + m + tx];
    u[ty][tx] = b[(m + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; k++) v += s[ty][k] * u[k][tx];
    __syncthreads();
  }
  out[row * n + col] = v;
}
K tileOfTwelve(const float *a, const float *b, float *out, int n) {
  __shared__ float s[32][32], u[32][32];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float v = 0;
  for (int m = 0; m < n / 12; m++) {
    s[ty][tx] = a[row * n + m * 12 + tx];
    u[ty][tx] = b[(m * 12 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 12; k++) v += s[ty][k] * u[k][tx];
    __syncthreads();
  }
  out[row * n + col] = v;
}
K tileOfTwenty(const float *a, const float *b, float *out, int n) {
  __shared__ float s[32][32], u[32][32];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float v = 0;
  for (int m = 0; m < n; m += 20) {
    s[ty][tx] = a[row * n + m + tx];
    u[ty][tx] = b[(m + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 20; k++) v += s[ty][k] * u[k][tx];
    __syncthreads();
  }
  out[row * n + col] = v;
}
K tileOfThirtyTwo(const float *a, const float *b, float *out, int n) {
  __shared__ float s[32][32], u[32][32];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float v = 0;
  for (int m = 0; m < n; m += 32) {
    s[ty][tx] = a[row * n + m + tx];
    u[ty][tx] = b[(m + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 32; k++) v += s[ty][k] * u[k][tx];
    __syncthreads();
  }
  out[row * n + col] = v;
}
// ---- parameters in loops around loops
K rowSumsByStride(const float *in, float *out, int w, int h) {
  for (int y = blockIdx.x; y < h; y += gridDim.x) {
    float s = 0.0f;
    for (int x = threadIdx.x; x < w; x += blockDim.x) s += in[y * w + x];
    out[y * 32 + threadIdx.x] = s;
  }
}
K shrinkToOne(const float *in, float *out, int n, int more, float a) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float v = in[i];
    do { v = v * a; } while (v > 1.0f);
    out[i] = v * a + more;
  }
}
K sumsByKey(const int *in, float *out, int n, float a) {
  __shared__ float s[256];
  s[threadIdx.x] = 0.0f;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[in[i] & 255], a);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
K sweeps(const float *in, float *out, int n, int m, float a) {
  for (int k = 0; k < m; k++) {
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = in[i] * a + k;
  }
}
// ---- what is left over of unrolled loops in loops
K squaresFromThread(const float *in, float *out, int n, int steps) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float v = in[i];
    for (int k = threadIdx.x; k < steps; k++) v = v * v + in[k];
    out[i] = v;
  }
}
// ---- pointers of two sums
K rowPixel(const float *in, float *out, int w) {
  int x = threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float *p = in + y * w + x;
  out[y * 32 + x] = p[0] + p[1];
}
K rowPixelAbove(const float *in, float *out, int w) {
  int x = threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float *p = in + y * w + x;
  out[y * 32 + x] = p[0] + p[w];
}
K rowPixelBoth(const float *in, float *out, int w) {
  int x = threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float *p = in + y * w + x;
  out[y * 32 + x] = p[0] + p[w] + p[-w];
}
K rowPixelTwice(const float *in, float *out, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float *p = in + y * w + x;
  out[y * 32 + x] = p[0] + p[2 * w] + p[w];
}
// ---- x - 1 - y
K lessOneLess(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[n - 1 - i] = in[i]; }
K lessLessOne(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[n - i - 1] = in[i]; }
K lessOneUnsigned(const int *in, int *out, unsigned n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; out[n - 1 - i] = in[i]; }
K lessOneValue(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = n - 1 - in[i]; }
K lessOneShared(const int *in, int *out, int n) { __shared__ int s[256]; int t = threadIdx.x; s[t] = in[t]; __syncthreads(); out[t] = s[n - 1 - t]; }
K lessOneBlock(const int *in, int *out) { int t = threadIdx.x; out[blockDim.x - 1 - t] = in[t]; }
K lessOneGrid(const int *in, int *out) { int t = threadIdx.x; out[(gridDim.x - 1 - blockIdx.x) * 32 + t] = in[t]; }
K lessTwo(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[n - 2 - i] = in[i]; }
K lessOneSum(const int *in, int *out, int n, int m) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[m + n - 1 - i] = in[i]; }
K lessOneProduct(const int *in, int *out, int n, int m) { int i = threadIdx.x; out[blockIdx.x * m + (n - 1 - i)] = in[i]; }
K lessOneColumn(const int *in, int *out, int n, int m) { int i = threadIdx.x; out[blockIdx.x * m + n - 1 - i] = in[i]; }
K lessOneRow(const int *in, int *out, int n, int m) { int i = threadIdx.x; out[(n - 1 - blockIdx.x) * m + i] = in[i]; }
K lessOneConstant(const int *in, int *out, int n, int m) { __shared__ int s[256]; int t = threadIdx.x; s[255 - t] = in[t]; __syncthreads(); out[t] = s[t]; }
K lessOneTest(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n - 1 - in[i]) out[i] = 3; }
K lessOneLoop(const int *in, int *out, int n) { int s = 0; for (int k = 0; k < n; k++) s = s * 3 + in[n - 1 - k]; out[threadIdx.x] = s; }
// ---- x - 1 that is read again, bits that do not meet
K notProduct(const int *in, int *out, int n, int m) { __shared__ int s[256]; int t = threadIdx.x; s[t] = in[t]; __syncthreads(); int p = t * n - 1; out[t] = s[p] + s[p - m]; }
K notProductOnce(const int *in, int *out, int n, int m) { __shared__ int s[256]; int t = threadIdx.x; s[t] = in[t]; __syncthreads(); int p = t * n - 1; out[t] = s[p - m]; }
K notProductGlobal(const int *in, int *out, int n, int m) { int t = threadIdx.x;  int p = t * n - 1; out[t] = in[p] + in[p - m]; }
K notProductInLoop(const int *in, int *out, int n, int m) { __shared__ int s[256]; int t = threadIdx.x; s[t] = in[t]; for (int k = 1; k <= m; k *= 2) { __syncthreads(); int p = t * k - 1; if (p < n) s[p] += s[p - k]; } out[t] = s[t]; }
K notOfIndex(const int *in, int *out, int n, int m) { __shared__ int s[256]; int t = threadIdx.x; s[t] = in[t]; __syncthreads(); int p = n - 1; if (p < m) s[p] += s[p - t]; out[t] = s[t]; }
K disjoint(const int *in, int *out) { int t = threadIdx.x; out[blockIdx.x * 32 + (t & 31)] = in[t]; }
K disjointProduct(const int *in, int *out, int n) { int t = threadIdx.x; out[threadIdx.y * n + blockIdx.x * 32 + (t & 31)] = in[t]; }
K disjointThread(const int *in, int *out, int n) { int t = threadIdx.x; int b = in[t]; out[b * 1024 + t] = in[t]; }
K disjointThreadProduct(const int *in, int *out, int n) { int t = threadIdx.x; int b = in[t]; out[threadIdx.y * n + b * 1024 + t] = in[t]; }
K disjointBlock(const int *in, int *out, int n) { int t = threadIdx.x; out[threadIdx.y * n + blockIdx.x * 1024 + t] = in[t]; }
K disjointFour(const int *in, int *out, int n) { int t = threadIdx.x; out[(t >> 3) * n + (t & 7) * 4 + (t & 3)] = in[t]; }
// ---- products that several sums read, sums of several products
K productTwice(const int *in, int *out, int n, int m) { int t = threadIdx.x, u = threadIdx.y, p = blockIdx.x * n; out[p + t] = in[p + u]; }
K productThrice(const int *in, int *out, int n, int m) { int t = threadIdx.x, u = threadIdx.y, p = blockIdx.x * n; out[p + t] = in[p + u] + in[p + m]; }
K productBeside(const int *in, int *out, int n, int m) { int t = threadIdx.x, u = threadIdx.y, p = blockIdx.x * n; out[p + t] = in[p + u] + p; }
K productInLoop(const int *in, int *out, int n, int m) { int t = threadIdx.x, p = blockIdx.x * n, s = 0; for (int i = t; i < m; i += blockDim.x) s += in[p + i]; out[p + t] = s; }
K productLess(const int *in, int *out, int n, int m) { int t = threadIdx.x, u = threadIdx.y, p = blockIdx.x * n; out[p + t] = in[p - u]; }
K productConstant(const int *in, int *out, int n, int m) { int t = threadIdx.x, u = threadIdx.y, p = blockIdx.x * 48; out[p + t] = in[p + u]; }
K productOfTile(const int *in, int *out, int n, int m) { int t = threadIdx.x, u = threadIdx.y; int x = blockIdx.x * blockDim.x + t, y = blockIdx.y * blockDim.y + u, v = in[y * n + x]; x = blockIdx.y * blockDim.y + t; y = blockIdx.x * blockDim.x + u; out[y * n + x] = v; }
K tileOfSixteen(const int *in, int *out, int n) { int tx = threadIdx.x, ty = threadIdx.y; int v = in[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx]; out[(blockIdx.x * 16 + ty) * n + blockIdx.y * 16 + tx] = v; }
K tileOfSixteenRow(const int *in, int *out, int n) { int tx = threadIdx.x, ty = threadIdx.y; out[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = in[tx]; }
K tileOfSixteenOnce(const int *in, int *out, int n) { int tx = threadIdx.x, ty = threadIdx.y; out[ty * n + blockIdx.x * 16 + tx] = in[tx]; }
K tileOfParameter(const int *in, int *out, int n, int m) { int tx = threadIdx.x, ty = threadIdx.y; out[ty * n + m + tx] = in[tx]; }
K tileOfProducts(const int *in, int *out, int n, int m) { int tx = threadIdx.x, ty = threadIdx.y; out[ty * n + blockIdx.x * m + tx] = in[tx]; }
K tileOfSigned(const int *in, int *out, int n, int m) { int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x; out[ty * n + bx * 16 + tx] = in[tx]; }
K tileOfSum(const int *in, int *out, int n, int m) { int tx = threadIdx.x, ty = threadIdx.y, bx = blockIdx.x; out[(ty + bx * 8) * n + tx + bx] = in[tx]; }
K productRead(const int *in, int *out, int n, int m) { int t = threadIdx.x, u = threadIdx.y, p = blockIdx.x * n; out[p + t] = in[p + u] + in[p]; }
K productStored(const int *in, int *out, int n, int m) { int t = threadIdx.x, u = threadIdx.y, p = blockIdx.x * n; out[p + t] = in[p + u]; out[n] = p; }
K productTested(const int *in, int *out, int n, int m) { int t = threadIdx.x, u = threadIdx.y, p = blockIdx.x * n; out[p + t] = in[p + u] + (p > m ? 2 : 0); }
K productMultiplied(const int *in, int *out, int n, int m) { int t = threadIdx.x, u = threadIdx.y, p = blockIdx.x * n; out[p + t] = in[p + u] * p; }
K productUnderTest(const int *in, int *out, int n, int m) { int t = threadIdx.x, p = blockIdx.x * n; if (p + t < m) out[p + t + 5] = in[p + m]; }
K productSums(const int *in, int *out, int n, int m) { int t = threadIdx.x, p = threadIdx.y * n; out[p + t + m] = in[p + t]; out[p + t * 3] = in[p + n]; }
K productLessFrom(const int *in, int *out, int n, int m) { int t = threadIdx.x, u = threadIdx.y, p = blockIdx.x * n; out[p + t] = in[u - p]; }
K productAddConst(const int *in, int *out, int n, int m) { int t = threadIdx.x, p = t * n; out[p + t] = in[p + 1] + in[p + 2]; }
K productAddConstU(const int *in, int *out, int n, int m) { unsigned t = threadIdx.x, p = t * n; out[p + t] = in[p + 1] + in[p + 2]; }
K productValue(const int *in, int *out, int n, int m) { int t = threadIdx.x, a = in[t], p = a * n; out[t] = (p + m) ^ (p + t); }
K productValueConst(const int *in, int *out, int n, int m) { int t = threadIdx.x, a = in[t], p = a * n; out[t] = (p + 3) ^ (p + t); }
K productThreeTerms(const int *in, int *out, int n, int m) { int t = threadIdx.x, a = in[t], p = a * n; out[t] = (p + m + a) ^ (p + t); }
// ---- fixed places in shared arrays
K scalarAndArray(const int *in, int *out) { __shared__ int s[64]; __shared__ int a;  int t = threadIdx.x; s[t] = in[t]; if (t == 0) a = in[0]; __syncthreads(); out[t] = a + s[63 - t]; }
K twoArrays(const int *in, int *out) { __shared__ int s[64]; __shared__ int a[64];  int t = threadIdx.x; s[t] = in[t]; a[t] = in[t + 64]; __syncthreads(); out[t] = a[63 - t] + s[63 - t]; }
K twoArraysGuarded(const int *in, int *out, int n) { __shared__ int s[64]; __shared__ int a[64];  int t = threadIdx.x; if (t < n) { s[t] = in[t]; a[t] = in[t + 64]; } __syncthreads(); out[t] = a[63 - t] + s[63 - t]; }
K fixedPlaces(const int *in, int *out, int n) { __shared__ int s[64]; __shared__ int a[64];  int t = threadIdx.x; s[t] = in[t]; __syncthreads(); if (t == 0) a[3] = s[5]; __syncthreads(); out[t] = a[3] + s[0]; }
// ---- sums of 64 bits, registers side by side, bits, bounds
K wideThree(const long long *in, long long *out, long long n) { int t = threadIdx.x; out[t] = in[t] + n + in[t + 5]; }
K wideFour(const long long *in, long long *out, long long n) { int t = threadIdx.x; out[t] = in[t] + n + in[t + 5] + in[t + 9]; }
K wideLess(const long long *in, long long *out, long long n) { int t = threadIdx.x; out[t] = in[t] + n - in[t + 5]; }
K wideThreeConst(const long long *in, long long *out, long long n) { int t = threadIdx.x; out[t] = in[t] + in[t + 5] + 3; }
K wideThreeWord(const long long *in, long long *out, int n) { int t = threadIdx.x; out[t] = in[t] + in[t + 5] + n; }
K wideProductWord(float *x, float a, size_t n) { size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; if (i < n) x[i] = a * x[i]; }
K wideProductWordOnly(unsigned long long *x, float a, size_t n) { size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; x[threadIdx.x] = i; }
K wideProductLong(unsigned long long *x, float a, unsigned long long n) { x[threadIdx.x] = blockIdx.x * (size_t)blockDim.x + n; }
K wideProductSigned(long long *x, float a, int n) { x[threadIdx.x] = (long long)(int)blockIdx.x * n + (int)threadIdx.x; }
K wideProductSignedLoad(long long *x, const int *y, int n) { x[threadIdx.x] = (long long)(int)blockIdx.x * n + y[threadIdx.x]; }
K pairSwapped(const int2 *in, int2 *out) { int i = threadIdx.x; int2 p = in[i]; out[i] = make_int2(p.y, p.x); }
K pairLower(const int2 *in, int4 *out) { int i = threadIdx.x; int2 p = in[i]; out[i] = make_int4(p.x, p.y, 0, 1); }
K pairUpper(const int2 *in, int4 *out) { int i = threadIdx.x; int2 p = in[i]; out[i] = make_int4(0, 1, p.x, p.y); }
K pairMiddle(const int2 *in, int4 *out) { int i = threadIdx.x; int2 p = in[i]; out[i] = make_int4(0, p.x, p.y, 1); }
K quadReversed(const int4 *in, int4 *out) { int i = threadIdx.x; int4 p = in[i]; out[i] = make_int4(p.w, p.z, p.y, p.x); }
K quadRotated(const int4 *in, int4 *out) { int i = threadIdx.x; int4 p = in[i]; out[i] = make_int4(p.y, p.z, p.w, p.x); }
K quadOfTwo(const int4 *in, int4 *out) { int i = threadIdx.x; int4 p = in[i], q = in[i + 32]; out[i] = make_int4(p.x, q.x, p.z, q.z); out[i + 32] = make_int4(p.y, q.y, p.w, q.w); }
K pairsOfTwo(const int2 *in, int2 *out) { int i = threadIdx.x; int2 p = in[i], q = in[i + 32]; out[i] = make_int2(p.x, q.x); out[i + 32] = make_int2(p.y, q.y); }
K pairSplit(const int2 *in, int *out) { int i = threadIdx.x; int2 p = in[i]; out[i] = p.y; out[i + 32] = p.x; }
K pairOnce(const int2 *in, int2 *out) { int i = threadIdx.x; int2 p = in[i]; out[i] = make_int2(p.y, p.y); }
K pairAdded(const int2 *in, int2 *out) { int i = threadIdx.x; int2 p = in[i]; out[i] = make_int2(p.y, p.x + 1); }
K evenWarps(const float *in, float *out) { int i = threadIdx.x; if ((threadIdx.x >> 5) % 2 == 0) out[i] = in[i] * 2.0f; }
K evenWarpsSigned(const float *in, float *out) { int i = threadIdx.x; if (((i >> 5) & 1) == 0) out[i] = in[i] * 2.0f; }
K bitOfValue(const int *in, int *out, int n) { int i = threadIdx.x; out[i] = (in[i] >> 7 & 1) ? 5 : n; }
K bitsOfValue(const int *in, int *out, int n) { int i = threadIdx.x; out[i] = (in[i] >> 7 & 6) == 0 ? 5 : n; }
K clampNested(const float *in, int *out) { int i = threadIdx.x; int b = (int)(in[i] * 64.0f); b = b < 0 ? 0 : b > 63 ? 63 : b; out[i] = b; }
K clampNestedUpper(const float *in, int *out) { int i = threadIdx.x; int b = (int)(in[i] * 64.0f); b = b > 63 ? 63 : b < 0 ? 0 : b; out[i] = b; }
K clampNestedConst(const int *in, int *out) { int i = threadIdx.x; int b = in[i]; b = b < 5 ? 5 : b > 63 ? 63 : b; out[i] = b; }
K andAgain(const int *x, int *out, int lo, int hi) { int i = threadIdx.x; out[i] = x[i] >= lo && x[i] < hi ? 3 : 8; }
K andAgainVote(const int *x, unsigned *out, int lo, int hi) { int i = threadIdx.x; out[i] = __ballot_sync(0xffffffff, x[i] >= lo && x[i] < hi); }
K orAgain(const int *x, int *out, int lo, int hi) { int i = threadIdx.x; if (x[i] < lo || x[i] > hi) out[i] = 5; }
K bitOfQuotient(const int *x, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = (i / 32) % 2 == 0 ? 5 : n; }
K doublesSwapped(const double2 *in, double2 *out) { int i = threadIdx.x; double2 p = in[i]; out[i] = make_double2(p.y, p.x); }

// ---- unsigned counters that step by more than one: NVVM leaves the loop, ptxas unrolls it by four
K unsignedBy128(const int *in, int *out, unsigned n) { unsigned t = threadIdx.x; int s = 0; for (unsigned c = t; c < n; c += 128) s += in[c]; out[t] = s; }
K unsignedBy128Float(const float *in, float *out, unsigned n) { unsigned t = threadIdx.x; float s = 0; for (unsigned c = t; c < n; c += 128) { float v = in[c]; s += v * v; } out[t] = s; }
K unsignedBy32Row(const float *in, float *out, unsigned n) { unsigned t = threadIdx.x; float s = 0; for (unsigned c = t & 31; c < n; c += 32) s += in[blockIdx.x * n + c]; out[t] = s; }
K unsignedBy2From0(const int *in, int *out, unsigned n) { int s = 0; for (unsigned c = 0; c < n; c += 2) s += in[c]; out[threadIdx.x] = s; }
K unsignedUpTo(const int *in, int *out, unsigned n) { unsigned t = threadIdx.x; int s = 0; for (unsigned c = t; c <= n; c += 128) s += in[c]; out[t] = s; }
K unsignedGreatest(const int *in, int *out, unsigned n) { unsigned t = threadIdx.x; int s = 0, q = 0; for (unsigned c = t; c < n; c += 128) { int v = in[c]; if (v > s) { s = v; q = c; } } out[t] = q; }
K unsignedStoresOnly(const int *in, int *out, unsigned n) { for (unsigned c = threadIdx.x; c < n; c += 128) out[c] = 5; }
K unsignedByCopies(const int *in, int *out, unsigned n) { for (unsigned c = threadIdx.x; c < n; c += 128) out[c] = in[c] * 2; }
K unsignedByAtomics(const int *in, int *out, unsigned n) { for (unsigned c = threadIdx.x; c < n; c += 128) atomicAdd(&out[in[c]], 1); }
K unsignedByBarriers(const int *in, int *out, unsigned n) { unsigned t = threadIdx.x; int s = 0; for (unsigned c = t; c < n; c += 128) { s += in[c]; __syncthreads(); } out[t] = s; }
K unsignedByRuntime(const int *in, int *out, unsigned n) { unsigned t = threadIdx.x; int s = 0; for (unsigned c = t; c < n; c += blockDim.x) s += in[c]; out[t] = s; }
K unsignedLoadsNine(const int *in, int *out, unsigned n) { unsigned t = threadIdx.x; int s = 0; for (unsigned c = t; c < n; c += 128) { s += in[c + 0 * n]; s += in[c + 1 * n]; s += in[c + 2 * n]; s += in[c + 3 * n]; s += in[c + 4 * n]; s += in[c + 5 * n]; s += in[c + 6 * n]; s += in[c + 7 * n]; s += in[c + 8 * n]; } out[t] = s; }
K unsignedLoadsTen(const int *in, int *out, unsigned n) { unsigned t = threadIdx.x; int s = 0; for (unsigned c = t; c < n; c += 128) { s += in[c + 0 * n]; s += in[c + 1 * n]; s += in[c + 2 * n]; s += in[c + 3 * n]; s += in[c + 4 * n]; s += in[c + 5 * n]; s += in[c + 6 * n]; s += in[c + 7 * n]; s += in[c + 8 * n]; s += in[c + 9 * n]; } out[t] = s; }
K unsignedOperations42(const int *in, int *out, unsigned n) { unsigned t = threadIdx.x; int s = 0; for (unsigned c = t; c < n; c += 128) { int v = in[c]; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; } out[t] = s; }
K unsignedOperations44(const int *in, int *out, unsigned n) { unsigned t = threadIdx.x; int s = 0; for (unsigned c = t; c < n; c += 128) { int v = in[c]; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; s = (s ^ v) * 5; } out[t] = s; }
K highPlusShifted(const unsigned *in, unsigned *out, int n) { unsigned t = threadIdx.x; unsigned s = 0; for (int i = t; i < n; i += blockDim.x) s ^= (in[i] >> 4) + t * 64; out[t] = s; }
K highPlusShiftedSize(const unsigned *in, unsigned *out, unsigned n) { unsigned t = threadIdx.x; unsigned s = 0; for (int i = t; i < n; i += blockDim.x) s ^= (in[i] >> 4) + n * 8; out[t] = s; }

// ---- a row's place of 64 bits and a column
K rowSumLong(const float *x, float *out, int cols) { float q = 0.f; for (int c = threadIdx.x; c < cols; c += 128) q += x[(long)blockIdx.x * cols + c]; out[blockIdx.x * blockDim.x + threadIdx.x] = q; }
K rowSumSize(const float *x, float *out, int cols) { float q = 0.f; for (int c = threadIdx.x; c < cols; c += 128) q += x[(size_t)blockIdx.x * cols + c]; out[blockIdx.x * blockDim.x + threadIdx.x] = q; }
K rowSumSizePointer(const float *x, float *out, int cols) { float q = 0.f; const float *row = x + (size_t)blockIdx.x * cols; for (int c = threadIdx.x; c < cols; c += 128) q += row[c]; out[blockIdx.x * blockDim.x + threadIdx.x] = q; }
K rowSumSizeByBlock(const float *x, float *out, int cols) { float q = 0.f; for (int c = threadIdx.x; c < cols; c += blockDim.x) q += x[(size_t)blockIdx.x * cols + c]; out[blockIdx.x * blockDim.x + threadIdx.x] = q; }
K rowSumSizeFrom0(const float *x, float *out, int cols) { float q = 0.f; for (int c = 0; c < cols; c++) q += x[(size_t)blockIdx.x * cols + c]; out[blockIdx.x * blockDim.x + threadIdx.x] = q; }
K rowSumSizeWarp(const float *x, float *out, int cols) { float q = 0.f; int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32; for (int c = threadIdx.x & 31; c < cols; c += 32) q += x[(size_t)w * cols + c]; out[blockIdx.x * blockDim.x + threadIdx.x] = q; }
K rowSumLongWarp(const float *x, float *out, int cols) { float q = 0.f; int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32; for (int c = threadIdx.x & 31; c < cols; c += 32) q += x[(long)w * cols + c]; out[blockIdx.x * blockDim.x + threadIdx.x] = q; }

// ---- bytes as indices of global memory
K maskedByteUnsigned(const unsigned *d, unsigned *b, unsigned n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) atomicAdd(&b[d[i] & 255], 1); }
K maskedByteSigned(const int *d, int *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) atomicAdd(&b[d[i] & 255], 1); }
K maskedByteWidened(const int *d, int *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { unsigned k = d[i] & 255; b[k] = i; } }
K maskedSecondByte(const int *d, int *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) atomicAdd(&b[(d[i] >> 8) & 255], 1); }
K maskedSecondByteUnsigned(const unsigned *d, unsigned *b, unsigned n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) atomicAdd(&b[(d[i] >> 8) & 255], 1); }
K maskedHalfUnsigned(const unsigned *d, unsigned *b, unsigned n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) atomicAdd(&b[d[i] & 65535], 1); }

// ---- what is known to be equal
K laneIsCounter(const int *d, int *b, int n) { __shared__ int s[64]; int t = threadIdx.x; s[t] = d[t]; __syncthreads(); int sum = 0; for (int k = 0; k < 8; k++) if (t == k) sum += s[k + 3] * k; b[t] = sum; }
K laneIsCounterVotes(const int *d, int *b, int n) { __shared__ int s[64]; int t = threadIdx.x; s[t] = 0; __syncthreads(); for (int k = 0; k < 8; k++) { unsigned m = __ballot_sync(0xffffffffu, d[t] >> k & 1); if (t == k) s[k] = __popc(m); } __syncthreads(); b[t] = s[t]; }
K laneIsCounterAtomic(const int *in, int *out, int n) {
  __shared__ int counts[8];
  if (threadIdx.x < 8) counts[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = i < n ? in[i] : 0;
  for (int b = 0; b < 8; b++) {
    unsigned m = __ballot_sync(0xffffffffu, (v >> b) & 1);
    if ((threadIdx.x & 31) == b) atomicAdd(&counts[b], __popc(m));
  }
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&out[threadIdx.x], counts[threadIdx.x]);
}

// ---- one load of either place
K chosenPlace(const int *d, int *b, int n) { __shared__ int s[64]; int t = threadIdx.x; s[t] = d[t]; __syncthreads(); b[t] = t >= n ? s[t - n] : s[t]; }
K chosenPlaces(const int *d, int *b, int n) { __shared__ int s[64]; int t = threadIdx.x; s[t] = d[t]; __syncthreads(); for (int k = 1; k < 64; k *= 2) { int o = t >= k ? s[t - k] : s[t]; __syncthreads(); s[t] = max(s[t], o); __syncthreads(); } b[t] = s[t]; }
K chosenPlacesInLoop(const float *in, float *out, int cols) {
  __shared__ float s[256];
  float carry = -1e30f;
  const int t = threadIdx.x;
  for (int start = 0; start < cols; start += 256) {
    s[t] = in[blockIdx.x * cols + start + t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
      float o = t >= d ? s[t - d] : s[t];
      __syncthreads();
      s[t] = fmaxf(s[t], o);
      __syncthreads();
    }
    out[blockIdx.x * cols + start + t] = fmaxf(s[t], carry);
    carry = fmaxf(carry, s[255]);
    __syncthreads();
  }
}
// ---- loops of so many rounds that a break may leave
K leavingOf24(const int *in, int *out, int n) { int t = threadIdx.x; int v = in[t]; int k; for (k = 0; k < 24; k++) { v = (v * 5 + 1) ^ (v >> 3) ^ n * k; v += in[v & 15]; if (v > n) break; } out[t] = k; }
K leavingOf36(const int *in, int *out, int n) { int t = threadIdx.x; int v = in[t]; int k; for (k = 0; k < 36; k++) { v = (v * 5 + 1) ^ (v >> 3) ^ n * k; v += in[v & 15]; if (v > n) break; } out[t] = k; }
K leavingOf64(const int *in, int *out, int n) { int t = threadIdx.x; int v = in[t]; int k; for (k = 0; k < 64; k++) { v = (v * 5 + 1) ^ (v >> 3) ^ n * k; v += in[v & 15]; if (v > n) break; } out[t] = k; }
K leavingOf76(const int *in, int *out, int n) { int t = threadIdx.x; int v = in[t]; int k; for (k = 0; k < 76; k++) { v = (v * 5 + 1) ^ (v >> 3) ^ n * k; v += in[v & 15]; if (v > n) break; } out[t] = k; }
K leavingOf100(const int *in, int *out, int n) { int t = threadIdx.x; int v = in[t]; int k; for (k = 0; k < 100; k++) { v = (v * 5 + 1) ^ (v >> 3) ^ n * k; v += in[v & 15]; if (v > n) break; } out[t] = k; }
K leavingOf256(const int *in, int *out, int n) { int t = threadIdx.x; int v = in[t]; int k; for (k = 0; k < 256; k++) { v = (v * 5 + 1) ^ (v >> 3) ^ n * k; v += in[v & 15]; if (v > n) break; } out[t] = k; }
// ---- warpSize, which is no constant to NVVM
K warpRemainder(int*o){ o[threadIdx.x]=threadIdx.x%warpSize; }
K warpQuotientAndRemainder(int*o){ int w=threadIdx.x/warpSize, l=threadIdx.x%warpSize; o[threadIdx.x]=w*7+l; }
K warpOfInts(int*o){ int t=threadIdx.x; int w=t/warpSize, l=t%warpSize; o[t]=w*7+l; }
K warpRemainderOfInt(int*o){ int t=threadIdx.x; o[t]=t%warpSize; }
K warpsOfBlock(int*o,int n){ o[threadIdx.x]=(n+warpSize-1)/warpSize; }
K warpHalves(float*o,const float*in){ float v=in[threadIdx.x]; for(int d=warpSize/2;d>0;d/=2) v+=__shfl_down_sync(0xffffffffu,v,d); o[threadIdx.x]=v; }
K warpShifts(float*o,const float*in){ float v=in[threadIdx.x]; for(int d=warpSize/2;d>0;d>>=1) v+=__shfl_xor_sync(0xffffffffu,v,d); o[threadIdx.x]=v; }
K warpScan(float*o,const float*in){ float v=in[threadIdx.x]; int lane=threadIdx.x&(warpSize-1); for(int d=1;d<warpSize;d*=2){ float u=__shfl_up_sync(0xffffffffu,v,d); if(lane>=d) v+=u;} o[threadIdx.x]=v; }
K warpStrides(float*o,const float*in,int n){ float s=0; for(int i=threadIdx.x;i<n;i+=warpSize) s+=in[i]; o[threadIdx.x]=s; }
K warpsOfRows(const float *a, float *y, int rows, int cols) { int warp = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize; int lane = threadIdx.x % warpSize; if (warp < rows) { float s = 0; for (int c = lane; c < cols; c += warpSize) s += a[warp * cols + c]; for (int d = warpSize / 2; d > 0; d /= 2) s += __shfl_down_sync(0xffffffffu, s, d); if (lane == 0) y[warp] = s; } }
K warpsOfSharedSums(float*o,const float*in){ __shared__ float sh[32]; int lane=threadIdx.x%warpSize, wid=threadIdx.x/warpSize; float v=in[threadIdx.x]; for(int d=warpSize/2;d>0;d/=2) v+=__shfl_down_sync(0xffffffffu,v,d); if(lane==0) sh[wid]=v; __syncthreads(); v = threadIdx.x<blockDim.x/warpSize? sh[lane]:0; if(wid==0) for(int d=warpSize/2;d>0;d/=2) v+=__shfl_down_sync(0xffffffffu,v,d); if(threadIdx.x==0) o[blockIdx.x]=v; }
// ---- bits in the reverse order
K reversedByStages(unsigned*o,const unsigned*in){ unsigned v=in[threadIdx.x]; v = ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1); v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2); v = ((v >> 4) & 0x0F0F0F0Fu) | ((v & 0x0F0F0F0Fu) << 4); v = ((v >> 8) & 0x00FF00FFu) | ((v & 0x00FF00FFu) << 8); o[threadIdx.x] = (v >> 16) | (v << 16); }
K reversedLowBits(unsigned*o,const unsigned*in,int b){ unsigned v=in[threadIdx.x]; v = ((v & 0xaaaaaaaau) >> 1) | ((v & 0x55555555u) << 1); v = ((v & 0xccccccccu) >> 2) | ((v & 0x33333333u) << 2); v = ((v & 0xf0f0f0f0u) >> 4) | ((v & 0x0f0f0f0fu) << 4); v = ((v & 0xff00ff00u) >> 8) | ((v & 0x00ff00ffu) << 8); o[threadIdx.x] = ((v >> 16) | (v << 16)) >> (32 - b); }
K reversedByLoop(unsigned*o,const unsigned*in){ unsigned v=in[threadIdx.x], r=0; for(int i=0;i<32;i++){ r=(r<<1)|(v&1); v>>=1; } o[threadIdx.x] = r; }
// ---- pointers that stay in a round of dense loads; x * 2 in a sum
K denseFloats(const float*p,float*o,int n){ int t=blockIdx.x*blockDim.x+threadIdx.x, st=gridDim.x*blockDim.x; float s=0; for(int i=t;i<n;i+=st) s+=p[i]; o[t]=s; }
K denseInts(const int*p,int*o,int n){ int t=blockIdx.x*blockDim.x+threadIdx.x, st=gridDim.x*blockDim.x; int s=0; for(int i=t;i<n;i+=st) s+=p[i]; o[t]=s; }
K densePairs(const float*p,const float*q,float*o,int n){ int t=blockIdx.x*blockDim.x+threadIdx.x, st=gridDim.x*blockDim.x; for(int i=t;i<n;i+=st) o[i]=p[i]*q[i]; }
K sparseCopies(const float*p,float*o,int n){ int t=blockIdx.x*blockDim.x+threadIdx.x, st=gridDim.x*blockDim.x; for(int i=t;i<n;i+=st) o[i]=p[i]; }
K sparseScaled(const float*p,float*o,int n,float c){ int t=blockIdx.x*blockDim.x+threadIdx.x, st=gridDim.x*blockDim.x; float s=0; for(int i=t;i<n;i+=st) s+=p[i]*c; o[t]=s; }
K denseNeighbours(const float*p,float*o,int n){ float s=0; for(int i=blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=blockDim.x*gridDim.x) s+=p[i]+p[i+1]+p[i+2]; o[threadIdx.x]=s; }
K denseFive(const float*p,const float*q,const float*r,const float*u,const float*v,float*o,int n){ float s=0; for(int i=blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=blockDim.x*gridDim.x) s+=p[i]*q[i]*r[i]*u[i]*v[i]; o[threadIdx.x]=s; }
K sparseFour(const float*p,const float*q,const float*r,const float*u,float*o,int n){ float s=0; for(int i=blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=blockDim.x*gridDim.x) s+=p[i]*q[i]*r[i]*u[i]; o[threadIdx.x]=s; }
K twiceSummed(const float*p,float*o){ o[0]=p[0]+2*p[1]+p[2]; }
K twiceTaken(const float*p,float*o){ o[0]=p[0]-2*p[1]+p[2]; }
// ---- compare-and-swap by hand, bits of floats, sums of floats at a fixed place of shared memory
K swapsToSum(const int*p,int*o){ int v=p[threadIdx.x]; int old=*o,a; do { a=old; old=atomicCAS(o,a,a+v); } while(a!=old); }
K swapsToMax(const float*p,float*o){ float v=p[threadIdx.x]; int *q=(int*)o; int old=*q,a; do { a=old; old=atomicCAS(q,a,__float_as_int(fmaxf(v,__int_as_float(a)))); } while(a!=old); }
K bitsOfFloats(const float*p,int*o){ int s=0; for(int i=0;i<8;i++) s^=__float_as_int(p[threadIdx.x+i*32]); o[threadIdx.x]=s; }
K bitsAsFloat(const int*p,float*o){ int a=p[threadIdx.x]; o[threadIdx.x]=__int_as_float(a)+1.0f+a; }
K fixedFloatSum(const float*p,float*o){ __shared__ float s; if(threadIdx.x==0) s=0; __syncthreads(); atomicAdd(&s,p[threadIdx.x]); __syncthreads(); o[threadIdx.x]=s; }
K leadersFloatSum(const float*p,float*o){ __shared__ float s; if(threadIdx.x==0) s=0; __syncthreads(); if((threadIdx.x&31)==0) atomicAdd(&s,p[threadIdx.x]); __syncthreads(); o[threadIdx.x]=s; }
// ---- tiles up to a sum, from a thread, up to a parameter
K tilesToSum(float *C, const float *A, const float *B, int wA, int wB) { __shared__ float As[16][16], Bs[16][16]; int tx = threadIdx.x, ty = threadIdx.y; float v = 0; int first = wA * 16 * blockIdx.y, last = first + wA - 1; for (int a = first, b = 16 * blockIdx.x; a <= last; a += 16, b += 16 * wB) { As[ty][tx] = A[a + wA * ty + tx]; Bs[ty][tx] = B[b + wB * ty + tx]; __syncthreads(); for (int k = 0; k < 16; ++k) v += As[ty][k] * Bs[k][tx]; __syncthreads(); } C[wB * 16 * blockIdx.y + 16 * blockIdx.x + wB * ty + tx] = v; }
K tilesFromThread(float *C, const float *A, const float *B, int wA, int wB) { __shared__ float As[16][16], Bs[16][16]; int tx = threadIdx.x, ty = threadIdx.y; float v = 0; int b = 16 * blockIdx.x; for (int a = tx; a < wA; a += 16, b += 16 * wB) { As[ty][tx] = A[a + wA * ty + tx]; Bs[ty][tx] = B[b + wB * ty + tx]; __syncthreads(); for (int k = 0; k < 16; ++k) v += As[ty][k] * Bs[k][tx]; __syncthreads(); } C[wB * 16 * blockIdx.y + 16 * blockIdx.x + wB * ty + tx] = v; }
K tilesToParameter(float *C, const float *A, const float *B, int wA, int wB) { __shared__ float As[16][16], Bs[16][16]; int tx = threadIdx.x, ty = threadIdx.y; float v = 0; int b = 16 * blockIdx.x; for (int a = b; a < wB; a += 16, b += 16 * wB) { As[ty][tx] = A[a + wA * ty + tx]; Bs[ty][tx] = B[b + wB * ty + tx]; __syncthreads(); for (int k = 0; k < 16; ++k) v += As[ty][k] * Bs[k][tx]; __syncthreads(); } C[wB * 16 * blockIdx.y + 16 * blockIdx.x + wB * ty + tx] = v; }
// ---- indices k * c + t
K columnsOfStride(const int *p, int *o, int n) { int b = blockIdx.x * blockDim.x + threadIdx.x; int s = 0; for (int k = 0; k < n; k++) s += p[k * 256 + b]; o[b] = s; }
K columnsFromOne(const int *p, int *o, int n) { int b = threadIdx.x; int s = 0; for (int k = 1; k < n; k++) s += p[k * 256 + b]; o[b] = s; }
K columnsWeighted(const int *p, int *o, int n) { int b = threadIdx.x; int s = 0; for (int k = 0; k < n; k++) s += p[k * 256 + b] * k; o[b] = s; }
K rowByFixedColumns(const float *p, const float *q, float *o, int n) { int b = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y; float s = 0; for (int k = 0; k < n; k++) s += p[r * n + k] * q[k * 1024 + b]; o[b] = s; }
// ---- what no round changes, on both sides of what it does
K rowsBetween(const int *p, int *o, int n) { int b = blockIdx.x * 1024, c = threadIdx.x & 31; for (int r = threadIdx.x >> 5; r < n; r += blockDim.x >> 5) o[b + r * 32 + c] = p[r]; }
K counterBetween(const int *p, int *o, int n, int m) { int b = blockIdx.x * m; for (int r = threadIdx.x; r < n; r += blockDim.x) o[b + r + m] = p[r]; }
K betweenTwice(const float *p, float *o, int n, int m) { float s = 0; int a = threadIdx.x * m, b = blockIdx.x; for (int r = threadIdx.y; r < n; r += m) { int k = a + r * 5; s += p[k + b] * p[k]; } o[threadIdx.x] = s; }
// ---- flags, the highest bit, an if in an if
K flagGuarded(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; int ok = 1; if (i < n) ok = in[i] > 3; out[i] = __ballot_sync(0xffffffffu, ok); }
K flagChosen(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; int ok = in[i] > 3; if (threadIdx.x % 32 == 0) ok = 1; out[i] = __ballot_sync(0xffffffffu, ok); }
K highestBit(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = 31 - __clz(in[i]); }
K bitsNeeded(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = 32 - __clz(in[i]); }
K highestBitBoth(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; int k = __clz(in[i]); out[i] = k + (31 - k) * n; }
K ifInIf(const int *x, int *o, int n) { int t = threadIdx.x; int v = x[t]; if (v > n) { if (t == 0) o[0] = 1; } }
K ifLaneInIf(const int *x, int *o, int n) { int t = threadIdx.x; int v = x[t]; if (v > n) { if ((t & 31) == 0) o[0] = 1; } }
K ifLaneInAny(const int *x, int *o, int n) { int t = threadIdx.x; if (__any_sync(0xffffffffu, x[t] > n)) { if ((t & 31) == 0) o[0] = 1; } }
K ifProductInIf(const int *x, int *o, int n, int m) { int t = threadIdx.x; int v = x[t]; if (v > n) { if (t * 3 + m == 0) o[0] = 1; } }
// ---- rounds with a branch and a barrier, a shuffle, or neither; bits of a counter that several rounds at once leave known
K roundsGuardedBarrier(float *o, int n) { __shared__ float a[256]; int t = threadIdx.x; a[t] = o[t]; __syncthreads(); for (int k = 0; k < n; k++) { if (t < k) a[t] += a[255 - t]; __syncthreads(); } o[t] = a[t]; }
K roundsUniformBarrier(float *o, int n, int m) { __shared__ float a[256]; int t = threadIdx.x; a[t] = o[t]; __syncthreads(); for (int k = 0; k < n; k++) { if (k < m) a[t] += a[255 - t]; __syncthreads(); } o[t] = a[t]; }
K roundsGuardedSyncwarp(float *o, int n) { __shared__ float a[256]; int t = threadIdx.x; a[t] = o[t]; __syncthreads(); for (int k = 0; k < n; k++) { __syncwarp(); if (t < k) a[t] += 3.0f; } o[t] = a[t]; }
K roundsBarrier(float *o, int n) { __shared__ float a[256]; int t = threadIdx.x; a[t] = o[t]; __syncthreads(); for (int k = 0; k < n; k++) { a[t] += a[255 - t]; __syncthreads(); } o[t] = a[t]; }
K roundsGuardedShuffle(float *o, int n) { __shared__ float a[256]; int t = threadIdx.x; float v = o[t]; a[t] = v; __syncthreads(); for (int k = 0; k < n; k++) { v += __shfl_xor_sync(0xffffffffu, v, 3); if (t < k) a[t] += v; } o[t] = a[t]; }
K roundsGuarded(float *o, int n) { __shared__ float a[256]; int t = threadIdx.x; a[t] = o[t]; __syncthreads(); for (int k = 0; k < n; k++) { if (t < k) a[t] += 2.0f; } o[t] = a[t]; }
K roundsTurns(float *o, int n) { __shared__ float a[256]; int t = threadIdx.x; a[t] = o[t]; __syncthreads(); for (int k = 0; k < n; k++) { int p = 2 * t + (k & 1); if (p + 1 < n) { float lo = fminf(a[p], a[p + 1]); float hi = fmaxf(a[p], a[p + 1]); a[p] = lo; a[p + 1] = hi; } __syncthreads(); } o[t] = a[t]; }
K roundsTurnsConst(int *o) { __shared__ int s[128]; unsigned t = threadIdx.x; s[2 * t] = o[2 * t]; s[2 * t + 1] = o[2 * t + 1]; for (unsigned k = 0; k < 128; k++) { __syncthreads(); unsigned p = 2 * t + (k & 1); if (p < 127) { int a = s[p], b = s[p + 1]; if (a > b) { s[p] = b; s[p + 1] = a; } } } __syncthreads(); o[t] = s[t]; }
// ---- pointers of the text that step by what only a run knows
K pointerByParameter(const float *in, float *out, int rows, int cols) { int c = threadIdx.x; const float *p = in + c; float v = 0; for (int r = 0; r < rows; r++) { v += *p; p += cols; } out[c] = v; }
K pointerFourAtOnce(const float *in, float *out, int rows, int cols) {
  int c = threadIdx.x;
  const float *p = in + c;
  float v = 0;
#pragma unroll 4
  for (int r = 0; r < rows; r++) { v += *p; p += cols; }
  out[c] = v;
}
K pointerByBlock(const float *in, float *out, int rows) { int c = threadIdx.x; const float *p = in + c; float v = 0; for (int r = 0; r < rows; r++) { v += *p; p += blockDim.x; } out[c] = v; }
K pointerRemainderFirst(const float *in, float *out, int rows, int cols) { int c = threadIdx.x; const float *p = in + c; float v = 0; for (int r = threadIdx.y; r < rows; r++) { v += *p; p += cols; } out[c] = v; }
K pointerFiveLoads(const float *in, float *out, int rows, int cols) { int c = threadIdx.x; const float *p = in + c; float v = 0; for (int r = 0; r < rows; r++) { v += p[0] * p[1] * p[2] * p[3] + p[4]; p += cols; } out[c] = v; }
K pointerStored(float *in, int rows, int cols) { int c = threadIdx.x; float *p = in + c; for (int r = 0; r < rows; r++) { *p *= 2.0f; p += cols; } }
K pointerTwo(const float *in, float *out, int rows, int cols) { int c = threadIdx.x; const float *p = in + c; float *q = out + c; float v = 0; for (int r = 0; r < rows; r++) { v += *p; *q = v; p += cols; q += cols; } }
K pointerKnownRounds(float *in, float *out, int cols) { int c = threadIdx.x; float *p = in + c; float v = 0; for (int r = 0; r < 64; r++) { v += *p; p += cols; } out[c] = v; }
// ---- a variable without a value, and one that starts with 0
K unsetInRound(const float *x, float *y) { __shared__ float s[512]; unsigned t = threadIdx.x; s[t] = x[t]; for (unsigned d = 1; d < blockDim.x; d *= 2) { __syncthreads(); float v; if (t >= d) v = s[t] + s[t - d]; __syncthreads(); if (t >= d) s[t] = v; } y[t] = s[t]; }
K zeroInRound(const float *x, float *y) { __shared__ float s[512]; unsigned t = threadIdx.x; s[t] = x[t]; for (unsigned d = 1; d < blockDim.x; d *= 2) { __syncthreads(); float v = 0; if (t >= d) v = s[t] + s[t - d]; __syncthreads(); if (t >= d) s[t] = v; } y[t] = s[t]; }

// ---- indices of 64 bits that are products: the address goes on from an earlier one, or steps.
K wideColumn(const float *a, float *o, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k++) s += a[(size_t)k * m + i];
  o[i] = s;
}
K wideColumnThousand(const float *a, float *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k++) s += a[(size_t)k * 1000 + i];
  o[i] = s;
}
K wideColumnSingly(const float *a, float *o, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) s += a[(size_t)k * m + i];
  o[i] = s;
}
K wideColumnBreak(const float *a, float *o, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k++) {
    float v = a[(size_t)k * m + i];
    if (v < 0) break;
    s += v;
  }
  o[i] = s;
}
K wideRowsOfBlocks(const float *a, float *o, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = blockIdx.y; j < n; j += gridDim.y) o[(size_t)j * m + i] = a[(size_t)j * m + i];
}
K wideFourRows(const float *a, float *o, int n, int m) {
  int i = threadIdx.x;
  int r = threadIdx.y;
  for (int k = 0; k < 32; k += 8) o[(size_t)(r + k) * m + i] = a[(size_t)(r + k) * m + i];
}
K wideEightRows(const float *a, float *o, int m) {
  int i = threadIdx.x;
  int r = blockIdx.x * blockDim.y + threadIdx.y;
  float s = 0;
  for (int k = 0; k < 8; k++) s += a[(size_t)(r + k) * m + i];
  o[i] = s;
}
K wideFourLoads(const float *a, float *o, int m) {
  int i = threadIdx.x;
  int r = blockIdx.x * blockDim.y + threadIdx.y;
  float s = 0;
  for (int k = 0; k < 32; k += 8) s += a[(size_t)(r + k) * m + i];
  o[i] = s;
}
K wideEightUnsigned(const float *a, float *o, int m) {
  int i = threadIdx.x;
  unsigned r = threadIdx.y;
  float s = 0;
  for (int k = 0; k < 8; k++) s += a[(size_t)(r * 8 + k) * m + i];
  o[i] = s;
}
