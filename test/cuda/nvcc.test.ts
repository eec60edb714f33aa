import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cudaKernel } from "../../src/cuda/kernel.js";
import type { KernelIr } from "../../src/ir/ir.js";
import { everyKernel } from "../kernels/index.js";
import { generateKernel } from "../random/generate.js";
import { batchText } from "../random/gpu/batch.js";
import { sourceOf } from "../random/print.js";
import { compileToPtx, nvccVersion } from "./nvcc.js";

describe.skipIf(nvccVersion() === null)("nvcc", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "warplab-nvcc-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function ptx(name: string, text: string): string {
    const file = join(folder, `${name}.cu`);
    writeFileSync(file, text);
    return compileToPtx(file);
  }

  // CUDA 12 took cudaDeviceSynchronize() out of device code: who waits for child grids there cannot be compiled by it.
  const waits = (ir: KernelIr): boolean => cudaKernel(ir).text.includes("cudaDeviceSynchronize()");

  test("compiles every kernel of the course to PTX without an error", () => {
    const head = "#include <cuda_runtime.h>\n#include <cooperative_groups.h>\n#include <cmath>\n#include <cstdio>\n";
    const kernels = everyKernel().filter(({ ir }) => !waits(ir));
    expect(kernels.length).toBeGreaterThan(30);
    const parts = kernels.map(({ ir }, index) => ({ ...cudaKernel(ir), space: `kernel${index}` }));
    // extern "C" names are global: each kernel gets its own here.
    const texts = parts.map(({ text, space }) => `namespace ${space} {\n${text.replaceAll('extern "C" ', "")}}\n`);
    const code = ptx("course", head + texts.join(""));
    for (const { name, space } of parts) expect(code).toMatch(new RegExp(`\\.entry _ZN\\d+${space}\\d+${name}`));
  });

  test("refuses in a kernel that waits for its child grids nothing but the wait", () => {
    for (const { ir } of everyKernel().filter((kernel) => waits(kernel.ir))) {
      const text = cudaKernel(ir).text.replaceAll("cudaDeviceSynchronize()", "(void)0");
      expect(ptx("child", `#include <cuda_runtime.h>\n#include <cmath>\n#include <cstdio>\n${text}`)).toContain(
        ".entry",
      );
    }
  });

  test("compiles a hundred random kernels to PTX without an error", () => {
    const sources = Array.from({ length: 100 }, (_, seed) =>
      sourceOf(generateKernel(seed + 1, { defined: seed % 2 === 0 })),
    );
    expect(ptx("random", batchText(sources)).match(/\.entry random_/g)).toHaveLength(100);
  });
});
