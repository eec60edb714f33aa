/** How clang compiles the host of a program: the header of its standard library's set, the file itself, the module. */
import type { Invocation, Tree } from "../arguments.js";
import { withFile } from "../arguments.js";
import { CUB } from "../headers/cub.js";
import { PARTS_OF_CUB } from "../headers/files.js";
import { GROUPS } from "../headers/groups.js";
import { HOST_HALF } from "../headers/half.js";
import { VECTOR_MATHS } from "../headers/vector-maths.js";
import { hostRuntime } from "./runtime-header.js";

const INCLUDE = "/usr/include";

const COMMON: readonly string[] = [
  "clang",
  "-cc1",
  "-triple",
  "wasm32-unknown-wasip1",
  "-aux-triple",
  "nvptx64-nvidia-cuda",
  "-target-sdk-version=12.4",
  "-fgpu-rdc",
  "-resource-dir",
  "/usr",
  "-isysroot",
  "/usr",
  "-isystem",
  "system",
  ...[`${INCLUDE}/wasm32-wasip1/c++/v1`, `${INCLUDE}/c++/v1`, INCLUDE, `${INCLUDE}/wasm32-wasip1`].flatMap((path) => [
    "-internal-isystem",
    path,
  ]),
  "-std=c++17",
  "-fdeprecated-macro",
  "-fgnuc-version=4.2.1",
  "-fcxx-exceptions",
  "-fignore-exceptions",
  "-ffp-contract=off",
  "-ftemplate-depth=128",
  "-fconstexpr-steps=1000000",
  "-Wno-everything",
  "-ferror-limit",
  "40",
  "-fno-caret-diagnostics",
  "-D_WASI_EMULATED_PROCESS_CLOCKS",
  "-D_WASI_EMULATED_SIGNAL",
  "-D_WASI_EMULATED_GETPID",
  "-D_WASI_EMULATED_MMAN",
  "-O1",
];

const HEADER = { name: "warplab_host.h", compiled: "warplab_host.pch" } as const;

/** CUDA's own headers, all of which the program's first header has covered. */
const COVERED = [
  "cuda_runtime.h cuda.h cuda_runtime_api.h device_launch_parameters.h device_functions.h vector_types.h vector_functions.h",
  "math_constants.h math_functions.h sm_20_atomic_functions.h sm_61_intrinsics.h crt/device_functions.h driver_types.h host_defines.h",
  "builtin_types.h cuda_profiler_api.h malloc.h bits/stdc++.h",
].flatMap((names) => names.split(" "));

const PROFILER_TOOLS = `#pragma once
inline int nvtxRangePushA(const char*) { return 0; } inline int nvtxRangePop() { return 0; } inline void nvtxMarkA(const char*) {}
#define nvtxRangePush nvtxRangePushA
#define nvtxMark nvtxMarkA
`;

/** Threads of the host: each runs to its end when it is created, which is one of the orders that a machine may choose. */
const THREADS = `#pragma once
#include_next <pthread.h>
#include <stdlib.h>
static inline int __warplab_pthread_create(pthread_t* t, const void*, void* (*f)(void*), void* data) {
  void** result = (void**)malloc(sizeof(void*)); *result = f(data); *t = (pthread_t)result; return 0; }
static inline int __warplab_pthread_join(pthread_t t, void** value) {
  if (value) *value = *(void**)t; free((void*)t); return 0; }
static inline int __warplab_pthread_done(pthread_t t) { free((void*)t); return 0; }
#define pthread_create __warplab_pthread_create
#define pthread_join __warplab_pthread_join
#define pthread_detach __warplab_pthread_done
#define pthread_cancel __warplab_pthread_done
`;

function system(): Tree {
  let tree: Tree = withFile({}, "pthread.h", THREADS);
  for (const name of COVERED) tree = withFile(tree, name, "#pragma once\n");
  for (const name of ["nvToolsExt.h", "nvtx3/nvToolsExt.h"]) tree = withFile(tree, name, PROFILER_TOOLS);
  tree = withFile(tree, "cooperative_groups.h", GROUPS);
  tree = withFile(tree, "helper_math.h", VECTOR_MATHS);
  for (const [name, text] of [["cub/cub.cuh", CUB] as const, ...PARTS_OF_CUB]) tree = withFile(tree, name, text);
  tree = withFile(tree, "cuda_fp16.h", HOST_HALF);
  for (const name of ["reduce.h", "scan.h"]) {
    tree = withFile(tree, `cooperative_groups/${name}`, "#pragma once\n#include <cooperative_groups.h>\n");
  }
  return tree;
}

/** Headers of the C++ library that most programs have some of: they are compiled together, once for all. */
const USUAL = [
  "algorithm cassert cfloat chrono climits cmath cstdint cstdio cstdlib cstring ctime fstream iomanip iostream iterator limits",
  "memory random sstream stdexcept string utility vector",
].flatMap((names) => names.split(" "));

/** C's headers by their names in C++ take no time. */
const SMALL = new Set([
  ...USUAL.filter((name) => name.startsWith("c") && name !== "chrono"),
  "limits",
  "utility",
  "new",
]);

const OTHERS = new Set(
  [
    "any array atomic bit bitset complex condition_variable deque exception filesystem forward_list functional future initializer_list",
    "ios iosfwd istream list locale map mutex numeric optional ostream queue ratio regex set shared_mutex stack streambuf",
    "string_view system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set valarray variant",
  ].flatMap((names) => names.split(" ")),
);

/** What `bits/stdc++.h` of GNU's library has besides, of what programs use. */
const EVERYTHING =
  "array deque functional map numeric queue set stack tuple type_traits unordered_map unordered_set".split(" ");

/** The headers to compile with CUDA's own, sorted, by what the texts include; none where those are C's. */
export function libraryHeaders(texts: Iterable<string>): readonly string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const [, name = ""] of text.matchAll(/^\s*#\s*include\s*[<"]([\w/.+]+)[>"]/gm)) {
      if (OTHERS.has(name) || (USUAL.includes(name) && !SMALL.has(name))) found.add(name);
      if (name === "bits/stdc++.h") for (const each of EVERYTHING) found.add(each);
    }
  }
  return found.size === 0 ? [] : [...new Set([...USUAL, ...found])].sort();
}

export function hostHeaderInvocation(library: readonly string[]): Invocation {
  return {
    args: [
      ...COMMON,
      "-fpch-instantiate-templates",
      "-emit-pch",
      "-x",
      "cuda-header",
      "-o",
      HEADER.compiled,
      HEADER.name,
    ],
    files: { [HEADER.name]: hostRuntime(library), system: system() },
    makes: HEADER.compiled,
  };
}

const OBJECT = "program.o";
const MODULE = "program.wasm";

/** Checks of the program's own accesses, each of which calls a function of core/program with the line. */
const CHECKS = "null,pointer-overflow,signed-integer-overflow,shift-exponent,integer-divide-by-zero,array-bounds";

/** Compiles `main` among `files`; `compiled` is the header for the same headers of the library. */
export function hostInvocation(
  compiled: Uint8Array,
  library: readonly string[],
  main: string,
  files: Tree,
): Invocation {
  return {
    args: [
      ...COMMON,
      "-include-pch",
      HEADER.compiled,
      "-iquote",
      ".",
      `-fsanitize=${CHECKS}`,
      `-fsanitize-recover=${CHECKS}`,
      "-fsanitize-ignorelist=system/ignore.txt",
      "-debug-info-kind=line-tables-only",
      "-dwarf-version=4",
      "-fcuda-include-gpubinary",
      "system/kernels",
      "-emit-obj",
      "-x",
      "cuda",
      "-o",
      OBJECT,
      main,
    ],
    files: {
      ...files,
      [HEADER.compiled]: compiled,
      [HEADER.name]: hostRuntime(library),
      system: { ...system(), kernels: "kernels", "ignore.txt": "src:/usr/*\nsrc:*warplab_host.h\n" },
    },
    makes: OBJECT,
  };
}

/** The most bytes of a program's memory on the host; addresses above are the device's. */
export const HOST_BYTES = 0x80000000;

/** Links a program with its libraries. What is left undefined is the runtime's. */
export function linkInvocation(objects: readonly Uint8Array[]): Invocation {
  const library = "/usr/lib/wasm32-wasip1";
  const named = objects.map((object, at): readonly [string, Uint8Array] => [`${at}-${OBJECT}`, object]);
  const emulated = ["process-clocks", "signal", "getpid", "mman"].map((name) => `-lwasi-emulated-${name}`);
  return {
    args: [
      "wasm-ld",
      "-m",
      "wasm32",
      "-L/usr/lib/wasm32-unknown-wasip1",
      `-L${library}`,
      `${library}/crt1-command.o`,
      ...named.map(([name]) => name),
      "-lc++",
      "-lc++abi",
      "-lc",
      ...emulated,
      "/usr/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a",
      "--import-undefined",
      "--export=free",
      "--export-table",
      "--wrap=malloc",
      "--stack-first",
      "-z",
      "stack-size=8388608",
      `--max-memory=${HOST_BYTES}`,
      "-o",
      MODULE,
    ],
    files: Object.fromEntries(named),
    makes: MODULE,
  };
}
