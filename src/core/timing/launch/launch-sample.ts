/**
 * Extrapolates from the traced blocks to the whole grid: its work, the number of blocks to simulate, and their traces.
 */
import type { BlockWork, RawCounters } from "../../engine/engine.js";
import { dropFolded, expandTrace } from "../program/expand-slots.js";
import type { TimedProgram } from "../program/timed-program.js";
import type { LaunchTraces } from "../trace/trace.js";
import { spreadOver, traceOrder } from "../trace/trace-order.js";
import {
  DIFFERING_SPREAD,
  judgeSample,
  judgeUneven,
  meanOf,
  type SamplingReport,
  simulatedTraces,
  slotsOf,
  spreadOf,
  typicalTraces,
  type WorkSpread,
  wholeSlotsOf,
} from "../trace/trace-sampling.js";
import { linesOfTrace, type Plan, planBlocks } from "../trace/traced-blocks.js";
import { lastSms } from "./block-schedule.js";
import type { LaunchShape, PredictInput } from "./predict-input.js";
import { areUneven, weighing } from "./uneven.js";
import { blocksOfSms, type SmBlocks } from "./uneven-sm.js";

export interface LaunchSample {
  readonly plan: Plan;
  /** Issue slots traced, in the order in which they issue. */
  readonly traces: LaunchTraces;
  /** Number of the grid's blocks that each trace stands for, 1 in the mean; null if all stand for as many. */
  readonly weights: readonly number[] | null;
  /** Issue slots of each trace. */
  readonly slots: readonly number[];
  /** Trace of each simulated block. */
  readonly order: Int32Array;
  /** Mean issue slots of a block of the grid, and lines requested per slot. */
  readonly slotsPerBlock: number;
  readonly linesPerSlot: number;
  /** If blocks differ, the blocks of the SMs that may be done last; empty if any SM stands for all. */
  readonly candidates: readonly SmBlocks[];
  /** `unlike`: share of the last SM's slots by which its blocks and those they are simulated as differ. */
  readonly report: (unlike: number) => SamplingReport;
}

/** The work of blocks that differ; null if the blocks of one SM stand for those of another. */
function unevenWork(
  { work, simulateAll, device }: PredictInput,
  spread: WorkSpread | null,
  resident: number,
): BlockWork | null {
  if (work === undefined || spread === null || simulateAll !== undefined) return null;
  return areUneven(spread, work.length, device.smCount, resident) ? work : null;
}

function gridInstructions(counters: RawCounters, slotCount: Int32Array): number {
  return slotCount.reduce((total, slots, pc) => total + (counters.executed[pc] ?? 0) * slots, 0);
}

export function launchSample(
  input: PredictInput,
  { gridBlocks, occupancy }: LaunchShape,
  { start, microcode }: TimedProgram,
): LaunchSample {
  const { device, work, simulateAll } = input;
  const recorded = input.traces.blocks;
  const slotCount = Int32Array.from(input.program.instructions, ({ issue }) => issue.length);
  const wholeSlots = wholeSlotsOf(input.traces, slotCount);
  const tracedSlots = slotsOf(input.traces, slotCount);
  const typicalOfGrid = typicalTraces(input.traces, gridBlocks);
  const gridSlots = input.counters === undefined ? null : gridInstructions(input.counters, slotCount);
  const spread = work === undefined ? null : spreadOf(work);
  const weigh = weighing(simulateAll === undefined ? work : undefined, spread);
  const meanSlots = meanOf(wholeSlots, typicalOfGrid, weigh(recorded));
  const typicalSlots = typicalOfGrid.map((index) => wholeSlots[index]!);
  const judged = judgeSample(typicalSlots, wholeSlots.length, gridBlocks, gridSlots, spread?.spread ?? null);
  const simulable = simulatedTraces(input.traces, gridBlocks);
  const traced = meanOf(tracedSlots, simulable);
  const lines = simulable.map((index) => linesOfTrace(recorded[index]!, microcode.traced));
  const linesPerSlot = lines.reduce((sum, { cost }) => sum + cost, 0) / lines.length / Math.max(1, traced);
  const plan = planBlocks({
    gridBlocks,
    smCount: device.smCount,
    residentBlocks: occupancy.activeBlocksPerSm,
    slotsPerBlock: meanSlots,
    tracedSlotsPerBlock: traced,
    linesPerSlot,
    linesVary: lines.some(({ vary }) => vary),
    instructionBudget: input.instructionBudget,
    simulateAll: simulateAll !== undefined,
  });
  const uneven = unevenWork(input, spread, occupancy.activeBlocksPerSm);
  const used = simulateAll === "gpu" || uneven !== null ? recorded : spreadOver(recorded, plan.simulated);
  const traces = {
    blocks: used.map((trace) => dropFolded(expandTrace(trace, start), microcode.slotCount)),
  };
  const weights = weigh(traces.blocks);
  const slots = slotsOf(traces, microcode.slotCount);
  const differing = judged.relativeSpread > DIFFERING_SPREAD;
  const typical = differing ? [...traces.blocks.keys()] : simulatedTraces(traces, gridBlocks);
  const last = uneven === null ? [] : (input.lastSms ?? lastSms(uneven, device.smCount, occupancy.activeBlocksPerSm));
  return {
    plan,
    traces,
    weights,
    slots,
    order: traceOrder(traces.blocks, typical, plan.simulated, gridBlocks, differing, weights),
    slotsPerBlock: gridSlots === null ? meanSlots : gridSlots / gridBlocks,
    linesPerSlot,
    candidates: uneven === null ? [] : blocksOfSms(uneven, last, recorded, slots),
    report: (unlike) => (spread === null || uneven === null ? judged : judgeUneven(judged, spread, unlike)),
  };
}
