/** The kernels that were measured in CUDA C++, read from the texts that were measured. */
import "../../node/platform.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readCuda } from "../../core/frontend/cuda/read-cuda.js";
import type { KernelIr } from "../../core/ir/ir.js";
import { courseRoot } from "../../node/course-root.js";
import { h200Corpus } from "./h200-corpus.js";
import { REFERENCE } from "./measured-table.js";

const PUBLISHED = ["published/nvbench.cu", "published/doubles.cu", "published/notes.cu"];

/** Every kernel by its name. */
export function measuredKernels(): ReadonlyMap<string, KernelIr> {
  const texts = [...h200Corpus().map(({ kernels }) => kernels), ...PUBLISHED];
  const textOf = (file: string): string => readFileSync(join(courseRoot(), REFERENCE, file), "utf8");
  return new Map(texts.flatMap((file) => [...readCuda(textOf(file), file)]));
}
