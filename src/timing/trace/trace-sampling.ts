/**
 * Which blocks of a grid are traced. Blocks are taken in pairs of neighbours, spread evenly over the grid, the first
 * and the last among them: neighbours show what blocks share (halos, tiles), the spread shows how much blocks differ.
 * Blocks run in their order, so what the ones before did decides how many are taken of the rest: more where blocks
 * differ, fewer where they are long.
 */
import type { Dim3 } from "../../engine/engine.js";
import type { BlockTrace, LaunchTraces, TraceRecorder } from "./trace.js";
import { slotsOfPcs } from "./trace-requests.js";

export interface SampleInput {
  readonly grid: Dim3;
  readonly block: Dim3;
}

/** Of blocks that are alike as many as 192 warps make, 8 to 24. */
const WARPS = 192;
const FEWEST = 8;
const MOST_ALIKE = 24;
const MOST = 192;
/** Warp instructions that tracing may cost, unless so few blocks are that many. */
const TRACED_INSTRUCTIONS = 200_000;
/** The same of the lines that they ask for. */
const TRACED_LINES = 150_000;
/** The standard error of the blocks' mean that is aimed at where they differ. */
const WANTED_ERROR = 0.02;
/** Standard deviation over mean above which blocks differ. */
export const DIFFERING_SPREAD = 0.1;

/** How much blocks differ in what they do. */
export interface WorkSpread {
  readonly mean: number;
  readonly most: number;
  /** Standard deviation over mean. */
  readonly spread: number;
}

export function spreadOf(work: ArrayLike<number>): WorkSpread {
  const mean = sumOf(work) / Math.max(1, work.length);
  const spread = mean === 0 ? 0 : Math.sqrt(squaresAround(mean, work) / work.length) / mean;
  return { mean, most: mostOf(work), spread };
}

// A loop a function, with nothing behind it: V8 compiles each in the middle of its first run, for as much as it has seen of it.

function sumOf(work: ArrayLike<number>): number {
  let sum = 0;
  for (let block = 0; block < work.length; block++) sum += work[block]!;
  return sum;
}

function mostOf(work: ArrayLike<number>): number {
  let most = 0;
  for (let block = 0; block < work.length; block++) most = Math.max(most, work[block]!);
  return most;
}

function squaresAround(mean: number, work: ArrayLike<number>): number {
  let squares = 0;
  for (let block = 0; block < work.length; block++) squares += (work[block]! - mean) ** 2;
  return squares;
}

/** The ends of rows, where blocks may have less to do, are no pairs: of as many rows as there are pairs all would be such. */
function pairFrom(block: number, blocksPerRow: number, last: number): number {
  return blocksPerRow > 1 && block < last && block % blocksPerRow === blocksPerRow - 1 ? block + 1 : block;
}

/**
 * Linear indices, ascending, of the blocks to trace, each to be run before the next is asked for; all of a small grid.
 * `recorder`: warp instructions traced so far, and those of the blocks in whole, and the lines that they ask for.
 */
export function* sampleBlocks(
  { grid, block }: SampleInput,
  recorder: Pick<TraceRecorder, "recorded" | "instructions" | "costOfLines">,
): Generator<number, void, undefined> {
  const gridBlocks = grid[0] * grid[1] * grid[2];
  const warps = Math.ceil((block[0] * block[1] * block[2]) / 32);
  const usual = Math.min(gridBlocks, MOST_ALIKE, Math.max(FEWEST, Math.floor(WARPS / warps)));
  const totals: number[] = [];
  const before = { recorded: recorder.recorded, instructions: recorder.instructions, lines: recorder.costOfLines };
  let known = recorder.instructions;
  const last = gridBlocks - 2;
  let at = 0;
  for (let next = 0; next < gridBlocks; ) {
    const first = pairFrom(Math.round(at), grid[0], last);
    const end = Math.min(gridBlocks, Math.max(next + 1, first + 2));
    for (next = Math.max(next, first); next < end; next++) {
      yield next;
      totals.push(recorder.instructions - known);
      known = recorder.instructions;
    }
    if (at >= last) return;
    // A block at the edge may differ from all others.
    const { mean, spread } = spreadOf(totals.length > 2 ? totals.slice(1) : totals);
    const differing = spread > DIFFERING_SPREAD ? Math.min(MOST, (spread / WANTED_ERROR) ** 2) : 0;
    const wanted = Math.ceil(Math.max(usual, differing) / 2);
    const cost = (mean * (recorder.recorded - before.recorded)) / (known - before.instructions);
    const lines = (recorder.costOfLines - before.lines) / totals.length;
    const affordable =
      Math.min(TRACED_INSTRUCTIONS / Math.max(1, cost), TRACED_LINES / Math.max(1, lines)) - totals.length;
    if (affordable < 2) {
      // The last block alone: with the first it tells how far the grid's data reaches.
      if (next < gridBlocks) yield gridBlocks - 1;
      return;
    }
    const step = last / Math.max(1, wanted - 1);
    const pairs = Math.max(1, Math.min(Math.round((last - at) / step), Math.floor(affordable / 2)));
    at = Math.max(at + (last - at) / pairs, Math.min(last, next));
  }
}

/** Above this difference from its neighbour a block at the edge of the grid is not like the others. */
const EDGE_DIFFERENCE = 0.01;

/** Warp instructions, and words of memory records where those of the whole block are not known. */
function workOf({ pcs, memory, executed }: BlockTrace): number {
  return executed === null ? pcs.length + memory.length : executed.reduce((sum, count) => sum + count, 0);
}

/**
 * Indices of the traces that stand for the grid: all but a first or last block that does more or less than its
 * neighbour (a halo, the tail of the data), of which a sample has far too much.
 */
export function typicalTraces(traces: LaunchTraces, gridBlocks: number): readonly number[] {
  const { blocks } = traces;
  const all = blocks.map((_, index) => index);
  if (blocks.length >= gridBlocks || blocks.length < 4) return all;
  const differs = (edge: number, neighbour: number): boolean => {
    const work = (index: number): number => workOf(blocks[index]!);
    return Math.abs(work(edge) - work(neighbour)) > EDGE_DIFFERENCE * work(neighbour);
  };
  const last = blocks.length - 1;
  const atypical = [
    ...(blocks[0]!.block === 0 && differs(0, 1) ? [0] : []),
    ...(blocks[last]!.block === gridBlocks - 1 && differs(last, last - 1) ? [last] : []),
  ];
  return all.filter((index) => !atypical.includes(index));
}

/** Those of the typical traces that are simulated: of beginnings the longest. */
export function simulatedTraces(traces: LaunchTraces, gridBlocks: number): readonly number[] {
  const typical = typicalTraces(traces, gridBlocks);
  const length = (index: number): number => traces.blocks[index]!.pcs.length;
  const longest = Math.max(...typical.map(length));
  return typical.filter((index) => traces.blocks[index]!.executed === null || length(index) > longest / 2);
}

/** Mean of the values at `indices`, of which each counts as much as it weighs. */
export function meanOf(
  values: readonly number[],
  indices: readonly number[],
  weights: readonly number[] | null = null,
): number {
  let total = 0;
  let sum = 0;
  for (const index of indices) {
    const weight = weights?.[index] ?? 1;
    total += weight;
    sum += weight * values[index]!;
  }
  return sum / total;
}

export interface SamplingReport {
  /** Blocks traced. */
  readonly blocks: number;
  readonly gridBlocks: number;
  /**
   * Standard deviation of the blocks' warp instructions over their mean: of all blocks where they are known, else of those
   * traced, without an edge unlike all others.
   */
  readonly relativeSpread: number;
  /** The sample's warp instructions a block over the whole grid's, less 1; null where the grid's are not known. */
  readonly biasAgainstCounters: number | null;
  /** Why the sample may mislead; null where nothing says so. */
  readonly note: string | null;
}

/** Difference of the sample's mean from the exact one above which it is told. */
const DOUBTFUL_BIAS = 0.05;

/** Issue slots traced of each block. */
export function slotsOf(traces: LaunchTraces, slotCount: Int32Array): readonly number[] {
  return traces.blocks.map(({ pcs }: BlockTrace) => slotsOfPcs(pcs, slotCount));
}

/** Issue slots that each traced block has in whole. */
export function wholeSlotsOf(traces: LaunchTraces, slotCount: Int32Array): readonly number[] {
  const traced = slotsOf(traces, slotCount);
  return traces.blocks.map(
    ({ executed }, index) => executed?.reduce((sum, count, pc) => sum + count * slotCount[pc]!, 0) ?? traced[index]!,
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

/**
 * How well `blocks` traced blocks, the typical ones of `totals` slots, stand for the grid; `gridSlots` as the exact
 * counters have it, and `gridSpread` as all its blocks have it, if known.
 */
export function judgeSample(
  totals: readonly number[],
  blocks: number,
  gridBlocks: number,
  gridSlots: number | null,
  gridSpread: number | null,
): SamplingReport {
  const { mean, spread: traced } = spreadOf(totals);
  const spread = gridSpread ?? traced;
  const exact = gridSlots === null ? null : gridSlots / gridBlocks;
  const bias = exact === null || exact === 0 ? null : mean / exact - 1;
  const notes: string[] = [];
  if (blocks < gridBlocks) {
    if (spread > DIFFERING_SPREAD) {
      notes.push(
        `the blocks differ by ${percent(spread)} in their instructions; ${blocks} of ${gridBlocks} were traced`,
      );
    }
    if (bias !== null && Math.abs(bias) > DOUBTFUL_BIAS) {
      notes.push(
        `the traced blocks have ${percent(Math.abs(bias))} ${bias > 0 ? "more" : "fewer"} instructions than the grid's mean, for which the time is scaled`,
      );
    }
  }
  const note = notes.length === 0 ? null : notes.join("; ");
  return { blocks, gridBlocks, relativeSpread: spread, biasAgainstCounters: bias, note };
}

/** Share of the last SM's instructions that are not those of the traced blocks, above which it is told. */
const DOUBTFUL_SHARE = 0.05;

/**
 * The same where all blocks' work is known to differ, so that the time is that of the SM that is done last. `unlike`: the share
 * of its instructions by which its blocks differ from those traced.
 */
export function judgeUneven(report: SamplingReport, { mean, most }: WorkSpread, unlike: number): SamplingReport {
  const { blocks, gridBlocks, relativeSpread } = report;
  const times = (most / mean).toPrecision(2);
  const told = `the blocks differ by ${percent(relativeSpread)} in their instructions, and the longest has ${Number(times)} times the mean; the time is that of the SM that is done last, from traces of ${blocks} of ${gridBlocks} blocks, further ones like its own among them`;
  const doubt = `; ${percent(unlike)} of its instructions are beyond what was traced of such blocks, and extrapolated`;
  return {
    ...report,
    note: blocks === gridBlocks && unlike === 0 ? null : unlike > DOUBTFUL_SHARE ? told + doubt : told,
  };
}
