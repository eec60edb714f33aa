/** A text that is nested so deeply that the compiler's own calls do not fit on the host's stack. */
import { CompileError } from "./errors.js";

export function isStackOverflow(error: unknown): boolean {
  if (error instanceof RangeError) return /call stack/i.test(error.message);
  return error instanceof SyntaxError && /not enough stack space/i.test(error.message);
}

/** `which`: the kernel or device function. */
export function nestedTooDeeply(which: string): CompileError {
  return new CompileError({
    what: `The text of ${which} is nested too deeply to be compiled: expressions, statements or device functions in one another, or unrolled iterations that each build on the one before.`,
    cure: "Compute long expressions in several statements or in a loop, unroll less (unroll(4)), and look values up in an array instead of a chain of tests.",
  });
}

/** Runs a part of the compiler. @throws CompileError instead of a stack overflow. */
export function guardStack<T>(which: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (isStackOverflow(error)) throw nestedTooDeeply(which);
    throw error;
  }
}
