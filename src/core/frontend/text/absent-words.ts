/**
 * Words that the kernel language does not have, each with the text to write in its place. They come from CUDA, C,
 * JavaScript and other languages for GPUs. Sources of CUDA's: CUDA C++ Programming Guide (C++ Language Extensions, Cooperative Groups, CUDA
 * Dynamic Parallelism), CUDA Math API, CUDA Runtime API.
 */

/** Names with spaces between them, or the form of names; `$1` in the cure is what the form's first group matched. */
type Row = readonly [names: string | RegExp, cure: string];

const NO_HALVES = "Floats have 32 or 64 bits here";
const NO_COPIES = "Copy by a plain statement, sdata[threadIdx.x] = input[i], and wait with syncthreads()";
const NO_HEAP =
  "A thread has no heap here: use local(f32, 8) for an array of its own, or shared(f32, 256) for the block's.";
const NO_TEXTURES = "There is no texture unit here: declare the array as ptr(f32) and index it, input[y * width + x].";
const NO_LIBRARY = "Write the reduction itself: reduce(tile, x, plus) within a warp, shared memory within the block.";
const NO_SPECIAL = "Read it from a table that the host fills, a parameter { table: ptr(f32) }: table[i].";

const types: readonly Row[] = [
  ["int int32_t signed", "Write i32(x): CUDA's int is i32 here."],
  ["unsigned uint uint32_t", "Write u32(x): CUDA's unsigned int is u32 here."],
  ["float", "Write f32(x): CUDA's float is f32 here."],
  ["double", "Write f64(x): CUDA's double is f64 here."],
  ["long longlong int64_t intptr_t ptrdiff_t ssize_t", "Write i64(x): integers of 64 bits are i64 here."],
  ["ulong ulonglong uint64_t uintptr_t size_t", "Write u64(x): unsigned integers of 64 bits are u64 here."],
  [
    "char schar int8_t uchar uint8_t",
    "A value has 32 or 64 bits here: write x & 0xff where 8 bits are to wrap. Memory of 8 bits is ptr(u8) or ptr(i8).",
  ],
  [
    "short int16_t ushort uint16_t",
    "A value has 32 or 64 bits here: write x & 0xffff where 16 bits are to wrap. Memory of 16 bits is ptr(u16) or ptr(i16).",
  ],
  [/^(__)?(half|nv_bfloat16|bfloat16|nv_fp8|float16)\w*$|^(bf16|fp16|f16)$/, `${NO_HALVES}: write f32(x).`],
  [/^__\w*2(half|bfloat16)\w*$|^__(half2?|bfloat162?|lows?|highs?)2\w+$/, `${NO_HALVES}: write f32(x).`],
  [/^__h(add|sub|mul|div|fma|neg|abs|max|min|eq|lt|gt|le|ge)\w*$/, `${NO_HALVES}: write a + b, a * b or fma(a, b, c).`],
  [/^h(2?)(sqrt|exp|log|sin|cos|rcp|rsqrt|tanh)\w*$/, `${NO_HALVES}: write $2(f32(x)).`],
  [
    /^(make_)?((u?(char|short|int|long|longlong))|float|double)[1-4](_\w+)?$/,
    "The vectors are int2 int4 uint2 uint4 float2 float4 double2: take the next larger one, make_float4(x, y, z, 0), or a variable for each component.",
  ],
  ["dim3", "Sizes are written as they are: launch(child, { grid: [2, 2], block: 128 }, { ...arguments })."],
  ["clock_t cudaError_t", "Leave the type out: const start = clock();"],
];

const qualifiers: readonly Row[] = [
  ["__global__", 'Leave it out: kernel("name", ...) makes a kernel.'],
  [
    "__device__ __host__ __forceinline__ __noinline__ __inline__",
    'Leave it out: device("name", ...) makes a device function.',
  ],
  ["__shared__", "Write const sdata = shared(i32, 256); or externShared(i32) where the launch gives the size."],
  ["__constant__ __managed__ __grid_constant__", "Pass the values as an array, a parameter { table: ptr(f32) }."],
  ["__restrict__ __restrict", "Leave it out: to keep an element in a register, read it into a variable."],
  ["__launch_bounds__ __maxnreg__ __cluster_dims__ __block_size__", "Leave it out: the launch gives the block's size."],
  ["__align__ alignas", "Leave it out: arrays are aligned to 256 bytes, their elements to their size."],
  ["__CUDA_ARCH__", "Give it as a constant, { ARCH: 700 }: what a constant rules out is not compiled."],
];

const memory: readonly Row[] = [
  ["__ldg __ldca __ldcg __ldcs __ldlu", "Write input[i]: a load names no cache here."],
  ["__ldcv", "Write volatile(input)[i]: every such load goes to memory."],
  ["__stwb __stcg __stcs __stwt", "Write output[i] = x: a store names no cache here."],
  ["malloc alloca __nv_alloca calloc", NO_HEAP],
  ["free", "Leave it out: arrays of local(...) and shared(...) end with the thread and the block."],
  ["memcpy memmove", "Write a loop: for (let k = 0; k < n; k++) output[k] = input[k];"],
  ["memset", "Write a loop: for (let k = 0; k < n; k++) output[k] = 0;"],
  ["sizeof", "Leave it out: sizes and indices count elements here, not bytes."],
  ["static_cast", "Convert by the type's name: i32(x), f32(x)."],
  [
    "reinterpret_cast",
    "Write float_as_int(x) for the bits of a number, asVector(input, float4) for an array as vectors.",
  ],
  [/^__is(Global|Shared|Constant|Local|GridConstant)$/, "Leave it out: the text says where each array is."],
  [/^__cvta_\w+$/, "Leave it out: an array is passed as it is."],
  [/^__(builtin_assume|assume|builtin_unreachable)\w*$/, "Leave it out: the compiler takes no hints here."],
  ["__builtin_expect", "Write the condition alone: the compiler takes no hints here."],
  ["NULL nullptr", "Leave the test out: an array is always there. A flag is a number, a parameter { hasInput: i32 }."],
];

const synchronization: readonly Row[] = [
  ["__threadfence_system threadfence_system", "Write threadfence(): nothing but this GPU works on the memory here."],
  [
    /^__barrier_\w+$|^bar_sync$|^(workgroup|storage)Barrier$|^barrier$/,
    "Write syncthreads(): a block has one barrier here.",
  ],
  [/^(__)?pipeline\w*$|^make_pipeline$|^memcpy_async$|^__mbarrier\w*$/, `${NO_COPIES}.`],
  ["wait wait_prior", "Leave it out, or write syncthreads(): copies are done when their statement is."],
  [
    /^(this_)?cluster(_group|Idx|Dim|_\w+)?$|^__cluster\w*$/,
    "Blocks have no clusters here: they meet in global memory, by atomicAdd.",
  ],
  ["cooperative_groups cg", "Write its functions by themselves: tiled_partition(this_thread_block(), 32)."],
  [
    /^(thread_block|thread_group|thread_block_tile|coalesced_group|grid_group)$/,
    "Leave the type out: const tile = tiled_partition(this_thread_block(), 32);",
  ],
  [/^(this_)?multi_grid(_group)?$/, "One GPU is simulated: write this_grid()."],
  [
    "labeled_partition",
    "Write const mask = match_any_sync(0xffffffff, label); and use that mask in shfl_sync and ballot_sync.",
  ],
  [
    "binary_partition",
    "Write const mask = ballot_sync(0xffffffff, condition); and use that mask under if (condition).",
  ],
  ["invoke_one", "Write if (tile.thread_rank() === 0) { ... }."],
  ["sync", "Write block.sync() of a group, or syncthreads()."],
  ["thread_rank group_size num_threads", "Ask the group for it: tile.thread_rank(), tile.size()."],
  ["__nanosleep", "Leave it out: a loop that waits may ask again at once."],
];

const atomics: readonly Row[] = [
  [/^(atomic\w+)_(block|system)$/, "Write $1(array, index, value): what holds for the GPU holds for a block."],
  [
    /^__nv_atomic\w*$|^atomic_ref$|^atomic(Load|Store)$/,
    "Write atomicAdd(array, index, value) or another atomic function.",
  ],
  [/^atomic_(add|inc|dec|sub)$/, "Write atomicAdd(array, index, 1)."],
];

const warps: readonly Row[] = [
  ["lane_id laneid __lane_id", "Write laneId()."],
  ["warp_id warpid warpId warpIdx", "Write threadIdx.x >> 5 in a block of one dimension."],
  [/^(__)?lanemask_lt$/, "Write (1 << laneId()) - 1."],
  ["__fns", "Write a loop: for (let k = 1; k < n; k++) mask &= mask - 1; and then ffs(i32(mask)) - 1."],
];

const timeAndFaults: readonly Row[] = [
  ["clock64", "Write clock(): the low 32 bits of the same counter, whose differences are right up to 2^32 cycles."],
  ["globaltimer __globaltimer", "Write clock(), which counts the SM's cycles."],
  ["assert __assert_fail static_assert", 'Write if (!(i < n)) { printf("i is %d\\n", i); return; }.'],
  ["__trap __brkpt abort exit __prof_trigger", "Write return, after an error code in an output array."],
  ["fprintf sprintf snprintf vprintf puts putchar cout", 'Write printf("%d\\n", x).'],
];

const unitsAndLibraries: readonly Row[] = [
  [/^(tex|surf)(1D|2D|3D|Cubemap)\w*$/, NO_TEXTURES],
  ["texture surface cudaTextureObject_t cudaSurfaceObject_t", NO_TEXTURES],
  [
    /^(wmma|nvcuda|mma|mma_sync|load_matrix_sync|store_matrix_sync|fill_fragment|fragment)$/,
    "There are no tensor cores here: write sum += a[k] * b[k] in a loop.",
  ],
  [/^__dp[24]a\w*$/, "Write the products out: sum += ((a >> 8) & 0xff) * ((b >> 8) & 0xff), and so on."],
  [/^__v\w+[24]$/, "Write the parts out: ((a & 0xff) + (b & 0xff)) & 0xff, and so on."],
  ["asm __asm__", "Machine code cannot be given here: write what it does with the language's words, such as laneId()."],
  ["cub thrust cublas cutlass", NO_LIBRARY],
  [/^curand\w*$/, "Give random numbers as an array, a parameter { random: ptr(f32) }, and read random[i]."],
  ["std", "Write its functions by themselves: min(a, b), abs(x), sqrt(x)."],
];

const runtime: readonly Row[] = [
  ["cudaDeviceSynchronize", "Write deviceSynchronize() to wait for child grids; the host waits by itself."],
  [/^cudaLaunch\w+$/, "Write launch(child, { grid: 1, block: 128 }, { ...arguments })."],
  [
    /^cuda(Malloc|Free|HostAlloc)\w*$/,
    "Leave it to the host: gpu.alloc(i32, n) or gpu.upload(values), given to the launch.",
  ],
  [
    /^cuda(Memcpy|Memset)\w*$/,
    "Leave it to the host, buffer.write(values) and buffer.read(); in a kernel copy by a loop.",
  ],
  [
    /^cuda(GetLastError|PeekAtLastError|GetErrorString|GetErrorName)$/,
    "Leave it out: what fails ends the launch with an error.",
  ],
  [/^cuda[A-Z]\w*$/, "Leave it to the host: a kernel calls no function of CUDA's runtime but launch(...)."],
];

const mathematics: readonly Row[] = [
  [/^(erf|erfc|erfcx|erfinv|erfcinv|normcdf|normcdfinv|lgamma|tgamma|j[01n]|y[01n]|cyl_bessel_i[01])f?$/, NO_SPECIAL],
  [/^(__)?sincosf?$/, "Write both: const s = sin(x); const c = cos(x);"],
  [/^sincospif?$/, "Write both: const s = sinpi(x); const c = cospi(x);"],
  [/^(remainder|remquo)f?$/, "Write x - y * rint(x / y)."],
  [/^(ldexp|scalbn|scalbln)f?$/, "Write x * exp2(f32(n))."],
  [/^(ilogb|logb|frexp)f?$/, "Write floor(log2(abs(x))) for the exponent."],
  [/^modff?$/, "Write trunc(x) for the whole part, x - trunc(x) for the rest."],
  [/^nextafterf?$/, "Write int_as_float(float_as_int(x) + 1) for the next float above a positive one."],
  [/^(r?norm(3d|4d)?)f?$/, "Write sqrt(x * x + y * y + z * z)."],
  [/^rcbrtf?$/, "Write rcp(cbrt(x))."],
  [/^rhypotf?$/, "Write rcp(hypot(x, y))."],
  [/^lrintf?$/, "Write i32(rint(x))."],
  [/^llrintf?$/, "Write i64(rint(x))."],
  [/^lroundf?$/, "Write i32(round(x))."],
  [/^llroundf?$/, "Write i64(round(x))."],
  [/^powif?$/, "Write pow(x, f32(n))."],
  ["labs llabs", "Write abs(x)."],
  [/^(u|ll|ull)(min|max)$/, "Write $2(a, b)."],
  ["__frsqrt_rn", "Write rsqrt(x)."],
  [
    /^__([fd]?(?:add|sub|mul|div|ma|maf|rcp|sqrt))_r[zud]$/,
    "Only rounding to the nearest is there: write __$1_rn in its place.",
  ],
  [/^__(u?int|u?ll)2float_r[nzud]$|^__double2float_r[nzud]$/, "Write f32(x), which rounds to the nearest."],
  [/^__(u?int|u?ll)2double_r[nzud]$/, "Write f64(x), which rounds to the nearest."],
  ["__double2hiint", "Write i32(double_as_longlong(x) >> 32)."],
  ["__double2loint", "Write i32(double_as_longlong(x))."],
  ["__hiloint2double", "Write longlong_as_double((i64(high) << 32) | i64(u32(low)))."],
  ["__sad __usad", "Write max(a, b) - min(a, b) + c."],
  ["__rhadd __urhadd __uhadd", "Write i32((i64(a) + i64(b)) >> 1), with + 1 before the shift to round up."],
  [/^__(isnan|isinf|signbit)[fd]?$/, "Write $1(x)."],
  [/^__finite[fd]?$/, "Write isfinite(x)."],
  ["INFINITY HUGE_VAL HUGE_VALF CUDART_INF CUDART_INF_F", "Write Infinity."],
  ["NAN nan nanf CUDART_NAN CUDART_NAN_F", "Write NaN."],
  ["M_PI CUDART_PI CUDART_PI_F", "Write Math.PI."],
  ["INT_MAX INT32_MAX", "Write 2147483647."],
  ["INT_MIN INT32_MIN", "Write -2147483648."],
  ["UINT_MAX UINT32_MAX", "Write 0xffffffff."],
  ["LLONG_MAX INT64_MAX LONG_MAX", "Write 0x7fffffffffffffffn."],
  ["LLONG_MIN INT64_MIN LONG_MIN", "Write i64(1) << 63."],
  ["ULLONG_MAX UINT64_MAX ULONG_MAX", "Write 0xffffffffffffffffn."],
  ["FLT_MAX", "Write f32(3.4028235e38)."],
  ["FLT_MIN", "Write f32(1.17549435e-38)."],
  ["FLT_EPSILON", "Write f32(1.1920929e-7)."],
  ["DBL_MAX", "Write f64(1.7976931348623157e308)."],
  ["DBL_EPSILON", "Write f64(2.220446049250313e-16)."],
];

const otherGpuLanguages: readonly Row[] = [
  ["get_global_id", "Write blockIdx.x * blockDim.x + threadIdx.x."],
  ["get_local_id", "Write threadIdx.x."],
  ["get_group_id", "Write blockIdx.x."],
  ["get_local_size", "Write blockDim.x."],
  ["get_num_groups", "Write gridDim.x."],
  ["clamp", "Write min(max(x, low), high)."],
  ["lerp mix", "Write fma(t, b - a, a)."],
  ["fract", "Write x - floor(x)."],
  ["sign", "Write (x > 0 ? 1 : 0) - (x < 0 ? 1 : 0)."],
  ["swap", "Write [a, b] = [b, a]."],
];

const javaScript: readonly Row[] = [
  ["parseInt", "Numbers need no parsing here: i32(x) truncates a float to an integer."],
  ["parseFloat", "Numbers need no parsing here: f32(x) converts."],
  ["Number", "Every value is a number here: f32(x), f64(x) or i32(x) converts it."],
  ["BigInt", "Write i64(x) or u64(x)."],
  ["Boolean", "Write the comparison: x !== 0."],
  ["String Symbol RegExp JSON", 'A kernel has no strings: printf("%d\\n", x) prints numbers.'],
  ["isNaN", "Write isnan(x)."],
  ["isFinite", "Write isfinite(x)."],
  [
    "Array Int32Array Int16Array Int8Array",
    "Use local(i32, 4) for an array of the thread's own, or shared(i32, 256) for one of the block.",
  ],
  [
    "Uint32Array Uint16Array Uint8Array",
    "Use local(u32, 4) for an array of the thread's own, or shared(u32, 256) for one of the block.",
  ],
  ["Float32Array", "Use local(f32, 4) for an array of the thread's own, or shared(f32, 256) for one of the block."],
  ["Float64Array", "Use local(f64, 4) for an array of the thread's own, or shared(f64, 256) for one of the block."],
  [
    "BigInt64Array BigUint64Array",
    "Use local(i64, 4) for an array of the thread's own, or shared(i64, 256) for one of the block.",
  ],
  ["Map Set Object", "A kernel has no objects: use an array, local(i32, 4), and number its places."],
  ["Atomics", "Write atomicAdd(array, index, value) or another atomic function."],
  ["Date performance", "Write clock(): it counts the SM's cycles."],
  ["Error Promise setTimeout", "A GPU has no exceptions and no events: write an error code to an output array."],
  ["console", 'Write printf("%d\\n", x).'],
  ["undefined", 'Use a number; 0 or -1 often marks "none".'],
  ["arguments", "Name the parameters in the kernel's first argument."],
  ["ptr", "Types of pointers stand in the list of parameters: { input: ptr(i32) }."],
];

const CUDA: readonly Row[] = [
  ...types,
  ...qualifiers,
  ...memory,
  ...synchronization,
  ...atomics,
  ...warps,
  ...timeAndFaults,
  ...unitsAndLibraries,
  ...runtime,
  ...mathematics,
];

/** The error and the cure for a word of another language. */
export interface AbsentWord {
  readonly what: string;
  readonly cure: string;
}

function find(rows: readonly Row[], name: string): string | undefined {
  for (const [names, cure] of rows) {
    if (typeof names === "string") {
      if (names.split(" ").includes(name)) return cure;
      continue;
    }
    const match = names.exec(name);
    if (match !== null) return cure.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? "");
  }
  return undefined;
}

/** The answer to a word that the language has in another form, or has not; undefined for names that are no such word. */
export function absentWord(name: string): AbsentWord | undefined {
  const cure = find(CUDA, name);
  if (cure !== undefined) return { what: `${name} is a word of CUDA or C that kernels here do not have.`, cure };
  const other = find([...otherGpuLanguages, ...javaScript], name);
  return other === undefined ? undefined : { what: `${name} does not exist in a kernel.`, cure: other };
}

/** Every row's names or form, and its cure, for tests that go through all. */
export const absentRows: readonly Row[] = [...CUDA, ...otherGpuLanguages, ...javaScript];
