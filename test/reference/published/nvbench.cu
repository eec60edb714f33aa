// Kernels as "Programming Massively Parallel Processors" has them, written anew after what the benchmarks of
// R100001/Programming-Massively-Parallel-Processors launch (rtx3080-nvbench.json): the same accesses, loops and
// conditions, and the same lapses (constants of double type in clamp, a tile that overlaps, threads of a warp in columns).
#include <cuda_runtime.h>
typedef unsigned int uint;
#define K extern "C" __global__ void

// ---- sum of two matrices ------------------------------------------------------------------------------------
K addAcross(float *a, float *b, float *c, int cols, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  int at = row * cols + col;
  if (row < rows && col < cols) c[at] = a[at] + b[at];
}
K addAlong(float *a, float *b, float *c, int cols, int rows) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int at = row * cols + col;
  if (row < rows && col < cols) c[at] = a[at] + b[at];
}

// ---- convolutions; the result clamped in double arithmetic ------------------------------------------------------
K convolve1d(float *in, float *mask, float *out, int maskWidth, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width) return;
  float sum = 0;
  int first = i - (maskWidth / 2);
  for (int j = 0; j < maskWidth; ++j)
    if (first + j >= 0 && first + j < width) sum += in[first + j] * mask[j];
  out[i] = min(max(sum, 0.0), 1.0);
}
K convolve2d(float *in, float *mask, float *out, int maskHeight, int maskWidth, int height, int width, int channels) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= height || j >= width) return;
  int top = i - (maskHeight / 2);
  int left = j - (maskWidth / 2);
  for (int c = 0; c < channels; ++c) {
    float sum = 0;
    for (int k = 0; k < maskHeight; ++k)
      for (int l = 0; l < maskWidth; ++l)
        if (top + k >= 0 && top + k < height && left + l >= 0 && left + l < width)
          sum += in[((top + k) * width + left + l) * channels + c] * mask[k * maskWidth + l];
    out[(i * width + j) * channels + c] = min(max(sum, 0.0), 1.0);
  }
}

// ---- histograms ----------------------------------------------------------------------------------------------
K histogramGlobal(uint *values, uint *bins, uint n, uint binCount) {
  uint id = blockIdx.x * blockDim.x + threadIdx.x;
  for (uint bin = id; bin < binCount; bin += blockDim.x * gridDim.x) bins[bin] = 0;
  __syncthreads();
  for (uint i = id; i < n; i += blockDim.x * gridDim.x) atomicAdd(&bins[values[i]], 1);
}
K histogramShared(uint *values, uint *bins, uint n, uint binCount) {
  uint id = blockIdx.x * blockDim.x + threadIdx.x;
  extern __shared__ uint own[];
  for (uint bin = threadIdx.x; bin < binCount; bin += blockDim.x) own[bin] = 0;
  __syncthreads();
  for (uint i = id; i < n; i += blockDim.x * gridDim.x) atomicAdd(&own[values[i]], 1);
  __syncthreads();
  for (uint bin = threadIdx.x; bin < binCount; bin += blockDim.x) atomicAdd(&bins[bin], own[bin]);
}

// ---- products of matrices of 32-bit integers ---------------------------------------------------------------------
K product(uint *a, uint *b, uint *out, int aRows, int aCols, int bRows, int bCols) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= aRows || col >= bCols) return;
  uint sum = 0;
  for (int k = 0; k < aCols; ++k) sum += a[row * aCols + k] * b[k * bCols + col];
  out[row * bCols + col] = sum;
}
K productTiled(uint *a, uint *b, uint *out, int aRows, int aCols, int bRows, int bCols) {
  int tile = blockDim.x;
  extern __shared__ uint tiles[];
  uint *tileA = tiles;
  uint *tileB = tiles + tile * tile;
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * tile + ty;
  int col = blockIdx.x * tile + tx;
  uint sum = 0;
  for (int step = 0; step < (aCols + tile - 1) / tile; ++step) {
    tileA[ty * tile + tx] = row < aRows && step * tile + tx < aCols ? a[row * aCols + step * tile + tx] : 0;
    tileB[ty * tile + tx] = step * tile + ty < bRows && col < bCols ? b[(step * tile + ty) * bCols + col] : 0;
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += tileA[ty * tile + k] * tileB[k * tile + tx];
    __syncthreads();
  }
  if (row < aRows && col < bCols) out[row * bCols + col] = sum;
}
K productTwoTiles(uint *a, uint *b, uint *out, int aRows, int aCols, int bRows, int bCols) {
  int tile = blockDim.x;
  extern __shared__ uint tiles[];
  uint *tileA = tiles;
  uint *tileB = tiles + tile * tile;
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * tile + ty;
  int col = blockIdx.x * tile * 2 + tx;
  uint left = 0;
  uint right = 0;
  for (int step = 0; step < (aCols + tile - 1) / tile; ++step) {
    tileA[ty * tile + tx] = row < aRows && step * tile + tx < aCols ? a[row * aCols + step * tile + tx] : 0;
    tileB[ty * tile + tx] = step * tile + ty < bRows && col < bCols ? b[(step * tile + ty) * bCols + col] : 0;
    tileB[ty * tile + tile + tx] =
        step * tile + ty < bRows && tile + col < bCols ? b[(step * tile + ty) * bCols + tile + col] : 0;
    __syncthreads();
    for (int k = 0; k < tile; k++) {
      left += tileA[ty * tile + k] * tileB[k * tile + tx];
      right += tileA[ty * tile + k] * tileB[k * tile + tile + tx];
    }
    __syncthreads();
  }
  if (row < aRows && col < bCols) out[row * bCols + col] = left;
  if (row < aRows && tile + col < bCols) out[row * bCols + tile + col] = right;
}

// ---- matrix and vector -------------------------------------------------------------------------------------------
K matVec(uint *out, uint *mat, uint *vec, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  uint sum = 0;
  for (int k = 0; k < cols; ++k) sum += mat[row * cols + k] * vec[k];
  out[row] = sum;
}
K matVecShared(uint *out, uint *mat, uint *vec, int rows, int cols) {
  extern __shared__ uint part[];
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  uint sum = 0;
  int steps = (cols + blockDim.x - 1) / blockDim.x;
  for (int step = 0; step < steps; ++step) {
    int at = step * blockDim.x + threadIdx.x;
    part[threadIdx.x] = at < cols ? vec[at] : 0;
    __syncthreads();
    if (row < rows)
      for (int k = 0; k < blockDim.x && step * blockDim.x + k < cols; ++k)
        sum += mat[row * cols + step * blockDim.x + k] * part[k];
    __syncthreads();
  }
  out[row] = sum;
}
