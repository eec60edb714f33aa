/** The header files that a CUDA C++ text may include: ours by their names, all others of the host empty. */
import { CUB } from "./cub.js";
import { GROUPS } from "./groups.js";
import { HALF } from "./half.js";
import { PACKED } from "./packed.js";
import { ASSERT, RUNTIME } from "./runtime.js";
import { VECTOR_MATHS } from "./vector-maths.js";

/** The header that is compiled once; every compilation begins with it. */
export const PRECOMPILED: { readonly name: string; readonly text: string } = { name: "warplab_cuda.h", text: RUNTIME };

/** The header of packed integers, which a text that names one of its functions has without an include. */
export const PACKED_FILE = "sm_61_intrinsics.h";

const COVERED = [
  "cuda_runtime.h cuda.h cuda_runtime_api.h device_launch_parameters.h device_functions.h vector_types.h vector_functions.h",
  "math_constants.h math_functions.h sm_20_atomic_functions.h crt/device_functions.h driver_types.h host_defines.h builtin_types.h",
  "stdio.h stdlib.h math.h string.h limits.h float.h stdint.h stddef.h stdbool.h time.h inttypes.h memory.h",
  "cstdio cstdlib cmath cstring climits cfloat cstdint cstddef ctime limits type_traits algorithm utility",
].flatMap((names) => names.split(" "));

/** Headers of the host, whose names only the host's part of a file uses. */
const OF_THE_HOST = [
  "iostream iomanip fstream sstream string vector array map set list queue deque memory functional numeric random chrono thread",
  "tuple iterator stdexcept exception new unordered_map unordered_set initializer_list mutex atomic bitset complex typeinfo",
  "sys/time.h unistd.h sys/types.h sys/stat.h errno.h signal.h getopt.h malloc.h windows.h omp.h cuda_profiler_api.h",
  "stdarg.h cstdarg cuda_profiler_api.h nvtx3/nvToolsExt.h helper_cuda.h helper_functions.h helper_timer.h helper_string.h nvToolsExt.h curand.h",
].flatMap((names) => names.split(" "));

/** Parts of CUB by their files, which stand for the whole. */
export const PARTS_OF_CUB: readonly (readonly [string, string])[] = ["reduce", "scan", "load", "store"]
  .flatMap((part) => [`cub/block/block_${part}.cuh`, `cub/warp/warp_${part}.cuh`])
  .map((name) => [name, "#pragma once\n#include <cub/cub.cuh>\n"] as const);

/** Files below the folder of system headers. */
export function headerFiles(): Readonly<Record<string, string>> {
  const empty = [...COVERED, ...OF_THE_HOST].map((name) => [name, "#pragma once\n"]);
  return Object.fromEntries([
    ...empty,
    ["assert.h", ASSERT],
    ["cassert", ASSERT],
    ["cooperative_groups.h", GROUPS],
    ["cuda_fp16.h", HALF],
    ["mma.h", "#pragma once\n#include <cuda_fp16.h>\n"],
    ["cub/cub.cuh", CUB],
    ...PARTS_OF_CUB,
    ["helper_math.h", VECTOR_MATHS],
    [PACKED_FILE, PACKED],
    ["cooperative_groups/reduce.h", "#pragma once\n#include <cooperative_groups.h>\n"],
    ["cooperative_groups/scan.h", "#pragma once\n#include <cooperative_groups.h>\n"],
  ]);
}
