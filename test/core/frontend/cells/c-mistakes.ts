/** A C programmer's first mistakes in a cell, each with the line, a piece of the answer, and the text that its cure asks for. */

export interface Mistake {
  readonly name: string;
  readonly cell: string;
  /** The line of the cell that is told. */
  readonly line: number;
  readonly cure: string;
  /** The cell as the cure has it. */
  readonly cured: string;
}

/** What stands above the cells. */
export const BEFORE = `import { Gpu, i32, f32, u32, i64, kernel, device, ptr, threadIdx, blockIdx, blockDim, shared, externShared, local, atomicAdd, shfl_xor_sync, launch } from "warplab";
const gpu = new Gpu("v100");
const half = 16;
const input = gpu.upload(new Int32Array(256)), output = gpu.alloc(i32, 256);
const copy = kernel("copy", { input: ptr(i32), output: ptr(i32) }, ({ input, output }) => {
  output[threadIdx.x] = input[threadIdx.x];
});`;

const kernelOf = (statements: string): string =>
  `const k = kernel("k", { input: ptr(i32), output: ptr(i32), n: i32 }, ({ input, output, n }) => {
  const tid = threadIdx.x;
  ${statements}
});`;

/** Statements of a kernel, in its third line. */
const inKernel = (name: string, wrong: string, cure: string, right: string): Mistake => ({
  name,
  cell: kernelOf(wrong),
  line: 3,
  cure,
  cured: kernelOf(right),
});

const onHost = (name: string, cell: string, cure: string, cured: string, line = 1): Mistake => ({
  name,
  cell,
  line,
  cure,
  cured,
});

export const mistakes: readonly Mistake[] = [
  inKernel("an int declared as in C", "int x = 0; output[tid] = x;", "Write let x = 0;", "let x = 0; output[tid] = x;"),
  inKernel("a const int", "const int x = 5; output[tid] = x;", "Write const x = 5;", "const x = 5; output[tid] = x;"),
  inKernel(
    "an unsigned int",
    "unsigned int i = tid; output[i] = 1;",
    "Write let i = u32(tid);",
    "let i = u32(tid); output[i] = 1;",
  ),
  inKernel("a size_t", "size_t i = 0; output[i] = 1;", "Write let i = u64(0);", "let i = u64(0); output[i] = 1;"),
  inKernel("a long long", "long long x = 1;", "Write let x = i64(1);", "let x = i64(1);"),
  inKernel(
    "a float with a suffix",
    "float sum = 0.5f; output[tid] = i32(sum);",
    "Write let sum = f32(0.5);",
    "let sum = f32(0.5); output[tid] = i32(sum);",
  ),
  inKernel(
    "a bool",
    "bool flag = true; if (flag) output[tid] = 1;",
    "Write let flag = true;",
    "let flag = true; if (flag) output[tid] = 1;",
  ),
  inKernel(
    "an auto",
    "auto x = input[tid]; output[tid] = x;",
    "Write let x = input[tid];",
    "let x = input[tid]; output[tid] = x;",
  ),
  inKernel(
    "an int without a value",
    "int x; x = 1; output[tid] = x;",
    "Write let x = 0;",
    "let x = 0; x = 1; output[tid] = x;",
  ),
  inKernel("a bool without a value", "bool on; on = true;", "Write let on = false;", "let on = false; on = true;"),
  inKernel(
    "a vector",
    "int2 pair = make_int2(1, 2); output[tid] = pair.x;",
    "Write let pair = make_int2(1, 2);",
    "let pair = make_int2(1, 2); output[tid] = pair.x;",
  ),
  inKernel(
    "a loop's int",
    "for (int i = 0; i < n; i++) output[tid] += i;",
    "Write let i = 0;",
    "for (let i = 0; i < n; i++) output[tid] += i;",
  ),
  inKernel(
    "a type after a name",
    "let x: i32 = 0; output[tid] = x;",
    "Write let x = 0;",
    "let x = 0; output[tid] = x;",
  ),
  inKernel(
    "C's type after a name",
    "let x: float = 0; output[tid] = i32(x);",
    "Write let x = f32(0);",
    "let x = f32(0); output[tid] = i32(x);",
  ),
  inKernel("a float's suffix", "let x = 1.0f;", "Write 1.0, which is an f32", "let x = 1.0;"),
  inKernel("an unsigned suffix", "let x = 1u;", "Write u32(1).", "let x = u32(1);"),
  inKernel("a long suffix", "let x = 10L;", "Write i64(10).", "let x = i64(10);"),
  inKernel(
    "a shared array",
    "__shared__ int s[256]; s[tid] = 1;",
    "Write const s = shared(i32, 256);",
    "const s = shared(i32, 256); s[tid] = 1;",
  ),
  inKernel(
    "a shared array of two dimensions",
    "__shared__ float s[32][33]; s[0][0] = 1;",
    "Write const s = shared(f32, [32, 33]);",
    "const s = shared(f32, [32, 33]); s[0][0] = 1;",
  ),
  inKernel(
    "a shared variable",
    "__shared__ int total; total = 0;",
    "Write const total = shared(i32, 1);",
    "const total = shared(i32, 1); total[0] = 0;",
  ),
  inKernel(
    "a shared array of the launch's size",
    "extern __shared__ int s[]; s[tid] = 1;",
    "Write const s = externShared(i32);",
    "const s = externShared(i32); s[tid] = 1;",
  ),
  inKernel(
    "an array of the thread's",
    "int a[4] = {1, 2, 3, 4};",
    "Write const a = local(i32, 4);",
    "const a = local(i32, 4); a[0] = 1;",
  ),
  inKernel(
    "a pointer",
    "int *p = input + 4; output[tid] = p[0];",
    "Write const p = input.subarray(k);",
    "const p = input.subarray(4); output[tid] = p[0];",
  ),
  inKernel(
    "an address",
    "let p = &input[tid]; output[tid] = p[0];",
    "Write input.subarray(tid).",
    "let p = input.subarray(tid); output[tid] = p[0];",
  ),
  inKernel(
    "an atomic on an address",
    "atomicAdd(&output[0], 1);",
    "Write atomicAdd(output, 0, 1);",
    "atomicAdd(output, 0, 1);",
  ),
  inKernel(
    "an atomic on a pointer",
    "atomicAdd(output, 1);",
    "Write atomicAdd(array, index, value).",
    "atomicAdd(output, 0, 1);",
  ),
  inKernel("a pointer followed", "*output = 1;", "Write output[0].", "output[0] = 1;"),
  inKernel(
    "a pointer and an offset followed",
    "output[tid] = *(input + tid);",
    "Write input[tid].",
    "output[tid] = input[tid];",
  ),
  inKernel(
    "an arrow",
    "let x = input->x;",
    "Write input.x for a member, input[0].x for one of an array's first element.",
    "let x = input[0];",
  ),
  inKernel("a cast", "let x = (float) n;", "Write f32(n).", "let x = f32(n);"),
  inKernel(
    "a cast of a bracket",
    "let x = (int)(1.5); output[tid] = x;",
    "Write i32(x)",
    "let x = i32(1.5); output[tid] = x;",
  ),
  inKernel("a cast of a pointer", "let v = (float4*) input;", "asVector(input, float4)", "let v = input.subarray(0);"),
  inKernel(
    "a type as a function",
    "let x = int(1.5); output[tid] = x;",
    "Write i32(x)",
    "let x = i32(1.5); output[tid] = x;",
  ),
  inKernel(
    "a namespace",
    "output[tid] = std::min(n, 2);",
    "Write its functions by themselves",
    "output[tid] = min(n, 2);",
  ),
  inKernel("another namespace", "output[tid] = math::abs(n);", "Write abs by itself.", "output[tid] = abs(n);"),
  inKernel(
    "a launch in chevrons in a kernel",
    "copy<<<1, 32, 64>>>(input, output);",
    "Write gpu.launch(copy, { grid: 1, block: 32, sharedBytes: 64 }, { ...arguments by name }); in a kernel launch(copy, ...).",
    "launch(copy, { grid: 1, block: 32 }, { input, output });",
  ),
  inKernel(
    "a pragma",
    "#pragma unroll\n  for (let i = 0; i < 4; i++) output[tid] += i;",
    "Write it behind //, as // #pragma unroll, or unroll();",
    "// #pragma unroll\n  for (let i = 0; i < 4; i++) output[tid] += i;",
  ),
  inKernel(
    "a goto",
    "goto end;",
    "Leave the loop by a flag",
    "let done = false; for (let i = 0; !done && i < n; i++) done = true;",
  ),
  inKernel(
    "a struct",
    "struct P { int x; };",
    "Use an array for each field, or a vector",
    "const p = make_int2(0, 0);",
  ),
  inKernel("a typedef", "typedef int T;", "Leave it out: write the type's name", "let x = i32(0);"),
  inKernel(
    "a shuffle without its mask",
    "let v = input[tid]; v += shfl_xor_sync(v, 16); output[tid] = v;",
    "Write shfl_xor_sync(0xffffffff, value, laneMask)",
    "let v = input[tid]; v += shfl_xor_sync(0xffffffff, v, 16); output[tid] = v;",
  ),
  inKernel(
    "threadIdx without .x",
    "output[threadIdx] = 1;",
    "Take one dimension: threadIdx.x.",
    "output[threadIdx.x] = 1;",
  ),
  inKernel(
    "blockIdx times blockDim",
    "output[blockIdx * blockDim] = 1;",
    "Take one dimension: blockIdx.x.",
    "output[blockIdx.x * blockDim.x] = 1;",
  ),
  inKernel(
    "an array's length",
    "if (tid < input.length) output[tid] = 1;",
    "Pass it as a parameter",
    "if (tid < n) output[tid] = 1;",
  ),
  {
    ...inKernel("a variable around the kernel", "output[tid] = half;", 'kernel("name", { ... }, { half }', ""),
    cured: `const k = kernel("k", { output: ptr(i32) }, { half }, ({ output }, { half }) => {
  output[threadIdx.x] = half;
});`,
  },
  onHost(
    "a parameter of C's type",
    `const k = kernel("k", { data: ptr(int) }, ({ data }) => {
  data[0] = 1;
});`,
    "Write i32: CUDA's int is i32 here.",
    `const k = kernel("k", { data: ptr(i32) }, ({ data }) => {
  data[0] = 1;
});`,
  ),
  onHost(
    "parameters without braces",
    `const k = kernel("k", { input: ptr(i32), n: i32 }, (input, n) => { input[0] = n; });`,
    "Take the parameters by their names",
    `const k = kernel("k", { input: ptr(i32), n: i32 }, ({ input, n }) => { input[0] = n; });`,
  ),
  onHost(
    "a kernel of CUDA C++ in a cell",
    "__global__ void set(int *a, int n) {\n  a[threadIdx.x] = n;\n}",
    'Write const set = kernel("set", { a: ptr(i32), n: i32 }, ({ a, n }) => { ... }); or keep it as it is, in const { set } = cuda`...`;',
    `const set = kernel("set", { a: ptr(i32), n: i32 }, ({ a, n }) => {
  a[threadIdx.x] = n;
});`,
  ),
  onHost(
    "a function of CUDA C++ in a cell",
    "int twice(int x) {\n  return 2 * x;\n}",
    'Write const twice = device("twice", { x: i32 }, ({ x }) => { ... });',
    'const twice = device("twice", { x: i32 }, ({ x }) => 2 * x);',
  ),
  onHost(
    "a template",
    `template <int BLOCK>
const k = 3;`,
    'Write kernel("name", { ... }, { BLOCK: 256 }, ({ ... }, { BLOCK }) => { ... }); and sum.with({ BLOCK: 512 })',
    `const k = kernel("k", { output: ptr(i32) }, { BLOCK: 256 }, ({ output }, { BLOCK }) => {
  output[0] = BLOCK;
});
k.with({ BLOCK: 512 });`,
  ),
  onHost(
    "a macro",
    "#define N 256\nconst m = N;",
    'kernel("name", { ... }, { N: 256 }, ({ ... }, { N }) => { ... })',
    "const N = 256;\nconst m = N;",
  ),
  onHost("a header", "#include <cuda.h>\nconst m = 3;", "Leave it out: import", "const m = 3;"),
  onHost("another directive", "#ifdef N\nconst m = 3;\n#endif", "Leave it out: what a constant", "const m = 3;"),
  onHost(
    "a launch in chevrons",
    "copy<<<1, 256>>>(input, output);",
    "Write gpu.launch(copy, { grid: 1, block: 256 }, { ...arguments by name });",
    "gpu.launch(copy, { grid: 1, block: 256 }, { input, output });",
  ),
  onHost(
    "a kernel called as a function",
    "copy(input, output);",
    "gpu.launch(",
    "gpu.launch(copy, { grid: 1, block: 256 }, { input, output });",
  ),
  onHost(
    "a size as dim3",
    "dim3 grid(4, 4);\ngpu.launch(copy, { grid, block: 3 }, { input, output });",
    "Write them into the launch: { grid: [4, 4], block: 128 }.",
    "gpu.launch(copy, { grid: [4, 4], block: 128 }, { input, output });",
  ),
  onHost(
    "cudaMalloc",
    "cudaMalloc(&p, 4 * 256);",
    "Write gpu.alloc(i32, n) or gpu.upload(values)",
    "const p = gpu.alloc(i32, 256);",
  ),
  onHost(
    "cudaMemcpy",
    "cudaMemcpy(host, output, 4, 1);",
    "Write buffer.write(values) and buffer.read()",
    "const host = output.read();",
  ),
  onHost(
    "an element of a buffer read",
    "console.log(output[0]);",
    "buffer.read()[0]",
    "console.log(output.read()[0]);",
  ),
  onHost(
    "an element of a buffer written",
    "output[0] = 5;",
    "buffer.write(values)",
    "output.write(new Int32Array(256));",
  ),
  onHost(
    "a plain array as an argument",
    "gpu.launch(copy, { grid: 1, block: 3 }, { input: [1, 2, 3], output });",
    "gpu.upload(",
    "gpu.launch(copy, { grid: 1, block: 3 }, { input: gpu.upload(new Int32Array([1, 2, 3])), output });",
  ),
  onHost(
    "a typed array as an argument",
    "gpu.launch(copy, { grid: 1, block: 3 }, { input: new Int32Array(3), output });",
    "gpu.upload(",
    "gpu.launch(copy, { grid: 1, block: 3 }, { input: gpu.upload(new Int32Array(3)), output });",
  ),
  onHost(
    "a word that is not imported",
    "const many = gpu.upload(ones(3));",
    'Import it: import { ones } from "warplab";',
    'import { ones } from "warplab";\nconst many = gpu.upload(ones(3));',
  ),
  onHost(
    "a name of a cell that has not run",
    "const r = gpu.launch(sumOfAll, { grid: 1, block: 3 }, { input, output });",
    "Run the cell that declares sumOfAll first.",
    "const sumOfAll = copy;\nconst r = gpu.launch(sumOfAll, { grid: 1, block: 3 }, { input, output });",
  ),
  onHost(
    "a name that is nearly a word of warplab's",
    "const many = gpu.upload(onees(3));",
    'or import ones from "warplab" if that is meant',
    'import { ones } from "warplab";\nconst many = gpu.upload(ones(3));',
  ),
];

/** Cells that CUDA's words need no import for: a kernel knows them. */
export const accepted: readonly (readonly [string, string])[] = [
  ["words that the cell does not import", kernelOf("if (laneId() === 0) output[tid] = warpSize;")],
  ["words with CUDA's underscores", kernelOf("__syncthreads(); output[tid] = __popc(n);")],
  ["a comparison stored as a number", kernelOf("output[tid] = tid < n;")],
  ["a form of C in a text", 'const text = "int x = 0; atomicAdd(&x, 1);"; // float y = 1.0f;'],
  ["a type that the cell declares", "type float = number;\nlet x: float = 0;"],
];
