/** Who watches the warps of a simulated SM. The SM runs the same with and without one. */

/** Stands for the place at which the warp was before. */
export const SAME_PLACE = -1;

/** `warp` is a warp slot of the SM; `time` is in cycles of the SM; a warp's calls come in the order of time. */
export interface WarpObserver {
  /** Warp `index` of block number `block` of this SM comes into the slot. */
  starts(warp: number, block: number, index: number, time: number): void;
  /** From `time` on the warp is in `state`, an index into STALL_REASONS, at place `at` of the microcode. */
  enters(warp: number, state: number, time: number, at: number): void;
  /** The warp has left its slot. */
  leaves(warp: number, time: number): void;
}
