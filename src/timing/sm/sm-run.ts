/** What the model of one SM (`sm.ts`) takes and what it gives. */
import type { DeviceSpec } from "../../device/spec.js";
import type { WarpObserver } from "../base/warp-observer.js";
import type { MemoryPath } from "../memory/memory-path.js";
import type { Microcode } from "../program/microcode.js";
import type { WarpStreams } from "../program/warp-streams.js";

export interface SmInput {
  readonly device: DeviceSpec;
  readonly microcode: Microcode;
  /** Volatile memory instructions bypass L1. */
  readonly bypassesL1: Uint8Array;
  readonly streams: WarpStreams;
  /** Blocks of the first round. */
  readonly residentBlocks: number;
  /** Blocks that the SM can hold if only single warps of them are left. */
  readonly mostBlocks: number;
  /** Warps that a scheduler can hold, by its slots and registers. */
  readonly warpsPerScheduler: number;
  /** Slots and registers of a warp that has left are free before its block ends. */
  readonly warpsLeave: boolean;
  readonly warpsPerBlock: number;
  readonly activeSms: number;
  readonly path: MemoryPath;
  /** Is told each warp's states; nobody is unless given. */
  readonly observer?: WarpObserver;
}

/** The blocks that an SM is given. */
export interface BlockSource {
  /** The next one, as a number that no other block has; -1: none is left. */
  readonly next: () => number;
  /** Trace of such a block. */
  readonly traceOf: (block: number) => number;
}

export interface SmRun {
  /** End of each block, in order of ending. */
  readonly blockEnds: readonly number[];
  /** Instructions issued by then. */
  readonly issuesAtEnds: readonly number[];
  /** When each block came and when it ended, by its number. */
  readonly startOf: readonly number[];
  readonly endOf: readonly number[];
  /** All blocks have ended. */
  readonly complete: boolean;
  readonly cycles: number;
  /** Of these, those in which L2 does the atomics of warps that have all gone. */
  readonly drainCycles: number;
  /** Slots of the traces' instructions that were issued. */
  readonly issues: number;
  /** All slots that were issued: also those over again (`spin-loops.ts`), and the BSYNCs of lanes that parted. */
  readonly issued: number;
  readonly repeats: number;
  /** Warp cycles by stall reason. */
  readonly warpCycles: Float64Array;
  /** Sum over cycles of the warps resident. */
  readonly residentWarpCycles: number;
  /** Cycles in which each pipe was taken, over all schedulers. */
  readonly pipeBusyCycles: Float64Array;
}
