/**
 * Which blocks of a grid are traced. Blocks are taken in pairs of neighbours, spread evenly over the grid, the first
 * and the last among them: neighbours show what blocks share (halos, tiles), the spread shows how much blocks differ.
 */
import type { Dim3 } from "../engine/engine.js";
import type { BlockTrace, LaunchTraces } from "./trace.js";

export interface SampleInput {
  readonly grid: Dim3;
  readonly block: Dim3;
  /** Blocks to trace at the most; default as many as 192 warps make, 8 to 24. */
  readonly maxBlocks?: number;
}

/** Linear indices, ascending, of the blocks to trace: all of a small grid. */
export function chooseSample(input: SampleInput): number[] {
  const gridBlocks = input.grid[0] * input.grid[1] * input.grid[2];
  const warps = Math.ceil((input.block[0] * input.block[1] * input.block[2]) / 32);
  const most = Math.max(2, input.maxBlocks ?? Math.min(24, Math.max(8, Math.floor(192 / warps))));
  if (gridBlocks <= most) return Array.from({ length: gridBlocks }, (_, block) => block);
  const pairs = Math.floor(most / 2);
  const chosen = new Set<number>();
  for (let pair = 0; pair < pairs; pair++) {
    const first = pairs === 1 ? 0 : Math.round((pair * (gridBlocks - 2)) / (pairs - 1));
    chosen.add(first);
    chosen.add(first + 1);
  }
  return [...chosen].sort((a, b) => a - b);
}

/** Above this difference from its neighbour a block at the edge of the grid is not like the others. */
const EDGE_DIFFERENCE = 0.01;

/**
 * Indices of the traces that stand for the grid: all but a first or last block that does more or less than its
 * neighbour (a halo, the tail of the data), of which a sample has far too much.
 */
export function typicalTraces(traces: LaunchTraces, gridBlocks: number): readonly number[] {
  const { blocks } = traces;
  const all = blocks.map((_, index) => index);
  if (blocks.length >= gridBlocks || blocks.length < 4) return all;
  const differs = (edge: number, neighbour: number): boolean => {
    const work = (index: number): number => blocks[index]!.pcs.length + blocks[index]!.memory.length;
    return Math.abs(work(edge) - work(neighbour)) > EDGE_DIFFERENCE * work(neighbour);
  };
  const last = blocks.length - 1;
  const atypical = [
    ...(blocks[0]!.block === 0 && differs(0, 1) ? [0] : []),
    ...(blocks[last]!.block === gridBlocks - 1 && differs(last, last - 1) ? [last] : []),
  ];
  return all.filter((index) => !atypical.includes(index));
}

export interface SamplingReport {
  /** Blocks traced. */
  readonly blocks: number;
  readonly gridBlocks: number;
  /** Standard deviation of the blocks' warp instructions over their mean. */
  readonly relativeSpread: number;
  /** The sample's warp instructions a block over the whole grid's, less 1; null where the grid's are not known. */
  readonly biasAgainstCounters: number | null;
  /** Why the sample may mislead; null where nothing says so. */
  readonly note: string | null;
}

/** Spread above which a sample of a few blocks is doubted. */
const DOUBTFUL_SPREAD = 0.1;
/** Difference of the sample's mean from the exact one above which it is doubted. */
const DOUBTFUL_BIAS = 0.05;

function instructionsOf(trace: BlockTrace, issueSlots: Int32Array): number {
  let total = 0;
  for (const pc of trace.pcs) total += issueSlots[pc]!;
  return total;
}

/** How well the traced blocks stand for the grid; `gridInstructions` as the exact counters have it, if known. */
export function judgeSample(
  traces: LaunchTraces,
  issueSlots: Int32Array,
  gridBlocks: number,
  gridInstructions: number | null,
): SamplingReport {
  const totals = traces.blocks.map((trace) => instructionsOf(trace, issueSlots));
  const mean = totals.reduce((sum, total) => sum + total, 0) / Math.max(1, totals.length);
  const variance = totals.reduce((sum, total) => sum + (total - mean) ** 2, 0) / Math.max(1, totals.length);
  const relativeSpread = mean === 0 ? 0 : Math.sqrt(variance) / mean;
  const exact = gridInstructions === null ? null : gridInstructions / gridBlocks;
  const bias = exact === null || exact === 0 ? null : mean / exact - 1;
  const all = traces.blocks.length >= gridBlocks;
  let note: string | null = null;
  if (!all && relativeSpread > DOUBTFUL_SPREAD) {
    note = `the traced blocks differ by ${(100 * relativeSpread).toFixed(0)} % in their instructions; trace more blocks`;
  } else if (!all && bias !== null && Math.abs(bias) > DOUBTFUL_BIAS) {
    note = `the traced blocks have ${(100 * bias).toFixed(0)} % more instructions than the grid's mean; trace more blocks`;
  }
  return { blocks: traces.blocks.length, gridBlocks, relativeSpread, biasAgainstCounters: bias, note };
}
