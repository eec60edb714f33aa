import { describe, expect, it } from "vitest";
import { platform } from "../../../src/dist/core/base/platform.js";
import { runText } from "./run-here.js";

describe("a whole program", () => {
  it("prints what its host and its kernels print, in order, and ends with main's number", () => {
    const { code, all } = runText(
      `#include <stdio.h>
       #include <stdlib.h>
       __global__ void add(const int* a, int* b, int n) {
         int i = blockIdx.x * blockDim.x + threadIdx.x;
         if (i < n) b[i] += a[i];
         if (i == 2) printf("thread %d\\n", i);
       }
       int main(int argc, char** argv) {
         int n = atoi(argv[1]);
         int *a = (int*)malloc(n * sizeof(int)), *b = new int[n], *da, *db;
         for (int i = 0; i < n; i++) { a[i] = i; b[i] = 1000 * i; }
         cudaMalloc(&da, n * sizeof(int)); cudaMalloc((void**)&db, n * sizeof(int));
         cudaMemcpy(da, a, n * sizeof(int), cudaMemcpyHostToDevice);
         cudaMemcpy(db, b, n * sizeof(int), cudaMemcpyHostToDevice);
         printf("before ");
         add<<<(n + 63) / 64, 64>>>(da, db, n);
         printf("launched ");
         cudaDeviceSynchronize();
         printf("after\\n");
         cudaMemcpy(b, db, n * sizeof(int), cudaMemcpyDeviceToHost);
         for (int i = 0; i < n; i++) if (b[i] != 1001 * i) return 1;
         printf("%d arguments, b[99] = %d\\n", argc, b[99]);
         return 7;
       }`,
      { args: ["100"] },
    );
    expect(all).toBe("before launched thread 2\nafter\n2 arguments, b[99] = 99099\n");
    expect(code).toBe(7);
  });

  it("ends a launch in which an assertion fails as CUDA does, by its own code and the thread", () => {
    const { all, stderr, code } = runText(
      `#include <cassert>
       #include <cstdio>
       __global__ void below(const int* v, int n) { assert(v[threadIdx.x] < n && "too large"); }
       int main() {
         int h[64], *d; for (int i = 0; i < 64; i++) h[i] = i;
         cudaMalloc(&d, sizeof h); cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
         below<<<1, 64>>>(d, 64);
         printf("%s, ", cudaGetErrorName(cudaDeviceSynchronize()));
         below<<<1, 64>>>(d, 40);
         printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
         return 0;
       }`,
    );
    expect(all).toContain("cudaSuccess, ");
    expect(all).toContain("cudaErrorAssert");
    expect(stderr).toContain('assertion `v[threadIdx.x] < n && "too large"` failed');
    expect(stderr).toContain("thread (40,0,0)");
    expect(stderr).toContain("line 3 of program.cu");
    expect(code).toBe(0);
  });

  it("leaves assertions out where NDEBUG says so", () => {
    const { all } = runText(
      `#define NDEBUG
       #include <cassert>
       #include <cstdio>
       __global__ void never() { assert(threadIdx.x == 77); }
       int main() { never<<<1, 32>>>(); printf("%d", cudaDeviceSynchronize()); return 0; }`,
    );
    expect(all).toBe("0");
  });

  it("simulates a launch that repeats twice, and prints what it prints if each is simulated", () => {
    const { all } = runText(
      `#include <cstdio>
       __constant__ int factor;
       __global__ void scale(const int* v, int* w) { w[threadIdx.x] = factor * v[threadIdx.x]; }
       __global__ void count(int* n) { if (threadIdx.x == 0) atomicAdd(n, 1); }
       int main() {
         int h[32], *v, *w, *n, by = 3, counted; for (int i = 0; i < 32; i++) h[i] = i;
         cudaMalloc(&v, sizeof h); cudaMalloc(&w, sizeof h); cudaMalloc(&n, 4); cudaMemset(n, 0, 4);
         cudaMemcpy(v, h, sizeof h, cudaMemcpyHostToDevice);
         cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); float one, ten, more;
         for (int round = 0; round < 3; round++) {
           cudaMemcpyToSymbol(factor, &by, 4);
           for (int i = 0; i < 9; i++) { scale<<<1, 32>>>(v, w); count<<<1, 32>>>(n); }
           cudaMemcpy(h, w, sizeof h, cudaMemcpyDeviceToHost); printf("%d ", h[31]); by++;
           if (round == 1) cudaMemset(v, 1, 4 * 32);
         }
         cudaMemcpy(&counted, n, 4, cudaMemcpyDeviceToHost);
         cudaEventRecord(a); scale<<<1, 32>>>(v, w); cudaEventRecord(b); cudaEventSynchronize(b); cudaEventElapsedTime(&one, a, b);
         cudaEventRecord(a); for (int i = 0; i < 1000; i++) scale<<<1, 32>>>(v, w); cudaEventRecord(b); cudaEventSynchronize(b);
         cudaEventElapsedTime(&ten, a, b);
         cudaEventRecord(a); for (int i = 0; i < 2000; i++) scale<<<1, 32>>>(v, w); cudaEventRecord(b); cudaEventSynchronize(b);
         cudaEventElapsedTime(&more, a, b);
         printf("%d %d %d", counted, ten > 100 * one, more > 1.9 * ten && more < 2.1 * ten);
         return 0;
       }`,
    );
    expect(all).toBe(`93 124 ${5 * 0x01010101} 27 1 1`);
  });

  it("finds headers in angle brackets in the folders that -I names, before the stand-ins for them", () => {
    const { all } = runText(
      `#include <helper_cuda.h>
       #include <nvToolsExt.h>
       #include <cstdio>
       int main() { nvtxRangePush("all"); printf("%d", OWN); nvtxRangePop(); return 0; }`,
      { include: ["common"] },
      { "common/helper_cuda.h": "#define OWN 42\n" },
    );
    expect(all).toBe("42");
  });

  it("is told of a folder for includes that its root does not hold", () => {
    const { code, stderr } = runText("int main() { return 0; }", { include: ["../outside"] });
    expect(stderr).toMatch(/^-I .*outside lies outside of .*\.\nName a folder/m);
    expect(code).toBe(1);
  });

  it("is told of a null pointer where its kernel compares one with null, and launches with any other", () => {
    const { all, stderr } = runText(
      `#include <cstdio>
       __global__ void scaled(const int* factor, int* out) { out[0] = factor != nullptr ? 5 * factor[0] : 1; }
       __global__ void first(const int* unused, int* out) { out[0] = 3; }
       int main() {
         int *d, h = 2; cudaMalloc(&d, 4); cudaMemcpy(d, &h, 4, cudaMemcpyHostToDevice);
         scaled<<<1, 1>>>(d, d); cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); printf("%d ", h);
         scaled<<<1, 1>>>(nullptr, d); printf("%d ", cudaGetLastError() != cudaSuccess);
         first<<<1, 1>>>(nullptr, d); cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); printf("%d", h);
         return 0;
       }`,
    );
    expect(all).toContain("10 ");
    expect(all).toMatch(/1 3$/);
    expect(stderr).toContain("Kernel scaled: factor is null, and the kernel compares a pointer with null.");
  });

  it("has clock_t of the same width on both sides, pairs of halves, and CUDA's words that other kernels use", () => {
    const { all } = runText(
      `#include <cstdio>
       #include <cuda_fp16.h>
       #include <helper_functions.h>
       __global__ void waits(clock_t* spent, clock_t least) {
         clock_t begin = clock(), now = 0; while (now < least) now = clock() - begin; *spent = now;
       }
       __global__ void pairs(float* out) { half2 value(0.5f, 2.0f); out[0] = __low2float(value); out[1] = __high2float(value); }
       __global__ void unused(unsigned* out) { __shared__ int s; *out = (unsigned)__cvta_generic_to_shared(&s); }
       int main() {
         clock_t *spent, ticks; cudaMalloc(&spent, sizeof(clock_t)); waits<<<1, 1>>>(spent, 500);
         cudaMemcpy(&ticks, spent, sizeof ticks, cudaMemcpyDeviceToHost);
         float *d, h[2], expected[2] = {0.5f, 2.0f}; cudaMalloc(&d, sizeof h); pairs<<<1, 1>>>(d);
         cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
         printf("%d %d %d", ticks >= 500, compareData(expected, h, 2, 0.0f, 0.0f), compareData(expected, h, 1, 0.0f, 0.5f));
         return 0;
       }`,
    );
    expect(all).toBe("1 1 1");
  });

  it("may have several files, whose static kernels and variables are their own", () => {
    const { all, code } = runText(
      `#include <cstdio>
       #include "sum.h"
       static __device__ int factor = 2;
       static __global__ void scale(int* v) { v[threadIdx.x] *= factor; }
       int main() {
         int h[32], *d, by = 5; for (int i = 0; i < 32; i++) h[i] = i;
         cudaMalloc(&d, sizeof h); cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
         cudaMemcpyToSymbol(factor, &by, sizeof by);
         scale<<<1, 32>>>(d);
         printf("%d %d", sumOf(d, 32), twice(21));
         return 0;
       }`,
      { sources: ["sum.cu", "host.cpp"] },
      {
        "sum.h": "int sumOf(const int* d, int n);\nint twice(int);\n",
        "sum.cu": `#include "sum.h"
          template <class T> __global__ void add(const T* v, T* sum) { atomicAdd(sum, v[threadIdx.x]); }
          int sumOf(const int* d, int n) {
            int *sum, h = 0; cudaMalloc(&sum, 4); cudaMemset(sum, 0, 4);
            add<int><<<1, n>>>(d, sum); cudaMemcpy(&h, sum, 4, cudaMemcpyDeviceToHost); return h; }`,
        "host.cpp": '#include "sum.h"\nint twice(int n) { return 2 * n; }\n',
      },
    );
    expect(all).toBe(`${(5 * 31 * 32) / 2} 42`);
    expect(code).toBe(0);
  });

  it.each([
    ["kernels", "static __global__ void k(int* p) { *p = N; }\n", "k<<<1, 1>>>(d);", /Two files.*kernel k/],
    [
      "variables of the device",
      "static __device__ int v = N;\nstatic __global__ void NAME(int* p) { *p = v; }\n",
      "NAME<<<1, 1>>>(d);",
      /Two variables of the device are named v/,
    ],
  ])("is told where two of its files have %s of one name", (_, kernel, launch, message) => {
    const file = (n: number): string =>
      `${kernel}int value${n}() { int *d, h; cudaMalloc(&d, 4); ${launch} cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); return h; }`
        .replaceAll("N;", `${n};`)
        .replaceAll("NAME", `k${n}`);
    const main = `${file(1)}\nint value2();\nint main() { return 10 * value1() + value2(); }`;
    const { stderr } = runText(main, { sources: ["other.cu"] }, { "other.cu": file(2) });
    expect(stderr).toMatch(message);
  });

  it("launches by brackets that an editor has set apart, as nvcc does, and keeps nested templates", () => {
    const { all } = runText(
      `#include <cstdio>
       #include <vector>
       __global__ void k(int a) { printf("k %d\\n", a); }
       int main() {
         std::vector<std::vector<std::vector<int>> >(2);
         k << <1, 2 >> > (4); k <<<
           dim3{1, 1}, 1>> >(5); cudaDeviceSynchronize();
       }`,
    );
    expect(all).toBe("k 4\nk 4\nk 5\n");
  });

  it("has the calls of the helper headers of CUDA's samples, all of which it may include", () => {
    const { all, code } = runText(
      `#include <helper_cuda.h>
       #include <helper_functions.h>
       #include <helper_string.h>
       #include <helper_timer.h>
       #include <helper_math.h>
       #include "gputimer.h"
       __global__ void move(float4* p, const float3 by, float t) {
         float3 at = make_float3(p[threadIdx.x]) * 2.0f + by;
         at -= make_float3(1.0f);
         p[threadIdx.x] = make_float4(lerp(at, by, t), dot(at, by) + length(cross(at, at)));
       }
       int main(int argc, char** argv) {
         float4 h[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, *d; GpuTimer timer;
         StopWatchInterface* watch; sdkCreateTimer(&watch); sdkStartTimer(&watch);
         checkCudaErrors(cudaMalloc(&d, sizeof h)); timer.Start();
         checkCudaErrors(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
         move<<<1, 2>>>(d, make_float3(1, 0, -1), 0.5f); getLastCudaError("move"); timer.Stop();
         checkCudaErrors(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost)); sdkStopTimer(&watch);
         for (float4 v : h) printf("%g %g %g %g ", v.x, v.y, v.z, v.w);
         float2 best = clamp(fmaxf(make_float2(1, 9), make_float2(3, 2)), 2.0f, 5.0f);
         printf("%g %g %d", best.x, best.y, timer.Elapsed() > 0 && sdkGetTimerValue(&watch) > 0);
         return checkCmdLineFlag(argc, (const char**)argv, "n");
       }`,
    );
    const moved = [
      [1, 2, 3],
      [5, 6, 7],
    ].flatMap((v) => {
      const by = [1, 0, -1];
      const at = v.map((x, axis) => 2 * x + by[axis]! - 1);
      return [...at.map((x, axis) => (x + by[axis]!) / 2), at[0]! - at[2]!];
    });
    expect(all).toBe(`${moved.join(" ")} 3 5 1`);
    expect(code).toBe(0);
  });

  it("has CUB's blocks and warps in its kernels", () => {
    const { stdout } = runText(
      `#include <cub/cub.cuh>
       #include <cstdio>
       template <int N> __global__ void sum(const int* in, int* out) {
         using Reduce = cub::BlockReduce<int, N>; __shared__ typename Reduce::TempStorage place;
         int all = Reduce(place).Sum(in[threadIdx.x]); if (threadIdx.x == 0) *out = all; }
       int main() { int h[128], *d, s; for (int i = 0; i < 128; i++) h[i] = i * i;
         cudaMalloc(&d, sizeof h + 4); cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
         sum<128><<<1, 128>>>(d, d + 128); cudaMemcpy(&s, d + 128, 4, cudaMemcpyDeviceToHost); printf("%d", s); }`,
    );
    expect(stdout).toBe(String(Array.from({ length: 128 }, (_, i) => i * i).reduce((a, b) => a + b)));
  });

  it("gives kernels pointers into the middle of an allocation, which reach back to its start and no farther", () => {
    const program = (back: number): string =>
      `#include <cstdio>
       __global__ void stencil(const int* in, int* out) {
         int i = threadIdx.x; out[i - 4] = in[i - ${back}] + in[i + 4]; }
       int main() {
         int h[40], *in, *out; for (int i = 0; i < 40; i++) h[i] = i * i;
         cudaMalloc(&in, sizeof h); cudaMalloc(&out, sizeof h); cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
         stencil<<<1, 32>>>(in + 4, out + 4); puts(cudaGetErrorName(cudaDeviceSynchronize()));
         cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost); printf("%d %d", h[0], h[31]); }`;
    expect(runText(program(4)).all).toBe(`cudaSuccess\n${8 * 8} ${31 * 31 + 39 * 39}`);
    const below = runText(program(5));
    expect(below.stdout).toMatch(/^cudaErrorIllegalAddress/);
    expect(below.stderr).toContain("reads in[-5]");
  });

  it("may run one thread for longer than a kernel of a notebook", () => {
    const { all } = runText(
      `#include <cstdio>
       __global__ void one(unsigned* p) { unsigned v = 1; for (int i = 0; i < 4000000; i++) v = v * 1664525u + p[i & 1]; p[1] = v; }
       int main() { unsigned h[2] = {7, 9}, *d; cudaMalloc(&d, 8); cudaMemcpy(d, h, 8, cudaMemcpyHostToDevice);
         one<<<1, 1>>>(d); cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost); printf("%u", h[1]); }`,
    );
    let value = 1;
    for (let i = 0; i < 4_000_000; i++) value = (Math.imul(value, 1664525) + (i & 1 ? 9 : 7)) >>> 0;
    expect(all).toBe(String(value));
  });

  it("leaves the platform as it was, also where another has run just before", async () => {
    const { print } = platform();
    for (let i = 0; i < 2; i++) runText("int main() { return 0; }");
    await Promise.resolve();
    expect(platform().print).toBe(print);
  });

  it("has the random numbers of Linux's C library", () => {
    const { stdout } = runText(
      `#include <cstdio>
       #include <cstdlib>
       int main() { for (int i = 0; i < 5; i++) printf("%d ", rand()); srand(42); printf("%d", rand()); }`,
    );
    // glibc's rand from its first seed, and from 42.
    expect(stdout).toBe("1804289383 846930886 1681692777 1714636915 1957747793 71876166");
  });

  it("runs threads of the host to their end as they are created, with what they return", () => {
    const { stdout } = runText(
      `#include <pthread.h>
       #include <stdio.h>
       void* twice(void* p) { *(int*)p *= 2; return p; }
       int main() {
         int v[3] = {1, 2, 3}; pthread_t t[3]; void* r;
         for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, twice, v + i);
         for (int i = 0; i < 3; i++) { pthread_join(t[i], &r); printf("%d %d ", v[i], r == v + i); }
       }`,
    );
    expect(stdout).toBe("2 1 4 1 6 1 ");
  });

  it("has halves on the host as in kernels", () => {
    const { stdout } = runText(
      `#include <cuda_fp16.h>
       #include <stdio.h>
       __global__ void twice(half* v, half by) { v[threadIdx.x] = v[threadIdx.x] * by; }
       int main() {
         half h[4], *d; for (int i = 0; i < 4; i++) h[i] = __float2half(0.1f + i);
         cudaMalloc(&d, sizeof h); cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
         twice<<<1, 4>>>(d, __float2half(2.0f));
         cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
         for (int i = 0; i < 4; i++) printf("%.6f ", __half2float(h[i]));
       }`,
    );
    // Twice the halves nearest to 0.1, 1.1, 2.1 and 3.1, which have 11 binary digits.
    const digits = (value: number, unit: number): string => (2 * Math.round(value / unit) * unit).toFixed(6);
    const halves = [digits(0.1, 2 ** -14), digits(1.1, 2 ** -10), digits(2.1, 2 ** -9), digits(3.1, 2 ** -9)];
    expect(stdout).toBe(`${halves.join(" ")} `);
  });

  it("says why the host has no memory", () => {
    const { stdout, stderr } = runText(
      `#include <stdio.h>
       #include <stdlib.h>
       int main(int n, char**) {
         char* a = (char*)malloc(n * 1800000000u); if (a) a[n] = 1;
         char* b = (char*)malloc(n * 1800000000u); if (b) b[n] = 1;
         printf("%d %d", a != 0, b != 0);
       }`,
    );
    expect(stdout).toBe("1 0");
    expect(stderr).toContain("malloc gives no 1800000000 bytes: the host's memory ends at 2 GiB here.");
  });

  it("takes instances of templates that only statements with C++'s library name", () => {
    const { stdout, code } = runText(
      `#include <iostream>
       #include <vector>
       template <int BLOCK, class T> __global__ void sum(const T* in, T* out, int n) {
         __shared__ T part[BLOCK];
         part[threadIdx.x] = threadIdx.x < n ? in[threadIdx.x] : T(0);
         __syncthreads();
         for (int s = BLOCK / 2; s > 0; s /= 2) {
           if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
           __syncthreads();
         }
         if (threadIdx.x == 0) *out = part[0];
       }
       int main() {
         std::vector<float> v(100, 0.5f);
         auto bytes = v.size() * sizeof(float);
         float *in, *out, result;
         cudaMalloc(&in, bytes); cudaMalloc(&out, sizeof(float));
         cudaMemcpy(in, v.data(), bytes, cudaMemcpyHostToDevice);
         sum<128, float><<<1, 128>>>(in, out, (int)v.size());
         cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
         std::cout << "sum " << result << std::endl;
       }`,
    );
    expect(stdout).toBe("sum 50\n");
    expect(code).toBe(0);
  });

  it("copies variables of the device, managed and page-locked memory, and rows", () => {
    const { stdout, stderr } = runText(
      `#include <stdio.h>
       #include <string.h>
       __constant__ float factor[2];
       __device__ int calls;
       struct Scale { float by; int shift; };
       __global__ void scale(float* x, int pitch, Scale s) {
         x[threadIdx.y * pitch + threadIdx.x] = x[threadIdx.y * pitch + threadIdx.x] * factor[1] * s.by + s.shift;
         if (threadIdx.x == 0) atomicAdd(&calls, 1);
       }
       int main() {
         float f[2] = {9, 3}; cudaMemcpyToSymbol(factor, f, sizeof f);
         int none = 40; cudaMemcpyToSymbol(calls, &none, sizeof none);
         float* m; cudaMallocManaged(&m, 8 * sizeof(float)); for (int i = 0; i < 8; i++) m[i] = i;
         scale<<<1, dim3(4, 2)>>>(m, 4, Scale{2, 1}); cudaDeviceSynchronize();
         printf("%g %g;", m[1], m[7]);
         float *rows, *pinned; size_t pitch; cudaMallocPitch(&rows, &pitch, 4 * sizeof(float), 2); cudaMallocHost(&pinned, 8 * sizeof(float));
         cudaMemcpy2D(rows, pitch, m, 16, 16, 2, cudaMemcpyDefault);
         scale<<<1, dim3(4, 2)>>>(rows, (int)(pitch / sizeof(float)), Scale{1, 0});
         cudaMemcpy2D(pinned, 16, rows, pitch, 16, 2, cudaMemcpyDeviceToHost);
         int count; cudaMemcpyFromSymbol(&count, calls, sizeof count);
         printf(" %g %g; %d\\n", pinned[1], pinned[7], count);
         return cudaFree(m) | cudaFree(rows) | cudaFreeHost(pinned);
       }`,
    );
    expect(stderr).toBe("");
    expect(stdout).toBe("7 43; 21 129; 44\n");
  });

  it("tells errors of launches and kernels by CUDA's codes, with the reason on stderr", () => {
    const { stdout, stderr } = runText(
      `#include <stdio.h>
       __global__ void write(int* p) { p[threadIdx.x] = 1; }
       int main() {
         int* p; cudaMalloc(&p, 64);
         write<<<1, 2048>>>(p); printf("%s\\n", cudaGetErrorName(cudaGetLastError()));
         printf("%s\\n", cudaGetErrorString(cudaMemcpy(p, p + 1, 1 << 20, cudaMemcpyDeviceToDevice))); cudaGetLastError();
         write<<<1, 32>>>(p); printf("%d %d", cudaGetLastError(), cudaDeviceSynchronize());
         printf(" %d\\n", cudaGetLastError());
       }`,
    );
    expect(stdout).toBe("cudaErrorInvalidConfiguration\ninvalid argument\n0 700 700\n");
    expect(stderr).toContain("warplab: cudaErrorInvalidConfiguration");
    expect(stderr).toMatch(/the thread writes p\[16\].*\n[\s\S]*line 2 of program\.cu/);
  });

  it("measures launches by events and by the clock, both predicted", () => {
    const { stdout } = runText(
      `#include <stdio.h>
       #include <sys/time.h>
       __global__ void spin(float* x, int n) { float s = x[0]; for (int i = 0; i < n; i++) s = s * 1.5f + 1; x[0] = s; }
       double now() { timeval t; gettimeofday(&t, 0); return t.tv_sec * 1e3 + t.tv_usec * 1e-3; }
       int main() {
         float* x; cudaMalloc(&x, 4); cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
         float ms[2]; double wall[2]; int rounds[2] = {1000, 100000};
         for (int i = 0; i < 2; i++) {
           double begin = now();
           cudaEventRecord(a); spin<<<1, 1>>>(x, rounds[i]); cudaEventRecord(b); cudaEventSynchronize(b);
           wall[i] = now() - begin; cudaEventElapsedTime(&ms[i], a, b);
         }
         double cycles = (ms[1] - ms[0]) * 1e-3 * 1.53e9 / 99000;
         printf("%d %d %d", cycles >= 4 && cycles < 8, wall[1] >= ms[1], ms[0] > 0);
       }`,
    );
    // A V100 starts a dependent multiply-add every 4 cycles, 1.53 GHz.
    expect(stdout).toBe("1 1 1");
  });
});
