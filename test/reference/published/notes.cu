// Reductions and transposes of "Professional CUDA C Programming", chapters 4 and 5, which public notes ran on a V100
// (v100-notes.json): written anew after the notes' descriptions.
#include <cuda_runtime.h>
#define K extern "C" __global__ void

#define IN_PLACE_STEPS                                               \
  if (blockDim.x >= 1024 && tid < 512) data[tid] += data[tid + 512]; \
  __syncthreads();                                                   \
  if (blockDim.x >= 512 && tid < 256) data[tid] += data[tid + 256];  \
  __syncthreads();                                                   \
  if (blockDim.x >= 256 && tid < 128) data[tid] += data[tid + 128];  \
  __syncthreads();                                                   \
  if (blockDim.x >= 128 && tid < 64) data[tid] += data[tid + 64];    \
  __syncthreads();                                                   \
  if (tid < 32) {                                                    \
    volatile int *last = data;                                       \
    last[tid] += last[tid + 32];                                     \
    last[tid] += last[tid + 16];                                     \
    last[tid] += last[tid + 8];                                      \
    last[tid] += last[tid + 4];                                      \
    last[tid] += last[tid + 2];                                      \
    last[tid] += last[tid + 1];                                      \
  }

K reduceGmem(int *in, int *out, unsigned int n) {
  unsigned int tid = threadIdx.x;
  int *data = in + blockIdx.x * blockDim.x;
  unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n) return;
  IN_PLACE_STEPS
  if (tid == 0) out[blockIdx.x] = data[0];
}
K reduceSmem(int *in, int *out, unsigned int n) {
  __shared__ int data[128];
  unsigned int tid = threadIdx.x;
  unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n) return;
  int *mine = in + blockIdx.x * blockDim.x;
  data[tid] = mine[tid];
  __syncthreads();
  IN_PLACE_STEPS
  if (tid == 0) out[blockIdx.x] = data[0];
}
K reduceGmemUnroll(int *in, int *out, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int idx = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  int *data = in + blockIdx.x * blockDim.x * 4;
  if (idx < n) {
    int a1 = 0, a2 = 0, a3 = 0, a4 = 0;
    a1 = in[idx];
    if (idx + blockDim.x < n) a2 = in[idx + blockDim.x];
    if (idx + 2 * blockDim.x < n) a3 = in[idx + 2 * blockDim.x];
    if (idx + 3 * blockDim.x < n) a4 = in[idx + 3 * blockDim.x];
    in[idx] = a1 + a2 + a3 + a4;
  }
  __syncthreads();
  IN_PLACE_STEPS
  if (tid == 0) out[blockIdx.x] = data[0];
}
K reduceSmemUnroll(int *in, int *out, unsigned int n) {
  __shared__ int data[128];
  unsigned int tid = threadIdx.x;
  unsigned int idx = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  int sum = 0;
  if (idx < n) {
    int a1 = 0, a2 = 0, a3 = 0, a4 = 0;
    a1 = in[idx];
    if (idx + blockDim.x < n) a2 = in[idx + blockDim.x];
    if (idx + 2 * blockDim.x < n) a3 = in[idx + 2 * blockDim.x];
    if (idx + 3 * blockDim.x < n) a4 = in[idx + 3 * blockDim.x];
    sum = a1 + a2 + a3 + a4;
  }
  data[tid] = sum;
  __syncthreads();
  IN_PLACE_STEPS
  if (tid == 0) out[blockIdx.x] = data[0];
}
K copyRows(float *out, float *in, const int rows, const int cols) {
  unsigned int row = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) out[row * cols + col] = in[row * cols + col];
}
K naiveRows(float *out, float *in, const int rows, const int cols) {
  unsigned int row = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
}
K naiveColumns(float *out, float *in, const int nx, const int ny) {
  unsigned int ix = blockDim.x * blockIdx.x + threadIdx.x;
  unsigned int iy = blockDim.y * blockIdx.y + threadIdx.y;
  if (ix < nx && iy < ny) out[iy * nx + ix] = in[ix * ny + iy];
}
K transposeSmem(float *out, float *in, int nx, int ny) {
  __shared__ float tile[32][16];
  unsigned int ix = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int iy = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned int from = iy * nx + ix;
  unsigned int at = threadIdx.y * blockDim.x + threadIdx.x;
  unsigned int row = at / blockDim.y;
  unsigned int col = at % blockDim.y;
  ix = blockIdx.y * blockDim.y + col;
  iy = blockIdx.x * blockDim.x + row;
  unsigned int to = iy * ny + ix;
  if (ix < nx && iy < ny) {
    tile[threadIdx.y][threadIdx.x] = in[from];
    __syncthreads();
    out[to] = tile[col][row];
  }
}
K transposeSmemPad(float *out, float *in, int nx, int ny) {
  __shared__ float tile[32][18];
  unsigned int iy = blockDim.y * blockIdx.y + threadIdx.y;
  unsigned int ix = blockDim.x * blockIdx.x + threadIdx.x;
  unsigned int from = iy * nx + ix;
  unsigned int at = threadIdx.y * blockDim.x + threadIdx.x;
  unsigned int row = at / blockDim.y;
  unsigned int col = at % blockDim.y;
  ix = blockIdx.y * blockDim.y + col;
  iy = blockIdx.x * blockDim.x + row;
  unsigned int to = iy * ny + ix;
  if (ix < nx && iy < ny) {
    tile[threadIdx.y][threadIdx.x] = in[from];
    __syncthreads();
    out[to] = tile[col][row];
  }
}
// The notes' version: it writes one half of the rows, each twice.
K transposeSmemUnrollPad(float *out, float *in, const int nx, const int ny) {
  __shared__ float tile[32 * (16 * 2 + 2)];
  unsigned int ix = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int iy = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned int from = iy * nx + ix;
  unsigned int at = threadIdx.y * blockDim.x + threadIdx.x;
  unsigned int row = at / blockDim.y;
  unsigned int col = at % blockDim.y;
  unsigned int ix2 = blockIdx.y * blockDim.y + col;
  unsigned int iy2 = blockIdx.x * blockDim.x + row;
  unsigned int to = iy2 * ny + ix2;
  if (ix < nx && iy < ny) {
    unsigned int store = threadIdx.y * (blockDim.x * 2 + 2) + threadIdx.x;
    tile[store] = in[from];
    if ((ix + blockDim.x) < nx && iy < ny) tile[store + 16] = in[from + 16];
    __syncthreads();
    unsigned int load = col * (blockDim.x * 2 + 2) + row;
    out[to] = tile[load];
    if ((ix + blockDim.x) < nx && iy < ny) out[to + ny * 16] = tile[load + 16];
  }
}
K sumMatrix(float *a, float *b, float *c, int nx, int ny) {
  unsigned int ix = threadIdx.x + blockIdx.x * blockDim.x;
  unsigned int iy = threadIdx.y + blockIdx.y * blockDim.y;
  unsigned int idx = iy * nx + ix;
  if (ix < nx && iy < ny) c[idx] = a[idx] + b[idx];
}
K unroll4Rows(float *out, float *in, const int nx, const int ny) {
  unsigned int ix = blockDim.x * blockIdx.x * 4 + threadIdx.x;
  unsigned int iy = blockDim.y * blockIdx.y + threadIdx.y;
  unsigned int from = iy * nx + ix;
  unsigned int to = ix * ny + iy;
  if (ix < nx && iy < ny) out[to] = in[from];
  if ((ix + blockDim.x) < nx && iy < ny) out[to + blockDim.x * ny] = in[from + blockDim.x];
  if ((ix + 2 * blockDim.x) < nx && iy < ny) out[to + 2 * blockDim.x * ny] = in[from + 2 * blockDim.x];
  if ((ix + 3 * blockDim.x) < nx && iy < ny) out[to + 3 * blockDim.x * ny] = in[from + 3 * blockDim.x];
}
K diagonalRows(float *out, float *in, const int nx, const int ny) {
  unsigned int by = blockIdx.x;
  unsigned int bx = (blockIdx.x + blockIdx.y) % gridDim.x;
  unsigned int ix = blockDim.x * bx + threadIdx.x;
  unsigned int iy = blockDim.y * by + threadIdx.y;
  if (ix < nx && iy < ny) out[ix * ny + iy] = in[iy * nx + ix];
}
K diagonalColumns(float *out, float *in, const int nx, const int ny) {
  unsigned int by = blockIdx.x;
  unsigned int bx = (blockIdx.x + blockIdx.y) % gridDim.x;
  unsigned int ix = blockDim.x * bx + threadIdx.x;
  unsigned int iy = blockDim.y * by + threadIdx.y;
  if (ix < nx && iy < ny) out[iy * nx + ix] = in[ix * ny + iy];
}
K readOffset(float *a, float *b, float *c, const int n, int offset) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int k = i + offset;
  if (k < n) c[i] = a[k] + b[k];
}
K readOffsetUnroll4(float *a, float *b, float *c, const int n, int offset) {
  unsigned int i = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  unsigned int k = i + offset;
  if (k < n) c[i] = a[k] + b[k];
  if (k + blockDim.x < n) c[i + blockDim.x] = a[k + blockDim.x] + b[k + blockDim.x];
  if (k + 2 * blockDim.x < n) c[i + 2 * blockDim.x] = a[k + 2 * blockDim.x] + b[k + 2 * blockDim.x];
  if (k + 3 * blockDim.x < n) c[i + 3 * blockDim.x] = a[k + 3 * blockDim.x] + b[k + 3 * blockDim.x];
}
