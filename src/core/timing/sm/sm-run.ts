/** The input and the result of the model of one SM (`sm.ts`). */
import type { DeviceSpec } from "../../device/spec.js";
import type { WarpObserver } from "../base/warp-observer.js";
import type { MemoryPath } from "../memory/memory-path.js";
import type { Microcode } from "../program/microcode.js";
import type { WarpStreams } from "../program/warp-streams.js";

export interface SmInput {
  readonly device: DeviceSpec;
  readonly microcode: Microcode;
  /** 1 for volatile memory instructions, which bypass L1, by pc. */
  readonly bypassesL1: Uint8Array;
  readonly streams: WarpStreams;
  /** Blocks of the first wave. */
  readonly residentBlocks: number;
  /** Blocks that the SM can hold if only single warps of them are left. */
  readonly mostBlocks: number;
  /** Warps that a scheduler can hold, limited by its slots and registers. */
  readonly warpsPerScheduler: number;
  /** Whether a warp that exits frees its slot and registers before its block ends. */
  readonly warpsLeave: boolean;
  readonly warpsPerBlock: number;
  readonly activeSms: number;
  readonly path: MemoryPath;
  /** Is told each warp's states; nobody is unless given. */
  readonly observer?: WarpObserver;
}

/** The source of the blocks that an SM receives. */
export interface BlockSource {
  /** The number of the next block, which is unique; -1: none is left. */
  readonly next: () => number;
  /** The trace of the block with this number. */
  readonly traceOf: (block: number) => number;
}

export interface SmRun {
  /** End of each block, in the order of ending. */
  readonly blockEnds: readonly number[];
  /** Slots issued by each of these ends. */
  readonly issuesAtEnds: readonly number[];
  /** Start and end of each block, by its number. */
  readonly startOf: readonly number[];
  readonly endOf: readonly number[];
  /** Whether all blocks have ended. */
  readonly complete: boolean;
  readonly cycles: number;
  /** The cycles of these in which L2 completes atomics after all warps have exited. */
  readonly drainCycles: number;
  /** Issued slots of the traces' instructions. */
  readonly issues: number;
  /** All issued slots, including replays (`spin-loops.ts`) and the extra BSYNCs of diverged lanes. */
  readonly issued: number;
  readonly repeats: number;
  /** Warp cycles by stall reason. */
  readonly warpCycles: Float64Array;
  /** Sum over cycles of the resident warps. */
  readonly residentWarpCycles: number;
  /** Cycles in which each pipe was busy, summed over the schedulers. */
  readonly pipeBusyCycles: Float64Array;
}
