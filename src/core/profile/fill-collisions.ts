/**
 * The bank conflicts that a hardware profiler counts besides the kernel's own. Shared memory and L1 are one array with one
 * port. A warp's access waits a cycle while a line of a global load is being written into it. Nsight Compute then shows
 * one more wavefront and bank conflict.
 *
 * The expected number has no constant in it. Each filled line takes the port for one cycle. The fills of an SM are spread
 * over its cycles as they come from DRAM, out of step with the warps. So a wavefront collides with a fill with a
 * probability that is the fills' share of the cycles.
 */
import type { Counters } from "./counters.js";

export interface ExpectedWavefronts {
  /** As Nsight Compute would show them: exact wavefronts and the expected collisions with fills. */
  readonly sharedLoadWavefronts: number;
  readonly sharedStoreWavefronts: number;
  /** Share of an SM's cycles in which a fill has the port, 0 to 1. */
  readonly fillShare: number;
}

/** `cycles`: predicted cycles of the launch; `smCount` SMs took part in it. */
export function expectedWavefronts(counters: Counters, cycles: number, smCount: number): ExpectedWavefronts {
  const fillShare = cycles <= 0 ? 0 : Math.min(1, counters.globalLoadLines / (smCount * cycles));
  return {
    sharedLoadWavefronts: counters.sharedLoadWavefronts * (1 + fillShare),
    sharedStoreWavefronts: counters.sharedStoreWavefronts * (1 + fillShare),
    fillShare,
  };
}
