/** The time of all blocks of one SM, extrapolated from the simulated ones. */

import { type Plan, WANTED_ROUNDS } from "../trace/traced-blocks.js";
import { restOf, secondHalf } from "./broken-off.js";
import { machineOf, type Sm } from "./sm.js";
import type { SmInput, SmRun } from "./sm-run.js";

export interface SmTime {
  readonly run: SmRun;
  /** Cycles a block in the steady state. */
  readonly interval: number;
  /** Cycles of all the SM's blocks. */
  readonly cycles: number;
  /** The simulated share of the SM's work. */
  readonly share: number;
  /** Mean number of resident warps over the whole time. */
  readonly residentWarps: number;
  /** Cycles after which `PART` of the simulated slots had issued. */
  readonly partCycles: number;
}

/** The share of a simulation that is enough to compare two simulations of the same blocks. */
export const PART = 0.4;

/** Advances the machine through `PART` of the simulation that is planned; returns the cycles. */
function partCyclesOf(machine: Sm, { mostIssues }: Plan, order: Int32Array, slots: readonly number[]): number {
  const total = order.reduce((sum, trace) => sum + slots[trace]!, 0);
  machine.advance(Number.POSITIVE_INFINITY, PART * Math.min(mostIssues, total));
  return machine.result().cycles;
}

/**
 * Estimates the cycles of all the SM's blocks from a part of the simulation. The same part of `like`, which ran to its
 * end, gives the scale.
 */
export function compareSm(
  sm: SmInput,
  plan: Plan,
  order: Int32Array,
  slots: readonly number[],
  like: Pick<SmTime, "cycles" | "partCycles">,
): Pick<SmTime, "run" | "cycles"> {
  const machine = machineOf(sm, order);
  const partCycles = partCyclesOf(machine, plan, order, slots);
  return { run: machine.result(), cycles: (like.cycles * partCycles) / like.partCycles };
}

/** A smaller share of the slots gives no reliable rate. */
const LEAST_SHARE = 0.1;

/**
 * Cycles a block in the steady state, from the end of the first wave until no new block starts.
 *
 * With few waves, the rate of issue while the SM is full is used. The ends of blocks would mislead: the last blocks run
 * almost alone, and a scheduler that prefers one block spreads the ends of a wave. Blocks that start together may also
 * end together, so whole waves are measured if there are two.
 */
function steadyInterval(run: SmRun, simulated: number, resident: number): number {
  const { blockEnds: ends, issuesAtEnds } = run;
  if (simulated >= 4 * resident) {
    const first = Math.min(ends.length - 2, Math.max(0, Math.ceil(1.5 * resident) - 1));
    const last = Math.max(first + 1, ends.length - 1 - Math.max(1, Math.floor(resident / 2)));
    return (ends[last]! - ends[first]!) / (last - first);
  }
  const from = simulated >= 3 * resident ? resident - 1 : -1;
  const to = Math.max(0, simulated - resident - 1);
  const issues = issuesAtEnds[to]! - (issuesAtEnds[from] ?? 0);
  if (issues < LEAST_SHARE * run.issues) return run.cycles / simulated;
  return ((ends[to]! - (ends[from] ?? 0)) / issues) * (run.issues / simulated);
}

/**
 * Simulates as planned. `order` has the trace of each simulated block, and `slots` the issue slots of each trace.
 * `slotsPerBlock` is the mean over the grid. `another` makes a fresh SM like `sm`.
 */
export function simulateSm(
  sm: SmInput,
  another: () => SmInput,
  plan: Plan,
  order: Int32Array,
  slots: readonly number[],
  slotsPerBlock: number,
): SmTime {
  const { blocksPerSm, simulated, mostIssues } = plan;
  const machine = machineOf(sm, order);
  const partCycles = partCyclesOf(machine, plan, order, slots);
  const breaksOff = mostIssues < Number.POSITIVE_INFINITY;
  const half = breaksOff ? secondHalf(machine, mostIssues, (block) => slots[order[block]!]!) : null;
  if (half !== null && !half.run.complete) {
    const { run, rate } = half;
    const { residentBlocks } = sm;
    const rest = restOf(half, { blocksPerSm, residentBlocks, slotsPerBlock, mostIssues, order, slots }, another);
    // The last warps wait for the memory accesses that are outstanding now.
    const cycles = run.cycles + rest.cycles + Math.max(0, sm.path.loadedBy - run.cycles);
    const residentWarps = (run.residentWarpCycles + rest.blockCycles * sm.warpsPerBlock) / cycles;
    const share = run.issues / (blocksPerSm * slotsPerBlock);
    return { run, interval: slotsPerBlock / rate, cycles, share, residentWarps, partCycles };
  }
  if (half === null) machine.advance(Number.POSITIVE_INFINITY, mostIssues);
  const run = machine.result();
  let total = 0;
  for (const trace of order) total += slots[trace]!;
  // The grid's blocks take longer than the simulated ones in proportion to their issue slots.
  const longer = total === 0 ? 1 : (slotsPerBlock * simulated) / total;
  const measured = steadyInterval(run, simulated, sm.residentBlocks);
  // Work that is still queued in DRAM delays the rest of the launch.
  const interval = longer * Math.max(measured, sm.path.dramBusyCycles / simulated);
  const further = (blocksPerSm - simulated) * interval;
  const cycles = run.cycles * longer + further;
  // Further blocks are resident as long as the simulated ones, if most of those ran on a full SM.
  const full = sm.residentBlocks * sm.warpsPerBlock;
  const resident = (longer * run.residentWarpCycles) / simulated / Math.max(1, interval);
  const warps = simulated < WANTED_ROUNDS * sm.residentBlocks ? full : Math.min(full, resident);
  const residentWarps = (longer * run.residentWarpCycles + further * warps) / cycles;
  return { run, interval, cycles, share: simulated / blocksPerSm, residentWarps, partCycles };
}
