/** Finds the kernel to check in a learner's answer. */
import { InputError, WarplabError } from "../../core/base/errors.js";
import { CudaKernel, CudaTemplate } from "../../core/frontend/cuda-cpp-kernel.js";
import { Kernel } from "../../core/frontend/index.js";
import type { Param } from "../../core/ir/ir.js";
import { cudaName } from "../../core/ir/types.js";
import { failureSentence } from "./source-line.js";
import type { ExerciseSpec } from "./spec.js";

/** A kernel, a template of kernels in CUDA C++, a function that makes one, or a module with an export `answer`. */
export type Answer =
  | Kernel
  | CudaTemplate
  | (() => Kernel | CudaTemplate)
  | { readonly answer?: unknown }
  | null
  | undefined;

interface Wanted {
  readonly name: string;
  readonly written: string;
  readonly inCuda: string;
  readonly fits: (param: Param) => boolean;
}

function wantedParams({ guarded }: ExerciseSpec): readonly Wanted[] {
  const pointer = (name: string): Wanted => ({
    name,
    written: "ptr(i32)",
    inCuda: `int *${name}`,
    fits: (param) => param.kind === "pointer" && param.type.pointer === "i32",
  });
  const n: Wanted = {
    name: "n",
    written: "i32",
    inCuda: "int n",
    fits: (param) => param.kind === "scalar" && /^[iu]32$/.test(param.type),
  };
  return [pointer("input"), pointer("output"), ...(guarded ? [n] : [])];
}

function reason(problem: unknown): string {
  if (problem instanceof WarplabError) return failureSentence(problem);
  return problem instanceof Error ? `${problem.name}: ${problem.message}.` : `${String(problem)}.`;
}

/** An instance to begin with: each launch may take another one. */
const FIRST_BLOCK = 256;

function instanceOf(template: CudaTemplate, { blockConstant }: ExerciseSpec): Kernel {
  if (blockConstant === null) return template.with({});
  if (template.parameters.includes(blockConstant)) return template.with({ [blockConstant]: FIRST_BLOCK });
  throw new InputError({
    what: `The template ${template.name} has the parameters ${template.parameters.join(", ")}`,
    cure: `Declare ${blockConstant}, the threads a block: ${blockTemplate(blockConstant)}`,
  });
}

function blockTemplate(constant: string): string {
  return `template <int ${constant}> __global__ void answer(const int *input, int *output) { ... }`;
}

const isKernel = (value: unknown): boolean => Kernel.is(value) || CudaTemplate.is(value);

function kernelIn(given: unknown, spec: ExerciseSpec): Kernel | string {
  const cure = 'Hand in what kernel("answer", { params }, ...) gives.';
  if (given === undefined || given === null) return `Nothing was handed in. ${cure}`;
  if (Kernel.is(given)) return given;
  if (CudaTemplate.is(given)) return kernelIn(() => instanceOf(given, spec), spec);
  if (typeof given === "function") {
    try {
      return kernelIn(given(), spec);
    } catch (problem) {
      return `There is no kernel to check: ${reason(problem)}`;
    }
  }
  if (typeof given !== "object") return `A ${typeof given} was handed in, which is no kernel. ${cure}`;
  let fields: readonly (readonly [string, unknown])[];
  try {
    if ("answer" in given) return kernelIn(given.answer, spec);
    fields = Object.entries(given);
  } catch (problem) {
    return `What was handed in cannot be read: ${reason(problem)}`;
  }
  const others = fields.flatMap(([name, value]) => (isKernel(value) ? [name] : []));
  if (others.length > 0)
    return `There is no kernel named answer, but ${others.join(", ")}. Export the kernel as answer.`;
  return `What was handed in is no kernel. ${cure}`;
}

/** A sentence where the block's size is to be a template constant and is none. */
function missingConstant({ blockConstant }: ExerciseSpec, kernel: Kernel): string | null {
  const { name, spec } = kernel;
  if (blockConstant === null || typeof spec.constants[blockConstant] === "number") return null;
  const given = Object.keys(spec.constants).join(", ") || "(none)";
  const written = CudaKernel.is(kernel)
    ? blockTemplate(blockConstant)
    : `kernel("answer", parameters, { ${blockConstant}: 256 }, ({ input, output }, { ${blockConstant} }) => { ... })`;
  return `The kernel ${name} has the template constants ${given}. Declare ${blockConstant}, a number: ${written}.`;
}

/** A sentence where the number of blocks is to be a template constant, and is none or out of range. */
function wrongGrid({ gridConstant, mostBlocks }: ExerciseSpec, kernel: Kernel): string | null {
  if (gridConstant === null) return null;
  const { name, spec } = kernel;
  const chosen = spec.constants[gridConstant];
  const most = mostBlocks ?? 1;
  if (typeof chosen === "number" && Number.isInteger(chosen) && chosen >= 1 && chosen <= most) return null;
  const found = chosen === undefined ? `no template constant ${gridConstant}` : `${gridConstant}: ${String(chosen)}`;
  const written = CudaKernel.is(kernel)
    ? `template <int ${gridConstant} = 64> __global__ void answer(const int *input, int *output, int n) { ... }`
    : `kernel("answer", parameters, { ${gridConstant}: 64 }, ({ input, output, n }) => { ... })`;
  return `The kernel ${name} has ${found}. Declare it as the number of blocks, 1 to ${most}: ${written}.`;
}

/** Threads that a block may have where the learner chooses, and blocks an SM. */
const LEAST_THREADS = 32;
const MOST_THREADS = 1024;
const MOST_BLOCKS_PER_SM = 32;

/** A sentence where a template constant that the learner is to choose is none, or is out of range. */
function wrongChoice(
  kernel: Kernel,
  constant: string | null,
  what: string,
  least: number,
  most: number,
): string | null {
  if (constant === null) return null;
  const chosen = kernel.spec.constants[constant];
  if (typeof chosen === "number" && Number.isInteger(chosen) && chosen >= least && chosen <= most) return null;
  const plain = typeof chosen === "number" || typeof chosen === "boolean";
  const shown = plain ? String(chosen) : typeof chosen === "bigint" ? `${chosen}n` : "a value of another type";
  const found = chosen === undefined ? `no template constant ${constant}` : `${constant}: ${shown}`;
  const written = CudaKernel.is(kernel)
    ? `as a parameter of the template with its value: template <int ${constant} = ${most / 4}>`
    : `among the constants behind the parameters: { ${constant}: ${most / 4} }`;
  return `The kernel ${kernel.name} has ${found}. Declare it as ${what}, ${least} to ${most}, a whole number, ${written}.`;
}

function wrongChoices({ threadsConstant, blocksPerSmConstant }: ExerciseSpec, kernel: Kernel): string | null {
  return (
    wrongChoice(kernel, threadsConstant, "the threads a block", LEAST_THREADS, MOST_THREADS) ??
    wrongChoice(kernel, blocksPerSmConstant, "the blocks for each SM", 1, MOST_BLOCKS_PER_SM)
  );
}

/** The exercise with the threads a block that the learner has chosen, where it leaves them the choice. */
export function withChoices(spec: ExerciseSpec, kernel: Kernel): ExerciseSpec {
  if (spec.threadsConstant === null) return spec;
  const threads = Number(kernel.spec.constants[spec.threadsConstant]);
  const only = { least: threads, most: threads };
  return { ...spec, blocks: { named: [threads], drawn: only }, measured: { ...spec.measured, block: only } };
}

/** The kernel with the parameters asked for, compiled from its text; or a sentence that says why there is none. */
export function handedIn(spec: ExerciseSpec, given: unknown): Kernel | string {
  const found = kernelIn(given, spec);
  if (typeof found === "string") return found;
  try {
    // Compiled from its text alone: nothing that was added to the object counts.
    const kernel = CudaKernel.is(found) ? found.again() : new Kernel(found.spec);
    const wanted = wantedParams(spec);
    const { params } = kernel.ir;
    const fits =
      params.length === wanted.length &&
      wanted.every(({ name, fits }) => params.some((param) => param.name === name && fits(param)));
    if (fits) return missingConstant(spec, kernel) ?? wrongGrid(spec, kernel) ?? wrongChoices(spec, kernel) ?? kernel;
    const shown = params.map(({ name, type }) => (CudaKernel.is(kernel) ? `${cudaName(type)} ${name}` : name));
    const given = shown.join(", ") || "(none)";
    const declared = CudaKernel.is(kernel)
      ? `__global__ void answer(${wanted.map(({ inCuda }) => inCuda).join(", ")})`
      : wanted.map(({ name, written }) => `${name} as ${written}`).join(", ");
    return `The kernel ${kernel.name} has the parameters ${given}. Declare ${declared}.`;
  } catch (problem) {
    return `The kernel cannot be compiled: ${reason(problem)}`;
  }
}
