/**
 * Random kernels as one .cu file whose program runs each on a real GPU and writes the memory it left to a file, in the
 * order of the seeds and parameters. README.md beside this file says how a result file is made from it.
 */
import { cudaKernel } from "../../../src/core/cuda/kernel.js";
import { compileSource, type KernelSource } from "../print.js";
import { initialData, type Memory, outputsOf } from "../run-case.js";
import type { Numeric, ParamTree } from "../tree.js";
import { createArray, type DataArray, INPUT_LENGTH, SLACK } from "../values.js";

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
export function batchText(kernels: readonly KernelSource[]): string {
  const texts = kernels.map(
    (kernel) => `namespace n_${kernel.name} {\n${cudaKernel(compileSource(kernel), { comments: false }).text}}\n`,
  );
  const cases = kernels.map((kernel) => {
    const params = kernel.params.map(paramText);
    const shape = `${dim3(kernel.grid)}, ${dim3(kernel.block)}, ${kernel.dynamicSharedBytes}`;
    const pointer = `(const void*)n_${kernel.name}::${kernel.name}`;
    return `  {"${kernel.name}", ${pointer}, ${shape}, ${params.length}, {${params.join(", ")}}},\n`;
  });
  return [
    "#include <cuda_runtime.h>\n#include <cmath>\n#include <cstdio>\n#include <cstdlib>\n\n",
    ...texts,
    "\n",
    ...NUMERICS.map(bitsText),
    ...NUMERICS.map(smallText),
    TYPES,
    `static const Case cases[] = {\n${cases.join("")}};\n\n`,
    PROGRAM,
  ].join("");
}

/** What the program wrote for `kernel`, from byte `from` of its file on, in place of `memory`'s arrays. */
export function memoryFrom(bytes: Uint8Array, from: number, kernel: KernelSource): { memory: Memory; next: number } {
  const memory: Record<string, DataArray> = {};
  let next = from;
  for (const { name, t } of outputsOf(kernel)) {
    const param = kernel.params.find((candidate) => candidate.name === name);
    const array = createArray(t, param?.kind === "array" ? param.length : 0);
    new Uint8Array(array.buffer).set(bytes.subarray(next, next + array.byteLength));
    memory[name] = array;
    next += array.byteLength;
  }
  return { memory, next };
}
