// Small patterns of control flow, several of each, for what nvcc 13.0 -O3 -arch=sm_90 makes of them: code-lengths.json has
// the machine instructions (to the last EXIT, without slow paths) and the branches among them, by nvdisasm.
#define K extern "C" __global__ void
K guardedWindow(const float *in, float *out, int w, int r) { int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; for (int j = -r; j <= r; j++) if (i + j >= 0 && i + j < w) s += in[i + j]; out[i] = s; }
K guardedWindowWhole(const float *in, float *out, int w) { int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; for (int j = -3; j <= 3; j++) if (i + j >= 0 && i + j < w) s += in[i + j]; out[i] = s; }
K guardedToShared(const float *in, float *out, int w) { __shared__ float t[1024]; int i = blockIdx.x * 1024 + threadIdx.x; for (int j = 0; j < 4; j++) if (i + 256 * j < w) t[threadIdx.x + 256 * j] = in[i + 256 * j]; __syncthreads(); out[blockIdx.x * 256 + threadIdx.x] = t[threadIdx.x * 3 % 1024]; }
K thirdsOnly(const int *in, int *out, int n) { int s = 0; for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) if (i % 3 == 0) s += in[i]; out[blockIdx.x * blockDim.x + threadIdx.x] = s; }
K binsInRange(const int *in, int *out, int n) { __shared__ int h[32]; int t = threadIdx.x; if (t < 32) h[t] = 0; __syncthreads(); for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) { int b = in[i] - 5; if (b >= 0 && b < 32) atomicAdd(&h[b], 1); } __syncthreads(); if (t < 32) out[t] = h[t]; }
K oneBin(const int *in, int *out, int n) { __shared__ int h[32]; int t = threadIdx.x; if (t < 32) h[t] = 0; __syncthreads(); int b = in[blockIdx.x * blockDim.x + t]; if (b < 32) atomicAdd(&h[b], 1); __syncthreads(); if (t < 32) out[t] = h[t]; }
K atomicUnder(const int *in, int *out, int n) { int t = threadIdx.x; int i = blockIdx.x * blockDim.x + t; int b = in[i]; if (b < 32) atomicAdd(&out[b], b); out[i + n] = b; }
K storeUnder(const int *in, int *out, int n) { int t = threadIdx.x; int i = blockIdx.x * blockDim.x + t; int b = in[i]; if (b < 32) out[b] = b; out[i + n] = b; }
K firstLanesAdd(const int *in, int *out) { __shared__ int h[32]; int t = threadIdx.x; h[t & 31] = 0; __syncthreads(); int v = in[t]; if (t < 16) atomicAdd(&h[t], v); __syncthreads(); out[t] = h[t & 31]; }
K firstCounts(const int *in, int *out, int *cnt) { int t = threadIdx.x; int v = in[t]; if (t == 0) atomicAdd(cnt, 1); out[t] = v; }
K greatestUnder(const int *in, int *out, int *cnt) { int t = threadIdx.x; int v = in[t]; if (v > 7) atomicMax(&cnt[t], v); out[t] = v; }
K laneAddsFloat(const float *in, float *out, float *cnt) { int t = threadIdx.x; float v = in[t]; if (t % 32 == 0) atomicAdd(&cnt[blockIdx.x], v); out[t] = v; }
K exchangeUnder(const int *in, int *out, int *cnt) { int t = threadIdx.x; int v = in[t]; if (v > 7) v = atomicExch(&cnt[t], v); out[t] = v; }
K ownTestFirst(const float *in, float *out, int n, int m) { int i = threadIdx.x; float s = 0; for (int j = i; j < n; j += blockDim.x) { if (i < m && j > 7) s += in[j]; __syncthreads(); } out[i] = s; }
K ownTestLast(const float *in, float *out, int n, int m) { int i = threadIdx.x; float s = 0; for (int j = i; j < n; j += blockDim.x) { if (j > 7 && i < m) s += in[j]; __syncthreads(); } out[i] = s; }
K twoOwnTests(const float *in, float *out, int n, int m) { int i = threadIdx.x; float s = 0; for (int j = i; j < n; j += blockDim.x) { if (i > 3 && i < m && j > 7) s += in[j];  __syncthreads(); } out[i] = s; }
K oneOwnTest(const float *in, float *out, int n, int m) { int i = threadIdx.x; float s = 0; for (int j = i; j < n; j += blockDim.x) { if (i < m) s += in[j];  __syncthreads(); } out[i] = s; }
K uniformTest(const float *in, float *out, int n, int m, int q) { int i = threadIdx.x; float s = 0; for (int j = i; j < n; j += blockDim.x) { if (q < m && j > 7) s += in[j];  __syncthreads(); } out[i] = s; }
K eitherTest(const float *in, float *out, int n, int m) { int i = threadIdx.x; float s = 0; for (int j = i; j < n; j += blockDim.x) { if (i < m || j > 7) s += in[j];  __syncthreads(); } out[i] = s; }
K sharedUnderBoth(float *out, int n, int m) { __shared__ float t[256]; int i = threadIdx.x; t[i] = i; for (int j = 1; j < n; j *= 2) { __syncthreads(); if (i < m && i >= j) t[i] += t[i - j]; } out[i] = t[i]; }
K sharedUnderLoaded(const int *in, int *out, int n, int k) { __shared__ int s[512]; int t = threadIdx.x; for (int j = t; j < n; j += blockDim.x) if (in[j] > k) s[j & 511] = j; __syncthreads(); out[t] = s[t]; }
K sharedReadUnder(const int *in, int *out, int n, int k) { extern __shared__ int s[]; int t = threadIdx.x; int v = 0; for (int j = t; j < n; j *= 2) { if (j > k) v += s[j]; __syncthreads(); } out[t] = v; }
K binsUnder(const int *in, int *out, int n, int k) { __shared__ int s[512]; int t = threadIdx.x; for (int j = t; j < n; j += blockDim.x) { int b = in[j]; if (b > k) atomicAdd(&s[b & 511], 1); } __syncthreads(); out[t] = s[t]; }
K sharedInEveryRound(const int *in, int *out, int n, int k) { __shared__ int s[512]; int t = threadIdx.x; for (int j = t; j < n; j += blockDim.x) { if (j > k) s[t] = in[j]; __syncthreads(); out[j] = s[t ^ 1]; __syncthreads(); } }
K sharedBeforeTest(const int *in, int *out, int n, int k) { __shared__ int s[512]; int t = threadIdx.x; for (int j = t; j < n; j += blockDim.x) { s[t] = in[j]; __syncthreads(); if (t < k) out[j] = s[t ^ 1]; __syncthreads(); } }
K switchOfThree(const int *a, int *out) { int i = threadIdx.x; int x = a[i], r = 0; switch (x) { case 0: r = i + 3; break; case 1: r = i * 5; break; default: r = i - 7; } out[i] = r; }
K switchOfEight(const int *a, int *out) { int i = threadIdx.x; int x = a[i], r = 0; switch (x & 7) { case 0: r = x + i; break; case 1: r = x * i; break; case 2: r = x ^ i; break; case 3: r = x | i; break; case 4: r = x - i; break; case 5: r = x << 3; break; case 6: r = x >> i; break; default: r = x & i; } out[i] = r; }
K switchOfConstants(const int *a, int *out) { int i = threadIdx.x; int x = a[i], r; switch (x) { case 0: r = 10; break; case 1: r = 25; break; case 2: r = 7; break; default: r = 100; } out[i] = r; }
K switchWithoutDefault(const int *a, int *out) { int i = threadIdx.x; int x = a[i], r = 1; switch (x) { case 0: r = x + i; break; case 7: r = x * i; break; } out[i] = r; }
K switchThatStores(const float *a, float *out) { int i = threadIdx.x; float x = a[i]; switch (i % 3) { case 0: out[i] = x * 2; break; case 1: out[i] = x + 1; break; case 2: out[i] = x - 5; break; } }
K chainOfThree(const int *a, int *out) { int i = threadIdx.x; int x = a[i], r = 0; if (x == 0) r = i + 3; else if (x == 1) r = i * 5; else r = i - 7; out[i] = r; }
K sumOfEach(const int *in, int *out, int n) { int e = 0, o = 0; for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { int v = in[i]; if (v > 100) e += v; else o += v; } out[threadIdx.x] = e; out[threadIdx.x + 32] = o; }
K floatSumOfEach(const float *in, float *out, int n) { float e = 0, o = 0; for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { float v = in[i]; if (v > 100) e += v; else o += v; } out[threadIdx.x] = e; out[threadIdx.x + 32] = o; }
K countOfEach(const int *in, int *out, int n) { int e = 0, o = 0; for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { int v = in[i]; if (v > 100) e++; else o++; } out[threadIdx.x] = e; out[threadIdx.x + 32] = o; }
K floatSumOfSome(const float *in, float *out, int n) { float e = 0; for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { float v = in[i]; if (v > 0.5f) e += v; } out[threadIdx.x] = e; }
K sumOfEven(const int *in, int *out, int n) { int e = 0, o = 0; for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { int v = in[i]; if (v % 2 == 0) e += v; } out[threadIdx.x] = e; out[threadIdx.x + 32] = o; }
K flaggedSum(const float *in, const int *flag, float *out, int n) { int t = threadIdx.x; float s = 0; for (int j = t; j < n; j += 32) if (flag[j] > 3) s += in[j]; out[t] = s; }
K allButOne(const float *in, float *out, int n) { int i = threadIdx.x; float s = 0; for (int j = 0; j < n; j++) if (j != i) s += in[j]; out[i] = s; }
K sumAbove(const float *in, float *out, int n) { int i = threadIdx.x; float s = 0; for (int j = 0; j < n; j++) { float v = in[j]; if (v > 0.5f) s += v; } out[i] = s; }
K chainOfLoads(const int *in, int *out, int n) { int i = threadIdx.x; bool f = false; if (i + 2 < n) f = in[i] == 3 && in[i + 1] > 4 && in[i + 2] < 5; out[i] = f; }
K chainUnder(const int *in, int *out, int n) { int i = threadIdx.x; if (i < n && in[i] > 3 && in[i + 1] < 9) out[i] = 5; out[i + 99] = 1; }
K walkWhile(const int *in, int *out, int n) { int i = threadIdx.x; int s = 0; while (s < n && in[s] != i) s++; out[i] = s; }
K walkBack(const int *in, int *out, int n) { int i = threadIdx.x; int s = i; while (s > 0 && in[s] > in[s - 1] && s < n) s /= 2; out[i] = s; }
K copyRows(const float *a, float *o, int n, int w) { int t = threadIdx.x; for (int j = 0; j < n; j++) o[j * w + t] = a[j * w + t] * 2.f; }
K runningSums(float *a, int n, int w) { int t = threadIdx.x; float s = 0; for (int j = 0; j < n; j++) { s += a[j * w + t]; a[j * w + t] = s; } }
K stageEach(const int *a, int *o, int n, int w) { __shared__ int s[256]; int t = threadIdx.x; int v = 0; for (int j = 0; j < n; j++) { s[t] = a[j * w + t]; __syncthreads(); v += s[255 - t]; __syncthreads(); } o[t] = v; }
K toIndices(const int *a, int *o, int n, int w) { int t = threadIdx.x; for (int j = 0; j < n; j++) o[a[j * w + t]] = j; }
K countIndices(const int *a, int *o, int n, int w) { int t = threadIdx.x; for (int j = 0; j < n; j++) atomicAdd(&o[a[j * w + t]], 1); }
K fiveRows(float *out, int h) { int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y; out[(y + 0) * h + x] = 1.0f; out[(y + 8) * h + x] = 1.0f; out[(y + 16) * h + x] = 1.0f; out[(y + 24) * h + x] = 1.0f; out[(y + 32) * h + x] = 1.0f; }
K sixRows(float *out, int h) { int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y; out[(y + 0) * h + x] = 1.0f; out[(y + 8) * h + x] = 1.0f; out[(y + 16) * h + x] = 1.0f; out[(y + 24) * h + x] = 1.0f; out[(y + 32) * h + x] = 1.0f; out[(y + 40) * h + x] = 1.0f; }
K sumFourRows(const float *in, float *out, int h) { int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y; float v = 0.0f; for (int j = 0; j < 4; j++) v += in[(y + j) * h + x]; out[x] = v; }
K sumFiveRows(const float *in, float *out, int h) { int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y; float v = 0.0f; for (int j = 0; j < 5; j++) v += in[(y + j) * h + x]; out[x] = v; }
K rowsOfTwo(float *a, float *b, int w, int h) { int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y; a[y * w + x] = 1; a[(y + 8) * w + x] = 1; a[(y + 16) * w + x] = 1; b[y * h + x] = 1; b[(y + 8) * h + x] = 1; b[(y + 16) * h + x] = 1; }
K quadToRows(const float4 *in, float *out, int w, int h) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; float4 q = in[y * w + x]; out[(4 * x) * h + y] = q.x; out[(4 * x + 1) * h + y] = q.y; out[(4 * x + 2) * h + y] = q.z; out[(4 * x + 3) * h + y] = q.w; }
K crossedTile(const float *in, float *out) { __shared__ float t[32][32]; int x = threadIdx.x, y = threadIdx.y; t[y][x ^ y] = in[x]; t[y + 8][x ^ (y + 8)] = in[x + 32]; __syncthreads(); out[x] = t[x][y ^ x] + t[x][(y + 8) ^ x]; }
K crossedPadded(const float *in, float *out) { __shared__ float t[32][33]; int x = threadIdx.x, y = threadIdx.y; t[y][x ^ y] = in[x]; t[y + 8][x ^ (y + 8)] = in[x + 32]; __syncthreads(); out[x] = t[x][y ^ x] + t[x][(y + 8) ^ x]; }
K fromOneRow(const int *in, float *out) { __shared__ float t[32][33]; int x = threadIdx.x, y = threadIdx.y; t[y][x] = in[x]; __syncthreads(); out[x] = t[y][in[x]] + t[y][in[x + 32]] + t[y][in[x + 64]]; }
K fromFlatRow(const int *in, float *out) { __shared__ float t[1024]; int x = threadIdx.x, y = threadIdx.y; t[y * 32 + x] = in[x]; __syncthreads(); out[x] = t[y * 32 + in[x]] + t[y * 32 + in[x + 32]] + t[y * 32 + in[x + 64]]; }
K packWords(const unsigned *in, unsigned long long *out) { int i = threadIdx.x; out[i] = ((unsigned long long)in[i] << 32) | (unsigned long long)in[i + 64]; }
K packSigned(const int *in, unsigned long long *out) { int i = threadIdx.x; out[i] = ((unsigned long long)in[i] << 32) | (unsigned long long)i; }
K packBySum(const unsigned *in, unsigned long long *out) { int i = threadIdx.x; out[i] = ((unsigned long long)in[i] << 32) + (unsigned long long)in[i + 64]; }
K packLongs(const int *in, long long *out) { int i = threadIdx.x; out[i] = ((long long)in[i] << 32) | (long long)in[i + 64]; }
K upperWord(const unsigned long long *in, unsigned *out) { int i = threadIdx.x; out[i] = (unsigned)(in[i] >> 32); }
K lowerWord(const unsigned long long *in, unsigned *out) { int i = threadIdx.x; out[i] = (unsigned)(in[i] & 0xffffffff); }
K upperBits(const unsigned long long *in, unsigned *out) { int i = threadIdx.x; out[i] = (unsigned)(in[i] >> 40); }
K shiftedFar(const unsigned *in, unsigned long long *out) { int i = threadIdx.x; out[i] = (unsigned long long)in[i] << 40; }
K upperAlone(const unsigned long long *in, unsigned long long *out) { int i = threadIdx.x; out[i] = in[i] >> 32; }
K notBelowZero(const float *in, float *out) { int i = threadIdx.x; float x = in[i]; out[i] = x > 0.0f ? x : 0.0f; }
K notAboveHalf(const float *in, float *out) { int i = threadIdx.x; float x = in[i]; out[i] = x < 0.5f ? x : 0.5f; }
K atLeastZeroOrEqual(const float *in, float *out) { int i = threadIdx.x; float x = in[i]; out[i] = x >= 0.0f ? x : 0.0f; }
K greaterOfTwo(const float *in, float *out) { int i = threadIdx.x; float x = in[i], y = in[i + 64]; out[i] = x > y ? x : y; }
K scanOfMaxima(const float *in, float *out) { int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31; float v = in[i]; for (int d = 1; d < 32; d *= 2) { float u = __shfl_up_sync(0xffffffff, v, d); if (lane >= d) v = fmaxf(v, u); } out[i] = v; }
K scanOfMaximaInt(const int *in, int *out) { int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31; int v = in[i]; for (int d = 1; d < 32; d *= 2) { int u = __shfl_up_sync(0xffffffff, v, d); if (lane >= d) v = max(v, u); } out[i] = v; }
K scanOfProducts(const int *in, int *out) { int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31; int v = in[i]; for (int d = 1; d < 32; d *= 2) { int u = __shfl_up_sync(0xffffffff, v, d); if (lane >= d) v *= u; } out[i] = v; }
K maximumUnder(const float *in, float *out, int c) { int i = threadIdx.x; float v = in[i], u = in[i + 64]; if (i >= c) v = fmaxf(v, u); out[i] = v; }
// Products and divisions of 64 bits by constants, and what of them words need.
K quotientBy3(const unsigned long long *in, unsigned long long *out) { int i = threadIdx.x; unsigned long long x = in[i]; out[i] = x / 3ull; }
K quotientBy7(const unsigned long long *in, unsigned long long *out) { int i = threadIdx.x; unsigned long long x = in[i]; out[i] = x / 7ull; }
K quotientBy10(const unsigned long long *in, unsigned long long *out) { int i = threadIdx.x; unsigned long long x = in[i]; out[i] = x / 10ull; }
K quotientBy100(const unsigned long long *in, unsigned long long *out) { int i = threadIdx.x; unsigned long long x = in[i]; out[i] = x / 100ull; }
K quotientBy1000(const unsigned long long *in, unsigned long long *out) { int i = threadIdx.x; unsigned long long x = in[i]; out[i] = x / 1000ull; }
K quotientBy65521(const unsigned long long *in, unsigned long long *out) { int i = threadIdx.x; unsigned long long x = in[i]; out[i] = x / 65521ull; }
K quotientBy14(const unsigned long long *in, unsigned long long *out) { int i = threadIdx.x; unsigned long long x = in[i]; out[i] = x / 14ull; }
K remainderBy3(const unsigned long long *in, unsigned long long *out) { int i = threadIdx.x; unsigned long long x = in[i]; out[i] = x % 3ull; }
K remainderBy7(const unsigned long long *in, unsigned long long *out) { int i = threadIdx.x; unsigned long long x = in[i]; out[i] = x % 7ull; }
K remainderBy10(const unsigned long long *in, unsigned long long *out) { int i = threadIdx.x; unsigned long long x = in[i]; out[i] = x % 10ull; }
K remainderBy1000(const unsigned long long *in, unsigned long long *out) { int i = threadIdx.x; unsigned long long x = in[i]; out[i] = x % 1000ull; }
K signedQuotientBy3(const long long *in, long long *out) { int i = threadIdx.x; long long x = in[i]; out[i] = x / 3ll; }
K signedQuotientBy7(const long long *in, long long *out) { int i = threadIdx.x; long long x = in[i]; out[i] = x / 7ll; }
K signedQuotientBy10(const long long *in, long long *out) { int i = threadIdx.x; long long x = in[i]; out[i] = x / 10ll; }
K signedQuotientBy1000(const long long *in, long long *out) { int i = threadIdx.x; long long x = in[i]; out[i] = x / 1000ll; }
K signedRemainderBy10(const long long *in, long long *out) { int i = threadIdx.x; long long x = in[i]; out[i] = x % 10ll; }
K signedRemainderBy3(const long long *in, long long *out) { int i = threadIdx.x; long long x = in[i]; out[i] = x % 3ll; }
K wordRemainderBy65521(const unsigned *in, unsigned *out) { int i = threadIdx.x; unsigned x = in[i]; out[i] = (unsigned long long)x * x % 65521; }
K wordRemainderBy10(const unsigned long long *in, unsigned *out) { int i = threadIdx.x; out[i] = in[i] % 10; }
K wordRemainderByPrime(const unsigned *in, unsigned *out) { int i = threadIdx.x; unsigned x = in[i]; out[i] = (unsigned long long)x * x % 1000000007; }
K productByTen(const unsigned long long *in, unsigned long long *out) { int i = threadIdx.x; out[i] = in[i] * 10ull; }
K productByMinusTen(const long long *in, long long *out) { int i = threadIdx.x; out[i] = in[i] * -10ll; }
K productAndSum(const long long *in, long long *out) { int i = threadIdx.x; out[i] = in[i] * 1000ll + in[i + 32]; }
K productByLong(const unsigned long long *in, unsigned long long *out) { int i = threadIdx.x; out[i] = in[i] * 6364136223846793005ull; }
K productOfLongs(const unsigned long long *in, unsigned long long *out) { int i = threadIdx.x; out[i] = in[i] * in[i + 32]; }
K squareOfWord(const unsigned *in, unsigned long long *out) { int i = threadIdx.x; unsigned x = in[i]; out[i] = (unsigned long long)x * x; }
K squareOfSigned(const int *in, long long *out) { int i = threadIdx.x; int x = in[i]; out[i] = (long long)x * x; }
K lowOfShifted(const unsigned long long *in, unsigned *out) { int i = threadIdx.x; out[i] = (unsigned)(in[i] * in[i + 32] >> 7); }
K lowOfSum(const unsigned long long *in, unsigned *out) { int i = threadIdx.x; out[i] = (unsigned)(in[i] + in[i + 32]); }
// What a pragma unrolls is unrolled no further.
K rowsByFour(const float *in, float *out, int rows, int cols) { int c = blockIdx.x * blockDim.x + threadIdx.x; float v = 0.0f;
#pragma unroll 4
  for (int r = 0; r < rows; r++) v += in[r * cols + c];
  out[c] = v; }
K rowsByEight(const float *in, float *out, int rows, int cols) { int c = blockIdx.x * blockDim.x + threadIdx.x; float v = 0.0f;
#pragma unroll 8
  for (int r = 0; r < rows; r++) v += in[r * cols + c];
  out[c] = v; }
K wordsByTwo(const float *in, float *out, int rows) { int c = blockIdx.x * blockDim.x + threadIdx.x; float v = 0.0f;
#pragma unroll 2
  for (int r = 0; r < rows; r++) v += in[r] * 2.0f;
  out[c] = v; }
K ranksByFour(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i], r = 0;
#pragma unroll 4
  for (int k = 0; k < 32; k++) r += __shfl_sync(0xffffffff, x, k) < x;
  out[i] = r;
}
// Minima and maxima that take others, or a sum, along.
K clampedToRange(const int *in, int *out, int n) { int i = threadIdx.x; int x = in[i]; out[i] = min(max(x, 0), 63); }
K notBelowZeroOfLesser(const int *in, int *out, int n) { int i = threadIdx.x; int x = in[i]; out[i] = max(min(x, 63), 0); }
K sumNotBelowZero(const int *in, int *out, int n) { int i = threadIdx.x; int x = in[i], y = in[i + 32]; out[i] = max(x + y, 0); }
K greaterOfNext(const int *in, int *out, int n) { int i = threadIdx.x; int x = in[i], y = in[i + 32]; out[i] = max(x - 1, y); }
K sumBelowBound(const int *in, int *out, int n) { int i = threadIdx.x; int x = in[i]; out[i] = min(x + 3, n - 1); }
K greatestOfThree(const int *in, int *out, int n) { int i = threadIdx.x; int x = in[i], y = in[i + 32], z = in[i + 64]; out[i] = max(max(x, y), z); }
K leastOfThree(const int *in, int *out, int n) { int i = threadIdx.x; int x = in[i], y = in[i + 32], z = in[i + 64]; out[i] = min(x, min(y, z)); }
K greatestWithZero(const int *in, int *out, int n) { int i = threadIdx.x; int x = in[i], y = in[i + 32]; out[i] = max(max(x, 0), y); }
K greaterOfProduct(const int *in, int *out, int n) { int i = threadIdx.x; int x = in[i], y = in[i + 32], z = in[i + 64]; out[i] = max(x * y + z, n); }
K betweenTwo(const int *in, int *out, int n) { int i = threadIdx.x; int x = in[i], y = in[i + 32], z = in[i + 64]; out[i] = max(min(x, y), z); }
K clampedNext(const int *in, int *out, int n) { int i = threadIdx.x; int x = in[i]; out[i] = min(max(x + 1, 0), n - 1); }
K greatestOfFour(const int *in, int *out, int n) { int i = threadIdx.x; int x = in[i], y = in[i + 32], z = in[i + 64]; out[i] = max(max(x, y), max(z, in[i + 96])); }
K greatestUnsigned(const unsigned *in, unsigned *out, unsigned n) { int i = threadIdx.x; unsigned x = in[i], y = in[i + 32], z = in[i + 64]; out[i] = max(max(x, y), z); }
K unsignedSumBelow(const unsigned *in, unsigned *out, unsigned n) { int i = threadIdx.x; unsigned x = in[i], y = in[i + 32]; out[i] = min(x + y, n); }
K greaterOfThreeSummed(const int *in, int *out, int n) { int i = threadIdx.x; int x = in[i], y = in[i + 32], z = in[i + 64]; out[i] = max(x + y + z, n); }
K greaterOfDifference(const int *in, int *out, int n) { int i = threadIdx.x; int x = in[i], y = in[i + 32]; out[i] = max(x - y, n); }
K storeOrZero(const float *in, float *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i] * 2.0f; else out[i] = 0.0f; }
K storeLoadedOr(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (in[i] > n) out[i] = in[i + n]; else out[i + 5] = i * 7 + n; }
// ---- two compares that leave one range, and what is known within it
K binsFromZero(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int p = in[i];
  if (p >= 0 && p < 26) out[p] = 1;
}
K quartersFromZero(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int p = in[i];
  if (p >= 0 && p < 26) atomicAdd(&out[p / 4], 1);
}
K letters(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int p = in[i] - 97;
  if (p >= 0 && p < 26) atomicAdd(&out[p / 4], 1);
}
K lettersOfWords(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int p = in[i] % 32;
  if (p >= 0 && p < 26) atomicAdd(&out[p / 4], 1);
}
K remaindersInRange(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int p = in[i];
  if (p >= 0 && p <= 26) atomicAdd(&out[p % 4], 1);
}
K eighthsBelow(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int p = in[i];
  if (p > -1 && p < n) atomicAdd(&out[p / 8], 1);
}
K quartersUnlessOutside(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int p = in[i];
  if (p < 0 || p >= 26) return;
  atomicAdd(&out[p / 4], 1);
}
K quartersFromThree(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int p = in[i];
  if (p >= 3 && p < 26) atomicAdd(&out[p / 4], 1);
}
K oneOrTwo(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int p = in[i];
  if (p == 1 || p == 2) out[i] = p;
}
K sharedQuartersInRange(const int *in, int *out, int n) {
  __shared__ int s[8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 8) s[threadIdx.x] = 0;
  __syncthreads();
  int p = in[i];
  if (p >= 0 && p < 26) atomicAdd(&s[p / 4], 1);
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = s[threadIdx.x];
}
K quarterOfWord(const unsigned int *in, int *out, int n) {
  unsigned int p = in[threadIdx.x];
  out[p >> 2] = 1;
}
K halfOfWord(const unsigned int *in, int *out, int n) {
  unsigned int p = in[threadIdx.x];
  out[p >> 1] = 1;
}
K signedQuarter(const int *in, int *out, int n) {
  int p = in[threadIdx.x];
  out[p >> 2] = 1;
}
K eighthOfDoubles(const unsigned int *in, double *out, int n) {
  unsigned int p = in[threadIdx.x];
  out[p >> 3] = 1.0;
}
K quarterOfPlace(const int *in, int *out, int n) { out[threadIdx.x >> 2] = in[threadIdx.x]; }
// ---- loops with two tests, and those of few rounds that a test leaves
K stretchInPlace(float *a, int len, int n) {
  int b = (blockIdx.x * blockDim.x + threadIdx.x) * len;
  for (int i = b; i < b + len && i < n; ++i) a[i] *= 2.0f;
}
K stretchSum(const float *in, float *out, int len, int n) {
  int b = (blockIdx.x * blockDim.x + threadIdx.x) * len, e = b + len;
  float s = 0.0f;
  for (int i = b; i < n && i < e; i++) s += in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
K windowSum(const float *in, float *out, int len, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < len && t + k < n; k++) s += in[t + k];
  out[t] = s;
}
K stretchOfWords(const float *in, float *out, unsigned int len, unsigned int n) {
  unsigned int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (unsigned int i = t * len; i < (t + 1) * len && i < n; i++) s += in[i];
  out[t] = s;
}
K everyWarpOfTwoTests(const float *in, float *out, int len, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int i = t; i < n && i < len; i += 32) s += in[i];
  out[t] = s;
}
K fourUnlessPast(const float *in, float *out, int len, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; k++) { int i = t * 4 + k; if (i >= n) break; out[i] = in[i]; }
}
K eightUnlessPast(const float *in, float *out, int len, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < 8; k++) { int i = t + k * 256; if (i >= n) break; s += in[i]; }
  out[t] = s;
}
K laterAtTop(const int *in, int *out, int n) { __shared__ int s[256]; int t = threadIdx.x; if (t < n) s[t] = in[t]; __syncthreads(); out[t] = s[255 - t] + s[t]; }
K laterElsewhere(const int *in, int *out, int n) { __shared__ int s[256]; int t = threadIdx.x; if (t < n) s[t] = in[t]; __syncthreads(); out[t] = s[255 - t]; }
K laterUnder(const int *in, int *out, int n) { __shared__ int s[256]; int t = threadIdx.x; if (t < n) s[t] = in[t]; __syncthreads(); if (t > 5) out[t] = s[t]; }
K laterMasked(const int *in, int *out, int n) { __shared__ int s[256]; int t = threadIdx.x; if (t < n) s[t & 31] = in[t]; __syncthreads(); out[t] = s[t & 31]; }
K laterShifted(const int *in, int *out, int n) { __shared__ int s[256]; unsigned t = threadIdx.x; if (t < n) s[t >> 5] = in[t]; __syncthreads(); out[t] = s[t >> 5]; }
K laterUniform(const int *in, int *out, int n) { __shared__ int s[256]; int t = threadIdx.x; if (t == 0) s[n] = in[0]; __syncthreads(); out[t] = s[n]; }
K laterFirst(const int *in, int *out, int n) { __shared__ int s[256]; if (threadIdx.x == 0) s[0] = in[0]; __syncthreads(); out[threadIdx.x] = s[0]; }
K laterOfTwoArrays(int *in, int *out, int n) { __shared__ int s[256], u[256]; int t = threadIdx.x; if (t < n) s[t] = in[t]; __syncthreads(); out[t] = u[t]; u[t] = s[t + 1]; }
K laterBothUnder(const int *in, int *out, int n) { __shared__ int s[256]; int t = threadIdx.x; if (t < n) s[t] = in[t]; __syncthreads(); if (t < 7) out[t] = s[t + 1]; }
K laterOfWarps(const int *in, int *out, int n) { __shared__ int s[256]; int t = threadIdx.x; int w = threadIdx.x / 32; int v = in[t]; if ((t & 31) == 0) s[w] = v; __syncthreads(); out[t] = v + s[w]; }
K fromEnd(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[n - 1 - i] = in[i]; }
K fromEndByNext(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[n - (i + 1)] = in[i]; }
K fromBeforeEnd(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[n - 2 - i] = in[i]; }
K fromEndBelowLast(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n - 1) out[n - 1 - i] = in[i]; }
K fromEndLess(int *in, int *out, int n, int m) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = n - 1 - i - m; }
K lastStaysValue(int *in, int *out, int n, int m) { int i = blockIdx.x * blockDim.x + threadIdx.x; int k = n * m - 1; out[i] = k - i; out[i + n] = k; }
K lastOfProduct(int *in, int *out, int n, int m) { int i = blockIdx.x * blockDim.x + threadIdx.x; int k = in[i] * m - 1; out[i] = k - n; }
K fiveLoaded(const int *in, int *out, int n) { int i = threadIdx.x; int a = in[i], b = in[i + 1], c = in[i + 2], d = in[i + 3], e = in[i + 4]; out[i] = a + ((b + c) + (d + e)); }
K greaterDouble(const double *in, double *out, int n) { int i = threadIdx.x; out[i] = max(in[i], in[i + 32]); }
K greatestOfThreeDoubles(const double *in, double *out, int n) { int i = threadIdx.x; out[i] = max(max(in[i], in[i + 32]), in[i + 64]); }
K greatestDouble(const double *in, double *out, int n) { double v = -1e300; for (int i = 0; i < n; i++) v = fmax(v, in[i]); out[threadIdx.x] = v; }
K greatestDoubleOfBlock(double *in, double *out, int n) { __shared__ double s[256]; int t = threadIdx.x; s[t] = in[t]; __syncthreads(); for (int k = 128; k > 0; k >>= 1) { if (t < k) s[t] = max(s[t], s[t + k]); __syncthreads(); } out[t] = s[t]; }
K doubleAndFiveStores(double *in, double *out, int n) { __shared__ double s[512]; __shared__ int s2[1024]; int t = threadIdx.x; double a = in[t]; s[t] = in[t + n]; s2[t] = t; __syncthreads(); if (t < n) { s[t] = max(s[t], a); s2[t + 0] = t; s2[t + 32] = t; s2[t + 64] = t; s2[t + 96] = t; s2[t + 128] = t; } __syncthreads(); out[t] = s[t] + s2[511 - t]; }
K doubleAndSixStores(double *in, double *out, int n) { __shared__ double s[512]; __shared__ int s2[1024]; int t = threadIdx.x; double a = in[t]; s[t] = in[t + n]; s2[t] = t; __syncthreads(); if (t < n) { s[t] = max(s[t], a); s2[t + 0] = t; s2[t + 32] = t; s2[t + 64] = t; s2[t + 96] = t; s2[t + 128] = t; s2[t + 160] = t; } __syncthreads(); out[t] = s[t] + s2[511 - t]; }
K scanPastRemainder(const int *in, int *out, int n) { int t = (int)(threadIdx.x + blockIdx.x * blockDim.x) % 32; int v = in[threadIdx.x]; for (int d = 1; d <= 32; d *= 2) { int u = __shfl_up_sync(0xffffffff, v, d); if (t >= d) v += u; } out[threadIdx.x] = v; }
K remainderInRange(const int *in, int *out, int n) { int t = in[threadIdx.x] % 10; int m = n; if (t < 10) m += 3; if (t > -10) m *= 5; out[threadIdx.x] = m; }
K quotientInRange(const int *in, int *out, int n) { int t = in[threadIdx.x] / 1000; int m = n; if (t < 3000000) m += 3; out[threadIdx.x] = m; }
K shiftInRange(const unsigned *in, int *out, int n) { unsigned t = in[threadIdx.x] >> 8; int m = n; if (t < 0x1000000) m += 3; out[threadIdx.x] = m; }
K magnitudeTwice(const float *in, float *out, float n) { float x = in[threadIdx.x], a = fabsf(x); out[threadIdx.x] = a * 2 + a * n; }
K magnitudesOfTwo(const float *in, float *out, float n) { float x = in[threadIdx.x], y = in[threadIdx.x + 32], a = fabsf(x), b = fabsf(y); out[threadIdx.x] = a * a - b * b + n; out[threadIdx.x + 32] = 2 * a * b + n; }
K magnitudeStored(const float *in, float *out, float n) { float x = in[threadIdx.x], y = in[threadIdx.x + 32], a = fabsf(x), b = fabsf(y); out[threadIdx.x] = fmaxf(a, b); out[threadIdx.x + 32] = a; }
K magnitudesCompared(const float *in, float *out, float n) { float x = in[threadIdx.x], y = in[threadIdx.x + 32], a = fabsf(x), b = fabsf(y); out[threadIdx.x] = a < b ? a * b: n; }
K zeroAboveFive(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > 5) out[i] = 0; else out[i] = in[i] * 2; }
K zeroUnlessAbove(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > 5) out[i] = in[i] * 2; else out[i] = 0; }
K zeroFromCount(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) out[i] = 0; else out[i] = in[i] * 2; }
K zeroWhereMasked(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i & 32) out[i] = 0; else out[i] = in[i] * 2; }
K zeroAtEdges(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i == 0 || i >= n) out[i] = 0; else out[i] = in[i] * 2; }
K zeroAtEdgesUnder(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > n) return; if (i == 0 || i > n / 2) out[i] = 0; else out[i] = in[i] * 2; }
K twoZeroesAboveFive(const int *in, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > 5) { out[i] = 0; out[i + 1] = 1; } else out[i] = in[i]; }
K edgesAndInside(const int *in, const int *more, int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i == 0 || i == n - 1) out[i] = 0; else if (i < n) out[i] = in[i] * 2 - more[i]; }
K twiceLessOther(const int *in, int *out) { int t = threadIdx.x; out[t] = in[t] * 2 - in[t + 9]; }
K otherLessEightfold(const int *in, int *out) { int t = threadIdx.x; out[t] = in[t + 9] - in[t] * 8; }
K threefoldLessOther(const int *in, int *out) { int t = threadIdx.x; out[t] = in[t] * 3 - in[t + 9]; }
K productLessOther(const int *in, int *out) { int t = threadIdx.x; out[t] = in[t] * in[t + 10] - in[t + 9]; }
K fourfoldLessParameter(const int *in, int *out, int n) { int t = threadIdx.x; out[t] = in[t] * 4 - n; }
K rotatedOr(const unsigned *in, unsigned *out, int n) { int t = threadIdx.x; unsigned v = in[t]; out[t] = (v << 7) | (v >> 25); }
K rotatedSum(const unsigned *in, unsigned *out, int n) { int t = threadIdx.x; unsigned v = in[t]; out[t] = (v << 7) + (v >> 25); }
K rotatedByParameter(const unsigned *in, unsigned *out, int n) { int t = threadIdx.x; unsigned v = in[t]; out[t] = (v >> n) | (v << (32 - n)); }
K rotatedByNegative(const unsigned *in, unsigned *out, int n) { int t = threadIdx.x; unsigned v = in[t]; out[t] = (v >> n) | (v << (-n & 31)); }
K rotatedThenFlipped(const unsigned *in, unsigned *out, int n) { int t = threadIdx.x; unsigned v = in[t]; out[t] = ((v << 7) ^ (v >> 25)) ^ in[t + 1]; }
K rotatedPair(const unsigned *in, unsigned *out, int n) { int t = threadIdx.x; unsigned v = in[t], w = in[t + 1]; out[t] = (v << 7) | (w >> 25); }
K checksumOfByte(const unsigned *in, unsigned *out) { int t = threadIdx.x; unsigned c = in[t]; for (int k = 0; k < 8; k++) c = (c & 1) ? (c >> 1) ^ 0xedb88320u : c >> 1; out[t] = c; }
K flippedBelowBit(const unsigned *in, unsigned *out, int n) { int t = threadIdx.x; unsigned c = in[t]; for (int k = 0; k < n; k++) { c = c * 5 + 1; if (c & 2) c ^= 77; } out[t] = c; }
K doubleMagnitude(const double *in, double *out, double n) { double x = in[threadIdx.x], a = fabs(x); out[threadIdx.x] = a * 2 + a * n; }
K magnitudeCubed(const float *in, float *out, float n) { float x = in[threadIdx.x], a = fabsf(x); out[threadIdx.x] = a * a * a; }
K shuffleForNobody(const int *in, int *out, int n) { int t = threadIdx.x; int v = in[t]; __shfl_xor_sync(0xffffffff, v, 3); out[t] = v; }
K ballotForNobody(const int *in, int *out, int n) { int t = threadIdx.x; int v = in[t]; __ballot_sync(0xffffffff, v > 3); out[t] = v; }
K sumForNobody(const int *in, int *out, int n) { int t = threadIdx.x; int v = in[t]; __reduce_add_sync(0xffffffff, v); out[t] = v; }
K bitAndNotBit(const int *in, int *out, int n, int m) { int t = threadIdx.x; int a = in[t], b = in[t + 32]; int r = (t & 4) == 0 ? a * 3 : b; int s = (t & 4) != 0 ? a : b * 5; out[t] = r; out[t + 32] = s; }
K belowAndNotBelow(const int *in, int *out, int n, int m) { int t = threadIdx.x; int a = in[t], b = in[t + 32]; int r = t < n ? a * 3 : b; int s = t >= n ? a : b * 5; out[t] = r; out[t + 32] = s; }
K belowThenNotBelow(const int *in, int *out, int n, int m) { __shared__ int s[64]; int t = threadIdx.x; if (t < n) s[t] = in[t]; __syncthreads(); if (t >= n) s[t] += 3; __syncthreads(); out[t] = s[t]; }
K everyEighthRow(const float *in, float *out, int w) { int i = blockIdx.x * blockDim.x + threadIdx.x; float a = 0; for (int k = 0; k < 32; k += 8) a += in[i + k * w]; out[i] = a; }
K thirdAndFifthRow(const float *in, float *out, int w) { int i = blockIdx.x * blockDim.x + threadIdx.x; float a = in[i] + in[i + 3 * w] + in[i + 5 * w]; out[i] = a; }
K rowsFarApart(const float *in, float *out, int w) { int i = blockIdx.x * blockDim.x + threadIdx.x; float a = in[i] + in[i + 8 * w] + in[i + 24 * w]; out[i] = a; }
K copiedRows(const float *in, float *out, int w) { int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y; int at = x + y * w; for (int k = 0; k < 32; k += 8) out[at + k * w] = in[at + k * w]; }
K fieldsToRows(const float *in, float *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; for (int k = 0; k < 8; k++) out[i + k * n] = in[i * 8 + k]; }
K rowsToRows(const float *in, float *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; for (int k = 0; k < 8; k++) out[i + k * n] = in[i + k * n]; }
K fourthRowsToRows(const float *in, float *out, int w) { int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y; int at = x + y * w; for (int k = 0; k < 32; k += 4) out[at + k * w] = in[at + k * w]; }
K eightRowsSummed(const float *in, float *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; for (int k = 0; k < 8; k++) s += in[i + k * n]; out[i] = s; }
K threeBelowTen(int *in, int *out, int n) { int i = threadIdx.x; if (i + 3 < 10) out[i] = in[i + 3]; }
K halfOfNextAboveOne(int *in, int *out, int n) { int i = threadIdx.x; int v = in[i]; if ((v + 1) / 2 > 1) out[i] = v; }
K thirdBelowSeven(int *in, int *out, int n) { int i = threadIdx.x; int v = in[i]; if (v / 3 < 7) out[i] = v; }
K unsignedThirdBelowSeven(unsigned *in, int *out, int n) { int i = threadIdx.x; unsigned v = in[i]; if (v / 3 < 7) out[i] = v; }
K quarterFromMinusThree(int *in, int *out, int n) { int i = threadIdx.x; int v = in[i]; if (v / 4 >= -3) out[i] = v; }
K threeBelowTwo(int *in, int *out, int n) { int i = threadIdx.x; if (i + 3 < 10) out[i] = in[i]; if (i + 3 < n - 2) out[i + 64] = in[i]; }
K productPlusLoaded(const int *in, int *out, int n, int m) { int t = threadIdx.x; for (int i = threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = in[i] + t * m; }
K loadedTimesParameter(const int *in, int *out, int n, int m) { int t = in[threadIdx.x]; for (int i = threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = in[i] + t * m; }
K loadedTimesLoaded(const int *in, int *out, int n, int m) { int t = in[threadIdx.x], u = in[threadIdx.x + 1]; for (int i = threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = in[i] + t * u; }
K rowAndColumnLoop(const int *in, int *out, int n, int m) { int y = blockIdx.y * blockDim.y + threadIdx.y; for (int x = threadIdx.x; x < n; x += blockDim.x * gridDim.x) out[x * m + y] = in[y * n + x]; }
K productPlusTwoLoaded(const int *in, int *out, int n, int m) { int t = threadIdx.x; for (int i = threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = in[i] + in[i + 7] + t * m; }
K indexOfProductAndTwo(const int *in, int *out, int n, int m) { int t = threadIdx.x; for (int i = threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = in[t * m + in[i] + in[i + 7]]; }
K oneByte(const int *in, int *out, int n) { int t = threadIdx.x; out[t] = in[t] & 255; }
K secondByte(const int *in, int *out, int n) { int t = threadIdx.x; out[t] = (in[t] >> 8) & 255; }
K byteAndRest(const int *in, int *out, int n) { int t = threadIdx.x; out[t] = (in[t] & 255) + (in[t] >> 8); }
K lastByte(const unsigned *in, int *out, int n) { int t = threadIdx.x; out[t] = in[t] >> 24; }
K sevenBits(const int *in, int *out, int n) { int t = threadIdx.x; out[t] = in[t] & 127; }
K binOfByte(const int *in, int *out, int n) { int t = threadIdx.x; out[in[t] & 255] = t; }
K byteAsFloat(const int *in, float *out, int n) { int t = threadIdx.x; out[t] = (float)(in[t] & 255); }
K bytesOfQuad(const int4 *in, int *out, int n) { int t = threadIdx.x; int4 v = in[t]; out[t] = (v.x & 255) + (v.y & 255); }
K byteBehindBarrier(const int *in, int *out, int n) { int t = threadIdx.x; int v = in[t]; __syncthreads(); out[t] = v & 255; }
K binsOfRow(const int *in, int *out, int n, int count) { __shared__ int s[8][257]; int w = threadIdx.x >> 5; for (int i = threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&s[w][in[i]], 1); __syncthreads(); out[threadIdx.x] = s[0][threadIdx.x]; }
K binsOfFlatRow(const int *in, int *out, int n, int count) { __shared__ int s[8 * 257]; int w = threadIdx.x >> 5; for (int i = threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&s[w * 257 + in[i]], 1); __syncthreads(); out[threadIdx.x] = s[threadIdx.x]; }
K testBehindExchange(const int *in, int *out, int n) { int lane = threadIdx.x & 31; for (int k = 1; k < n; k *= 2) { int v = in[k + lane]; v += __shfl_up_sync(0xffffffff, v, 3); if (lane >= 4) v += 3; out[k + lane] = v; } }
K columnTestedToo(const float *in, float *out, int n, int m) { int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y; int x2 = x + m; if (x2 < n) out[y * n + x] = in[y * n + x] + in[y * n + x2]; }
K columnsCrossed(const float *in, float *out, int n, int m) { int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 2; int x2 = x + m, y2 = y + m; out[x * n + y] = in[y * n + x]; out[x * n + y2] = in[y2 * n + x]; out[x2 * n + y] = in[y * n + x2]; out[x2 * n + y2] = in[y2 * n + x2]; }
K paddedPlace(const int *in, int *out) { extern __shared__ int s[]; int t = threadIdx.x; s[t + ((t >> 5) + (t >> 10))] = in[t]; __syncthreads(); out[t] = s[t]; }
K partSumsOnward(const int *in, int *out) { int t = threadIdx.x, a = in[t], b = in[t + 32] + a, c = in[t + 64] + b, v = in[t + 96]; out[t] = v + a; out[t + 32] = v + b; out[t + 64] = v + c; }
K laneTimesEight(const int *in, int *out, int n) { int t = threadIdx.x; out[t] = (t & 31) * 8 + n; }
K laneAllWays(const int *in, int *out, int n) { int t = threadIdx.x, lane = t & 31; out[t] = lane * 8 + n; out[t + 64] = lane * 16 + in[t]; out[t + 128] = lane; }
K quarterTimesEight(const int *in, int *out, int n) { int t = threadIdx.x; out[t] = (in[t] >> 2) * 8 + n; }
K unsignedTimesEight(const int *in, int *out, int n) { int t = threadIdx.x; out[t] = ((unsigned)in[t] >> 5) * 8 + n; }
K flippedTimesEight(const int *in, int *out, int n) { int t = threadIdx.x; out[t] = (in[t] ^ 7) * 8 + n; }
K halvesInShared(const int *in, int *out, int n) { __shared__ int s[512]; int t = threadIdx.x; s[t] = in[t]; __syncthreads(); out[t] = s[t >> 1] + s[in[t] >> 1]; }
K rowsOfMasks(const int *in, int *out, int n) { __shared__ int s[16][8]; int t = threadIdx.x; s[t >> 3][t & 7] = in[t]; __syncthreads(); out[t] = s[t & 15][t >> 4]; }
K binsOfCopies(const int *in, int *out, int n) { __shared__ int s[256][8]; int t = threadIdx.x; for (int i = t; i < n; i += blockDim.x) atomicAdd(&s[in[i] & 255][t & 7], 1); __syncthreads(); int v = 0; for (int k = 0; k < 8; k++) v += s[t][k]; out[t] = v; }
K binsOfWarps(const int *in, int *out, int n) { __shared__ int s[8][256]; int t = threadIdx.x, w = t >> 5; for (int i = t; i < n; i += blockDim.x) atomicAdd(&s[w][in[i] & 255], 1); __syncthreads(); int v = 0; for (int k = 0; k < 8; k++) v += s[k][t]; out[t] = v; }
