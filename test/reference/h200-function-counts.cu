// A function of each thread's value, of 0.25 to 0.74: what nvcc 13.0 -O3 -arch=sm_90 makes of it has the instructions a warp of
// h200-function-counts.json on an H200 (Nsight Compute, smsp__inst_executed of one warp).
#define K extern "C" __global__ void
K of_powf(const float *in, float *out) { int i = threadIdx.x; out[i] = powf(in[i], in[i + 32]); }
K of_tanhf(const float *in, float *out) { int i = threadIdx.x; out[i] = tanhf(in[i]); }
K of_cbrtf(const float *in, float *out) { int i = threadIdx.x; out[i] = cbrtf(in[i]); }
K of_atanf(const float *in, float *out) { int i = threadIdx.x; out[i] = atanf(in[i]); }
K of_expf(const float *in, float *out) { int i = threadIdx.x; out[i] = expf(in[i]); }
K of_expm1f(const float *in, float *out) { int i = threadIdx.x; out[i] = expm1f(in[i]); }
K of_logf(const float *in, float *out) { int i = threadIdx.x; out[i] = logf(in[i]); }
K of_log2f(const float *in, float *out) { int i = threadIdx.x; out[i] = log2f(in[i]); }
K of_log10f(const float *in, float *out) { int i = threadIdx.x; out[i] = log10f(in[i]); }
K of_log1pf(const float *in, float *out) { int i = threadIdx.x; out[i] = log1pf(in[i]); }
K of_asinf(const float *in, float *out) { int i = threadIdx.x; out[i] = asinf(in[i]); }
K of_acosf(const float *in, float *out) { int i = threadIdx.x; out[i] = acosf(in[i]); }
K of_sinhf(const float *in, float *out) { int i = threadIdx.x; out[i] = sinhf(in[i]); }
K of_coshf(const float *in, float *out) { int i = threadIdx.x; out[i] = coshf(in[i]); }
K of_sinf(const float *in, float *out) { int i = threadIdx.x; out[i] = sinf(in[i]); }
K of_cosf(const float *in, float *out) { int i = threadIdx.x; out[i] = cosf(in[i]); }
K of_atan2f(const float *in, float *out) { int i = threadIdx.x; out[i] = atan2f(in[i], in[i + 32]); }
K of_exp(const double *in, double *out) { int i = threadIdx.x; out[i] = exp(in[i]); }
K of_log(const double *in, double *out) { int i = threadIdx.x; out[i] = log(in[i]); }
K of_sqrt(const double *in, double *out) { int i = threadIdx.x; out[i] = sqrt(in[i]); }
K of_rsqrt(const double *in, double *out) { int i = threadIdx.x; out[i] = rsqrt(in[i]); }
K of_division(const double *in, double *out) { int i = threadIdx.x; out[i] = in[i] / in[i + 32]; }
