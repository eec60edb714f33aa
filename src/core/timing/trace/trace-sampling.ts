/**
 * The choice of the blocks to trace. They are pairs of neighbours, spread evenly over the grid, with the first and the
 * last block. Neighbours show the data that blocks share (halos, tiles); the spread shows how much blocks differ.
 * Blocks run in order, so the earlier ones decide how many more are traced: more if blocks differ, fewer if they are
 * long.
 */
import type { Dim3 } from "../../engine/engine.js";
import type { BlockTrace, LaunchTraces, TraceRecorder } from "./trace.js";
import { slotsOfPcs } from "./trace-requests.js";

export interface SampleInput {
  readonly grid: Dim3;
  readonly block: Dim3;
}

/** If blocks are alike, 192 warps are traced, in 8 to 24 blocks. */
const WARPS = 192;
const FEWEST = 8;
const MOST_ALIKE = 24;
const MOST = 192;
/** The limit of traced warp instructions, unless a few blocks already exceed it. */
const TRACED_INSTRUCTIONS = 200_000;
/** The limit of lines that the traced requests access. */
const TRACED_LINES = 150_000;
/** The target standard error of the blocks' mean, if they differ. */
const WANTED_ERROR = 0.02;
/** Standard deviation over mean above which blocks differ. */
export const DIFFERING_SPREAD = 0.1;

/** How much blocks differ in their work. */
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

// Each loop has its own function with no code after it, because V8 compiles such a function during its first run.

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

/**
 * A pair must not begin at the end of a row, where blocks may have less to do. If a grid has as many rows as there are
 * pairs, every pair would do so.
 */
function pairFrom(block: number, blocksPerRow: number, last: number): number {
  return blocksPerRow > 1 && block < last && block % blocksPerRow === blocksPerRow - 1 ? block + 1 : block;
}

/**
 * Linear indices of the blocks to trace, ascending; the caller runs each before it asks for the next. A small grid is
 * traced whole. `recorder` has the warp instructions traced so far, those of the whole blocks, and the cost of their
 * lines.
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
    // The first block may differ from all others, because it is at the edge.
    const { mean, spread } = spreadOf(totals.length > 2 ? totals.slice(1) : totals);
    const differing = spread > DIFFERING_SPREAD ? Math.min(MOST, (spread / WANTED_ERROR) ** 2) : 0;
    const wanted = Math.ceil(Math.max(usual, differing) / 2);
    const cost = (mean * (recorder.recorded - before.recorded)) / (known - before.instructions);
    const lines = (recorder.costOfLines - before.lines) / totals.length;
    const affordable =
      Math.min(TRACED_INSTRUCTIONS / Math.max(1, cost), TRACED_LINES / Math.max(1, lines)) - totals.length;
    if (affordable < 2) {
      // The last block shows, with the first, how far the grid's data reaches.
      if (next < gridBlocks) yield gridBlocks - 1;
      return;
    }
    const step = last / Math.max(1, wanted - 1);
    const pairs = Math.max(1, Math.min(Math.round((last - at) / step), Math.floor(affordable / 2)));
    at = Math.max(at + (last - at) / pairs, Math.min(last, next));
  }
}

/** The blocks to trace where all run at once: those of a grid whose blocks are alike. */
export function sampleAhead(input: SampleInput): readonly number[] {
  const recorder = { recorded: 0, instructions: 0, costOfLines: 0 };
  const blocks: number[] = [];
  for (const block of sampleBlocks(input, recorder)) {
    blocks.push(block);
    recorder.recorded++;
    recorder.instructions++;
  }
  return blocks;
}

/** A block at the edge of the grid is atypical if its work differs from its neighbour's by more than this share. */
const EDGE_DIFFERENCE = 0.01;

/** Warp instructions of the whole block if they are known; else traced instructions and words of memory records. */
function workOf({ pcs, memory, executed }: BlockTrace): number {
  return executed === null ? pcs.length + memory.length : executed.reduce((sum, count) => sum + count, 0);
}

/**
 * Indices of the traces that stand for the grid. A first or last block is left out if its work differs from its
 * neighbour's (a halo, the tail of the data). A sample has far too many of those.
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

/** The typical traces that are simulated; among partial traces only the longest. */
export function simulatedTraces(traces: LaunchTraces, gridBlocks: number): readonly number[] {
  const typical = typicalTraces(traces, gridBlocks);
  const length = (index: number): number => traces.blocks[index]!.pcs.length;
  const longest = Math.max(...typical.map(length));
  return typical.filter((index) => traces.blocks[index]!.executed === null || length(index) > longest / 2);
}

/** The weighted mean of the values at `indices`. */
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
  /** Traced blocks. */
  readonly blocks: number;
  readonly gridBlocks: number;
  /**
   * Standard deviation of the blocks' warp instructions over their mean. It covers all blocks if they are known, else
   * the traced ones without an atypical edge.
   */
  readonly relativeSpread: number;
  /** The sample's warp instructions a block over those of the whole grid, minus 1; null if the grid's are not known. */
  readonly biasAgainstCounters: number | null;
  /** Why the sample may mislead; null if there is no reason. */
  readonly note: string | null;
}

/** The report mentions a larger difference between the sample's mean and the exact one. */
const DOUBTFUL_BIAS = 0.05;

/** Issue slots traced of each block. */
export function slotsOf(traces: LaunchTraces, slotCount: Int32Array): readonly number[] {
  return traces.blocks.map(({ pcs }: BlockTrace) => slotsOfPcs(pcs, slotCount));
}

/** Issue slots of each traced block as a whole. */
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
 * How well the traced blocks stand for the grid. `totals` has the slots of the typical ones. `gridSlots` and
 * `gridSpread` are exact values of the whole grid, if known.
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

/** The report mentions a larger share of the last SM's instructions outside the traced blocks. */
const DOUBTFUL_SHARE = 0.05;

/**
 * The report if all blocks' work is known to differ, so that the last SM determines the time. `unlike` is the share of
 * its instructions by which its blocks differ from the traced ones.
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
