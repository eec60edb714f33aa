/** nvcc compiles the whole program of every kernel of the course, and of random kernels, for sm_75 and sm_90. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { example03Reductions, labReductions, lastWarpWithSyncwarp } from "../../src/course/reductions.js";
import { createHostArray } from "../../src/cuda/host-data.js";
import { cudaKernel } from "../../src/cuda/kernel.js";
import { type CudaArguments, toCudaProgram } from "../../src/cuda/program.js";
import type { KernelIr } from "../../src/ir/ir.js";
import { everyKernel } from "../kernels/index.js";
import { generateKernel } from "../random/generate.js";
import { argumentsOf, checkedIr } from "../random/run-case.js";
import { compileObject, nvccVersion } from "./nvcc.js";

const LENGTH = 64;

/** Arguments of the right kinds; the programs are compiled, not run. */
function anyArguments(ir: KernelIr): CudaArguments {
  return Object.fromEntries(
    ir.params.map((param): [string, CudaArguments[string]] => {
      if (param.kind === "scalar") return [param.name, param.type === "i64" || param.type === "u64" ? 1n : 1];
      const { pointer } = param.type;
      const scalar = typeof pointer === "string" ? pointer : pointer.scalar;
      return [
        param.name,
        { data: { values: createHostArray(scalar, LENGTH) }, expected: createHostArray(scalar, LENGTH) },
      ];
    }),
  );
}

function programOf(ir: KernelIr, args: CudaArguments): string {
  return toCudaProgram(ir, { grid: [2, 1, 1], block: [128, 1, 1], dynamicSharedBytes: 1024 }, args);
}

/** Many programs as one file, each in a namespace: their heads stand once, their mains are plain functions. */
function joined(programs: readonly string[], names: readonly string[]): string {
  const includes = new Set<string>();
  const spaces = programs.map((program, index) => {
    const body = program
      .replaceAll(/^#include .*$/gm, (line) => {
        includes.add(line);
        return "";
      })
      .replaceAll('extern "C" ', "")
      .replaceAll(`::${names[index]}`, `program${index}::${names[index]}`);
    return `namespace program${index} {\n${body}}\n#undef check\n`;
  });
  return `${[...includes].join("\n")}\n${spaces.join("\n")}`;
}

function compiles(programs: readonly string[], names: readonly string[], arch: string): void {
  const folder = mkdtempSync(join(tmpdir(), "warplab-whole-"));
  try {
    const file = join(folder, "programs.cu");
    writeFileSync(file, joined(programs, names));
    compileObject(file, arch);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe.skipIf(nvccVersion() === null).each(["sm_75", "sm_90"])("nvcc for %s", (arch) => {
  // CUDA 12 took cudaDeviceSynchronize() out of device code; __reduce_*_sync needs sm_80.
  const known = (text: string): boolean =>
    !text.includes("cudaDeviceSynchronize()") && (arch !== "sm_75" || !text.includes("__reduce_"));

  test("compiles the program of every kernel of the documents and of the course", () => {
    const course = [...labReductions, ...example03Reductions, lastWarpWithSyncwarp].map(({ kernel }) => kernel);
    const irs = [...everyKernel(), ...course].map(({ ir }) => ir).filter((ir) => known(cudaKernel(ir).text));
    expect(irs.length).toBeGreaterThan(40);
    compiles(
      irs.map((ir) => programOf(ir, anyArguments(ir))),
      irs.map((ir) => cudaKernel(ir).name),
      arch,
    );
  });

  test("compiles the programs of ten random kernels with their data", () => {
    const trees = Array.from({ length: 14 }, (_, seed) => generateKernel(seed + 500, { defined: true }));
    const all = trees.map((tree) => ({ ir: checkedIr(tree), args: argumentsOf(tree) }));
    const cases = all.filter(({ ir }) => known(cudaKernel(ir).text));
    expect(cases.length).toBeGreaterThanOrEqual(10);
    compiles(
      cases.map(({ ir, args }) =>
        programOf(
          ir,
          Object.fromEntries(
            Object.entries(args).map(([name, value]) => [
              name,
              typeof value === "object" ? { data: { values: value } } : value,
            ]),
          ),
        ),
      ),
      cases.map(({ ir }) => cudaKernel(ir).name),
      arch,
    );
  });
});
