/** From clang's tree of a file to its kernels: each is compiled, or named as refused with the reason. */
import { CompileError } from "../../base/errors.js";
import { kernelTitle, type RefusedKernel, type TranslatedKernel, translateKernel } from "./to-ir/kernel.js";
import type { Sources } from "./to-ir/translation.js";
import { type HostParameter, hostParameters } from "./tree/host-signature.js";
import type { TemplateNode, Unit } from "./tree/unit.js";

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

/** Kernels that an error of the compiler reaches. */
export interface Spoiled {
  reason(name: string): CompileError | null;
  /** Kernels of the text that the compiler has not seen for its errors. */
  unseen(known: ReadonlySet<string>): readonly RefusedKernel[];
}

export function translateFile(unit: Unit, sources: Sources, spoiled: Spoiled): TranslatedFile {
  const kernels: TranslatedKernel[] = [];
  const refused: RefusedKernel[] = [];
  const launched: LaunchedKernel[] = [];
  for (const fn of unit.kernels) {
    const title = kernelTitle(fn);
    const own = { mangled: fn.node.mangledName ?? fn.name, title, parameters: () => hostParameters(unit, fn) };
    try {
      const reason = spoiled.reason(fn.name);
      if (reason !== null) throw reason;
      const kernel = translateKernel(unit, fn, sources);
      kernels.push(kernel);
      launched.push({ ...own, kernel, reason: null });
    } catch (failure) {
      if (!(failure instanceof CompileError)) throw failure;
      refused.push({ name: title, reason: failure });
      launched.push({ ...own, kernel: null, reason: failure });
    }
  }
  const known = new Set([...unit.kernels, ...unit.templates].map(({ name }) => name));
  refused.push(...spoiled.unseen(known));
  const templates = unit.templates.filter(({ name }) => {
    const reason = spoiled.reason(name);
    if (reason !== null) refused.push({ name, reason });
    return reason === null;
  });
  return { kernels, refused, templates, launched };
}
