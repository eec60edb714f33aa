/** Cures of clang's errors. All others are told as clang tells them. */

interface Rule {
  readonly pattern: RegExp;
  readonly cure: string | ((found: RegExpExecArray) => string);
}

const rule = (pattern: RegExp, cure: Rule["cure"]): Rule => ({ pattern, cure });

const NO_LIBRARY: Readonly<Record<string, string>> = {
  cout: "Print with printf: a kernel has no streams.",
  endl: "Print with printf: a kernel has no streams.",
  vector: "Pass a pointer, or declare an array with a constant length: a kernel has no containers.",
  string: "Pass a char pointer: a kernel has no containers.",
};

const HEADERS: Readonly<Record<string, string>> = {
  cooperative_groups: "cooperative_groups.h",
  cg: "cooperative_groups.h",
  half: "cuda_fp16.h",
  half2: "cuda_fp16.h",
  __half: "cuda_fp16.h",
  __half2: "cuda_fp16.h",
  cub: "cub/cub.cuh",
};

/** Names of CUDA that are not there, with what takes their place. */
const NOT_HERE: readonly Rule[] = [
  rule(
    /'(?:cudaArray|cudaTexture|cudaSurface|texture|surface|cudaResource|cudaChannelFormat|cudaCreate(?:Texture|Surface|Channel)|cudaBind|cudaMallocArray|cudaMemcpy(?:2D)?(?:To|From)Array|cudaMalloc3D|cudaMemcpy3D|cudaExtent|cudaBoundaryMode|tex(?:[123]D|Cubemap)|surf(?:[123]D|Cubemap))\w*'/,
    "Textures, surfaces and CUDA's arrays are not there: read the data through a pointer.",
  ),
  rule(
    /'(?:cudaGraph\w*|cudaStream(?:Begin|End)Capture)'/,
    "Graphs are not there: launch the kernels one after another.",
  ),
  rule(
    /'(?:cublas|cusparse|cusolver|cufft|cudnn|curand|cupti|nvml|nccl|npp|thrust\/|cuda\/|mma\.h|cutlass|cute\/|GL\/|opencv|mpi\.h)[^']*' file not found/,
    "This library is not there: take its calls out, or write a kernel that does the same.",
  ),
];

const RULES: readonly Rule[] = [
  ...NOT_HERE,
  rule(
    /no (?:member|type|template) named '(\w+)' in namespace 'std'/,
    (found) => NO_LIBRARY[found[1] ?? ""] ?? `Write what std::${found[1]} does: kernels have little of C++'s library.`,
  ),
  rule(
    /(?:undeclared identifier|unknown type name) '(cooperative_groups|cg|__half2?|half2?|cub)'/,
    (found) => `Write #include <${HEADERS[found[1] ?? ""]}> at the top.`,
  ),
  rule(/undeclared identifier '(?:elseif|elif|elsif)'/, "Write `else if`."),
  rule(
    /no viable overloaded operator\[\]|'(?:const )?(?:uint3|dim3)' and|and '(?:const )?(?:uint3|dim3)'/,
    "Write one component: threadIdx.x.",
  ),
  rule(/invalid operands .*\('void \(/, "A launch has three angle brackets: name<<<grid, block>>>(...)."),
  rule(
    /invalid operands .*\('(?:float|double)' and|invalid operands .* and '(?:float|double)'\)/,
    "% and bits are for whole numbers: convert both sides to int, or use fmodf.",
  ),
  rule(/array subscript is not an integer/, "Convert the index to int: x[(int)i]."),
  rule(/builtin functions must be directly called/, "Write the parentheses of the call: __syncthreads()."),
  rule(/array type needs an explicit size/, "Write the length, or extern __shared__ for one that the launch gives."),
  rule(/take the address of the argument with &/, "Write & before the argument: the function takes a pointer."),
  rule(/call to 'printf'/, "printf's format is a text in double quotes."),
  rule(/unexpected ';' before/, "Look at the macro that is used here: a #define ends without `;`."),
  rule(/expected ';' (after|at end of) (.*)/, "Write `;` at the end of the statement."),
  rule(/expected '\}'/, "Write the `}` that closes the block: each `{` needs one."),
  rule(/extraneous closing brace/, "Take out this `}`, or write the `{` that it closes."),
  rule(/expected '\)'/, "Write the `)`: each `(` needs one."),
  rule(/expected '\]'/, "Write the `]` that closes the index."),
  rule(/expected '\('/, "Write `(` here."),
  rule(/expected expression/, "An operand is missing here: look left and right of the operator."),
  rule(/expected unqualified-id/, "A name is expected here: look for a brace too many in the lines before."),
  rule(/did you mean '(\w+)'/, (found) => `Write ${found[1]}.`),
  rule(
    /use of undeclared identifier '([^']+)'/,
    (found) => `Declare ${found[1]} before its use, or make it a parameter of the kernel.`,
  ),
  rule(/unknown type name '([^']+)'/, (found) => `Declare the type ${found[1]} before its use, or use one of C++.`),
  rule(
    /call to global function '?([^' ]+)'? not configured/,
    (found) => `Launch it: ${found[1]}<<<grid, block>>>(...).`,
  ),
  rule(
    /kernel call to non-global function '?([^' ]+)'?/,
    (found) => `Declare ${found[1]} as __global__, or call it without <<<...>>>.`,
  ),
  rule(
    /kernel function type '([^']+)' must have void return type|must have void return type/,
    "Declare the kernel as __global__ void; results are written through a pointer.",
  ),
  rule(
    /reference to __host__ function '([^']+)' in __(global|device)__/,
    (found) => `Declare ${found[1]} as __device__, or use one of CUDA's functions.`,
  ),
  rule(
    /reference to __host__ variable '([^']+)'/,
    (found) => `Pass ${found[1]} as a parameter, or declare it __device__ or __constant__.`,
  ),
  rule(
    /reference to __global__ function/,
    "A kernel is launched, not called: write its common part as a __device__ function.",
  ),
  rule(
    /reference to __device__ (function|variable) '([^']+)'/,
    (found) => `${found[2]} exists on the GPU alone: use it in a kernel.`,
  ),
  rule(/too few arguments to function call, (.*)/, (found) => `Write all arguments: ${found[1]}.`),
  rule(
    /too many arguments to function call, (.*)/,
    (found) => `Take out the arguments that are too many: ${found[1]}.`,
  ),
  rule(
    /no matching function for call to '([^']+)'.*not viable: call to __host__ function/s,
    (found) => `Declare ${found[1]} as __device__: a kernel calls no function of the host.`,
  ),
  rule(
    /no matching function for call to '([^']+)'/,
    (found) => `Compare the number and the types of the arguments with the declaration of ${found[1]}.`,
  ),
  rule(/call to '([^']+)' is ambiguous/, (found) => `Convert the arguments of ${found[1]} to one type: float(x).`),
  rule(
    /cannot assign to variable '([^']+)' with const-qualified type/,
    (found) => `Take the const away from ${found[1]}, or assign another variable.`,
  ),
  rule(
    /read-only variable is not assignable|cannot assign to .* const-qualified/,
    "What is const is only read: take the const away from the pointer or the variable.",
  ),
  rule(
    /variable.length array/,
    "An array's length is a constant: write a number, a constexpr int, a #define or a template parameter; or use extern __shared__.",
  ),
  rule(/indirection requires pointer operand/, "Only a pointer has a `*` in front: declare it as a pointer (int* p)."),
  rule(
    /subscripted value is not an array, pointer, or vector/,
    "Only arrays and pointers have an index: declare the parameter as a pointer (float* x).",
  ),
  rule(/member reference type '([^']+)' is a pointer/, "Write -> instead of `.`."),
  rule(/member reference type '([^']+)' is not a pointer/, "Write `.` instead of ->."),
  rule(
    /no member named '([^']+)' in '([^']+)'/,
    (found) => `Look at the declaration of ${found[2]}: it has no ${found[1]}.`,
  ),
  rule(/expression is not assignable/, "The left side of = is a variable or an element of an array."),
  rule(/invalid operands to binary expression/, "Convert one side, or compute component by component: a.x + b.x."),
  rule(
    /cannot initialize|assigning to '([^']+)' from incompatible type/,
    "Give it a value of its own type: add or take away a `*`, `&` or an index.",
  ),
  rule(/redefinition of '([^']+)'/, (found) => `Give the second ${found[1]} another name, or assign the first.`),
  rule(/array size is negative|zero-length/, "An array has at least one element."),
  rule(/control may reach end|non-void function/, "Write a return at the end."),
  rule(
    /couldn't infer template argument '([^']+)'/,
    (found) => `Write the template's argument in angle brackets: name<...>(...), with a value for ${found[1]}.`,
  ),
  rule(
    /requires template arguments|use of (function|class) template/,
    "Write the template's arguments in angle brackets: name<256>(...).",
  ),
  rule(
    /'?([^' ]+)'? file not found/,
    (found) =>
      `Put ${found[1]} into the folder of the file. CUDA's own headers are known; cuBLAS, CUB and Thrust are not.`,
  ),
  rule(/#include nested too deeply/, "A file includes itself: begin it with #pragma once."),
  rule(
    /recursive template instantiation|instantiation depth/,
    "End the template's recursion by a specialization or `if constexpr`.",
  ),
  rule(
    /__shared__ variable|initialization is not supported for __shared__/,
    "Shared memory has no first values: write them in the kernel, then __syncthreads().",
  ),
  rule(/dynamic initialization is not supported/, "Give the variable a constant, or copy its values from the host."),
  rule(/'([^']+)' is not a (function|class|template)/, (found) => `Look at the declaration of ${found[1]}.`),
  rule(/extern.*must be|incomplete type/, "Complete the declaration before its use."),
  rule(/integer literal is too large/, "Write a smaller number, or end it in LL or ULL."),
  rule(/jump from .* to .* (bypasses|protected)/, "Put the case's statements into braces."),
  rule(/'(break|continue)' statement not in/, "break and continue stand in loops; break in switch too."),
  rule(/duplicate case value/, "Each label of a switch stands once."),
];

export interface Told {
  readonly what: string;
  readonly cure: string;
}

/** The message with what to do about it. */
export function told(message: string, notes: string): Told {
  const clean = message.replace(/;? ?\[-W[^\]]*\]$/, "");
  // A name of another scope that happens to be alike is no help.
  const isNotHere = NOT_HERE.some(({ pattern }) => pattern.test(clean));
  const useful = clean.replace(isNotHere ? /; did you mean .*$/ : /; did you mean '\w+::[^']*'\?$/, "");
  const sentence = `${useful.charAt(0).toUpperCase()}${useful.slice(1)}${useful.endsWith("?") ? "" : "."}`;
  for (const { pattern, cure } of RULES) {
    const found = pattern.exec(`${clean}\n${notes}`);
    if (found !== null) return { what: sentence, cure: typeof cure === "string" ? cure : cure(found) };
  }
  return { what: sentence, cure: "That is clang's message: the text is no C++ here." };
}
