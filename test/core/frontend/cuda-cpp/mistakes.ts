/** Mistakes of learners: the text, and where and how its one message has to help. */
export interface Mistake {
  readonly name: string;
  readonly text: string;
  /** 1-based line, 0-based column. */
  readonly at: readonly [line: number, column: number];
  readonly cure: RegExp;
}

const kernel = (body: string, before = ""): string =>
  `${before}__global__ void k(const int* in, int* out, int n) {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  ${body}\n}\n`;

export const mistakes: readonly Mistake[] = [
  { name: "a missing semicolon", text: kernel("out[i] = in[i]"), at: [3, 16], cure: /`;`/ },
  {
    name: "a missing brace",
    text: "__global__ void k(int* out) {\n  if (out[0]) {\n    out[1] = 2;\n}\n",
    at: [4, 1],
    cure: /`}`/,
  },
  { name: "a missing parenthesis", text: kernel("out[i] = (in[i] + 2 * (n - 1);"), at: [3, 31], cure: /`\)`/ },
  {
    name: "a missing star",
    text: "__global__ void k(int in, int* out) {\n  out[0] = in[1];\n}\n",
    at: [2, 13],
    cure: /pointer/,
  },
  { name: "an undeclared name", text: kernel("out[idx] = 1;"), at: [3, 6], cure: /Declare idx/ },
  { name: "a misspelt name", text: kernel("__synchthreads(); out[i] = 1;"), at: [3, 2], cure: /__syncthreads/ },
  { name: "a wrong type", text: kernel("int* p = n; out[i] = *p;"), at: [3, 7], cure: /own type/ },
  {
    name: "a wrong number of arguments",
    text: kernel("out[i] = twice(n, 2);", "__device__ int twice(int x) { return 2 * x; }\n"),
    at: [4, 11],
    cure: /arguments/,
  },
  {
    name: "a missing template argument",
    text: kernel("out[i] = pick();", "template <int N> __device__ int pick() { return N; }\n"),
    at: [4, 11],
    cure: /angle brackets|arguments/,
  },
  {
    name: "a launch of a device function",
    text: "__device__ void f(int* p) { p[0] = 1; }\n__global__ void k(int* p) {\n  f<<<1, 32>>>(p);\n}\n",
    at: [3, 14],
    cure: /__global__/,
  },
  {
    name: "a kernel called plainly",
    text: "__global__ void f(int* p) { p[0] = 1; }\n__global__ void k(int* p) {\n  f(p);\n}\n",
    at: [3, 3],
    cure: /<<<grid, block>>>|launched/,
  },
  {
    name: "a host function in a kernel",
    text: "int half(int x) { return x / 2; }\n__global__ void k(int* p) {\n  p[0] = half(p[0]);\n}\n",
    at: [3, 9],
    cure: /__device__/,
  },
  {
    name: "=+ for +=",
    text: kernel("int s = 0; for (int j = 0; j < n; j++) s =+ in[j]; out[i] = s;"),
    at: [3, 44],
    cure: /\+=/,
  },
  { name: "a variable-length array", text: kernel("int a[n]; a[0] = i; out[i] = a[0];"), at: [3, 7], cure: /constant/ },
  { name: "a write to const", text: kernel("in[i] = 0; out[i] = 1;"), at: [3, 8], cure: /const/ },
  {
    name: "a kernel that returns a value",
    text: "__global__ int k(int* p) {\n  return p[0];\n}\n",
    at: [1, 11],
    cure: /void/,
  },
  { name: "threadIdx without a component", text: kernel("out[threadIdx] = 1;"), at: [3, 5], cure: /threadIdx\.x/ },
  {
    name: "a sum of threadIdx itself",
    text: kernel("int t = threadIdx + blockIdx.x; out[t] = 1;"),
    at: [3, 20],
    cure: /threadIdx\.x/,
  },
  { name: "a builtin in small letters", text: kernel("out[blockidx.x] = 1;"), at: [3, 6], cure: /Write blockIdx/ },
  {
    name: "a barrier without parentheses",
    text: kernel("__syncthreads; out[i] = 1;"),
    at: [3, 2],
    cure: /parentheses/,
  },
  {
    name: "a shared array of a length at run time",
    text: kernel("__shared__ int s[n];"),
    at: [3, 18],
    cure: /constant.*extern/,
  },
  {
    name: "a shared array with first values",
    text: kernel("__shared__ int s[2] = {0};"),
    at: [3, 17],
    cure: /no first values/,
  },
  {
    name: "a shared array without a length",
    text: kernel("__shared__ int s[];"),
    at: [3, 17],
    cure: /extern __shared__/,
  },
  { name: "a stream in a kernel", text: kernel("std::cout << i;"), at: [3, 2], cure: /printf/ },
  { name: "a container in a kernel", text: kernel("std::vector<int> v;"), at: [3, 7], cure: /pointer/ },
  { name: "an atomic on a value", text: kernel("atomicAdd(out[0], 1);"), at: [3, 2], cure: /Write &/ },
  {
    name: "a shuffle without its mask",
    text: kernel("out[i] = __shfl_down_sync(in[i], 16);"),
    at: [3, 11],
    cure: /arguments/,
  },
  {
    name: "two angle brackets for a launch",
    text: "__global__ void f(int* p) { p[0] = 1; }\n__global__ void k(int* p) {\n  f<<1, 32>>(p);\n}\n",
    at: [3, 3],
    cure: /three angle brackets/,
  },
  { name: "a float as an index", text: kernel("float j = i; out[j] = 1;"), at: [3, 18], cure: /\(int\)/ },
  { name: "% on floats", text: kernel("float j = i; out[i] = j % 2;"), at: [3, 26], cure: /fmodf/ },
  { name: "a format in single quotes", text: kernel("printf('%d', i);"), at: [3, 2], cure: /double quotes/ },
  {
    name: "a header that is not included",
    text: kernel("auto b = cooperative_groups::this_thread_block(); b.sync();"),
    at: [3, 11],
    cure: /#include <cooperative_groups\.h>/,
  },
  { name: "elseif", text: kernel("if (i) out[i] = 1; elseif (n) out[i] = 2;"), at: [3, 21], cure: /else if/ },
  {
    name: "a #define with a semicolon",
    text: kernel("int a[N]; out[i] = a[0];", "#define N 32;\n"),
    at: [4, 8],
    cure: /#define/,
  },
  { name: "new in a kernel", text: kernel("int* p = new int[4]; out[i] = p[0];"), at: [3, 11], cure: /cudaMalloc/ },
  {
    name: "a kernel without __global__",
    text: "int n;\nvoid k(int* out) { out[0] = 1; }\n",
    at: [2, 0],
    cure: /__global__ void k/,
  },
];
