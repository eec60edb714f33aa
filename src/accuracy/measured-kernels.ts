/** The kernels that were measured in CUDA C++, read from the texts that were measured. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { courseRoot } from "../course/course-root.js";
import { readCuda } from "../frontend/cuda/read-cuda.js";
import type { KernelIr } from "../ir/ir.js";

const TEXTS = [
  "h200/kernels/probes.cu",
  "h200/kernels/holdout.cu",
  "h200/kernels/textbook.cu",
  "h200/kernels/judge.cu",
  "h200/kernels/census.cu",
  "h200/kernels/roster.cu",
  "h200/kernels/sweep.cu",
  "h200/kernels/sizes.cu",
  "h200/kernels/examined.cu",
  "h200/kernels/forms.cu",
  "h200/kernels/plain.cu",
  "h200/kernels/lessons.cu",
  "h200/kernels/primer.cu",
  "h200/kernels/shelf.cu",
  "h200/kernels/atelier.cu",
  "h200/kernels/workshop.cu",
  "h200/kernels/bazaar.cu",
  "h200/kernels/language.cu",
  "h200/kernels/uneven.cu",
  "published/nvbench.cu",
  "published/doubles.cu",
  "published/notes.cu",
];

/** Every kernel by its name. */
export function measuredKernels(): ReadonlyMap<string, KernelIr> {
  const textOf = (file: string): string => readFileSync(join(courseRoot(), "test/reference", file), "utf8");
  return new Map(TEXTS.flatMap((file) => [...readCuda(textOf(file), file)]));
}
