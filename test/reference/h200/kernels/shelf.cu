// Reductions, scans, histograms, warps' own operations, transposes, copies, stencils, products, element-wise kernels, sorts.
#define FULL 0xffffffffu
#define BINS 256
#define TILE_DIM 32
#define BLOCK_ROWS 8
#define BS 16
#define RADIUS 3
#define BLOCK 256
#define MASK_W 5
#define TPB 128
#define EPS 1e-5f
#define RM 4
#define RN 4

__global__ void reduce_first_add(const float *g_in, float *g_out, unsigned int n) {
  extern __shared__ float sdata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  float mySum = (i < n) ? g_in[i] : 0;
  if (i + blockDim.x < n) mySum += g_in[i + blockDim.x];
  sdata[tid] = mySum;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s) { mySum += sdata[tid + s]; sdata[tid] = mySum; }
    __syncthreads();
  }
  if (tid < 32) {
    if (blockDim.x >= 64) mySum += sdata[tid + 32];
    for (int offset = 16; offset > 0; offset /= 2) mySum += __shfl_down_sync(FULL, mySum, offset);
  }
  if (tid == 0) g_out[blockIdx.x] = mySum;
}

__device__ __forceinline__ int warp_reduce_max(int v) {
#pragma unroll
  for (int delta = 16; delta > 0; delta >>= 1) v = max(v, __shfl_xor_sync(FULL, v, delta));
  return v;
}
__global__ void max_grid_stride(const int *__restrict__ data, int *__restrict__ result, int n) {
  __shared__ int warp_max[32];
  int best = -2147483647;
  for (int idx = blockIdx.x * blockDim.x + threadIdx.x; idx < n; idx += blockDim.x * gridDim.x) best = max(best, data[idx]);
  best = warp_reduce_max(best);
  int lane = threadIdx.x & 31;
  int wid = threadIdx.x >> 5;
  if (lane == 0) warp_max[wid] = best;
  __syncthreads();
  if (wid == 0) {
    best = lane < (blockDim.x + 31) / 32 ? warp_max[lane] : -2147483647;
    best = warp_reduce_max(best);
    if (lane == 0) atomicMax(result, best);
  }
}

__global__ void sum_two_pass_a(const double *x, double *partial, size_t n) {
  __shared__ double cache[256];
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t stride = (size_t)blockDim.x * gridDim.x;
  double acc = 0.0;
  while (i < n) {
    acc += x[i];
    i += stride;
  }
  cache[threadIdx.x] = acc;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = cache[0];
}

__global__ void sum_two_pass_b(const double *partial, double *out, int count) {
  extern __shared__ double buf[];
  int t = threadIdx.x;
  buf[t] = 0;
  for (int k = t; k < count; k += blockDim.x) buf[t] += partial[k];
  __syncthreads();
  int active = blockDim.x;
  while (active > 1) {
    active >>= 1;
    if (t < active) buf[t] += buf[t + active];
    __syncthreads();
  }
  if (t == 0) *out = buf[0];
}

__device__ void unrolled_tail(volatile float *s, int t) {
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}
__global__ void norm2_volatile(const float *v, float *out, int n) {
  __shared__ float s[512];
  int t = threadIdx.x;
  float a = 0.f;
  for (int i = blockIdx.x * 512 + t; i < n; i += 512 * gridDim.x) {
    float x = v[i];
    a += x * x;
  }
  s[t] = a;
  __syncthreads();
  if (t < 256) s[t] += s[t + 256];
  __syncthreads();
  if (t < 128) s[t] += s[t + 128];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) unrolled_tail(s, t);
  if (t == 0) atomicAdd(out, s[0]);
}

__global__ void dot_float4(const float4 *a, const float4 *b, float *out, int n4) {
  __shared__ float part[32];
  float acc = 0.f;
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  const int step = blockDim.x * gridDim.x;
#pragma unroll 2
  for (; i < n4; i += step) {
    const float4 p = a[i];
    const float4 q = b[i];
    acc += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
  }
  for (int m = 1; m < 32; m <<= 1) acc += __shfl_xor_sync(FULL, acc, m);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = acc;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0.f;
    for (int w = 0; w < blockDim.x / 32; w++) total += part[w];
    out[blockIdx.x] = total;
  }
}

__global__ void mean_var_block(const float *x, float2 *stats, int rows, int cols) {
  __shared__ float ssum[8], ssq[8];
  int row = blockIdx.x;
  if (row >= rows) return;
  const float *p = x + row * cols;
  float s = 0.0f, q = 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    float v = p[c];
    s += v;
    q += v * v;
  }
  for (int o = 16; o; o >>= 1) {
    s += __shfl_down_sync(FULL, s, o);
    q += __shfl_down_sync(FULL, q, o);
  }
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (lane == 0) {
    ssum[warp] = s;
    ssq[warp] = q;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < blockDim.x >> 5; w++) {
      s += ssum[w];
      q += ssq[w];
    }
    float mean = s / cols;
    stats[row] = make_float2(mean, q / cols - mean * mean);
  }
}

__global__ void argmax_block(const float *x, int *where, int n) {
  __shared__ float vals[256];
  __shared__ int idxs[256];
  int t = threadIdx.x;
  float best = -1e30f;
  int at = -1;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    if (x[i] > best) {
      best = x[i];
      at = i;
    }
  }
  vals[t] = best;
  idxs[t] = at;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) {
      if (vals[t + s] > vals[t] || (vals[t + s] == vals[t] && idxs[t + s] < idxs[t])) {
        vals[t] = vals[t + s];
        idxs[t] = idxs[t + s];
      }
    }
    __syncthreads();
  }
  if (t == 0) where[blockIdx.x] = idxs[0];
}

__global__ void argmin_warp_rows(const float *m, int *out, int rows, int cols) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (warp >= rows) return;
  const float *row = m + (size_t)warp * cols;
  float best = 3.4e38f;
  int pos = 0;
  for (int c = lane; c < cols; c += 32) {
    float v = row[c];
    if (v < best) {
      best = v;
      pos = c;
    }
  }
  for (int off = 16; off > 0; off /= 2) {
    float ob = __shfl_down_sync(FULL, best, off);
    int op = __shfl_down_sync(FULL, pos, off);
    if (ob < best || (ob == best && op < pos)) {
      best = ob;
      pos = op;
    }
  }
  if (lane == 0) out[warp] = pos;
}

__global__ void row_sum_warp_u(const unsigned *m, unsigned *sums, unsigned rows, unsigned cols) {
  unsigned r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  unsigned lane = threadIdx.x & 31u;
  if (r < rows) {
    unsigned s = 0;
    for (unsigned c = lane; c < cols; c += 32) s += m[r * cols + c];
    s = __reduce_add_sync(FULL, s);
    if (lane == 0) sums[r] = s;
  }
}

__global__ void row_sum_block_int4(const int4 *m, int *sums, int cols4) {
  __shared__ int acc;
  if (threadIdx.x == 0) acc = 0;
  __syncthreads();
  int s = 0;
  for (int c = threadIdx.x; c < cols4; c += blockDim.x) {
    int4 v = m[blockIdx.x * cols4 + c];
    s += v.x + v.y + v.z + v.w;
  }
  for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(FULL, s, o);
  if ((threadIdx.x & 31) == 0) atomicAdd(&acc, s);
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = acc;
}

__global__ void reduce_interleaved_mod(int *g, int *o) {
  extern __shared__ int s[];
  unsigned int tid = threadIdx.x;
  s[tid] = g[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (unsigned int k = 1; k < blockDim.x; k *= 2) {
    if (tid % (2 * k) == 0) s[tid] += s[tid + k];
    __syncthreads();
  }
  if (tid == 0) o[blockIdx.x] = s[0];
}

__global__ void reduce_strided_index(int *g, int *o, int n) {
  extern __shared__ int s[];
  int tid = threadIdx.x;
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  s[tid] = gid < n ? g[gid] : 0;
  __syncthreads();
  for (int k = 1; k < blockDim.x; k *= 2) {
    int index = 2 * k * tid;
    if (index < blockDim.x) s[index] += s[index + k];
    __syncthreads();
  }
  if (tid == 0) atomicAdd(o, s[0]);
}

__global__ void coarsened_sum(const float *input, float *output, unsigned int length) {
  __shared__ float input_s[1024];
  unsigned int segment = 4 * 2 * blockDim.x * blockIdx.x;
  unsigned int i = segment + threadIdx.x;
  unsigned int t = threadIdx.x;
  float sum = input[i];
  for (unsigned int tile = 1; tile < 4 * 2; ++tile) sum += input[i + tile * blockDim.x];
  input_s[t] = sum;
  for (unsigned int stride = blockDim.x / 2; stride >= 1; stride /= 2) {
    __syncthreads();
    if (t < stride) input_s[t] += input_s[t + stride];
  }
  if (t == 0) atomicAdd(output, input_s[0]);
}

__global__ void reduce_switch512(const float *in, float *out, unsigned n) {
  extern __shared__ float shf[];
  unsigned tid = threadIdx.x;
  unsigned i = blockIdx.x * 1024 + tid;
  unsigned grid = 1024 * gridDim.x;
  float s = 0;
  while (i < n) {
    s += in[i] + in[i + 512];
    i += grid;
  }
  shf[tid] = s;
  __syncthreads();
  if (tid < 256) { s += shf[tid + 256]; shf[tid] = s; } __syncthreads();
  if (tid < 128) { s += shf[tid + 128]; shf[tid] = s; } __syncthreads();
  if (tid < 64) { s += shf[tid + 64]; shf[tid] = s; } __syncthreads();
  if (tid < 32) {
    s += shf[tid + 32];
#pragma unroll
    for (int offset = 16; offset > 0; offset >>= 1) s += __shfl_down_sync(FULL, s, offset);
  }
  if (tid == 0) out[blockIdx.x] = s;
}

__global__ void min_max_both(const int *a, int *lo, int *hi, int n) {
  __shared__ int smin[256];
  __shared__ int smax[256];
  unsigned t = threadIdx.x;
  int mn = 2147483647, mx = -2147483647 - 1;
  for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) {
    int v = a[i];
    if (v < mn) mn = v;
    if (v > mx) mx = v;
  }
  smin[t] = mn;
  smax[t] = mx;
  __syncthreads();
  for (unsigned s = blockDim.x >> 1; s > 0; s >>= 1) {
    if (t < s) {
      smin[t] = min(smin[t], smin[t + s]);
      smax[t] = max(smax[t], smax[t + s]);
    }
    __syncthreads();
  }
  if (t == 0) {
    lo[blockIdx.x] = smin[0];
    hi[blockIdx.x] = smax[0];
  }
}

__global__ void count_nonzero_ballot(const int *flags, int *total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int pred = i < n && flags[i] != 0;
  unsigned mask = __ballot_sync(FULL, pred);
  if ((threadIdx.x & 31) == 0) atomicAdd(total, __popc(mask));
}

__global__ void count_primes_like(const unsigned *v, unsigned long long *count, unsigned n) {
  unsigned long long local = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if ((v[i] & 1u) && v[i] % 3u != 0) local++;
  }
  for (int o = 16; o > 0; o >>= 1) local += __shfl_down_sync(FULL, local, o);
  if ((threadIdx.x & 31) == 0) atomicAdd(count, local);
}

__global__ void long_sum_shared(const long long *x, long long *out, int n) {
  extern __shared__ long long acc[];
  int t = threadIdx.x;
  long long sum = 0;
  int i = blockIdx.x * blockDim.x * 4 + t;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    if (i + k * blockDim.x < n) sum += x[i + k * blockDim.x];
  }
  acc[t] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) acc[t] += acc[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = acc[0];
}

__global__ void kahan_sum(const float *x, float *out, int perThread) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.f, c = 0.f;
  for (int k = 0; k < perThread; k++) {
    float y = x[t * perThread + k] - c;
    float s = sum + y;
    c = (s - sum) - y;
    sum = s;
  }
  out[t] = sum;
}

__global__ void cosine_parts(const float *a, const float *b, float *out, int n) {
  __shared__ float ab[128], aa[128], bb[128];
  int t = threadIdx.x;
  float dot = 0, na = 0, nb = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) {
    dot += a[i] * b[i];
    na += a[i] * a[i];
    nb += b[i] * b[i];
  }
  ab[t] = dot;
  aa[t] = na;
  bb[t] = nb;
  __syncthreads();
  for (int s = 64; s > 0; s >>= 1) {
    if (t < s) {
      ab[t] += ab[t + s];
      aa[t] += aa[t + s];
      bb[t] += bb[t + s];
    }
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = ab[0] / (sqrtf(aa[0]) * sqrtf(bb[0]));
}

__global__ void welford_thread(const float *x, float *means, float *vars, int n) {
  int start = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  float mean = 0.f, m2 = 0.f;
  int count = 0;
  for (int i = start; i < n; i += stride) {
    count++;
    float d = x[i] - mean;
    mean += d / count;
    m2 += d * (x[i] - mean);
  }
  means[start] = mean;
  vars[start] = count > 1 ? m2 / (count - 1) : 0.f;
}

__global__ void softmax_denominator(const float *x, float *out, int cols) {
  __shared__ float red[32];
  const float *row = x + blockIdx.x * cols;
  float m = -3.4e38f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) m = fmaxf(m, row[c]);
  for (int o = 16; o > 0; o >>= 1) m = fmaxf(m, __shfl_xor_sync(FULL, m, o));
  if (threadIdx.x % 32 == 0) red[threadIdx.x / 32] = m;
  __syncthreads();
  m = red[0];
  for (int w = 1; w < blockDim.x / 32; w++) m = fmaxf(m, red[w]);
  __syncthreads();
  float s = 0.f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) s += __expf(row[c] - m);
  for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(FULL, s, o);
  if (threadIdx.x % 32 == 0) red[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    s = 0.f;
    for (int w = 0; w < blockDim.x / 32; w++) s += red[w];
    out[blockIdx.x] = s;
  }
}

__global__ void hillis_steele(const int *in, int *out, int n) {
  extern __shared__ int temp[];
  int t = threadIdx.x;
  int pout = 0, pin = 1;
  temp[t] = t > 0 ? in[t - 1 + blockIdx.x * n] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (t >= offset) temp[pout * n + t] = temp[pin * n + t] + temp[pin * n + t - offset];
    else temp[pout * n + t] = temp[pin * n + t];
    __syncthreads();
  }
  out[blockIdx.x * n + t] = temp[pout * n + t];
}

__global__ void blellochOfShelf(float *g_out, const float *g_in, int n) {
  extern __shared__ float tmp[];
  int thid = threadIdx.x;
  int offset = 1;
  tmp[2 * thid] = g_in[2 * thid];
  tmp[2 * thid + 1] = g_in[2 * thid + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1;
      int bi = offset * (2 * thid + 2) - 1;
      tmp[bi] += tmp[ai];
    }
    offset *= 2;
  }
  if (thid == 0) tmp[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1;
      int bi = offset * (2 * thid + 2) - 1;
      float t = tmp[ai];
      tmp[ai] = tmp[bi];
      tmp[bi] += t;
    }
  }
  __syncthreads();
  g_out[2 * thid] = tmp[2 * thid];
  g_out[2 * thid + 1] = tmp[2 * thid + 1];
}

__global__ void kogge_stone_block(const float *X, float *Y, unsigned int N) {
  __shared__ float XY[512];
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) XY[threadIdx.x] = X[i];
  else XY[threadIdx.x] = 0.0f;
  for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    float temp;
    if (threadIdx.x >= stride) temp = XY[threadIdx.x] + XY[threadIdx.x - stride];
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] = temp;
  }
  if (i < N) Y[i] = XY[threadIdx.x];
}

__global__ void brent_kung_block(const int *X, int *Y, unsigned int N) {
  __shared__ int XY[512];
  unsigned int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) XY[threadIdx.x] = X[i];
  if (i + blockDim.x < N) XY[threadIdx.x + blockDim.x] = X[i + blockDim.x];
  for (unsigned int stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    unsigned int index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index < 512) XY[index] += XY[index - stride];
  }
  for (int stride = 512 / 4; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned int index = (threadIdx.x + 1) * stride * 2 - 1;
    if (index + stride < 512) XY[index + stride] += XY[index];
  }
  __syncthreads();
  if (i < N) Y[i] = XY[threadIdx.x];
  if (i + blockDim.x < N) Y[i + blockDim.x] = XY[threadIdx.x + blockDim.x];
}

__device__ __forceinline__ int warp_inclusive(int v, int lane) {
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    int up = __shfl_up_sync(FULL, v, d);
    if (lane >= d) v += up;
  }
  return v;
}
__global__ void scan_warps_block(const int *in, int *out, int *sums, int n) {
  __shared__ int totals[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31;
  int w = threadIdx.x >> 5;
  int v = i < n ? in[i] : 0;
  int s = warp_inclusive(v, lane);
  if (lane == 31) totals[w] = s;
  __syncthreads();
  if (w == 0) {
    int x = lane < blockDim.x / 32 ? totals[lane] : 0;
    totals[lane] = warp_inclusive(x, lane);
  }
  __syncthreads();
  if (w > 0) s += totals[w - 1];
  if (i < n) out[i] = s - v;
  if (threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = s;
}

__global__ void add_offsets(int *data, const int *offsets, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ int add;
  if (threadIdx.x == 0) add = blockIdx.x > 0 ? offsets[blockIdx.x - 1] : 0;
  __syncthreads();
  if (i < n) data[i] += add;
}

__global__ void scan_thread_chunks(const int *in, int *out, int n) {
  __shared__ int sums[256];
  int t = threadIdx.x;
  int per = (n + 255) / 256;
  int from = t * per;
  int to = min(from + per, n);
  int run = 0;
  for (int i = from; i < to; i++) run += in[i];
  sums[t] = run;
  __syncthreads();
  for (int d = 1; d < 256; d <<= 1) {
    int v = 0;
    if (t >= d) v = sums[t - d];
    __syncthreads();
    sums[t] += v;
    __syncthreads();
  }
  run = t > 0 ? sums[t - 1] : 0;
  for (int i = from; i < to; i++) {
    run += in[i];
    out[i] = run;
  }
}

__global__ void scan4_per_thread(const int4 *in, int4 *out, int n4) {
  __shared__ int warpTotal[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int4 v = make_int4(0, 0, 0, 0);
  if (i < n4) v = in[i];
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  int x = v.w;
  for (int d = 1; d <= 16; d <<= 1) {
    int y = __shfl_up_sync(FULL, x, d, 32);
    if (lane >= d) x += y;
  }
  if (lane == 31) warpTotal[warp] = x;
  __syncthreads();
  int before = x - v.w;
  for (int w = 0; w < warp; w++) before += warpTotal[w];
  v.x += before;
  v.y += before;
  v.z += before;
  v.w += before;
  if (i < n4) out[i] = v;
}

__global__ void segmented_scan_flags(const int *in, const int *flags, int *out, int n) {
  __shared__ int val[256];
  __shared__ int flg[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  val[t] = i < n ? in[i] : 0;
  flg[t] = i < n ? flags[i] : 1;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d <<= 1) {
    int v = val[t];
    int f = flg[t];
    if (t >= d) {
      if (!f) v += val[t - d];
      f |= flg[t - d];
    }
    __syncthreads();
    val[t] = v;
    flg[t] = f;
    __syncthreads();
  }
  if (i < n) out[i] = val[t];
}

__global__ void segmented_warp(const float *v, const int *seg, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int lane = threadIdx.x & 31;
  float x = v[i];
  int s = seg[i];
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    float y = __shfl_up_sync(FULL, x, d);
    int q = __shfl_up_sync(FULL, s, d);
    if (lane >= d && q == s) x += y;
  }
  int next = __shfl_down_sync(FULL, s, 1);
  if (lane == 31 || next != s) atomicAdd(&out[s], x);
}

__global__ void csr_segment_sum_thread(const float *vals, const int *offsets, float *out, int segments) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s < segments) {
    float acc = 0.0f;
    int end = offsets[s + 1];
    for (int k = offsets[s]; k < end; ++k) acc += vals[k];
    out[s] = acc;
  }
}

__global__ void csr_segment_sum_warp(const double *vals, const int *offsets, double *out, int segments) {
  const int s = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  const int lane = threadIdx.x & 31;
  if (s >= segments) return;
  double acc = 0.0;
  for (int k = offsets[s] + lane; k < offsets[s + 1]; k += 32) acc += vals[k];
  for (int o = 16; o > 0; o >>= 1) acc += __shfl_down_sync(FULL, acc, o);
  if (lane == 0) out[s] = acc;
}

__global__ void csr_segment_max_block(const int *vals, const int *begin, int *out) {
  __shared__ int s[128];
  const int first = begin[blockIdx.x * 500], last = begin[blockIdx.x * 500 + 500];
  int m = 0x80000000;
  for (int k = first + threadIdx.x; k < last; k += blockDim.x) m = max(m, vals[k]);
  s[threadIdx.x] = m;
  __syncthreads();
  for (int h = blockDim.x / 2; h >= 1; h >>= 1) {
    if (threadIdx.x < h) s[threadIdx.x] = max(s[threadIdx.x], s[threadIdx.x + h]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

__global__ void column_cumsum(const float *in, float *out, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  float run = 0;
  for (int y = 0; y < h; y++) {
    run += in[y * w + x];
    out[y * w + x] = run;
  }
}

__global__ void row_scan_warp_carry(const int *in, int *out, int cols) {
  int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
  int lane = threadIdx.x & 31;
  int carry = 0;
  for (int base = 0; base < cols; base += 32) {
    int c = base + lane;
    int v = c < cols ? in[row * cols + c] : 0;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
      int u = __shfl_up_sync(FULL, v, d);
      if (lane >= d) v += u;
    }
    v += carry;
    if (c < cols) out[row * cols + c] = v;
    carry = __shfl_sync(FULL, v, 31);
  }
}

__global__ void exclusive_scan_double_tree(double *data, double *sums) {
  __shared__ double t[512];
  int tid = threadIdx.x;
  double *block = data + blockIdx.x * 512;
  t[tid] = block[tid];
  t[tid + 256] = block[tid + 256];
  __syncthreads();
  int stride = 1;
  for (int active = 256; active > 0; active >>= 1) {
    if (tid < active) {
      int right = (2 * tid + 2) * stride - 1;
      t[right] += t[right - stride];
    }
    stride <<= 1;
    __syncthreads();
  }
  if (tid == 0) {
    sums[blockIdx.x] = t[511];
    t[511] = 0.0;
  }
  __syncthreads();
  for (int active = 1; active <= 256; active <<= 1) {
    stride >>= 1;
    if (tid < active) {
      int right = (2 * tid + 2) * stride - 1;
      double left = t[right - stride];
      t[right - stride] = t[right];
      t[right] += left;
    }
    __syncthreads();
  }
  block[tid] = t[tid];
  block[tid + 256] = t[tid + 256];
}

__global__ void compact_block(const int *in, int *out, int *counter, int n) {
  __shared__ int warpCount[32];
  __shared__ int base;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int x = i < n ? in[i] : 0;
  bool keep = x > 511;
  unsigned votes = __ballot_sync(FULL, keep);
  int rank = __popc(votes & ((1u << lane) - 1));
  if (lane == 0) warpCount[warp] = __popc(votes);
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int w = 0; w < blockDim.x / 32; w++) {
      int c = warpCount[w];
      warpCount[w] = sum;
      sum += c;
    }
    base = atomicAdd(counter, sum);
  }
  __syncthreads();
  if (keep) out[base + warpCount[warp] + rank] = x;
}

__global__ void compact_warp_agg(const float *in, float *out, int *n_out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0.5f) {
    unsigned active = __activemask();
    int leader = __ffs(active) - 1;
    int lane = threadIdx.x & 31;
    int start = 0;
    if (lane == leader) start = atomicAdd(n_out, __popc(active));
    start = __shfl_sync(active, start, leader);
    out[start + __popc(active & ((1u << lane) - 1u))] = in[i];
  }
}

__global__ void prefix_max_rows(const float *in, float *out, int cols) {
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

__global__ void hist_global(const unsigned *data, unsigned *bins, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[data[i] & 255], 1);
}

__global__ void hist_global_stride(const int *data, int *bins, int n, int nbins) {
  int tid = blockDim.x * blockIdx.x + threadIdx.x;
  int stride = blockDim.x * gridDim.x;
  for (int i = tid; i < n; i += stride) {
    int v = data[i];
    if (v >= 0 && v < nbins) atomicAdd(bins + v, 1);
  }
}

__global__ void hist_shared_basic(const int *in, unsigned int *out, int n) {
  __shared__ unsigned int local[BINS];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&local[in[i] % BINS], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) atomicAdd(&out[b], local[b]);
}

__global__ void hist_shared_dynamic(const unsigned int *in, unsigned int *out, unsigned int n, unsigned int bins) {
  extern __shared__ unsigned int h[];
  unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x) h[b] = 0u;
  __syncthreads();
  for (unsigned int i = tid; i < n; i += blockDim.x * gridDim.x) atomicAdd(&h[in[i]], 1);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < bins; b += blockDim.x) {
    unsigned int v = h[b];
    if (v > 0) atomicAdd(&out[b], v);
  }
}

__global__ void hist_aggregated_runs(const int *data, int *histo, int length) {
  __shared__ int histo_s[64];
  unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int bin = threadIdx.x; bin < 64u; bin += blockDim.x) histo_s[bin] = 0;
  __syncthreads();
  unsigned int accumulator = 0;
  int prev = -1;
  for (unsigned int i = tid; i < length; i += blockDim.x * gridDim.x) {
    int bin = data[i] >> 4;
    if (bin == prev) {
      ++accumulator;
    } else {
      if (accumulator > 0) atomicAdd(&histo_s[prev], accumulator);
      accumulator = 1;
      prev = bin;
    }
  }
  if (accumulator > 0) atomicAdd(&histo_s[prev], accumulator);
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < 64; bin += blockDim.x) {
    int v = histo_s[bin];
    if (v > 0) atomicAdd(&histo[bin], v);
  }
}

__global__ void hist_per_warp2(const int *in, int *out, int n) {
  __shared__ int h[8 * BINS];
  const int t = threadIdx.x;
  int *mine = &h[(t >> 5) * BINS];
#pragma unroll
  for (int k = 0; k < 8; k++) h[k * 256 + t] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) atomicAdd(&mine[in[i] & 255], 1);
  __syncthreads();
  int sum = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) sum += h[k * 256 + t];
  out[blockIdx.x * BINS + t] = sum;
}

__global__ void hist_merge(const int *partial, int *hist, int blocks) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < blocks; k++) sum += partial[k * BINS + b];
  hist[b] = sum;
}

__global__ void hist_thread_private(const int *in, int *out, int n) {
  int c0 = 0, c1 = 0, c2 = 0, c3 = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int d = in[i] & 3;
    c0 += d == 0;
    c1 += d == 1;
    c2 += d == 2;
    c3 += d == 3;
  }
  atomicAdd(&out[0], c0);
  atomicAdd(&out[1], c1);
  atomicAdd(&out[2], c2);
  atomicAdd(&out[3], c3);
}

__global__ void hist_scaled_floats(const float *x, int *hist, int n, float lo, float scale, int bins) {
  extern __shared__ int sh[];
  for (int b = threadIdx.x; b < bins; b += blockDim.x) sh[b] = 0;
  __syncthreads();
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  int gsz = blockDim.x * gridDim.x;
  for (int i = gid; i < n; i += gsz) {
    int b = (int)((x[i] - lo) * scale);
    b = min(max(b, 0), bins - 1);
    atomicAdd(&sh[b], 1);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += blockDim.x)
    if (sh[b]) atomicAdd(&hist[b], sh[b]);
}

__global__ void hist_bytes_in_words(const unsigned *words, unsigned *hist, int n) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    unsigned w = words[i];
    atomicAdd(&s[w & 0xff], 1);
    atomicAdd(&s[(w >> 8) & 0xff], 1);
    atomicAdd(&s[(w >> 16) & 0xff], 1);
    atomicAdd(&s[w >> 24], 1);
  }
  __syncthreads();
  atomicAdd(&hist[threadIdx.x], s[threadIdx.x]);
}

__global__ void hist_uint4(const uint4 *v, unsigned *hist, unsigned n4) {
  __shared__ unsigned s[1024];
  for (unsigned k = threadIdx.x; k < 1024; k += blockDim.x) s[k] = 0;
  __syncthreads();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n4) {
    uint4 q = v[i];
    atomicAdd(&s[q.x], 1);
    atomicAdd(&s[q.y], 1);
    atomicAdd(&s[q.z], 1);
    atomicAdd(&s[q.w], 1);
    i += blockDim.x * gridDim.x;
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < 1024; k += blockDim.x) atomicAdd(&hist[k], s[k]);
}

__global__ void hist_match_aggregate(const int *in, int *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31;
  if (i < n) {
    int b = in[i] & 15;
    unsigned peers = __match_any_sync(__activemask(), b);
    int leader = __ffs(peers) - 1;
    if (lane == leader) atomicAdd(&bins[b], __popc(peers));
  }
}

__global__ void hist_weighted(const int *key, const float *weight, float *sums, int n) {
  __shared__ float acc[64];
  if (threadIdx.x < 64) acc[threadIdx.x] = 0.f;
  __syncthreads();
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&acc[key[i] & 63], weight[i]);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&sums[threadIdx.x], acc[threadIdx.x]);
}

__global__ void hist2d(const float2 *p, int *h, int n) {
  __shared__ int s[32 * 32];
  for (int k = threadIdx.x; k < 32 * 32; k += blockDim.x) s[k] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float2 q = p[i];
    int x = (int)(q.x * 31.f), y = (int)(q.y * 31.f);
    atomicAdd(&s[y * 32 + x], 1);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 32 * 32; k += blockDim.x)
    if (s[k] != 0) atomicAdd(&h[k], s[k]);
}

__global__ void hist_ballot_bits(const int *in, int *out, int n) {
  __shared__ int counts[8];
  if (threadIdx.x < 8) counts[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? in[i] : 0;
#pragma unroll
  for (int b = 0; b < 8; b++) {
    unsigned m = __ballot_sync(FULL, (v >> b) & 1);
    if ((threadIdx.x & 31) == b) atomicAdd(&counts[b], __popc(m));
  }
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&out[threadIdx.x], counts[threadIdx.x]);
}

__global__ void warp_bitonic(int *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31;
  int v = data[i];
  for (int k = 2; k <= 32; k <<= 1) {
    for (int j = k >> 1; j > 0; j >>= 1) {
      int o = __shfl_xor_sync(FULL, v, j);
      bool up = (lane & k) == 0;
      bool low = (lane & j) == 0;
      v = (low == up) ? min(v, o) : max(v, o);
    }
  }
  data[i] = v;
}

__global__ void warp_rotate(const float *in, float *out, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  float v = in[i];
  out[i] = __shfl_sync(FULL, v, (lane + by) % 32);
}

__global__ void warp_neighbours(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31;
  float c = i < n ? in[i] : 0.f;
  float l = __shfl_up_sync(FULL, c, 1);
  float r = __shfl_down_sync(FULL, c, 1);
  if (lane == 0) l = i > 0 ? in[i - 1] : 0.f;
  if (lane == 31) r = i + 1 < n ? in[i + 1] : 0.f;
  if (i < n) out[i] = 0.25f * l + 0.5f * c + 0.25f * r;
}

__global__ void warp_groups16(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sub = threadIdx.x & 15;
  int v = i < n ? in[i] : 0;
  for (int o = 8; o > 0; o >>= 1) v += __shfl_down_sync(FULL, v, o, 16);
  if (sub == 0 && i < n) out[i / 16] = v;
}

__global__ void any_all_ballot(const int *in, int *out, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool over = i < n && in[i] > limit;
  int any = __any_sync(FULL, over);
  int all = __all_sync(FULL, over);
  unsigned b = __ballot_sync(FULL, over);
  if ((threadIdx.x & 31) == 0) {
    int w = i >> 5;
    out[3 * w] = any;
    out[3 * w + 1] = all;
    out[3 * w + 2] = __popc(b);
  }
}

__global__ void redux_stats(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[i];
  int s = __reduce_add_sync(FULL, v);
  int lo = __reduce_min_sync(FULL, v);
  int hi = __reduce_max_sync(FULL, v);
  if ((threadIdx.x & 31) == 0) {
    atomicAdd(&out[0], s);
    atomicMin(&out[1], lo);
    atomicMax(&out[2], hi);
  }
}

__global__ void warp_dot_rows(const float *A, const float *x, float *y, int rows, int cols) {
  int warpId = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  int lane = threadIdx.x % warpSize;
  int warps = gridDim.x * blockDim.x / warpSize;
  for (int r = warpId; r < rows; r += warps) {
    float acc = 0.0f;
    for (int c = lane; c < cols; c += warpSize) acc += A[r * cols + c] * x[c];
#pragma unroll
    for (int o = 16; o > 0; o >>= 1) acc += __shfl_down_sync(FULL, acc, o);
    if (lane == 0) y[r] = acc;
  }
}

__global__ void warp_max_index(const float *in, float *mx, int *ix, int n) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  int lane = threadIdx.x & 31;
  float v = -1e38f;
  int at = -1;
  int start = w * 256;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    int j = start + k * 32 + lane;
    float x = j < n ? in[j] : -1e38f;
    if (x > v) {
      v = x;
      at = j;
    }
  }
#pragma unroll
  for (int m = 16; m > 0; m >>= 1) {
    float ov = __shfl_xor_sync(FULL, v, m);
    int oi = __shfl_xor_sync(FULL, at, m);
    if (ov > v || (ov == v && oi < at)) {
      v = ov;
      at = oi;
    }
  }
  if (lane == 0) {
    mx[w] = v;
    ix[w] = at;
  }
}

__global__ void double_norm_warp(const double *v, double *out, int n) {
  double s = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) s += v[i] * v[i];
  for (int m = 16; m > 0; m /= 2) s += __shfl_xor_sync(FULL, s, m);
  if ((threadIdx.x & 31) == 0) atomicAdd(out, s);
}

__global__ void variance_two_pass(const float *x, const float *mean, float *out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  float mu = mean[0];
  float acc = 0.f;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) {
    float d = x[i] - mu;
    acc += d * d;
  }
  s[t] = acc;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, s[0] / (n - 1));
}

__global__ void layernorm_row_warp(const float4 *x, float4 *y, int cols4, float eps) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  const float4 *p = x + row * cols4;
  float s = 0.f, q = 0.f;
  for (int c = lane; c < cols4; c += 32) {
    float4 v = p[c];
    s += v.x + v.y + v.z + v.w;
    q += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int m = 16; m > 0; m >>= 1) {
    s += __shfl_xor_sync(FULL, s, m);
    q += __shfl_xor_sync(FULL, q, m);
  }
  float n = cols4 * 4.0f;
  float mean = s / n;
  float inv = rsqrtf(q / n - mean * mean + eps);
  for (int c = lane; c < cols4; c += 32) {
    float4 v = p[c];
    v.x = (v.x - mean) * inv;
    v.y = (v.y - mean) * inv;
    v.z = (v.z - mean) * inv;
    v.w = (v.w - mean) * inv;
    y[row * cols4 + c] = v;
  }
}

__global__ void sum_unrolled8(const int *g, int *o, unsigned n) {
  extern __shared__ int sh[];
  unsigned t = threadIdx.x;
  unsigned idx = blockIdx.x * blockDim.x * 8 + threadIdx.x;
  int v = 0;
  if (idx + 7 * blockDim.x < n) {
    int a1 = g[idx];
    int a2 = g[idx + blockDim.x];
    int a3 = g[idx + 2 * blockDim.x];
    int a4 = g[idx + 3 * blockDim.x];
    int b1 = g[idx + 4 * blockDim.x];
    int b2 = g[idx + 5 * blockDim.x];
    int b3 = g[idx + 6 * blockDim.x];
    int b4 = g[idx + 7 * blockDim.x];
    v = a1 + a2 + a3 + a4 + b1 + b2 + b3 + b4;
  }
  sh[t] = v;
  __syncthreads();
  if (blockDim.x >= 1024 && t < 512) sh[t] += sh[t + 512];
  __syncthreads();
  if (blockDim.x >= 512 && t < 256) sh[t] += sh[t + 256];
  __syncthreads();
  if (blockDim.x >= 256 && t < 128) sh[t] += sh[t + 128];
  __syncthreads();
  if (blockDim.x >= 128 && t < 64) sh[t] += sh[t + 64];
  __syncthreads();
  if (t < 32) {
    volatile int *vm = sh;
    vm[t] += vm[t + 32];
    vm[t] += vm[t + 16];
    vm[t] += vm[t + 8];
    vm[t] += vm[t + 4];
    vm[t] += vm[t + 2];
    vm[t] += vm[t + 1];
  }
  if (t == 0) o[blockIdx.x] = sh[0];
}

__global__ void sum_in_place_global(int *g_idata, int *g_odata, unsigned n) {
  unsigned tid = threadIdx.x;
  unsigned idx = blockIdx.x * blockDim.x + threadIdx.x;
  int *idata = g_idata + blockIdx.x * blockDim.x;
  if (idx >= n) return;
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride) idata[tid] += idata[tid + stride];
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = idata[0];
}

__global__ void column_sums_atomic(const float *m, float *sums, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r0 = blockIdx.y * 64;
  if (c < cols) {
    float s = 0.f;
    for (int r = r0; r < r0 + 64 && r < rows; ++r) s += m[r * cols + c];
    atomicAdd(&sums[c], s);
  }
}

__global__ void l1_linf_norms(const float *x, float *out, int n) {
  __shared__ float a[32], b[32];
  float s = 0.f, m = 0.f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float v = fabsf(x[i]);
    s += v;
    m = fmaxf(m, v);
  }
  for (int o = 16; o > 0; o /= 2) {
    s += __shfl_down_sync(FULL, s, o);
    m = fmaxf(m, __shfl_down_sync(FULL, m, o));
  }
  int lane = threadIdx.x % 32, w = threadIdx.x / 32;
  if (lane == 0) {
    a[w] = s;
    b[w] = m;
  }
  __syncthreads();
  if (w == 0) {
    s = lane < blockDim.x / 32 ? a[lane] : 0.f;
    m = lane < blockDim.x / 32 ? b[lane] : 0.f;
    for (int o = 16; o > 0; o /= 2) {
      s += __shfl_down_sync(FULL, s, o);
      m = fmaxf(m, __shfl_down_sync(FULL, m, o));
    }
    if (lane == 0) {
      out[2 * blockIdx.x] = s;
      out[2 * blockIdx.x + 1] = m;
    }
  }
}

__global__ void rms_rows_block(const float *x, float *out, int cols) {
  __shared__ float s[128];
  float q = 0.f;
  for (int c = threadIdx.x; c < cols; c += 128) {
    float v = x[(long)blockIdx.x * cols + c];
    q = fmaf(v, v, q);
  }
  s[threadIdx.x] = q;
  for (int k = 64; k > 0; k >>= 1) {
    __syncthreads();
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sqrtf(s[0] / cols);
}

__global__ void copyNaive(float *odata, const float *idata, int width)
{
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[(y + j) * width + x] = idata[(y + j) * width + x];
}

__global__ void transposeNoConflict(float *odata, const float *idata)
{
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void transposeGuardRect(int *out, const int *in, int cols, int rows)
{
  __shared__ int tile[BS][BS + 1];
  int c = blockIdx.x * BS + threadIdx.x;
  int r = blockIdx.y * BS + threadIdx.y;
  if (c < cols && r < rows) tile[threadIdx.y][threadIdx.x] = in[r * cols + c];
  __syncthreads();
  int tc = blockIdx.y * BS + threadIdx.x;
  int tr = blockIdx.x * BS + threadIdx.y;
  if (tc < rows && tr < cols) out[tr * rows + tc] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transposeSwizzleOfShelf(float *out, const float *in, int nx, int ny)
{
  __shared__ float t[32][32];
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny) t[threadIdx.y][threadIdx.x ^ threadIdx.y] = in[y * nx + x];
  __syncthreads();
  x = blockIdx.y * blockDim.y + threadIdx.x;
  y = blockIdx.x * blockDim.x + threadIdx.y;
  if (x < ny && y < nx) out[y * ny + x] = t[threadIdx.x][threadIdx.x ^ threadIdx.y];
}

__global__ void transposeRowsGuarded(float *__restrict__ B, const float *__restrict__ A, int M, int N)
{
  __shared__ float s[TILE_DIM][TILE_DIM + 1];
  int i = blockIdx.y * TILE_DIM + threadIdx.y;
  int j = blockIdx.x * TILE_DIM + threadIdx.x;
  #pragma unroll
  for (int k = 0; k < TILE_DIM; k += BLOCK_ROWS)
    if (i + k < M && j < N) s[threadIdx.y + k][threadIdx.x] = A[(i + k) * N + j];
  __syncthreads();
  i = blockIdx.x * TILE_DIM + threadIdx.y;
  j = blockIdx.y * TILE_DIM + threadIdx.x;
  #pragma unroll
  for (int k = 0; k < TILE_DIM; k += BLOCK_ROWS)
    if (i + k < N && j < M) B[(i + k) * M + j] = s[threadIdx.x][threadIdx.y + k];
}

__global__ void transposeDoubleCols(double *out, const double *in, unsigned int w, unsigned int h)
{
  unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  out[x * h + y] = in[y * w + x];
}

__global__ void transposeSizeT(float *out, const float *in, size_t w, size_t h)
{
  size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t y = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}

__global__ void copyVec4Stride(float4 *dst, const float4 *src, int n)
{
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = idx; i < n; i += blockDim.x * gridDim.x) dst[i] = src[i];
}

__global__ void copyVec2Tail(int *d_out, const int *d_in, int N)
{
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int2 *o2 = (int2 *)d_out;
  const int2 *i2 = (const int2 *)d_in;
  for (int i = idx; i < N / 2; i += blockDim.x * gridDim.x)
    o2[i] = i2[i];
  if (idx == N / 2 && N % 2 == 1) d_out[N - 1] = d_in[N - 1];
}

__global__ void offsetReadOfShelf(float *a, int s)
{
  int i = blockDim.x * blockIdx.x + threadIdx.x + s;
  a[i] = a[i] + 1;
}

__global__ void strideReadOfShelf(double *a, int s)
{
  int i = (blockDim.x * blockIdx.x + threadIdx.x) * s;
  a[i] = a[i] + 1;
}

__global__ void gatherScale(float *y, const float *x, const int *idx, int n, float a)
{
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  if (tid < n) y[tid] = a * x[idx[tid]];
}

__global__ void scatterPermute(int *out, const int *in, const int *perm, int n)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[perm[i]] = in[i];
}

__global__ void reverseSharedOfShelf(int *out, int *in, int n)
{
  extern __shared__ int s_data[];
  int in_idx = blockDim.x * blockIdx.x + threadIdx.x;
  s_data[blockDim.x - 1 - threadIdx.x] = in[in_idx];
  __syncthreads();
  int out_idx = blockDim.x * (gridDim.x - 1 - blockIdx.x) + threadIdx.x;
  out[out_idx] = s_data[threadIdx.x];
}

__global__ void aosUpdate(float *p, int n, float dt)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = p[i * 6 + 0], y = p[i * 6 + 1], z = p[i * 6 + 2];
  float vx = p[i * 6 + 3], vy = p[i * 6 + 4], vz = p[i * 6 + 5];
  p[i * 6 + 0] = x + vx * dt;
  p[i * 6 + 1] = y + vy * dt;
  p[i * 6 + 2] = z + vz * dt;
}

__global__ void soaUpdate(float *x, float *y, float *z, const float *vx, const float *vy, const float *vz, int n, float dt)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] += vx[i] * dt;
    y[i] += vy[i] * dt;
    z[i] += vz[i] * dt;
  }
}

__global__ void rgbToGray(float *gray, const float *rgb, int width, int height)
{
  int col = threadIdx.x + blockIdx.x * blockDim.x;
  int row = threadIdx.y + blockIdx.y * blockDim.y;
  if (col < width && row < height) {
    int off = row * width + col;
    int rgbOff = off * 3;
    float r = rgb[rgbOff];
    float g = rgb[rgbOff + 1];
    float b = rgb[rgbOff + 2];
    gray[off] = 0.21f * r + 0.71f * g + 0.07f * b;
  }
}

__global__ void soaToAos3(float *out, const float *a, const float *b, const float *c, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[3 * i] = a[i];
    out[3 * i + 1] = b[i];
    out[3 * i + 2] = c[i];
  }
}

__global__ void stencil1dHalo(int *out, const int *in, int n)
{
  __shared__ int temp[BLOCK + 2 * RADIUS];
  int gindex = threadIdx.x + blockIdx.x * blockDim.x;
  int lindex = threadIdx.x + RADIUS;
  temp[lindex] = gindex < n ? in[gindex] : 0;
  if (threadIdx.x < RADIUS) {
    temp[lindex - RADIUS] = gindex >= RADIUS ? in[gindex - RADIUS] : 0;
    temp[lindex + BLOCK] = gindex + BLOCK < n ? in[gindex + BLOCK] : 0;
  }
  __syncthreads();
  int result = 0;
  for (int offset = -RADIUS; offset <= RADIUS; offset++)
    result += temp[lindex + offset];
  if (gindex < n) out[gindex] = result;
}

__global__ void heat2d(float *unew, const float *u, int nx, int ny, float c)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1) {
    int id = j * nx + i;
    unew[id] = u[id] + c * (u[id - 1] + u[id + 1] + u[id - nx] + u[id + nx] - 4.0f * u[id]);
  }
}

__global__ void stencil3d7(float *out, const float *in, int nx, int ny, int nz)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  int i = (z * ny + y) * nx + x;
  out[i] = (in[i] + in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] + in[i + nx * ny]) / 7.0f;
}

__global__ void stencil3dColumn(float *out, const float *in, int nx, int ny, int nz)
{
  int ix = blockIdx.x * blockDim.x + threadIdx.x;
  int iy = blockIdx.y * blockDim.y + threadIdx.y;
  if (ix == 0 || ix >= nx - 1 || iy == 0 || iy >= ny - 1) return;
  int stride = nx * ny;
  int idx = iy * nx + ix;
  float behind = in[idx];
  idx += stride;
  float current = in[idx];
  for (int k = 1; k < nz - 1; k++) {
    float front = in[idx + stride];
    out[idx] = 0.5f * current + 0.1f * (behind + front + in[idx - 1] + in[idx + 1] + in[idx - nx] + in[idx + nx]);
    behind = current;
    current = front;
    idx += stride;
  }
}

__global__ void conv1dSimple(float *P, const float *N, const float *M, int maskWidth, int width)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = 0;
  int start = i - (maskWidth / 2);
  for (int j = 0; j < maskWidth; j++) {
    if (start + j >= 0 && start + j < width) value += N[start + j] * M[j];
  }
  P[i] = value;
}

__global__ void conv2dShared(float *out, const float *in, const float *mask, int w, int h)
{
  __shared__ float s[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row_o = blockIdx.y * 28 + ty;
  int col_o = blockIdx.x * 28 + tx;
  int row_i = row_o - 2;
  int col_i = col_o - 2;
  if (row_i >= 0 && row_i < h && col_i >= 0 && col_i < w) s[ty][tx] = in[row_i * w + col_i];
  else s[ty][tx] = 0.0f;
  __syncthreads();
  float sum = 0.0f;
  if (ty < 28 && tx < 28) {
    for (int i = 0; i < MASK_W; i++)
      for (int j = 0; j < MASK_W; j++)
        sum += mask[i * MASK_W + j] * s[i + ty][j + tx];
    if (row_o < h && col_o < w) out[row_o * w + col_o] = sum;
  }
}

__global__ void blurBox(int *out, const int *in, int w, int h)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < w && row < h) {
    int pixVal = 0;
    int pixels = 0;
    for (int dr = -1; dr < 2; ++dr) {
      for (int dc = -1; dc < 2; ++dc) {
        int r = row + dr;
        int c = col + dc;
        if (r >= 0 && r < h && c >= 0 && c < w) {
          pixVal += in[r * w + c];
          ++pixels;
        }
      }
    }
    out[row * w + col] = pixVal / pixels;
  }
}

__device__ int mid3(int a, int b, int c) { return max(min(a, b), min(max(a, b), c)); }
__global__ void medianOf3(int *out, const int *in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int l = i > 0 ? in[i - 1] : in[i];
  int r = i < n - 1 ? in[i + 1] : in[i];
  out[i] = mid3(l, in[i], r);
}

__global__ void lifeStep(int *next, const int *cur, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int xl = (x + w - 1) % w, xr = (x + 1) % w;
  int yu = (y + h - 1) % h, yd = (y + 1) % h;
  int alive = cur[yu * w + xl] + cur[yu * w + x] + cur[yu * w + xr]
            + cur[y * w + xl] + cur[y * w + xr]
            + cur[yd * w + xl] + cur[yd * w + x] + cur[yd * w + xr];
  next[y * w + x] = (alive == 3 || (alive == 2 && cur[y * w + x])) ? 1 : 0;
}

__device__ float at(const float *img, int x, int y, int w, int h)
{
  x = min(max(x, 0), w - 1);
  y = min(max(y, 0), h - 1);
  return img[y * w + x];
}

__global__ void gradientMagnitude(float *out, const float *img, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    float gx = at(img, x + 1, y, w, h) - at(img, x - 1, y, w, h);
    float gy = at(img, x, y + 1, w, h) - at(img, x, y - 1, w, h);
    out[y * w + x] = sqrtf(gx * gx + gy * gy);
  }
}

__global__ void gemvRow(float *y, const float *A, const float *x, int m, int n)
{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m) {
    float acc = 0.0f;
    for (int k = 0; k < n; ++k) acc += A[row * n + k] * x[k];
    y[row] = acc;
  }
}

__global__ void gemvTransposed(float *y, const float *A, const float *x, int m, int n)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= n) return;
  float acc = 0.0f;
  for (int k = 0; k < m; ++k) acc += A[k * n + col] * x[k];
  y[col] = acc;
}

__global__ void gemvWarp(float *y, const float *A, const float *x, int rows, int cols)
{
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (warp >= rows) return;
  float sum = 0;
  for (int c = lane; c < cols; c += 32) sum += A[warp * cols + c] * x[c];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) y[warp] = sum;
}

__global__ void gemvSharedX(float *y, const float *A, const float *x, int m, int n)
{
  __shared__ float xs[TPB];
  int row = blockIdx.x * TPB + threadIdx.x;
  float dot = 0;
  for (int base = 0; base < n; base += TPB) {
    xs[threadIdx.x] = x[base + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < TPB; k++) dot += A[row * n + base + k] * xs[k];
    __syncthreads();
  }
  if (row < m) y[row] = dot;
}

__global__ void matmulNaive(float *C, const float *A, const float *B, int M, int K, int N)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
  }
}

__global__ void matmulTiled16(float *P, const float *M, const float *N, int Width)
{
  __shared__ float Mds[BS][BS];
  __shared__ float Nds[BS][BS];
  int bx = blockIdx.x; int by = blockIdx.y;
  int tx = threadIdx.x; int ty = threadIdx.y;
  int Row = by * BS + ty;
  int Col = bx * BS + tx;
  float Pvalue = 0;
  for (int ph = 0; ph < Width / BS; ++ph) {
    Mds[ty][tx] = M[Row * Width + ph * BS + tx];
    Nds[ty][tx] = N[(ph * BS + ty) * Width + Col];
    __syncthreads();
    for (int k = 0; k < BS; ++k) Pvalue += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  P[Row * Width + Col] = Pvalue;
}

__global__ void matmulTiled32Guard(float *C, const float *A, const float *B, int m, int k, int n)
{
  __shared__ float As[32][32];
  __shared__ float Bs[32][32];
  int row = blockIdx.y * 32 + threadIdx.y;
  int col = blockIdx.x * 32 + threadIdx.x;
  float v = 0.0f;
  for (int t = 0; t < (k + 31) / 32; t++) {
    if (row < m && t * 32 + threadIdx.x < k) As[threadIdx.y][threadIdx.x] = A[row * k + t * 32 + threadIdx.x];
    else As[threadIdx.y][threadIdx.x] = 0.0f;
    if (col < n && t * 32 + threadIdx.y < k) Bs[threadIdx.y][threadIdx.x] = B[(t * 32 + threadIdx.y) * n + col];
    else Bs[threadIdx.y][threadIdx.x] = 0.0f;
    __syncthreads();
    for (int i = 0; i < 32; i++) v += As[threadIdx.y][i] * Bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) C[row * n + col] = v;
}

__global__ void matmulSdk(float *C, float *A, float *B, int wA, int wB)
{
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int aBegin = wA * BS * by;
  int aEnd = aBegin + wA - 1;
  int aStep = BS;
  int bBegin = BS * bx;
  int bStep = BS * wB;
  float Csub = 0;
  for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
    __shared__ float As[BS][BS];
    __shared__ float Bs[BS][BS];
    As[ty][tx] = A[a + wA * ty + tx];
    Bs[ty][tx] = B[b + wB * ty + tx];
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < BS; ++k) Csub += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  int c = wB * BS * by + BS * bx;
  C[c + wB * ty + tx] = Csub;
}

__global__ void matmulRegs4(float *C, const float *A, const float *B, int n)
{
  __shared__ float As[64][17];
  __shared__ float Bs[16][64];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
  float acc[RM][RN];
  for (int i = 0; i < RM; i++) for (int j = 0; j < RN; j++) acc[i][j] = 0.0f;
  for (int k0 = 0; k0 < n; k0 += 16) {
    for (int i = 0; i < 4; i++) {
      As[ty + 16 * i][tx] = A[(row0 + ty + 16 * i) * n + k0 + tx];
      Bs[ty][tx + 16 * i] = B[(k0 + ty) * n + col0 + tx + 16 * i];
    }
    __syncthreads();
    for (int k = 0; k < 16; k++) {
      float a[RM], b[RN];
      for (int i = 0; i < RM; i++) a[i] = As[ty + 16 * i][k];
      for (int j = 0; j < RN; j++) b[j] = Bs[k][tx + 16 * j];
      for (int i = 0; i < RM; i++) for (int j = 0; j < RN; j++) acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < RM; i++)
    for (int j = 0; j < RN; j++) C[(row0 + ty + 16 * i) * n + col0 + tx + 16 * j] = acc[i][j];
}

__global__ void matmulCoarse2(float *c, const float *a, const float *b, int n)
{
  __shared__ float sa[16][16], sb[16][32];
  int row = blockIdx.y * 16 + threadIdx.y;
  int col = blockIdx.x * 32 + threadIdx.x;
  float s0 = 0.f, s1 = 0.f;
  for (int t = 0; t < n; t += 16) {
    sa[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    sb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + col];
    sb[threadIdx.y][threadIdx.x + 16] = b[(t + threadIdx.y) * n + col + 16];
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < 16; k++) {
      float av = sa[threadIdx.y][k];
      s0 += av * sb[k][threadIdx.x];
      s1 += av * sb[k][threadIdx.x + 16];
    }
    __syncthreads();
  }
  c[row * n + col] = s0;
  c[row * n + col + 16] = s1;
}

__global__ void saxpyStrideOfShelf(int n, float a, const float *x, float *y)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i] + y[i];
}

__global__ void axpbyDouble(double *y, const double *x, double a, double b, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + b * y[i];
}

__global__ void leakyRelu(float *out, const float *in, int n, float slope)
{
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = blockDim.x * gridDim.x;
  for (int i = index; i < n; i += stride) {
    float v = in[i];
    out[i] = v > 0 ? v : v * slope;
  }
}

__global__ void sigmoidForward(float *out, const float *in, unsigned n)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1.0f / (1.0f + expf(-in[i]));
}

__device__ float swish1(float x) { return x / (1.0f + __expf(-x)); }
__global__ void swishVec4(float4 *out, const float4 *in, int n4)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n4) {
    float4 v = in[i];
    v.x = swish1(v.x);
    v.y = swish1(v.y);
    v.z = swish1(v.z);
    v.w = swish1(v.w);
    out[i] = v;
  }
}

__global__ void normalizeRows(float *out, const float *in, int cols)
{
  __shared__ float sum, sq;
  int tid = threadIdx.x;
  const float *row = in + blockIdx.x * cols;
  if (tid == 0) { sum = 0.0f; sq = 0.0f; }
  __syncthreads();
  float s = 0.0f, q = 0.0f;
  for (int c = tid; c < cols; c += blockDim.x) {
    float v = row[c];
    s += v;
    q += v * v;
  }
  atomicAdd(&sum, s);
  atomicAdd(&sq, q);
  __syncthreads();
  float mean = sum / cols;
  float inv = rsqrtf(sq / cols - mean * mean + EPS);
  for (int c = tid; c < cols; c += blockDim.x) out[blockIdx.x * cols + c] = (row[c] - mean) * inv;
}

__global__ void batchNormApply(float *y, const float *x, const float *mean, const float *var, const float *gamma, const float *beta, int hw, int channels)
{
  int c = blockIdx.y;
  float scale = gamma[c] * rsqrtf(var[c] + EPS);
  float shift = beta[c] - mean[c] * scale;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < hw; i += blockDim.x * gridDim.x)
    y[c * hw + i] = x[c * hw + i] * scale + shift;
}

__global__ void clampScale(int *out, const int *in, int n, int lo, int hi)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int v = in[i];
    if (v < lo) v = lo;
    else if (v > hi) v = hi;
    out[i] = (v - lo) * 255 / (hi - lo);
  }
}

__global__ void polyHorner(float *y, const float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float t = x[i];
  float r = 0.5f;
  r = r * t + 1.25f;
  r = r * t - 3.0f;
  r = r * t + 0.125f;
  r = r * t + 7.0f;
  y[i] = r;
}

__global__ void polyCoef(float *y, const float *x, const float *coef, int degree, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float t = x[i], r = coef[degree];
  for (int k = degree - 1; k >= 0; k--) r = r * t + coef[k];
  y[i] = r;
}

__global__ void taylorExp(float *out, const float *in, int terms)
{
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  float x = in[i], term = 1.0f, sum = 1.0f;
  for (int k = 1; k <= terms; k++) {
    term *= x / k;
    sum += term;
  }
  out[i] = sum;
}

__global__ void mandel(int *img, int w, int h, int maxIter)
{
  int px = blockIdx.x * blockDim.x + threadIdx.x;
  int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= w || py >= h) return;
  float cx = -2.0f + px * 3.0f / w;
  float cy = -1.5f + py * 3.0f / h;
  float x = 0, y = 0;
  int it = 0;
  while (it < maxIter) {
    float x2 = x * x, y2 = y * y;
    if (x2 + y2 > 4.0f) break;
    y = 2.0f * x * y + cy;
    x = x2 - y2 + cx;
    it++;
  }
  img[py * w + px] = it;
}

__device__ int julia(float zx, float zy)
{
  int i;
  for (i = 0; i < 200; i++) {
    float t = zx * zx - zy * zy - 0.8f;
    zy = 2 * zx * zy + 0.156f;
    zx = t;
    if (zx * zx + zy * zy > 1000.0f) return 0;
  }
  return 1;
}

__global__ void juliaSetOfShelf(int *out, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    float jx = 1.5f * (float)(w / 2 - x) / (w / 2);
    float jy = 1.5f * (float)(h / 2 - y) / (h / 2);
    out[y * w + x] = 255 * julia(jx, jy);
  }
}

__global__ void nbodyAll(float4 *acc, const float4 *pos, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = pos[i];
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; j++) {
    float4 q = pos[j];
    float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
    float d2 = dx * dx + dy * dy + dz * dz + 1e-9f;
    float inv = rsqrtf(d2);
    float s = q.w * inv * inv * inv;
    ax += dx * s;
    ay += dy * s;
    az += dz * s;
  }
  float4 r;
  r.x = ax; r.y = ay; r.z = az; r.w = 0;
  acc[i] = r;
}

__global__ void nbodyTiled(float *p, const float *px, float *v, int n, float dt)
{
  __shared__ float sx[TPB], sy[TPB], sz[TPB];
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    float Fx = 0.0f; float Fy = 0.0f; float Fz = 0.0f;
    for (int tile = 0; tile < gridDim.x; tile++) {
      sx[threadIdx.x] = px[3 * (tile * TPB + threadIdx.x)];
      sy[threadIdx.x] = px[3 * (tile * TPB + threadIdx.x) + 1];
      sz[threadIdx.x] = px[3 * (tile * TPB + threadIdx.x) + 2];
      __syncthreads();
      #pragma unroll 8
      for (int j = 0; j < TPB; j++) {
        float dx = sx[j] - px[3 * i];
        float dy = sy[j] - px[3 * i + 1];
        float dz = sz[j] - px[3 * i + 2];
        float distSqr = dx * dx + dy * dy + dz * dz + 1e-9f;
        float invDist = rsqrtf(distSqr);
        float invDist3 = invDist * invDist * invDist;
        Fx += dx * invDist3; Fy += dy * invDist3; Fz += dz * invDist3;
      }
      __syncthreads();
    }
    v[3 * i] += dt * Fx; v[3 * i + 1] += dt * Fy; v[3 * i + 2] += dt * Fz;
    p[3 * i] = px[3 * i] + v[3 * i] * dt;
  }
}

__global__ void piLcgOfShelf(int *hits, int trials, unsigned int seed)
{
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int s = seed + tid * 747796405u;
  int count = 0;
  for (int i = 0; i < trials; i++) {
    s = s * 1664525u + 1013904223u;
    float x = (s >> 8) * (1.0f / 16777216.0f);
    s = s * 1664525u + 1013904223u;
    float y = (s >> 8) * (1.0f / 16777216.0f);
    if (x * x + y * y <= 1.0f) count++;
  }
  hits[tid] = count;
}

__device__ unsigned xorshift32(unsigned x)
{
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x;
}

__global__ void xorshiftFill(unsigned *out, int n)
{
  unsigned s = blockIdx.x * blockDim.x + threadIdx.x + 1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    s = xorshift32(s);
    out[i] = s;
  }
}

__global__ void collatzOfShelf(int *steps, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long v = i + 1;
  int c = 0;
  while (v != 1) {
    v = (v & 1) ? 3 * v + 1 : v / 2;
    c++;
  }
  steps[i] = c;
}

__global__ void gcdPairs(int *out, const int *a, const int *b, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int x = a[i], y = b[i];
    while (y != 0) {
      int t = x % y;
      x = y;
      y = t;
    }
    out[i] = x;
  }
}

__global__ void isPrime(int *flags, int n)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x + 2;
  if (v >= n) return;
  int prime = 1;
  for (int d = 2; d * d <= v; d++) {
    if (v % d == 0) {
      prime = 0;
      break;
    }
  }
  flags[v] = prime;
}

__global__ void grayCode(unsigned *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned g = i ^ (i >> 1);
    unsigned b = g;
    b ^= b >> 16; b ^= b >> 8; b ^= b >> 4; b ^= b >> 2; b ^= b >> 1;
    out[i] = __popc(g) * 31 + b;
  }
}

__global__ void reverseBitsManual(unsigned *out, const unsigned *in, unsigned n)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = in[i];
  v = ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
  v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
  v = ((v >> 4) & 0x0F0F0F0Fu) | ((v & 0x0F0F0F0Fu) << 4);
  v = ((v >> 8) & 0x00FF00FFu) | ((v & 0x00FF00FFu) << 8);
  out[i] = (v >> 16) | (v << 16);
}

__global__ void murmurMix(unsigned *out, const unsigned *in, int n)
{
  int stride = gridDim.x * blockDim.x;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += stride) {
    unsigned h = in[i];
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    out[i] = h;
  }
}

__global__ void bitonicGlobal(int *data, int j, int k)
{
  unsigned int i = threadIdx.x + blockDim.x * blockIdx.x;
  unsigned int ixj = i ^ j;
  if (ixj > i) {
    if ((i & k) == 0) {
      if (data[i] > data[ixj]) {
        int temp = data[i];
        data[i] = data[ixj];
        data[ixj] = temp;
      }
    } else {
      if (data[i] < data[ixj]) {
        int temp = data[i];
        data[i] = data[ixj];
        data[ixj] = temp;
      }
    }
  }
}

__global__ void bitonicShared2(float *d)
{
  __shared__ float s[512];
  float *data = d + blockIdx.x * 512 + threadIdx.x;
  s[threadIdx.x] = data[0];
  s[threadIdx.x + 256] = data[256];
  for (unsigned size = 2; size < 512; size <<= 1) {
    unsigned dir = (threadIdx.x & (size / 2)) != 0;
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      float x = s[pos], y = s[pos + stride];
      if ((x > y) == (dir == 1)) {
        s[pos] = y;
        s[pos + stride] = x;
      }
    }
  }
  __syncthreads();
  data[0] = s[threadIdx.x];
  data[256] = s[threadIdx.x + 256];
}

__global__ void oddEvenPhase(int *a, int n, int phase)
{
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + phase;
  if (i + 1 < n && a[i] > a[i + 1]) {
    int t = a[i];
    a[i] = a[i + 1];
    a[i + 1] = t;
  }
}

__global__ void oddEvenShared(int *a)
{
  __shared__ int s[256];
  int t = threadIdx.x, base = blockIdx.x * 256;
  s[t] = a[base + t];
  s[t + 128] = a[base + t + 128];
  __syncthreads();
  for (int step = 0; step < 256; step++) {
    int k = 2 * t + (step & 1);
    if (k + 1 < 256) {
      int lo = min(s[k], s[k + 1]);
      int hi = max(s[k], s[k + 1]);
      s[k] = lo;
      s[k + 1] = hi;
    }
    __syncthreads();
  }
  a[base + t] = s[t];
  a[base + t + 128] = s[t + 128];
}

__global__ void rankSortOfShelf(int *out, const int *in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = in[i], rank = 0;
  for (int j = 0; j < n; j++) {
    if (in[j] < v || (in[j] == v && j < i)) rank++;
  }
  out[rank] = v;
}

__global__ void saxpyUnroll4(float *y, const float *x, float a, int n)
{
  int i = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  #pragma unroll
  for (int k = 0; k < 4; k++, i += blockDim.x)
    if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void vectorAddChunk(int *c, const int *a, const int *b, int n, int per)
{
  int begin = (blockIdx.x * blockDim.x + threadIdx.x) * per;
  int end = begin + per < n ? begin + per : n;
  for (int i = begin; i < end; i++) c[i] = a[i] + b[i];
}

__global__ void distanceMatrix(float *d, const float *a, const float *b, int na, int nb, int dim)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= na || j >= nb) return;
  float s = 0.0f;
  for (int k = 0; k < dim; k++) {
    float t = a[i * dim + k] - b[j * dim + k];
    s += t * t;
  }
  d[i * nb + j] = sqrtf(s);
}

__global__ void jacobiSolve(float *xNew, const float *A, const float *b, const float *x, int n, int rows)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sigma = 0.0f;
    for (int j = 0; j < n; j++) if (j != i) sigma += A[i * n + j] * x[j];
    xNew[i] = (b[i] - sigma) / A[i * n + i];
  }
}

__global__ void fdtdE(double *ez, const double *h, int nx, int ny, double c)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= 1 && i < nx && j >= 1 && j < ny)
    ez[j * nx + i] += c * (h[j * nx + i] - h[j * nx + i - 1] - h[j * nx + i] + h[(j - 1) * nx + i]);
}

__global__ void waveStep(float *next, const float *cur, const float *prev, int n, float c2)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i == n - 1) next[i] = 0.0f;
  else if (i < n) next[i] = 2.0f * cur[i] - prev[i] + c2 * (cur[i + 1] - 2.0f * cur[i] + cur[i - 1]);
}
