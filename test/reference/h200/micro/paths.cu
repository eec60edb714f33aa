// Paths that an operation's values decide: instructions and cycles of one warp (cases), and for which exponents a quotient of floats takes the slow one (map).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cmath>
#include <cfloat>
#define K extern "C" __global__ void
#define CLOCKED(T, EXPR) { T x = a[i], y = b[i]; __syncwarp(); unsigned t0 = clock(); asm volatile("" ::: "memory"); T r = EXPR; out[i] = r; asm volatile("" ::: "memory"); unsigned t1 = clock(); clk[i] = t1 - t0; }
#define OP(N, T, EXPR) K N(const T *a, const T *b, T *out, unsigned *clk) { int i = threadIdx.x; CLOCKED(T, EXPR) }
OP(quotF, float, x / y)
OP(recipF, float, 1.0f / x)
OP(rootF, float, sqrtf(x))
OP(quotD, double, x / y)
OP(recipD, double, 1.0 / x)
OP(rootD, double, sqrt(x))
OP(quotL, long long, x / y)
OP(remL, long long, x % y)
OP(quotUL, unsigned long long, x / y)
OP(remUL, unsigned long long, x % y)
OP(sinF, float, sinf(x))
OP(modF, float, fmodf(x, y))
OP(powF, float, powf(x, y))
OP(expF, float, expf(x))
OP(logF, float, logf(x))
OP(rsqrtF_, float, rsqrtf(x))
OP(expD, double, exp(x))
OP(logD, double, log(x))
__global__ void quotMap(float ma, float mb, unsigned char *slow) {
  int ea = blockIdx.x, eb = blockIdx.y;
  float a = __int_as_float(ea << 23 | (__float_as_int(ma) & 0x7fffff)), b = __int_as_float(eb << 23 | (__float_as_int(mb) & 0x7fffff));
  __shared__ float sink[32];
  unsigned best = 1 << 30;
  for (int r = 0; r < 4; r++) {
    unsigned t0 = clock();
    asm volatile("" : "+f"(a), "+f"(b) :: "memory");
    float q = a / b;
    asm volatile("" : "+f"(q) :: "memory");
    sink[threadIdx.x] = q;
    unsigned t1 = clock();
    best = min(best, t1 - t0);
  }
  if (threadIdx.x == 0) slow[ea * 256 + eb] = best > 255 ? 255 : best;
}
template <class T> void go(const char *name, void (*k)(const T *, const T *, T *, unsigned *), const char *what, T a0, T b0, T a1, T b1, int lanes) {
  static T *a, *b, *o; static unsigned *c;
  if (!a) { cudaMallocManaged(&a, 32 * sizeof(T)); cudaMallocManaged(&b, 32 * sizeof(T)); cudaMallocManaged(&o, 32 * sizeof(T)); cudaMallocManaged(&c, 128); }
  for (int i = 0; i < 32; i++) { a[i] = i < lanes ? a1 : a0; b[i] = i < lanes ? b1 : b0; }
  unsigned best = ~0u;
  const int rounds = getenv("ONCE") ? 1 : 5;
  for (int r = 0; r < rounds; r++) { k<<<1, 32>>>(a, b, o, c); cudaDeviceSynchronize(); if (c[0] < best) best = c[0]; }
  printf("case %s %s %d %u\n", name, what, lanes, best);
}
#define F(op, what, a1, b1, n) go<float>(#op, op, what, 3.f, 7.f, a1, b1, n)
#define D(op, what, a1, b1, n) go<double>(#op, op, what, 3., 7., a1, b1, n)
#define L(op, what, a1, b1, n) go<long long>(#op, op, what, 1000, 7, a1, b1, n)
#define U(op, what, a1, b1, n) go<unsigned long long>(#op, op, what, 1000, 7, a1, b1, n)
int main(int argc, char **argv) {
  if (argc > 1) {
    unsigned char *m; cudaMallocManaged(&m, 65536);
    float ms[][2] = {{1.f, 1.f}, {1.f, 1.99f}, {1.99f, 1.f}, {1.5f, 1.5f}};
    for (auto &p : ms) {
      quotMap<<<dim3(256, 256), 32>>>(p[0], p[1], m); cudaDeviceSynchronize();
      for (int ea = 0; ea < 256; ea++) { printf("map %g %g %d", p[0], p[1], ea); int start = 0; for (int eb = 1; eb <= 256; eb++) if (eb == 256 || (m[ea * 256 + eb] > 60) != (m[ea * 256 + start] > 60) ) { printf(" %d-%d:%d", start, eb - 1, m[ea * 256 + start]); start = eb; } printf("\n"); }
    }
    return 0;
  }
  const float den = 1e-40f, inf = INFINITY, nanv = NAN;
  F(quotF, "plain", 3, 7, 0);
  for (int n : {1, 16, 32}) { F(quotF, "zero", 0, 7, n); }
  F(quotF, "byzero", 3, 0, 32); F(quotF, "denormal", den, 7, 32); F(quotF, "bydenormal", 3, den, 32); F(quotF, "infinite", inf, 7, 32); F(quotF, "byinfinite", 3, inf, 32); F(quotF, "nan", nanv, 7, 32); F(quotF, "underflow", 1e-30f, 1e30f, 32); F(quotF, "tiny", 1e-36f, 7e2f, 32);
  F(recipF, "plain", 3, 0, 0); F(recipF, "zero", 0, 0, 16); F(recipF, "zero", 0, 0, 32); F(recipF, "denormal", den, 0, 32); F(recipF, "large", 3e38f, 0, 32); F(recipF, "infinite", inf, 0, 32);
  F(rootF, "plain", 3, 0, 0); F(rootF, "zero", 0, 0, 16); F(rootF, "zero", 0, 0, 32); F(rootF, "negative", -1, 0, 32); F(rootF, "denormal", den, 0, 32); F(rootF, "small", 1e-32f, 0, 32);F(rootF, "infinite", inf, 0, 32);
  D(quotD, "plain", 3, 7, 0); D(quotD, "zero", 0, 7, 16); D(quotD, "zero", 0, 7, 32); D(quotD, "byzero", 3, 0, 32); D(quotD, "small", 1e-300, 7, 32); D(quotD, "smaller", 1e-10, 1e300, 32);
  D(recipD, "plain", 3, 0, 0); D(recipD, "zero", 0, 0, 32); D(recipD, "large", 1e308, 0, 32);
  D(rootD, "plain", 3, 0, 0); D(rootD, "zero", 0, 0, 16); D(rootD, "zero", 0, 0, 32); D(rootD, "negative", -1, 0, 32);
  L(quotL, "plain", 1000, 7, 0); L(quotL, "large", 1000000000007LL, 7, 16); L(quotL, "large", 1000000000007LL, 7, 32); L(quotL, "negative", -1000, 7, 32); L(quotL, "bylarge", 1000, 1000000000007LL, 32);
  L(remL, "plain", 1000, 7, 0); L(remL, "large", 1000000000007LL, 7, 16); L(remL, "large", 1000000000007LL, 7, 32); L(remL, "negative", -1000, 7, 32);
  U(quotUL, "plain", 1000, 7, 0); U(quotUL, "large", 1000000000007ULL, 7, 16); U(quotUL, "large", 1000000000007ULL, 7, 32);
  U(remUL, "plain", 1000, 7, 0); U(remUL, "large", 1000000000007ULL, 7, 16); U(remUL, "large", 1000000000007ULL, 7, 32);
  F(sinF, "plain", 3, 0, 0); F(sinF, "large", 1e6f, 0, 16); F(sinF, "large", 1e6f, 0, 32);
  F(modF, "plain", 30, 7, 32); F(modF, "below", 3, 7, 32); F(modF, "zero", 0, 7, 32); F(modF, "large", 1e9f, 7, 32); F(modF, "larger", 1e20f, 7, 32);
  F(powF, "plain", 3, 7, 0); F(powF, "zero", 0, 7, 32); F(powF, "negative", -3, 7, 32); F(powF, "one", 1, 7, 32); F(powF, "fraction", 3, .5f, 32);
  F(expF, "plain", 3, 0, 0); F(expF, "small", -100, 0, 32); F(logF, "plain", 3, 0, 0); F(logF, "zero", 0, 0, 32); F(rsqrtF_, "plain", 3, 0, 0); F(rsqrtF_, "zero", 0, 0, 32);
  D(expD, "plain", 3, 0, 0); D(expD, "small", -800, 0, 32); D(logD, "plain", 3, 0, 0); D(logD, "zero", 0, 0, 32);
}
