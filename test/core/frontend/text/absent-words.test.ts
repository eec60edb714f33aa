/** Words that a kernel does not have, under every name and in every form, against lists of CUDA's own documents. */
import { describe, expect, test } from "vitest";
import { absentRows, absentWord } from "../../../../src/core/frontend/text/absent-words.js";
import { builtinValue } from "../../../../src/core/frontend/translate/calls/builtins.js";
import { compiled, kernelOf, refused } from "../from-text.js";

/** Names of the CUDA C++ Programming Guide's chapters on the language, cooperative groups and dynamic parallelism. */
const guide =
  `__global__ __device__ __host__ __shared__ __constant__ __managed__ __restrict__ __grid_constant__ __noinline__
  __forceinline__ __launch_bounds__ __maxnreg__ __cluster_dims__ __align__ __CUDA_ARCH__ char1 uchar4 short2 ushort4 int1 int3
  uint3 long1 longlong2 ulonglong2 float1 float3 double3 double4 make_int3 make_float3 make_uchar4 dim3 threadIdx blockIdx
  blockDim gridDim warpSize __threadfence_block __threadfence __threadfence_system __syncthreads __syncthreads_count
  __syncthreads_and __syncthreads_or __syncwarp tex1Dfetch tex1D tex2D tex2DLod tex2Dgather tex2DLayered tex3D texCubemap
  surf1Dread surf1Dwrite surf2Dread surf2Dwrite surf3Dread __ldg __ldcg __ldca __ldcs __ldlu __ldcv __stwb __stcg __stcs __stwt
  clock clock64 atomicAdd atomicSub atomicExch atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd atomicOr atomicXor
  atomicAdd_block atomicAdd_system atomicCAS_block atomicMin_system __nv_atomic_load __nv_atomic_fetch_add __isGlobal __isShared
  __isConstant __isLocal __isGridConstant __cvta_generic_to_global __cvta_generic_to_shared alloca __builtin_assume_aligned
  __builtin_assume __assume __builtin_expect __builtin_unreachable __all_sync __any_sync __ballot_sync __activemask
  __match_any_sync __match_all_sync __reduce_add_sync __shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __shfl
  __ballot __nanosleep wmma nvcuda assert __trap __brkpt printf malloc free __nv_alloca memcpy memset __prof_trigger asm
  __pipeline_memcpy_async __pipeline_commit __pipeline_wait_prior __mbarrier_init cooperative_groups thread_block thread_group
  grid_group multi_grid_group cluster_group coalesced_group thread_block_tile this_thread_block this_grid this_cluster
  this_multi_grid tiled_partition coalesced_threads labeled_partition binary_partition memcpy_async wait wait_prior reduce plus
  less greater bit_and bit_xor bit_or inclusive_scan exclusive_scan invoke_one sync cudaDeviceSynchronize cudaGetLastError
  cudaMalloc cudaFree cudaMemcpyAsync cudaMemsetAsync cudaStreamCreateWithFlags cudaStreamFireAndForget cudaStreamTailLaunch
  cudaEventCreateWithFlags cudaEventRecord cudaGetDevice cudaFuncGetAttributes cudaLaunchDevice cudaGetParameterBuffer
  cudaTextureObject_t cudaSurfaceObject_t half __half __half2 __nv_bfloat16 __nv_fp8_e4m3 size_t unsigned int float double long
  short char sizeof NULL nullptr cub thrust std curand_init curand_uniform fprintf`.split(/\s+/);

/** The part of the CUDA Math API that is neither an operator nor among the words. */
const mathApi =
  `erf erfc erfcf erfinv erfcx normcdf normcdfinvf lgamma tgammaf j0 jnf y1 cyl_bessel_i0f sincos sincosf __sincosf
  sincospi remainder remainderf remquo ldexp ldexpf scalbn scalblnf frexp frexpf ilogb logb logbf modf modff nextafter
  nextafterf norm3d norm3df norm4d rnorm3d rnorm4df norm rnormf rcbrt rcbrtf rhypot rhypotf lrint llrintf lround llroundf powi
  powif labs llabs umin umax llmin ullmax __frsqrt_rn __fadd_rz __fadd_ru __fsub_rd __fmul_rz __fdiv_ru __fmaf_rz __frcp_rd
  __fsqrt_ru __dadd_rz __dmul_ru __ddiv_rd __fma_rz __drcp_ru __dsqrt_rd __int2float_rn __uint2float_rz __ll2float_rn
  __ull2float_ru __double2float_rn __int2double_rn __ll2double_rd __double2hiint __double2loint __hiloint2double __sad __usad
  __rhadd __uhadd __urhadd __float2half __half2float __float2half_rn __floats2half2_rn __low2float __float2bfloat16
  __bfloat162float __hadd __hmul __hfma __hfma2 hsqrt hexp h2sqrt hlog __dp4a __dp2a_lo __vadd4 __vabsdiffu4 __vcmpeq2
  __finitef __isnanf __isinff __signbitf INFINITY NAN INT_MAX UINT_MAX FLT_MAX DBL_MAX LLONG_MIN M_PI CUDART_INF_F`.split(
    /\s+/,
  );

describe("words of CUDA's documents", () => {
  test("are each a word here, or answered with what to write in their place", () => {
    const unknown = [...guide, ...mathApi].filter(
      (name) => builtinValue(name) === undefined && absentWord(name) === undefined,
    );
    expect(unknown).toEqual([]);
  });

  test("are not shadowed by the words that are there", () => {
    const both = [...guide, ...mathApi].filter(
      (name) => builtinValue(name) !== undefined && absentWord(name) !== undefined,
    );
    expect(both).toEqual([]);
  });
});

const names = absentRows.flatMap(([names, cure]) =>
  typeof names === "string" ? names.split(" ").map((name): readonly [string, string] => [name, cure]) : [],
);

describe("a word that is not there is answered with its cure", () => {
  test.each(names)("%s", (name, cure) => {
    const forms = [
      `({ output }) => { output[0] = ${name}(1); }`,
      `({ output }) => { output[0] = exports.${name}(1); }`,
      `({ output }) => { output[0] = (0, warplab_1.${name})(1); }`,
      `({ output }, cuda) => { output[0] = cuda.${name}(1); }`,
      `({ output }, { ${name} }) => { output[0] = ${name}(1); }`,
    ];
    // JavaScript binds `arguments` itself.
    for (const form of name === "arguments" ? forms.slice(0, 4) : forms) {
      expect([form, refused(() => compiled(form)).cure]).toEqual([form, cure]);
    }
  });

  test("also where only a member of it is named, and in text that constants rule out", () => {
    expect(refused(() => kernelOf("output[0] = thrust.reduce(n);")).cure).toContain("reduce(tile, x, plus)");
    expect(refused(() => kernelOf("if (false) output[0] = thrust.reduce(n);")).cure).toContain("reduce(tile, x, plus)");
  });

  test("but a variable of that name is the variable", () => {
    expect(() => kernelOf("const half = n >> 1; const sign = half; output[0] = sign;")).not.toThrow();
  });
});
