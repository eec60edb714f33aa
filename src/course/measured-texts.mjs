/** The kernels that were measured in CUDA C++, from the very texts, by the reader of CUDA text that the tests have. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./prepare.mjs";

const TEXTS = [
  "probes/probes.cu",
  "holdout/holdout.cu",
  "holdout-2/textbook.cu",
  "holdout-3/judge.cu",
  "holdout-4/census.cu",
  "holdout-5/roster.cu",
  "holdout-6/sweep.cu",
  "holdout-7/sizes.cu",
  "holdout-8/examined.cu",
  "holdout-9/forms.cu",
  "holdout-10/plain.cu",
  "holdout-11/lessons.cu",
  "holdout-12/primer.cu",
  "holdout-13/shelf.cu",
  "holdout-14/atelier.cu",
  "holdout-15/workshop.cu",
  "holdout-16/bazaar.cu",
  "holdout-17/language.cu",
  "uneven/uneven.cu",
  "published-cuda/nvbench.cu",
  "published-cuda/doubles.cu",
  "published-cuda/notes.cu",
];

/**
 * @param readCuda test/lower/cuda-text.ts's
 * @returns every kernel by its name
 */
export function measuredKernels(readCuda) {
  const textOf = (file) => readFileSync(join(root, "test/reference", file), "utf8");
  return new Map(TEXTS.flatMap((file) => [...readCuda(textOf(file), file)]));
}
