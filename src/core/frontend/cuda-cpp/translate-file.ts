/** From clang's tree of a file to its kernels: each is compiled, or named as refused with the reason. */
import { CompileError } from "../../base/errors.js";
import { kernelTitle, type RefusedKernel, type TranslatedKernel, translateKernel } from "./to-ir/kernel.js";
import type { Sources } from "./to-ir/translation.js";
import type { Node } from "./tree/node.js";
import { type TemplateNode, Unit } from "./tree/unit.js";

export interface TranslatedFile {
  readonly kernels: readonly TranslatedKernel[];
  readonly refused: readonly RefusedKernel[];
  /** Templates of kernels, with their instances or none. */
  readonly templates: readonly TemplateNode[];
}

export function translateFile(tree: Node, sources: Sources): TranslatedFile {
  const unit = new Unit(tree);
  const kernels: TranslatedKernel[] = [];
  const refused: RefusedKernel[] = [];
  for (const fn of unit.kernels) {
    try {
      kernels.push(translateKernel(unit, fn, sources));
    } catch (failure) {
      if (!(failure instanceof CompileError)) throw failure;
      refused.push({ name: kernelTitle(fn), reason: failure });
    }
  }
  return { kernels, refused, templates: unit.templates };
}
