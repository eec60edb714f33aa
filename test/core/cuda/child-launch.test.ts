/** Kernels that launch kernels, printed as CUDA C++ and given to nvcc; where there is no nvcc the test is passed over. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cudaKernel } from "../../../src/core/cuda/kernel.js";
import { i32, type Kernel, kernel, ptr, u32 } from "../../../src/core/frontend/index.js";
import { lower } from "../../../src/core/lower/lower.js";
import type { Program } from "../../../src/core/lower/program.js";
import { recursiveReduce } from "../../kernels/notes.js";

const scale: Kernel = kernel("scale", { params: { data: ptr(i32), by: i32 } }, ({ data, by }, { threadIdx }) => {
  data[threadIdx.x] *= by;
});
const parent: Kernel = kernel(
  "parent",
  { params: { data: ptr(i32), size: u32 }, functions: { scale } },
  ({ data, size }, { threadIdx, launch, self }, { scale }) => {
    const half = data.subarray(size >> 1);
    if (threadIdx.x === 0 && size > 2) {
      launch(scale, { grid: 1, block: [size >> 1, 1], shared: 64 }, { data: half, by: 3 });
      launch(self, { grid: 1, block: 1 }, { data: half, size: size >> 1 });
    }
  },
);

function compiled(ir: Kernel["ir"], options: readonly string[] = ["-arch=sm_90"]): string {
  const folder = mkdtempSync(join(tmpdir(), "warplab-nvcc-"));
  try {
    const file = join(folder, "kernel.cu");
    writeFileSync(file, `#include <cuda_runtime.h>\n#include <cmath>\n#include <cstdio>\n${cudaKernel(ir).text}`);
    return execFileSync("nvcc", ["-rdc=true", ...options, "-ptx", "-o", "-", file], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hasNvcc(): boolean {
  try {
    execFileSync("nvcc", ["--version"]);
    return true;
  } catch {
    return false;
  }
}

it("a launch is printed between chevrons, the child before its parent", () => {
  const { text } = cudaKernel(parent.ir, { comments: false });
  expect(text).toMatch(/scale<<<dim3\(1u, 1u, 1u\), dim3\(size >> 1u?, 1u, 1u\), 64u>>>\(.*, 3\);/);
  expect(text).toMatch(/parent<<<dim3\(1u, 1u, 1u\), dim3\(1u, 1u, 1u\), 0u>>>\(/);
  expect(text.indexOf("void scale(")).toBeLessThan(text.indexOf("void parent("));
});

describe.skipIf(!hasNvcc())("nvcc", () => {
  it("makes two calls of the device runtime of each launch, as the lowering counts them", () => {
    const ptx = compiled(parent.ir);
    const calls = (name: string): number => ptx.match(new RegExp(`^\\s*${name},`, "gm"))?.length ?? 0;
    expect(calls("__cudaCDP2GetParameterBufferV2")).toBe(2);
    expect(calls("__cudaCDP2LaunchDeviceV2")).toBe(2);
  });
  it("refuses a kernel that waits for its children on compute capability 9.0, as the lowering does", () => {
    const on = (major: number, minor: number): Program =>
      lower(recursiveReduce.ir, { computeCapability: { major, minor }, contractFma: true });
    expect(() => compiled(recursiveReduce.ir)).toThrow(/cudaDeviceSynchronize/);
    expect(() => on(9, 0)).toThrow(/cudaDeviceSynchronize\(\) in a kernel is gone/);
    // The older device runtime, where the GPU has it.
    expect(compiled(recursiveReduce.ir, ["-arch=sm_75", "-DCUDA_FORCE_CDP1_IF_SUPPORTED"])).toContain(
      "cudaDeviceSynchronize",
    );
    expect(on(7, 5).instructions.some(({ op }) => op === "deviceSynchronize")).toBe(true);
  });
});
