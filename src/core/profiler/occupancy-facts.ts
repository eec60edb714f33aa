/** The numbers of the occupancy calculator, without tables and figures. */
import type { LimitingFactor, Occupancy, OccupancySpec } from "../device/index.js";

export interface OccupancyChoice {
  /** Threads a block. */
  readonly block: number;
  /** As ptxas or `ptxasReport` says. */
  readonly registersPerThread: number;
  /** Static and dynamic together, bytes; default 0. */
  readonly sharedBytesPerBlock?: number;
}

/** One resource of an SM: what a block takes of it, and how many blocks it would allow alone. */
export interface OccupancyLimit {
  readonly resource: LimitingFactor;
  /** With its unit: "registers", "shared memory (bytes)". */
  readonly title: string;
  /** In allocation units: what a block really takes. */
  readonly blockTakes: number;
  readonly smHas: number;
  /** Null where a block takes none. */
  readonly blocks: number | null;
  readonly limits: boolean;
}

export interface OccupancyFacts {
  readonly device: OccupancySpec;
  readonly choice: Required<OccupancyChoice>;
  readonly occupancy: Occupancy;
  /** Blocks that an SM holds at a time; 0 where not even one fits. */
  readonly residentBlocks: number;
  readonly residentWarps: number;
  readonly maxWarps: number;
  /** Resident warps over the most that an SM holds, in percent. */
  readonly percent: number;
  readonly limits: readonly OccupancyLimit[];
  /** "limited by registers", or by several at once. */
  readonly limitedBy: string;
  /** Sentences: the change that gives one block more, or why there is nothing to gain. */
  readonly advice: readonly string[];
}
