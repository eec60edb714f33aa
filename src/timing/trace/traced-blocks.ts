/**
 * How many blocks of one SM are simulated: as many as reach the steady state. Where single blocks are so long that not even one round
 * of them can be simulated, or where only their beginnings were traced, the simulation breaks off (broken-off.ts).
 */
import { areAlike } from "../base/line-count.js";
import type { BlockTrace } from "./trace.js";
import { linesAsked } from "./trace-requests.js";

/** Warp instructions that one simulation costs unless told otherwise. */
const DEFAULT_BUDGET = 160_000;
/** Lines that it asks for, where those of a block's requests vary more; what one asked for again costs, against one asked for anew. */
const MOST_LINES = 160_000;
const MOST_VARYING_LINES = 400_000;
const SHARE_AGAIN = 0.5;
/** A single round of blocks may cost as many times as much; a dearer one is broken off. */
const DEAREST_ROUND = 2;
/** Rounds of blocks: one to fill, one to measure, one to drain. */
export const WANTED_ROUNDS = 3;

export interface PlanInput {
  readonly gridBlocks: number;
  readonly smCount: number;
  readonly residentBlocks: number;
  /** Issue slots of a traced block, in the mean. */
  readonly slotsPerBlock: number;
  /** Lines that a slot asks for, in the mean. */
  readonly linesPerSlot: number;
  /** Later requests of a block ask for more or fewer than earlier ones. */
  readonly linesVary: boolean;
  /** Those that were traced of it, in the mean. */
  readonly tracedSlotsPerBlock: number;
  readonly instructionBudget: number | undefined;
  readonly simulateAll: boolean;
}

/** Of blocks whose beginning alone was traced: several resident ones do not come to its end at the same time. */
const TRACED_SHARE = 0.65;
const TRACED_SHARE_OF_ONE = 0.95;
/** Traces that have this share of their blocks are simulated as if they were whole, and the time is scaled. */
export const NEARLY_WHOLE = 0.8;

export interface Plan {
  readonly blocksPerSm: number;
  readonly simulated: number;
  readonly mostIssues: number;
}

/** What the traced lines of a block cost to simulate, and whether later requests ask for more or fewer than earlier ones. */
export function linesOfTrace(trace: BlockTrace, traced: Uint8Array): { readonly cost: number; readonly vary: boolean } {
  const early = linesAsked(trace, traced, 0, 0.5);
  const late = linesAsked(trace, traced, 0.5, 1);
  return {
    cost: early.cost(SHARE_AGAIN) + late.cost(SHARE_AGAIN),
    vary: !areAlike(early.linesOfRequest, late.linesOfRequest),
  };
}

export function planBlocks(input: PlanInput): Plan {
  const { residentBlocks: resident, slotsPerBlock } = input;
  const blocksPerSm = Math.ceil(input.gridBlocks / input.smCount);
  if (input.simulateAll) return { blocksPerSm, simulated: blocksPerSm, mostIssues: Number.POSITIVE_INFINITY };
  const budget = input.instructionBudget ?? DEFAULT_BUDGET;
  const slots = Math.max(1, slotsPerBlock);
  const blocksOfLines = (input.linesVary ? MOST_VARYING_LINES : MOST_LINES) / (input.linesPerSlot * slots);
  const affordable = Math.min(budget / slots, blocksOfLines);
  const roundsOfLines = DEAREST_ROUND * blocksOfLines < resident ? 0 : Math.ceil(blocksOfLines / resident);
  const fitting = Math.min(Math.floor((DEAREST_ROUND * budget) / slots / resident), roundsOfLines);
  const rounds = Math.max(1, Math.min(WANTED_ROUNDS, fitting));
  const beginnings = input.tracedSlotsPerBlock < NEARLY_WHOLE * slotsPerBlock;
  const together = Math.min(resident, blocksPerSm);
  const traced = (together === 1 ? TRACED_SHARE_OF_ONE : TRACED_SHARE) * together * input.tracedSlotsPerBlock;
  const simulated = Math.max(rounds * resident, Math.min(Math.floor(affordable), 16 * resident + 32));
  return {
    blocksPerSm,
    // What is nearly all is simulated whole.
    simulated: blocksPerSm <= simulated * 1.25 ? blocksPerSm : simulated,
    mostIssues: beginnings
      ? Math.min(affordable * slots, traced)
      : rounds <= fitting
        ? Number.POSITIVE_INFINITY
        : affordable * slots,
  };
}
