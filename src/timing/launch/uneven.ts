/**
 * Grids whose blocks differ in their work, which is known block by block once all have run: whether they do, which further
 * blocks are to be traced, and for how many blocks each trace stands.
 */
import type { BlockWork } from "../../engine/engine.js";
import type { BlockTrace } from "../trace/trace.js";
import { DIFFERING_SPREAD, spreadOf, type WorkSpread } from "../trace/trace-sampling.js";
import { type BusySm, lastSms } from "./block-schedule.js";

/** So much of the time that an SM's places are taken for, done by one block beyond the usual, makes a difference. */
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

/** Blocks whose work differs by no more than this, as a logarithm, are alike. */
const ALIKE = 0.1;
/** Warp instructions traced of further blocks, of one of them at the most, and how many those are. */
const MOST_TRACED = 200_000;
const MOST_OF_ONE = 100_000;
const MOST_BLOCKS = 48;

interface FurtherBlock {
  readonly block: number;
  /** Warp instructions to trace, at the most. */
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
  /** Their blocks that none of the traced ones is like; the longest first. To be traced when the grid has run. */
  readonly further: readonly FurtherBlock[];
}

/** What decides how long the launch lasts where blocks differ; null where they do not. */
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
    // One of whose length as much is traced already tells no more.
    if (instructions > most && lengths.some((length) => length >= most / (1 + ALIKE) && length <= instructions))
      continue;
    chosen.push({ block, most });
    const length = Math.min(most, instructions);
    left -= length;
    lengths.push(length);
  }
  return { sms, further: chosen };
}

/** For how many of the grid's blocks each trace stands, 1 in the mean: those alike share the blocks like them. */
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

/** The same as a function of the traces; of null where blocks are not known, or all do the same. */
export function weighing(
  work: BlockWork | undefined,
  spread: WorkSpread | null,
): (traces: readonly BlockTrace[]) => readonly number[] | null {
  if (work === undefined || spread?.spread === 0) return () => null;
  return (traces) => traceWeights(work, traces);
}
