/**
 * The number of blocks of one SM to simulate: enough to reach the steady state. If a single wave is too expensive, or
 * only beginnings of blocks were traced, the simulation breaks off (`broken-off.ts`).
 */
import { areAlike } from "../base/line-count.js";
import type { BlockTrace } from "./trace.js";
import { linesAsked } from "./trace-requests.js";

/** The default limit of warp instructions of one simulation. */
const DEFAULT_BUDGET = 160_000;
/**
 * The limit of lines of one simulation, a higher limit if the requests vary, and the cost of a repeated access against
 * a first one.
 */
const MOST_LINES = 160_000;
const MOST_VARYING_LINES = 400_000;
const SHARE_AGAIN = 0.5;
/** A single wave of blocks may exceed the limits by this factor; a more expensive one breaks off. */
const DEAREST_ROUND = 2;
/** Waves of blocks: one to fill the SM, one to measure, one to drain. */
export const WANTED_ROUNDS = 3;

export interface PlanInput {
  readonly gridBlocks: number;
  readonly smCount: number;
  readonly residentBlocks: number;
  /** Mean issue slots of a traced block. */
  readonly slotsPerBlock: number;
  /** Mean lines that a slot accesses. */
  readonly linesPerSlot: number;
  /** Whether a block's later requests access more or fewer lines than earlier ones. */
  readonly linesVary: boolean;
  /** Mean traced issue slots of a block. */
  readonly tracedSlotsPerBlock: number;
  readonly instructionBudget: number | undefined;
  readonly simulateAll: boolean;
}

/** The share of a partial trace that is simulated: several resident blocks do not reach its end at the same time. */
const TRACED_SHARE = 0.65;
const TRACED_SHARE_OF_ONE = 0.95;
/** Traces with this share of their block are simulated as whole blocks, and the time is scaled. */
export const NEARLY_WHOLE = 0.8;

export interface Plan {
  readonly blocksPerSm: number;
  readonly simulated: number;
  readonly mostIssues: number;
}

/**
 * The cost of a block's traced lines in the simulation, and whether later requests access more or fewer lines than
 * earlier ones.
 */
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
    // If nearly all blocks would be simulated, all are.
    simulated: blocksPerSm <= simulated * 1.25 ? blocksPerSm : simulated,
    mostIssues: beginnings
      ? Math.min(affordable * slots, traced)
      : rounds <= fitting
        ? Number.POSITIVE_INFINITY
        : affordable * slots,
  };
}
