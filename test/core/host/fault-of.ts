import { KernelFault } from "../../../src/core/base/errors.js";

/** The fault that the kernels of some work end with. */
export function faultOf(run: () => unknown): KernelFault {
  try {
    run();
  } catch (error) {
    if (error instanceof KernelFault) return error;
    throw error;
  }
  throw new Error("nothing failed");
}
