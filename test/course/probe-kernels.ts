/** The kernels measured in CUDA C++, from the very texts that were measured. */
import { readFileSync } from "node:fs";
import type { KernelIr } from "../../src/ir/ir.js";
import { readCuda } from "../lower/cuda-text.js";

function kernelsOf(file: string): ReadonlyMap<string, KernelIr> {
  return readCuda(readFileSync(new URL(`../reference/${file}`, import.meta.url), "utf8"), file);
}

export const probeKernels: ReadonlyMap<string, KernelIr> = kernelsOf("probes/probes.cu");
export const holdoutKernels: ReadonlyMap<string, KernelIr> = kernelsOf("holdout/holdout.cu");
export const textbookKernels: ReadonlyMap<string, KernelIr> = kernelsOf("holdout-2/textbook.cu");
export const judgeKernels: ReadonlyMap<string, KernelIr> = kernelsOf("holdout-3/judge.cu");
export const censusKernels: ReadonlyMap<string, KernelIr> = kernelsOf("holdout-4/census.cu");
export const rosterKernels: ReadonlyMap<string, KernelIr> = kernelsOf("holdout-5/roster.cu");
export const sweepKernels: ReadonlyMap<string, KernelIr> = kernelsOf("holdout-6/sweep.cu");
export const sizesKernels: ReadonlyMap<string, KernelIr> = kernelsOf("holdout-7/sizes.cu");
export const examinedKernels: ReadonlyMap<string, KernelIr> = kernelsOf("holdout-8/examined.cu");
export const formsKernels: ReadonlyMap<string, KernelIr> = kernelsOf("holdout-9/forms.cu");
export const plainKernels: ReadonlyMap<string, KernelIr> = kernelsOf("holdout-10/plain.cu");
export const lessonsKernels: ReadonlyMap<string, KernelIr> = kernelsOf("holdout-11/lessons.cu");
export const primerKernels: ReadonlyMap<string, KernelIr> = kernelsOf("holdout-12/primer.cu");
export const shelfKernels: ReadonlyMap<string, KernelIr> = kernelsOf("holdout-13/shelf.cu");
export const atelierKernels: ReadonlyMap<string, KernelIr> = kernelsOf("holdout-14/atelier.cu");
export const workshopKernels: ReadonlyMap<string, KernelIr> = kernelsOf("holdout-15/workshop.cu");
export const bazaarKernels: ReadonlyMap<string, KernelIr> = kernelsOf("holdout-16/bazaar.cu");
export const languageKernels: ReadonlyMap<string, KernelIr> = kernelsOf("holdout-17/language.cu");
export const unevenKernels: ReadonlyMap<string, KernelIr> = kernelsOf("uneven/uneven.cu");
export const measuredKernels: ReadonlyMap<string, KernelIr> = new Map([
  ...probeKernels,
  ...holdoutKernels,
  ...textbookKernels,
  ...judgeKernels,
  ...censusKernels,
  ...rosterKernels,
  ...sweepKernels,
  ...sizesKernels,
  ...examinedKernels,
  ...formsKernels,
  ...plainKernels,
  ...lessonsKernels,
  ...primerKernels,
  ...shelfKernels,
  ...atelierKernels,
  ...workshopKernels,
  ...bazaarKernels,
  ...languageKernels,
  ...unevenKernels,
  ...kernelsOf("published-cuda/nvbench.cu"),
  ...kernelsOf("published-cuda/doubles.cu"),
  ...kernelsOf("published-cuda/notes.cu"),
]);
