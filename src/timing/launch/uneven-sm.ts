/**
 * The SM that is done last where blocks differ: its blocks in the order in which it gets them, each simulated with the
 * trace most like it.
 */
import type { BlockWork } from "../../engine/engine.js";
import { machineOf, type Sm } from "../sm/sm.js";
import type { SmInput, SmRun } from "../sm/sm-run.js";
import { PART } from "../sm/sm-time.js";
import type { BlockTrace } from "../trace/trace.js";
import { type BusySm, fullerPlaces } from "./block-schedule.js";
import { isAlike } from "./uneven.js";

/** Traces that are no further from a block's work than this from the one nearest, as a logarithm, are as good. */
const SAME = 0.02;

/** Blocks of the SM in the order of their start, with the trace that each is simulated with. */
export interface SmBlocks extends BusySm {
  readonly traces: Int32Array;
  /** Issue slots of each. */
  readonly slots: Float64Array;
}

/**
 * The trace most like each block: of those that have about as many instructions the nearest in the grid.
 * `lengths`: instructions traced; `places`: blocks traced.
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

/** Simulated whole: the first round, and the last blocks, so many times as are resident. */
const LAST_ROUNDS = 1.5;

/** Indices of the blocks to simulate for `budget` issue slots: all, or the first and last and some between them, evenly. */
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

/** Issue slots of one simulation; one that needs more than so many times as many is simulated in part. */
const BUDGET = 400_000;
const DEAREST = 1.25;
/** Of these, those before the part. */
const BEFORE = 0.5;

/** An SM that has no more to do than this beyond the one whose last block ends last is not done after it. */
const HARDLY_MORE = 0.005;

interface ThinnedBlocks {
  /** Issue slots of each block's trace, and the blocks simulated. */
  readonly lengths: Float64Array;
  readonly chosen: readonly number[];
  /** Issue slots of the blocks chosen, whether those are too many, and how many tell how another simulation compares. */
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
 * Of the SMs that may be last, as `lastSms` gives them, those to simulate: where they have too much to do for that, the one that has
 * most, and else that one only if it has more to do than the one whose last block ends last.
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
  /** Cycles a block in the steady state, in the mean. */
  readonly interval: number;
  /** Of all the SM's blocks. */
  readonly cycles: number;
  /** Of all that the SM does, the simulated share. */
  readonly share: number;
  /** Warps resident on an SM that is at work, in the mean over all SMs. */
  readonly residentWarps: number;
  /** Blocks simulated. */
  readonly simulated: number;
  /** Share of the SM's slots by which its blocks and those they are simulated as differ. */
  readonly unlike: number;
  /** Cycles after which `PART` of the simulated slots had issued. */
  readonly partCycles: number;
}

/**
 * To the end, as if all had been simulated: where that is too much, each warp does from some time on the same share of what it has
 * still to do, so that warps and blocks end in the same order and leave the same others alone; all that takes as much longer.
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

/** The run `before` and all that came behind it until `run`, as much longer as that is but a `share`. */
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
  // Of blocks left out any may be the last; then all that the SM does tells more than those simulated.
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

/** The cycles of all the SM's blocks, by how long a part of them takes against `like`, which simulated them all. */
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
 * The end of the SM's last block. A block ends later than simulated by what the blocks before it do more than simulated, at
 * the full SM's rate, and by what it does more itself, at its own where that is much.
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

/** Cycles an issue slot while the SM is full: from the end of a first round of blocks to the start of the last block. */
function steadyRate({ blockEnds, issuesAtEnds, cycles, issues }: SmRun, blocks: number, resident: number): number {
  const from = Math.min(resident, blocks) - 1;
  const to = blocks - resident - 1;
  if (to <= from || issuesAtEnds[to] === undefined) return cycles / Math.max(1, issues);
  return (blockEnds[to]! - blockEnds[from]!) / Math.max(1, issuesAtEnds[to]! - issuesAtEnds[from]!);
}
