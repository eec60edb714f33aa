/** From clang's tree of a file to its kernels: each is compiled, or named as refused with the reason. */
import { CompileError } from "../../base/errors.js";
import { kernelTitle, type RefusedKernel, type TranslatedKernel, translateKernel } from "./to-ir/kernel.js";
import type { Sources } from "./to-ir/translation.js";
import { type HostParameter, hostParameters } from "./tree/host-signature.js";
import type { Node } from "./tree/node.js";
import { type TemplateNode, Unit } from "./tree/unit.js";

/** A kernel as the host of a program launches it. */
export interface LaunchedKernel {
  /** Its name for the linker. */
  readonly mangled: string;
  readonly title: string;
  /** Null for one that is refused. */
  readonly kernel: TranslatedKernel | null;
  readonly reason: CompileError | null;
  parameters(): readonly HostParameter[];
}

export interface TranslatedFile {
  readonly kernels: readonly TranslatedKernel[];
  readonly refused: readonly RefusedKernel[];
  /** Templates of kernels, with their instances or none. */
  readonly templates: readonly TemplateNode[];
  readonly launched: readonly LaunchedKernel[];
}

export function translateFile(tree: Node, sources: Sources): TranslatedFile {
  const unit = new Unit(tree);
  const kernels: TranslatedKernel[] = [];
  const refused: RefusedKernel[] = [];
  const launched: LaunchedKernel[] = [];
  for (const fn of unit.kernels) {
    const title = kernelTitle(fn);
    const own = { mangled: fn.node.mangledName ?? fn.name, title, parameters: () => hostParameters(unit, fn) };
    try {
      const kernel = translateKernel(unit, fn, sources);
      kernels.push(kernel);
      launched.push({ ...own, kernel, reason: null });
    } catch (failure) {
      if (!(failure instanceof CompileError)) throw failure;
      refused.push({ name: title, reason: failure });
      launched.push({ ...own, kernel: null, reason: failure });
    }
  }
  return { kernels, refused, templates: unit.templates, launched };
}
