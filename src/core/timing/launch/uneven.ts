/**
 * Grids whose blocks differ in their work, known by block once all have run. Decides whether they differ, which further
 * blocks to trace, and how many blocks each trace stands for.
 */
import type { BlockWork } from "../../engine/engine.js";
import type { BlockTrace } from "../trace/trace.js";
import { DIFFERING_SPREAD, spreadOf, type WorkSpread } from "../trace/trace-sampling.js";
import { type BusySm, lastSms } from "./block-schedule.js";

/** Extra work of one block that matters, relative to the time for which an SM's slots are occupied. */
const DIFFERING_BLOCK = 0.1;

/** Whether blocks differ so much that some of them do not stand for all. */
export function areUneven(
  { mean, most, spread }: WorkSpread,
  blocks: number,
  smCount: number,
  residentBlocks: number,
): boolean {
  const rounds = Math.max(1, blocks / (smCount * residentBlocks));
  return blocks > 1 && (spread > DIFFERING_SPREAD || most - mean > DIFFERING_BLOCK * mean * rounds);
}

/** Blocks are alike if their work differs by no more than this, as a logarithm. */
const ALIKE = 0.1;
/** Limits of warp instructions traced of further blocks, in all and of one block, and of the number of those blocks. */
const MOST_TRACED = 200_000;
const MOST_OF_ONE = 100_000;
const MOST_BLOCKS = 48;

interface FurtherBlock {
  readonly block: number;
  /** Limit of warp instructions to trace. */
  readonly most: number;
}

/** `length`: warp instructions traced of a block. */
export interface Traced {
  readonly block: number;
  readonly length: number;
}

export function isAlike(instructions: number, length: number): boolean {
  return Math.abs(Math.log(Math.max(1, instructions) / Math.max(1, length))) < ALIKE;
}

export interface LastBlocks {
  /** The SMs that may be last. */
  readonly sms: readonly BusySm[];
  /** Their blocks that resemble no traced one, the longest first. They are traced once the grid has run. */
  readonly further: readonly FurtherBlock[];
}

/** The blocks that decide how long the launch lasts if blocks differ; null if they do not. */
export function lastBlocks(
  work: BlockWork,
  smCount: number,
  residentBlocks: number,
  traced: readonly Traced[],
): LastBlocks | null {
  if (!areUneven(spreadOf(work), work.length, smCount, residentBlocks)) return null;
  const sms = lastSms(work, smCount, residentBlocks);
  const lengths = traced.map(({ length }) => length);
  const candidates = [...new Set(sms.flatMap(({ blocks }) => blocks))].sort((a, b) => work[b]! - work[a]! || a - b);
  const chosen: FurtherBlock[] = [];
  let left = MOST_TRACED;
  for (const block of candidates) {
    const instructions = work[block]!;
    if (lengths.some((length) => isAlike(instructions, length))) continue;
    const most = Math.min(MOST_OF_ONE, left);
    if (most < Math.min(instructions, MOST_OF_ONE) / 4 || chosen.length >= MOST_BLOCKS) continue;
    // If as much of a similar block is already traced, this one adds nothing.
    if (instructions > most && lengths.some((length) => length >= most / (1 + ALIKE) && length <= instructions))
      continue;
    chosen.push({ block, most });
    const length = Math.min(most, instructions);
    left -= length;
    lengths.push(length);
  }
  return { sms, further: chosen };
}

/** Number of the grid's blocks that each trace stands for, 1 in the mean. Similar traces share the blocks like them. */
function traceWeights(work: BlockWork, traces: readonly BlockTrace[]): readonly number[] {
  const sorted = [...traces.keys()].sort((a, b) => work[traces[a]!.block]! - work[traces[b]!.block]!);
  const groups: { least: number; most: number; readonly traces: number[]; blocks: number }[] = [];
  for (const trace of sorted) {
    const instructions = Math.max(1, work[traces[trace]!.block]!);
    const group = groups.at(-1);
    if (group !== undefined && isAlike(instructions, group.least)) {
      group.traces.push(trace);
      group.most = instructions;
    } else groups.push({ least: instructions, most: instructions, traces: [trace], blocks: 0 });
  }
  const ends = groups.slice(1).map(({ least }, index) => Math.sqrt(least * groups[index]!.most));
  for (const instructions of work) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (instructions < ends[middle]!) high = middle;
      else low = middle + 1;
    }
    groups[low]!.blocks++;
  }
  const weights: number[] = traces.map(() => 0);
  for (const group of groups) {
    const weight = (group.blocks / group.traces.length) * (traces.length / work.length);
    for (const trace of group.traces) weights[trace] = weight;
  }
  return weights;
}

/** The weights as a function of the traces. It returns null if the blocks' work is unknown or all do the same. */
export function weighing(
  work: BlockWork | undefined,
  spread: WorkSpread | null,
): (traces: readonly BlockTrace[]) => readonly number[] | null {
  if (work === undefined || spread?.spread === 0) return () => null;
  return (traces) => traceWeights(work, traces);
}
