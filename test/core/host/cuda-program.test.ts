/** A launch as a whole CUDA program, as a learner with a GPU would take it away. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { mulberry32 } from "../../../src/core/base/random-values.js";
import { f32, i32, kernel, ptr } from "../../../src/core/frontend/index.js";
import { toCudaProgram } from "../../../src/core/host/cuda-program.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import { randomFloats, randomInts } from "../../../src/course/reductions/reduction-run.js";
import { sequential } from "../../kernels/labs.js";
import { joinedPrograms } from "../cuda/joined-programs.js";
import { compileProgram, nvccVersion } from "../cuda/nvcc.js";

const gpu = new Gpu("h200", { memoryBytes: 32 << 20 });
afterEach(() => gpu.reset());

const scale = kernel(
  "scale",
  { params: { data: ptr(f32), copy: ptr(f32), factor: f32 } },
  ({ data, copy, factor }, cuda) => {
    const i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x;
    copy[i] = data[i] * factor;
  },
);

function reduction(values: Int32Array): string {
  const block = 256;
  const grid = values.length / block;
  const [input, output] = [gpu.upload(values), gpu.alloc(i32, grid)];
  output.fill(-7);
  const text = toCudaProgram({ gpu, kernel: sequential, grid, block, sharedBytes: 4 * block, args: { input, output } });
  expect(output.read()).toEqual(new Int32Array(grid).fill(-7));
  expect(input.read()).toEqual(values);
  return text;
}

describe("the CUDA program of a launch", () => {
  it("has the kernel with its names and the TypeScript lines as comments", () => {
    const text = reduction(new Int32Array(1024).fill(1));
    expect(text).toContain('extern "C" __global__ void sequential(int* input, int* output) {');
    expect(text).toMatch(/\/\/ \d+: if \(tid < s\) sdata\[tid\] \+= sdata\[tid \+ s\];/);
    expect(text).toContain("sdata[tid] += sdata[tid + s];");
  });

  it("launches the shape, with its dynamic shared memory, and times it by events", () => {
    const text = reduction(new Int32Array(1024).fill(1));
    expect(text).toContain("::sequential<<<dim3(4), dim3(256), 1024>>>(d_input, d_output);");
    expect(text).toContain("cudaEventElapsedTime");
  });

  it("takes the buffers' values before the launch as input and what the simulator leaves as the check", () => {
    const text = reduction(Int32Array.from({ length: 1024 }, (_, i) => i));
    expect(text).toContain("h_input[i] = (int)(0ll + 1ll * (long long)i);");
    expect(text).toContain("h_output[i] = -7;");
    // 0 + 1 + ... + 255, and 65536 more for each block after it.
    expect(text).toContain("32640, 98176, 163712, 229248");
    expect(text).toContain('same("output"');
  });

  it("prints the predicted time beside the measured one", () => {
    expect(reduction(new Int32Array(1024).fill(1))).toMatch(
      /printf\("simulated: %.4f ms on %s\\n", 0\.\d+, "NVIDIA H200/,
    );
  });

  it("names the course's random data by its seed, whatever its size", () => {
    expect(reduction(randomInts(2 ** 18, 42))).toContain("unsigned int state = 42u;");
    const [data, copy] = [gpu.upload(randomFloats(2 ** 18, 3)), gpu.alloc(f32, 2 ** 18)];
    const text = toCudaProgram({ gpu, kernel: scale, grid: 1024, block: 256, args: { data, copy, factor: 2 } });
    expect(text).toContain("unsigned int state = 3u;");
    expect(text).toContain("(float)((mixed >> 8) * (1.0 / 16777216.0))");
  });

  it("makes those values as C would: in unsigned arithmetic of 32 bits", () => {
    let state = 5n;
    const word = (value: bigint): bigint => value & 0xffffffffn;
    const expected = Array.from({ length: 1000 }, () => {
      state = word(state + 0x6d2b79f5n);
      let mixed = word((state ^ (state >> 15n)) * (1n | state));
      mixed = word(mixed + (mixed ^ (mixed >> 7n)) * (61n | mixed)) ^ mixed;
      return Number(BigInt.asIntN(32, mixed ^ (mixed >> 14n)));
    });
    expect([...mulberry32(1000, 5)]).toEqual(expected);
  });

  it("writes other data out, and refuses what is too large for that with the way to give it", () => {
    const odd = (n: number): Int32Array => Int32Array.from({ length: n }, (_, i) => (i * i * i) ^ (i >> 3));
    expect(reduction(odd(8192))).toContain("static const int h_input_table[] = {");
    expect(() => reduction(odd(2 ** 17))).toThrow("randomInts(n, seed)");
  });

  it("gives two parameters one array where the launch does", () => {
    const data = gpu.upload(new Float32Array(256).fill(3));
    const text = toCudaProgram({ gpu, kernel: scale, grid: 1, block: 256, args: { data, copy: data, factor: 2 } });
    expect(text).toContain("(d_data, d_data, 2.0f)");
    expect(text).toContain("e_data[i] = 6.0f;");
    expect(text).not.toContain("h_copy");
  });

  it("compares within a tolerance where a GPU approximates", () => {
    const waves = kernel(
      "waves",
      { params: { out: ptr(f32) } },
      ({ out }, { threadIdx, blockIdx, blockDim, sinf, f32 }) => {
        const i = blockIdx.x * blockDim.x + threadIdx.x;
        out[i] = sinf(f32(i));
      },
    );
    const text = (grid: number): string =>
      toCudaProgram({ gpu, kernel: waves, grid, block: 256, args: { out: gpu.alloc(f32, grid * 256) } });
    expect(text(2)).toContain('near("out", gpuValues, e_out, 1)');
    // Of 2^17 values 1024 are compared.
    expect(text(512)).toContain('near("out", gpuValues, e_out, 128)');
  });

  it("leaves the buffers as they were where the launch fails", () => {
    const [input, output] = [gpu.upload(new Int32Array(256).fill(9)), gpu.alloc(i32, 1)];
    const launch = { gpu, kernel: sequential, grid: 2, block: 256, sharedBytes: 1024, args: { input, output } };
    expect(() => toCudaProgram(launch)).toThrow("cudaErrorIllegalAddress");
    expect(output.read()).toEqual(new Int32Array(1));
  });

  it("is refused as the launch would be", () => {
    expect(() => toCudaProgram({ gpu, kernel: sequential, grid: 0, block: 256, args: {} })).toThrow("cudaErrorInvalid");
    expect(() => toCudaProgram({ gpu, kernel: sequential, grid: 1, block: 256, sharedBytes: 1024, args: {} })).toThrow(
      "no argument for parameter input",
    );
  });
});

describe.skipIf(nvccVersion() === null)("nvcc", () => {
  it("compiles such programs without a warning", () => {
    const folder = mkdtempSync(join(tmpdir(), "warplab-launch-"));
    try {
      const odd = Int32Array.from({ length: 1024 }, (_, i) => (i * i * i) ^ (i >> 3));
      const texts = [randomInts(2 ** 16, 2), odd].map((values) => ({ name: "sequential", text: reduction(values) }));
      const file = join(folder, "programs.cu");
      writeFileSync(file, joinedPrograms(texts));
      compileProgram(file, 75, 90);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
