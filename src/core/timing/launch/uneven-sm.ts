/**
 * The SM that is done last if blocks differ. Its blocks are simulated in the order in which it gets them, each with the
 * most similar trace.
 */
import type { BlockWork } from "../../engine/engine.js";
import { machineOf, type Sm } from "../sm/sm.js";
import type { SmInput, SmRun } from "../sm/sm-run.js";
import { PART } from "../sm/sm-time.js";
import type { BlockTrace } from "../trace/trace.js";
import { type BusySm, fullerPlaces } from "./block-schedule.js";
import { isAlike } from "./uneven.js";

/** Traces are equally good if their distances from a block's work differ by no more than this, as a logarithm. */
const SAME = 0.02;

/** Blocks of the SM in the order of their start, with the trace that each is simulated with. */
export interface SmBlocks extends BusySm {
  readonly traces: Int32Array;
  /** Issue slots of each block. */
  readonly slots: Float64Array;
}

/**
 * The most similar trace for each block: among those of similar length, the nearest in the grid. `lengths`:
 * instructions traced. `places`: blocks traced.
 */
function likestTraces(
  blocks: readonly number[],
  work: BlockWork,
  lengths: readonly number[],
  places: readonly number[],
): Int32Array {
  return Int32Array.from(blocks, (block) => {
    const away = lengths.map((length) => Math.abs(Math.log(Math.max(1, work[block]!) / Math.max(1, length))));
    const least = Math.min(...away);
    let best = -1;
    for (const [trace, distance] of away.entries()) {
      if (distance > least + SAME) continue;
      if (best < 0 || Math.abs(places[trace]! - block) < Math.abs(places[best]! - block)) best = trace;
    }
    return best;
  });
}

/** The blocks of each SM that may be last, as `simulateUneven` takes them. `slots`: issue slots of each trace. */
export function blocksOfSms(
  work: BlockWork,
  sms: readonly BusySm[],
  traces: readonly BlockTrace[],
  slots: readonly number[],
): readonly SmBlocks[] {
  const lengths = traces.map(({ pcs }) => pcs.length);
  const places = traces.map(({ block }) => block);
  return sms.map((sm) => {
    const { blocks } = sm;
    const likest = likestTraces(blocks, work, lengths, places);
    const whole = Float64Array.from(blocks, (block, index) => {
      const trace = likest[index]!;
      return (slots[trace]! * work[block]!) / Math.max(1, lengths[trace]!);
    });
    return { ...sm, traces: likest, slots: whole };
  });
}

/** The first wave, and this many waves of the last blocks, are simulated whole. */
const LAST_ROUNDS = 1.5;

/**
 * Indices of the blocks to simulate for `budget` issue slots: all, or the first, the last and an even selection
 * between.
 */
export function thinned(lengths: Float64Array, resident: number, budget: number): readonly number[] {
  const count = lengths.length;
  const first = Math.min(count, resident);
  const last = Math.max(first, count - Math.ceil(LAST_ROUNDS * resident));
  const sum = (from: number, to: number): number => lengths.subarray(from, to).reduce((total, each) => total + each, 0);
  const all = Array.from(lengths.keys());
  const between = sum(first, last);
  const room = budget - sum(0, first) - sum(last, count);
  if (between <= room) return all;
  const wanted = Math.max(resident, Math.floor(((last - first) * room) / between));
  const step = (last - first) / Math.min(wanted, last - first);
  return all.filter(
    (index) =>
      index < first || index >= last || Math.floor((index - first) / step) !== Math.floor((index - first - 1) / step),
  );
}

/** Issue slots of one simulation, and the factor of them from which on a launch is simulated in part. */
const BUDGET = 400_000;
const DEAREST = 1.25;
/** Share of those slots before the part begins. */
const BEFORE = 0.5;

/** Tolerance for work. An SM with no more extra work than this is not done after the SM whose last block ends last. */
const HARDLY_MORE = 0.005;

interface ThinnedBlocks {
  /** Issue slots of each block's trace, and the blocks simulated. */
  readonly lengths: Float64Array;
  readonly chosen: readonly number[];
  /**
   * Issue slots of the chosen blocks, whether they exceed the budget, and the number that suffices to compare with
   * another simulation.
   */
  readonly needed: number;
  readonly isInPart: boolean;
  readonly part: number;
}

function thin({ traces }: SmBlocks, lengthOfTrace: readonly number[], resident: number): ThinnedBlocks {
  const lengths = Float64Array.from(traces, (trace) => lengthOfTrace[trace]!);
  const chosen = thinned(lengths, resident, BUDGET);
  const needed = chosen.reduce((sum, index) => sum + lengths[index]!, 0);
  const isInPart = needed > DEAREST * BUDGET;
  return { lengths, chosen, needed, isInPart, part: PART * (isInPart ? BUDGET : needed) };
}

/**
 * Selects the SMs to simulate from those of `lastSms`. If the busiest has too much work to simulate whole, it is the
 * only one. Otherwise it is dropped if it has no more work than the SM whose last block ends last.
 */
export function smsToSimulate(
  candidates: readonly SmBlocks[],
  lengths: readonly number[],
  resident: number,
): readonly SmBlocks[] {
  const idlest = candidates.filter((sm) => sm.idlest);
  const [first, busiest] = candidates.filter((sm) => !sm.idlest);
  if (first === undefined || busiest === undefined) return candidates;
  if (thin(busiest, lengths, resident).isInPart) return [busiest];
  const work = ({ slots }: SmBlocks): number => slots.reduce((sum, each) => sum + each, 0);
  return work(busiest) <= (1 + HARDLY_MORE) * work(first) ? [first, ...idlest] : candidates;
}

function tracesOf({ traces }: SmBlocks, chosen: readonly number[]): Int32Array {
  return Int32Array.from(chosen, (index) => traces[index]!);
}

export interface UnevenTime {
  readonly run: SmRun;
  /** Mean cycles per block in the steady state. */
  readonly interval: number;
  /** Cycles of all the SM's blocks. */
  readonly cycles: number;
  /** Simulated share of the SM's work. */
  readonly share: number;
  /** Mean warps resident on a busy SM, over all SMs. */
  readonly residentWarps: number;
  /** Blocks simulated. */
  readonly simulated: number;
  /** Share of the SM's slots by which its blocks and those they are simulated as differ. */
  readonly unlike: number;
  /** Cycles after which `PART` of the simulated slots had issued. */
  readonly partCycles: number;
}

/**
 * Runs to the end and returns times as if all slots had been simulated. If there are too many, each warp later does the
 * same share of its remaining work. Warps and blocks then end in the same order and overlap as before, and the time is
 * scaled up.
 */
function simulateToEnd(machine: Sm, { needed, isInPart }: ThinnedBlocks): SmRun {
  if (!isInPart) {
    machine.advance(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    return machine.result();
  }
  machine.advance(Number.POSITIVE_INFINITY, BEFORE * BUDGET);
  const before = machine.result();
  const share = ((1 - BEFORE) * BUDGET) / (needed - before.issues);
  machine.shorten(share);
  machine.advance(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  return stretched(before, machine.result(), share);
}

/** The run `before`, plus the rest of `run` scaled up from its `share`. */
function stretched(before: SmRun, run: SmRun, share: number): SmRun {
  const whole = (now: number, then: number): number => then + (now - then) / share;
  const time = (cycles: number): number => (cycles > before.cycles ? whole(cycles, before.cycles) : cycles);
  return {
    ...run,
    blockEnds: run.blockEnds.map(time),
    issuesAtEnds: run.issuesAtEnds.map((issues) => (issues > before.issues ? whole(issues, before.issues) : issues)),
    startOf: run.startOf.map(time),
    endOf: run.endOf.map(time),
    cycles: time(run.cycles - run.drainCycles) + run.drainCycles,
    issues: whole(run.issues, before.issues),
    issued: whole(run.issued, before.issued),
    repeats: whole(run.repeats, before.repeats),
    warpCycles: run.warpCycles.map((cycles, reason) => whole(cycles, before.warpCycles[reason]!)),
    residentWarpCycles: whole(run.residentWarpCycles, before.residentWarpCycles),
    pipeBusyCycles: run.pipeBusyCycles.map((cycles, pipe) => whole(cycles, before.pipeBusyCycles[pipe]!)),
  };
}

/** `lengths`: issue slots of each trace. */
export function simulateUneven(sm: SmInput, blocks: SmBlocks, lengths: readonly number[]): UnevenTime {
  const { slots } = blocks;
  const thinned = thin(blocks, lengths, sm.residentBlocks);
  const { lengths: lengthOf, chosen, part } = thinned;
  const whole = slots.reduce((sum, each) => sum + each, 0);
  const machine = machineOf(sm, tracesOf(blocks, chosen));
  machine.advance(Number.POSITIVE_INFINITY, part);
  const partCycles = machine.result().cycles;
  const run = simulateToEnd(machine, thinned);
  const rate = steadyRate(run, chosen.length, sm.residentBlocks);
  // Any of the blocks left out may be the last. The SM's whole work is then a better estimate than the blocks
  // simulated.
  const end = Math.max(lastEnd(run, chosen, slots, lengthOf, rate), chosen.length < slots.length ? whole * rate : 0);
  const cycles = end + run.cycles - Math.max(...run.blockEnds);
  const lastStart = run.startOf.reduce((last, start) => Math.max(last, start), 0);
  const further = chosen.length < slots.length ? Math.max(0, cycles - run.cycles) : 0;
  const full = sm.residentBlocks * sm.warpsPerBlock;
  const resident = (run.residentWarpCycles + further * full) / (run.cycles + further);
  const fuller = fullerPlaces(blocks, Math.min(cycles, lastStart + further), cycles);
  const unlike = lengthOf.reduce((sum, length, index) => sum + Math.abs(slots[index]! - length), 0);
  return {
    run,
    interval: (rate * whole) / slots.length,
    cycles,
    share: Math.min(1, machine.result().issues / whole),
    residentWarps: Math.min(full, fuller * resident),
    simulated: chosen.length,
    unlike: unlike / whole,
    partCycles,
  };
}

/** The cycles of all the SM's blocks: those of `like`, which simulated them all, scaled by the time of a part. */
export function compareUneven(
  sm: SmInput,
  blocks: SmBlocks,
  lengths: readonly number[],
  like: Pick<UnevenTime, "cycles" | "partCycles">,
): Pick<UnevenTime, "run" | "cycles"> {
  const { chosen, part } = thin(blocks, lengths, sm.residentBlocks);
  const machine = machineOf(sm, tracesOf(blocks, chosen));
  machine.advance(Number.POSITIVE_INFINITY, part);
  const run = machine.result();
  return { run, cycles: (like.cycles * run.cycles) / like.partCycles };
}

/**
 * The end of the SM's last block. A block ends later than simulated if earlier blocks, or the block itself, have more
 * work than simulated. Earlier blocks count at the full SM's rate; the block itself counts at its own rate if the
 * difference is large.
 */
function lastEnd(
  { startOf, endOf }: SmRun,
  chosen: readonly number[],
  slots: Float64Array,
  lengths: Float64Array,
  rate: number,
): number {
  let before = 0;
  let simulated = 0;
  let next = 0;
  let last = 0;
  for (const [block, index] of chosen.entries()) {
    for (; next < index; next++) before += slots[next]!;
    const length = lengths[index]!;
    const end = endOf[block]!;
    const pace = isAlike(slots[index]!, length) ? rate : (end - startOf[block]!) / Math.max(1, length);
    last = Math.max(last, end + (before - simulated) * rate + (slots[index]! - length) * pace);
    simulated += length;
  }
  return last;
}

/**
 * Cycles per issue slot while the SM is full: from the end of the first wave of blocks to the start of the last block.
 */
function steadyRate({ blockEnds, issuesAtEnds, cycles, issues }: SmRun, blocks: number, resident: number): number {
  const from = Math.min(resident, blocks) - 1;
  const to = blocks - resident - 1;
  if (to <= from || issuesAtEnds[to] === undefined) return cycles / Math.max(1, issues);
  return (blockEnds[to]! - blockEnds[from]!) / Math.max(1, issuesAtEnds[to]! - issuesAtEnds[from]!);
}
