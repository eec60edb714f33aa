/** The kernels that were measured in CUDA C++, read from the texts that were measured. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { courseRoot } from "../course/course-root.js";
import { readCuda } from "../frontend/cuda/read-cuda.js";
import type { KernelIr } from "../ir/ir.js";

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

/** Every kernel by its name. */
export function measuredKernels(): ReadonlyMap<string, KernelIr> {
  const textOf = (file: string): string => readFileSync(join(courseRoot(), "test/reference", file), "utf8");
  return new Map(TEXTS.flatMap((file) => [...readCuda(textOf(file), file)]));
}
