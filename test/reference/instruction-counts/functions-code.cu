// What one warp executes of every function of scalars: see instruction-counts/functions-code.json.
#include <cstdio>
#include <cuda_runtime.h>
#define K extern "C" __global__ void
K f_expF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = expf(a[i]); }
K f_exp2F(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = exp2f(a[i]); }
K f_exp10F(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = exp10f(a[i]); }
K f_expm1F(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = expm1f(a[i]); }
K f_logF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = logf(a[i]); }
K f_log2F(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = log2f(a[i]); }
K f_log10F(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = log10f(a[i]); }
K f_log1pF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = log1pf(a[i]); }
K f_sinF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = sinf(a[i]); }
K f_cosF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = cosf(a[i]); }
K f_tanF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = tanf(a[i]); }
K f_asinF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = asinf(a[i]); }
K f_acosF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = acosf(a[i]); }
K f_atanF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = atanf(a[i]); }
K f_sinhF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = sinhf(a[i]); }
K f_coshF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = coshf(a[i]); }
K f_tanhF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = tanhf(a[i]); }
K f_asinhF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = asinhf(a[i]); }
K f_acoshF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = acoshf(a[i]); }
K f_atanhF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = atanhf(a[i]); }
K f_cbrtF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = cbrtf(a[i]); }
K f_sinpiF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = sinpif(a[i]); }
K f_cospiF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = cospif(a[i]); }
K f_sqrtF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = sqrtf(a[i]); }
K f_rsqrtF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = rsqrtf(a[i]); }
K f_floorF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = floorf(a[i]); }
K f_ceilF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = ceilf(a[i]); }
K f_truncF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = truncf(a[i]); }
K f_rintF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = rintf(a[i]); }
K f_roundF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = roundf(a[i]); }
K f_fabsF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = fabsf(a[i]); }
K f_powF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = powf(a[i], b[i]); }
K f_atan2F(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = atan2f(a[i], b[i]); }
K f_hypotF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = hypotf(a[i], b[i]); }
K f_fmodF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = fmodf(a[i], b[i]); }
K f_copysignF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = copysignf(a[i], b[i]); }
K f_fdimF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = fdimf(a[i], b[i]); }
K f_fmaxF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = fmaxf(a[i], b[i]); }
K f_fminF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = fminf(a[i], b[i]); }
K f_divF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = a[i] / b[i]; }
K f_rcpF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = 1.0f / a[i]; }
K f_copyF(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = a[i]; }
K f_copy2F(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = a[i] + b[i]; }
K f_expD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = exp(a[i]); }
K f_exp2D(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = exp2(a[i]); }
K f_exp10D(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = exp10(a[i]); }
K f_expm1D(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = expm1(a[i]); }
K f_logD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = log(a[i]); }
K f_log2D(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = log2(a[i]); }
K f_log10D(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = log10(a[i]); }
K f_log1pD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = log1p(a[i]); }
K f_sinD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = sin(a[i]); }
K f_cosD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = cos(a[i]); }
K f_tanD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = tan(a[i]); }
K f_asinD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = asin(a[i]); }
K f_acosD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = acos(a[i]); }
K f_atanD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = atan(a[i]); }
K f_sinhD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = sinh(a[i]); }
K f_coshD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = cosh(a[i]); }
K f_tanhD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = tanh(a[i]); }
K f_asinhD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = asinh(a[i]); }
K f_acoshD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = acosh(a[i]); }
K f_atanhD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = atanh(a[i]); }
K f_cbrtD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = cbrt(a[i]); }
K f_sinpiD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = sinpi(a[i]); }
K f_cospiD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = cospi(a[i]); }
K f_sqrtD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = sqrt(a[i]); }
K f_rsqrtD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = rsqrt(a[i]); }
K f_floorD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = floor(a[i]); }
K f_ceilD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = ceil(a[i]); }
K f_truncD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = trunc(a[i]); }
K f_rintD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = rint(a[i]); }
K f_roundD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = round(a[i]); }
K f_fabsD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = fabs(a[i]); }
K f_powD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = pow(a[i], b[i]); }
K f_atan2D(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = atan2(a[i], b[i]); }
K f_hypotD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = hypot(a[i], b[i]); }
K f_fmodD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = fmod(a[i], b[i]); }
K f_copysignD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = copysign(a[i], b[i]); }
K f_fdimD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = fdim(a[i], b[i]); }
K f_fmaxD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = fmax(a[i], b[i]); }
K f_fminD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = fmin(a[i], b[i]); }
K f_divD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = a[i] / b[i]; }
K f_rcpD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = 1.0 / a[i]; }
K f_copyD(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = a[i]; }
K f_copy2D(const double *a, const double *b, double *o) { int i = threadIdx.x; o[i] = a[i] + b[i]; }
K f___expf(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = __expf(a[i]); }
K f___logf(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = __logf(a[i]); }
K f___log2f(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = __log2f(a[i]); }
K f___log10f(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = __log10f(a[i]); }
K f___exp10f(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = __exp10f(a[i]); }
K f___sinf(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = __sinf(a[i]); }
K f___cosf(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = __cosf(a[i]); }
K f___tanf(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = __tanf(a[i]); }
K f___powf(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = __powf(a[i], b[i]); }
K f___fdividef(const float *a, const float *b, float *o) { int i = threadIdx.x; o[i] = __fdividef(a[i], b[i]); }
K f_div_l(const long long *a, const long long *b, long long *o) { int i = threadIdx.x; o[i] = a[i] / b[i]; }
K f_rem_l(const long long *a, const long long *b, long long *o) { int i = threadIdx.x; o[i] = a[i] % b[i]; }
K f_div_u(const unsigned long long *a, const unsigned long long *b, unsigned long long *o) { int i = threadIdx.x; o[i] = a[i] / b[i]; }
K f_rem_u(const unsigned long long *a, const unsigned long long *b, unsigned long long *o) { int i = threadIdx.x; o[i] = a[i] % b[i]; }
template <class T> T *make(double from, double step) { T h[32], *p; for (int i = 0; i < 32; i++) h[i] = (T)(from + i * step); cudaMalloc(&p, sizeof h); cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice); return p; }
int main() {
  float *f_plain = make<float>(.1, .125), *f_small = make<float>(.02, .03), *f_big = make<float>(1.1, .125), *f_other = make<float>(1.3, .05), *f_zero = make<float>(0, 0), *f_out = make<float>(0, 0);
  double *d_plain = make<double>(.1, .125), *d_small = make<double>(.02, .03), *d_big = make<double>(1.1, .125), *d_other = make<double>(1.3, .05), *d_zero = make<double>(0, 0), *d_out = make<double>(0, 0);
  long long *l_plain = make<long long>(1000, 17), *l_other = make<long long>(3, 1), *l_large = make<long long>(1e12, 1), *l_out = make<long long>(0, 0);
  f_expF<<<1, 32>>>(f_plain, f_other, f_out);
  f_exp2F<<<1, 32>>>(f_plain, f_other, f_out);
  f_exp10F<<<1, 32>>>(f_plain, f_other, f_out);
  f_expm1F<<<1, 32>>>(f_plain, f_other, f_out);
  f_logF<<<1, 32>>>(f_plain, f_other, f_out);
  f_log2F<<<1, 32>>>(f_plain, f_other, f_out);
  f_log10F<<<1, 32>>>(f_plain, f_other, f_out);
  f_log1pF<<<1, 32>>>(f_plain, f_other, f_out);
  f_sinF<<<1, 32>>>(f_plain, f_other, f_out);
  f_cosF<<<1, 32>>>(f_plain, f_other, f_out);
  f_tanF<<<1, 32>>>(f_plain, f_other, f_out);
  f_asinF<<<1, 32>>>(f_small, f_other, f_out);
  f_acosF<<<1, 32>>>(f_small, f_other, f_out);
  f_atanF<<<1, 32>>>(f_plain, f_other, f_out);
  f_sinhF<<<1, 32>>>(f_plain, f_other, f_out);
  f_coshF<<<1, 32>>>(f_plain, f_other, f_out);
  f_tanhF<<<1, 32>>>(f_plain, f_other, f_out);
  f_asinhF<<<1, 32>>>(f_plain, f_other, f_out);
  f_acoshF<<<1, 32>>>(f_big, f_other, f_out);
  f_atanhF<<<1, 32>>>(f_small, f_other, f_out);
  f_cbrtF<<<1, 32>>>(f_plain, f_other, f_out);
  f_sinpiF<<<1, 32>>>(f_plain, f_other, f_out);
  f_cospiF<<<1, 32>>>(f_plain, f_other, f_out);
  f_sqrtF<<<1, 32>>>(f_plain, f_other, f_out);
  f_rsqrtF<<<1, 32>>>(f_plain, f_other, f_out);
  f_floorF<<<1, 32>>>(f_plain, f_other, f_out);
  f_ceilF<<<1, 32>>>(f_plain, f_other, f_out);
  f_truncF<<<1, 32>>>(f_plain, f_other, f_out);
  f_rintF<<<1, 32>>>(f_plain, f_other, f_out);
  f_roundF<<<1, 32>>>(f_plain, f_other, f_out);
  f_fabsF<<<1, 32>>>(f_plain, f_other, f_out);
  f_powF<<<1, 32>>>(f_plain, f_other, f_out);
  f_atan2F<<<1, 32>>>(f_plain, f_other, f_out);
  f_hypotF<<<1, 32>>>(f_plain, f_other, f_out);
  f_fmodF<<<1, 32>>>(f_plain, f_other, f_out);
  f_copysignF<<<1, 32>>>(f_plain, f_other, f_out);
  f_fdimF<<<1, 32>>>(f_plain, f_other, f_out);
  f_fmaxF<<<1, 32>>>(f_plain, f_other, f_out);
  f_fminF<<<1, 32>>>(f_plain, f_other, f_out);
  f_divF<<<1, 32>>>(f_plain, f_other, f_out);
  f_rcpF<<<1, 32>>>(f_plain, f_other, f_out);
  f_copyF<<<1, 32>>>(f_plain, f_other, f_out);
  f_copy2F<<<1, 32>>>(f_plain, f_other, f_out);
  f_expD<<<1, 32>>>(d_plain, d_other, d_out);
  f_exp2D<<<1, 32>>>(d_plain, d_other, d_out);
  f_exp10D<<<1, 32>>>(d_plain, d_other, d_out);
  f_expm1D<<<1, 32>>>(d_plain, d_other, d_out);
  f_logD<<<1, 32>>>(d_plain, d_other, d_out);
  f_log2D<<<1, 32>>>(d_plain, d_other, d_out);
  f_log10D<<<1, 32>>>(d_plain, d_other, d_out);
  f_log1pD<<<1, 32>>>(d_plain, d_other, d_out);
  f_sinD<<<1, 32>>>(d_plain, d_other, d_out);
  f_cosD<<<1, 32>>>(d_plain, d_other, d_out);
  f_tanD<<<1, 32>>>(d_plain, d_other, d_out);
  f_asinD<<<1, 32>>>(d_small, d_other, d_out);
  f_acosD<<<1, 32>>>(d_small, d_other, d_out);
  f_atanD<<<1, 32>>>(d_plain, d_other, d_out);
  f_sinhD<<<1, 32>>>(d_plain, d_other, d_out);
  f_coshD<<<1, 32>>>(d_plain, d_other, d_out);
  f_tanhD<<<1, 32>>>(d_plain, d_other, d_out);
  f_asinhD<<<1, 32>>>(d_plain, d_other, d_out);
  f_acoshD<<<1, 32>>>(d_big, d_other, d_out);
  f_atanhD<<<1, 32>>>(d_small, d_other, d_out);
  f_cbrtD<<<1, 32>>>(d_plain, d_other, d_out);
  f_sinpiD<<<1, 32>>>(d_plain, d_other, d_out);
  f_cospiD<<<1, 32>>>(d_plain, d_other, d_out);
  f_sqrtD<<<1, 32>>>(d_plain, d_other, d_out);
  f_rsqrtD<<<1, 32>>>(d_plain, d_other, d_out);
  f_floorD<<<1, 32>>>(d_plain, d_other, d_out);
  f_ceilD<<<1, 32>>>(d_plain, d_other, d_out);
  f_truncD<<<1, 32>>>(d_plain, d_other, d_out);
  f_rintD<<<1, 32>>>(d_plain, d_other, d_out);
  f_roundD<<<1, 32>>>(d_plain, d_other, d_out);
  f_fabsD<<<1, 32>>>(d_plain, d_other, d_out);
  f_powD<<<1, 32>>>(d_plain, d_other, d_out);
  f_atan2D<<<1, 32>>>(d_plain, d_other, d_out);
  f_hypotD<<<1, 32>>>(d_plain, d_other, d_out);
  f_fmodD<<<1, 32>>>(d_plain, d_other, d_out);
  f_copysignD<<<1, 32>>>(d_plain, d_other, d_out);
  f_fdimD<<<1, 32>>>(d_plain, d_other, d_out);
  f_fmaxD<<<1, 32>>>(d_plain, d_other, d_out);
  f_fminD<<<1, 32>>>(d_plain, d_other, d_out);
  f_divD<<<1, 32>>>(d_plain, d_other, d_out);
  f_rcpD<<<1, 32>>>(d_plain, d_other, d_out);
  f_copyD<<<1, 32>>>(d_plain, d_other, d_out);
  f_copy2D<<<1, 32>>>(d_plain, d_other, d_out);
  f___expf<<<1, 32>>>(f_plain, f_other, f_out);
  f___logf<<<1, 32>>>(f_plain, f_other, f_out);
  f___log2f<<<1, 32>>>(f_plain, f_other, f_out);
  f___log10f<<<1, 32>>>(f_plain, f_other, f_out);
  f___exp10f<<<1, 32>>>(f_plain, f_other, f_out);
  f___sinf<<<1, 32>>>(f_plain, f_other, f_out);
  f___cosf<<<1, 32>>>(f_plain, f_other, f_out);
  f___tanf<<<1, 32>>>(f_plain, f_other, f_out);
  f___powf<<<1, 32>>>(f_plain, f_other, f_out);
  f___fdividef<<<1, 32>>>(f_plain, f_other, f_out);
  f_div_l<<<1, 32>>>((long long *)l_plain, (long long *)l_other, (long long *)l_out);
  f_div_l<<<1, 32>>>((long long *)l_large, (long long *)l_other, (long long *)l_out);
  f_rem_l<<<1, 32>>>((long long *)l_plain, (long long *)l_other, (long long *)l_out);
  f_rem_l<<<1, 32>>>((long long *)l_large, (long long *)l_other, (long long *)l_out);
  f_div_u<<<1, 32>>>((unsigned long long *)l_plain, (unsigned long long *)l_other, (unsigned long long *)l_out);
  f_div_u<<<1, 32>>>((unsigned long long *)l_large, (unsigned long long *)l_other, (unsigned long long *)l_out);
  f_rem_u<<<1, 32>>>((unsigned long long *)l_plain, (unsigned long long *)l_other, (unsigned long long *)l_out);
  f_rem_u<<<1, 32>>>((unsigned long long *)l_large, (unsigned long long *)l_other, (unsigned long long *)l_out);
  f_divF<<<1, 32>>>(f_zero, f_other, f_out);
  f_rcpF<<<1, 32>>>(f_zero, f_other, f_out);
  f_sqrtF<<<1, 32>>>(f_zero, f_other, f_out);
  f_divD<<<1, 32>>>(d_zero, d_other, d_out);
  f_rcpD<<<1, 32>>>(d_zero, d_other, d_out);
  f_sqrtD<<<1, 32>>>(d_zero, d_other, d_out);
  return cudaDeviceSynchronize();
}
