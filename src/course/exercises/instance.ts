/** The instance of a learner's template for a block: the kernel with its block constant set. */
import type { Kernel } from "../../frontend/index.js";

const instances = new WeakMap<Kernel, Map<number, Kernel>>();

/** The kernel itself where the exercise has no block constant. The same block gets the same instance, which is compiled once. */
export function instanceFor(kernel: Kernel, blockConstant: string | null, block: number): Kernel {
  if (blockConstant === null) return kernel;
  const ofKernel = instances.get(kernel) ?? new Map<number, Kernel>();
  instances.set(kernel, ofKernel);
  const instance = ofKernel.get(block) ?? kernel.with({ [blockConstant]: block });
  ofKernel.set(block, instance);
  return instance;
}
