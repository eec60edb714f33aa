/** Sixteen mistakes of learners: the text, and where and how its one message has to help. */
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
];
