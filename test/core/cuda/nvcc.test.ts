import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cudaKernel } from "../../../src/core/cuda/kernel.js";
import { f32, f64, i32, i64, type Kernel, kernel, ptr } from "../../../src/core/frontend/index.js";
import { bitFunctions } from "../../../src/core/frontend/translate/calls/bits.js";
import { mathFunctions } from "../../../src/core/frontend/translate/calls/math.js";
import { warpFunctions } from "../../../src/core/frontend/translate/calls/warp.js";
import type { KernelIr } from "../../../src/core/ir/ir.js";
import { everyKernel } from "../../kernels/index.js";
import { generateKernel } from "../../random/generate.js";
import { batchText } from "../../random/gpu/batch.js";
import { sourceOf } from "../../random/print.js";
import { compileToPtx, nvccVersion } from "./nvcc.js";

const WORDS = [...mathFunctions.keys(), ...bitFunctions.keys(), ...warpFunctions.keys()];

function everyCall(calls: string, words: readonly string[] = WORDS): Kernel {
  const body = `({ ints, floats, n, f, d, l }, cuda) => { const { ${words.join(", ")} } = cuda; ${calls} }`;
  const params = { ints: ptr(i32), floats: ptr(f32), n: i32, f: f32, d: f64, l: i64 };
  return kernel("words", { params }, new Function(`return ${body}`)() as never);
}

/** The words that a call takes from CUDA's: all of them at each try would take a hundred times as long. */
function compiles(call: string): boolean {
  const words = (call.match(/\w+/g) ?? []).filter((word) => WORDS.includes(word));
  try {
    everyCall(call, words);
    return true;
  } catch {
    return false;
  }
}

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

  test("knows every function of the language by the name that the CUDA text gives it", () => {
    const calls = WORDS.flatMap((word) => {
      // Functions that nvcc 13 has no GPU for, and one that CUDA 12 took away.
      if (/^(__)?(shfl|shfl_up|shfl_down|shfl_xor|ballot|any|all)$|deviceSynchronize/.test(word)) return [];
      const forms = [
        "d, d",
        "f, f",
        "f, f, f",
        "f",
        "d",
        "n, n",
        "n, n, n",
        "n",
        "l",
        "l, l",
        "",
        "0xffffffff, n",
        "0xffffffff, n, 1",
      ];
      const texts = forms.flatMap((args) => [
        `${word}(${args});`,
        `floats[1] = ${word}(${args});`,
        `ints[0] += i32(${word}(${args}));`,
      ]);
      return texts.filter(compiles).slice(-3);
    });
    const used = new Set(calls.map((call) => /(\w+)\([^(]*\)/.exec(call.replaceAll("i32(", ""))?.[1]));
    expect(used.size).toBeGreaterThan(250);
    const code = ptx("words", `#include <cuda_runtime.h>\n#include <cmath>\n${everyCall(calls.join("\n")).toCuda()}`);
    expect(code).toContain(".entry words");
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
