/** The answer that a submission's text holds, whichever language it is in. */
import { InputError } from "../../core/base/errors.js";
import type { Answer } from "../../course/exercises/answer.js";
import { type CudaKernels, cudaText } from "../clang/cuda.js";
import { answerOfFile } from "./file-answer.js";
import { answerOfNotebook } from "./notebook-answer.js";
import type { Submission } from "./submission-file.js";

/** The kernel or template `answer` of a CUDA C++ text, or the only one. The text is compiled; its host part is not looked at. */
function answerOfCuda(name: string, text: string): CudaKernels[string] {
  const kernels = cudaText(text, name);
  const [only, ...others] = Object.keys(kernels);
  const found = kernels.answer ?? (others.length === 0 && only !== undefined ? kernels[only] : undefined);
  if (found !== undefined) return found;
  const what = only === undefined ? `${name} has no kernel.` : `${name} has no kernel named answer.`;
  throw new InputError({ what, cure: "Name the kernel answer: __global__ void answer(...) { ... }." });
}

/** @throws Refused with the line, for text that is no answer */
export function submissionAnswer({ kind, name, text }: Submission, id: string): Answer {
  if (kind === "cuda") return () => answerOfCuda(name, text);
  return kind === "notebook" ? answerOfNotebook(name, text, id) : answerOfFile(name, text);
}
