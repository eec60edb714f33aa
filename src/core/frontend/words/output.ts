/** Output, hints to the compiler and the clock. */
import { word } from "./host.js";

/**
 * Device printf: %d %u %x %lld %llu %f %e %g %c, and %s of a text in quotes. The lines go to
 * stdout when the host waits next, and stand in the launch's result.
 */
export const printf: (format: string, ...values: readonly (number | bigint | boolean | string)[]) => void =
  word("printf");

/**
 * As the first statement of a loop, CUDA's `#pragma unroll`: copies its body so many times (all iterations, if left
 * out).
 */
export const unroll: (copies?: number) => void = word("unroll");

/** The SM's cycle counter, its low 32 bits. */
export const clock: () => number = word("clock");
