/** nvcc compiles the whole program of every kernel of the course, and of random kernels, for sm_75 and sm_90. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHostArray } from "../../../src/core/cuda/host-data.js";
import { cudaKernel } from "../../../src/core/cuda/kernel.js";
import { type CudaArguments, toCudaProgram } from "../../../src/core/cuda/program.js";
import type { KernelIr } from "../../../src/core/ir/ir.js";
import { example03Reductions, labReductions, lastWarpWithSyncwarp } from "../../../src/course/reductions/reductions.js";
import { everyKernel } from "../../kernels/index.js";
import { capabilityOf } from "../../random/capabilities.js";
import { generateKernel } from "../../random/generate.js";
import { argumentsOf, checkedIr } from "../../random/run-case.js";
import { joinedPrograms, type NamedProgram } from "./joined-programs.js";
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

interface Program extends NamedProgram {
  /** CUDA 12 took cudaDeviceSynchronize() out of device code. */
  readonly waits: boolean;
}

function named(ir: KernelIr, args: CudaArguments): Program {
  const { name, text } = cudaKernel(ir);
  return { name, text: programOf(ir, args), waits: text.includes("cudaDeviceSynchronize()") };
}

const needsSm80 = ({ text }: NamedProgram): boolean => text.includes("__reduce_");

describe.skipIf(nvccVersion() === null)("nvcc compiles the programs", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "warplab-whole-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const course = [...labReductions, ...example03Reductions, lastWarpWithSyncwarp].map(({ kernel }) => kernel);
  const documented = [...everyKernel(), ...course]
    .map(({ ir }) => named(ir, anyArguments(ir)))
    .filter(({ waits }) => !waits);
  // Nearly each kernel for 9.0 has a reduction of a warp, which begins with sm_80.
  const random = Array.from({ length: 16 }, (_, seed) =>
    generateKernel(seed + 500, { defined: true, capability: capabilityOf(seed < 12 ? "7.5" : "9.0") }),
  )
    .map((tree) => {
      const data = Object.entries(argumentsOf(tree)).map(([name, value]): [string, CudaArguments[string]] => [
        name,
        typeof value === "object" ? { data: { values: value } } : value,
      ]);
      return named(checkedIr(tree), Object.fromEntries(data));
    })
    .filter(({ waits }) => !waits);

  function compile(programs: readonly Program[], ...gpus: readonly number[]): void {
    const file = join(folder, `programs${gpus.join("-")}.cu`);
    writeFileSync(file, joinedPrograms(programs));
    compileObject(file, ...gpus);
  }

  test("of every kernel of the documents and of the course, and of random ones with their data, for sm_75 and sm_90", () => {
    const [courses, randoms] = [documented, random].map((all) => all.filter((program) => !needsSm80(program)));
    expect(courses?.length).toBeGreaterThan(40);
    expect(randoms?.length).toBeGreaterThanOrEqual(10);
    compile([...(courses ?? []), ...(randoms ?? [])], 75, 90);
  });

  test("of those that need sm_80, for sm_90", () => {
    const newer = [...documented, ...random].filter(needsSm80);
    expect(newer.length).toBeGreaterThan(1);
    compile(newer, 90);
  });
});
