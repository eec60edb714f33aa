/** The instance of a learner's template for a launch: the kernel with its constant set to the threads a block, or the blocks. */
import type { Kernel } from "../../core/frontend/index.js";

const instances = new WeakMap<Kernel, Map<number, Kernel>>();

/** The kernel itself where the exercise has no such constant. The same value gets the same instance, which is compiled once. */
export function instanceFor(kernel: Kernel, constant: string | null, value: number): Kernel {
  if (constant === null || kernel.spec.constants[constant] === value) return kernel;
  const ofKernel = instances.get(kernel) ?? new Map<number, Kernel>();
  instances.set(kernel, ofKernel);
  const instance = ofKernel.get(value) ?? kernel.with({ [constant]: value });
  ofKernel.set(value, instance);
  return instance;
}
