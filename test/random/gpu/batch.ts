/**
 * Random kernels as one .cu file whose program runs each on a real GPU and writes the memory it left to a file, in the
 * order of the seeds and parameters. README.md beside this file says how a result file is made from it.
 */
import { cudaKernel } from "../../../src/cuda/kernel.js";
import { compileTree } from "../print.js";
import { initialData, outputsOf } from "../run-case.js";
import type { KernelTree, Numeric, ParamTree } from "../tree.js";
import { createArray, INPUT_LENGTH, SLACK } from "../values.js";

const NUMERICS: readonly Numeric[] = ["i32", "u32", "i64", "u64", "f32", "f64"];

/** The bits of each element, as C writes them. */
function bitsText(t: Numeric): string {
  const data = initialData({ name: "", t, kind: "array", length: INPUT_LENGTH + SLACK, fill: "corners" });
  const words =
    data.BYTES_PER_ELEMENT === 8
      ? [...new BigUint64Array(data.buffer)].map((word) => `0x${word.toString(16)}ull`)
      : [...new Uint32Array(data.buffer)].map((word) => `0x${word.toString(16)}u`);
  const type = data.BYTES_PER_ELEMENT === 8 ? "unsigned long long" : "unsigned";
  return `static const ${type} pool_${t}[] = {${words.join(",")}};\n`;
}

function smallText(t: Numeric): string {
  const type = {
    i32: "int",
    u32: "unsigned",
    i64: "long long",
    u64: "unsigned long long",
    f32: "float",
    f64: "double",
  }[t];
  return `static const ${type} small_${t}[] = {${Array.from({ length: 64 }, (_, index) => (index * 5) & 7).join(",")}};\n`;
}

function scalarBits(t: Numeric, value: number | bigint): string {
  const array = createArray(t, 1);
  array[0] = value as never;
  const bits =
    array.BYTES_PER_ELEMENT === 8 ? new BigUint64Array(array.buffer)[0] : BigInt(new Uint32Array(array.buffer)[0] ?? 0);
  return `0x${(bits ?? 0n).toString(16)}ull`;
}

function paramText(param: ParamTree): string {
  if (param.kind === "scalar") return `{nullptr, 0, 0, ${scalarBits(param.t, param.value)}}`;
  const bytes = param.length * createArray(param.t, 0).BYTES_PER_ELEMENT;
  const from = param.fill === "zero" ? "nullptr" : `${param.fill === "corners" ? "pool" : "small"}_${param.t}`;
  return `{${from}, ${bytes}, ${param.name.startsWith("in_") ? 0 : 1}, 0}`;
}

function dim3(extent: readonly number[]): string {
  return `{${extent.join(", ")}}`;
}

const TYPES = `
struct Param { const void* initial; size_t bytes; int written; unsigned long long scalar; };  // bytes 0: a scalar
struct Case { const char* name; const void* kernel; dim3 grid, block; size_t shared; int count; Param params[40]; };

`;

const PROGRAM = `
static void check(cudaError_t status, const char* what, const char* name) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s: %s: %s\\n", name, what, cudaGetErrorString(status));
  exit(1);
}

static void run(const Case& c, FILE* file) {
  void* buffers[40];
  void* arguments[40];
  for (int i = 0; i < c.count; i++) {
    const Param& p = c.params[i];
    arguments[i] = p.bytes == 0 ? (void*)&p.scalar : (void*)&buffers[i];
    if (p.bytes == 0) continue;
    check(cudaMalloc(&buffers[i], p.bytes), "cudaMalloc", c.name);
    if (p.initial == nullptr) check(cudaMemset(buffers[i], 0, p.bytes), "cudaMemset", c.name);
    else check(cudaMemcpy(buffers[i], p.initial, p.bytes, cudaMemcpyHostToDevice), "cudaMemcpy", c.name);
  }
  check(cudaLaunchKernel(c.kernel, c.grid, c.block, arguments, c.shared, 0), "launch", c.name);
  check(cudaDeviceSynchronize(), "kernel", c.name);
  for (int i = 0; i < c.count; i++) {
    const Param& p = c.params[i];
    if (p.bytes == 0) continue;
    if (p.written) {
      static char host[1 << 20];
      check(cudaMemcpy(host, buffers[i], p.bytes, cudaMemcpyDeviceToHost), "cudaMemcpy", c.name);
      fwrite(host, 1, p.bytes, file);
    }
    check(cudaFree(buffers[i]), "cudaFree", c.name);
  }
}

int main(int argc, char** argv) {
  FILE* file = fopen(argc > 1 ? argv[1] : "memory.bin", "wb");
  if (file == nullptr) return 1;
  int done = 0;
  for (const Case& c : cases) {
    run(c, file);
    done++;
  }
  fclose(file);
  printf("%d kernels\\n", done);
  return 0;
}
`;

/** The whole file. Every kernel of \`trees\` must compile. */
export function batchText(trees: readonly KernelTree[]): string {
  const kernels = trees.map((tree) => {
    const { text } = cudaKernel(compileTree(tree), { comments: false });
    return `namespace n${tree.seed} {\n${text}}\n`;
  });
  const cases = trees.map((tree) => {
    const params = tree.params.map(paramText);
    const shape = `${dim3(tree.grid)}, ${dim3(tree.block)}, ${tree.dynamicSharedBytes}`;
    return `  {"${tree.name}", (const void*)n${tree.seed}::${tree.name}, ${shape}, ${params.length}, {${params.join(", ")}}},\n`;
  });
  return [
    "#include <cuda_runtime.h>\n#include <cmath>\n#include <cstdio>\n#include <cstdlib>\n\n",
    ...kernels,
    "\n",
    ...NUMERICS.map(bitsText),
    ...NUMERICS.map(smallText),
    TYPES,
    `static const Case cases[] = {\n${cases.join("")}};\n\n`,
    PROGRAM,
  ].join("");
}

/** Bytes that the program writes for one kernel. */
export function memoryBytes(tree: KernelTree): number {
  return outputsOf(tree).reduce((sum, { name, t }) => {
    const param = tree.params.find((candidate) => candidate.name === name);
    return sum + (param?.kind === "array" ? param.length * createArray(t, 0).BYTES_PER_ELEMENT : 0);
  }, 0);
}
