import type { KernelIr } from "../ir/ir.js";

export function measuredKernels(
  readCuda: (text: string, file: string) => ReadonlyMap<string, KernelIr>,
): ReadonlyMap<string, KernelIr>;
