/** How long all blocks of one SM take, by those that are simulated. */

import { type Plan, WANTED_ROUNDS } from "../trace/traced-blocks.js";
import { restOf, secondHalf } from "./broken-off.js";
import { machineOf, type Sm } from "./sm.js";
import type { SmInput, SmRun } from "./sm-run.js";

export interface SmTime {
  readonly run: SmRun;
  /** Cycles a block in the steady state. */
  readonly interval: number;
  /** Of all the SM's blocks. */
  readonly cycles: number;
  /** Of all that the SM does, the simulated share. */
  readonly share: number;
  /** Warps resident, in the mean over all that time. */
  readonly residentWarps: number;
  /** Cycles after which `PART` of the simulated instructions had issued. */
  readonly partCycles: number;
}

/** So much of a simulation tells how another one of the same blocks compares with it. */
export const PART = 0.4;

/** Takes the machine through `PART` of what `plan` simulates; the cycles. */
function partCyclesOf(machine: Sm, { mostIssues }: Plan, order: Int32Array, slots: readonly number[]): number {
  const total = order.reduce((sum, trace) => sum + slots[trace]!, 0);
  machine.advance(Number.POSITIVE_INFINITY, PART * Math.min(mostIssues, total));
  return machine.result().cycles;
}

/** The cycles of all the SM's blocks, by how long a part of them takes against `like`, which simulated all that is planned. */
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

/** Fewer instructions than this share of all do not tell a rate. */
const LEAST_SHARE = 0.1;

/**
 * Cycles a block in the steady state: from when the first round has ended to when no new block starts.
 *
 * Of few rounds, by the rate of issue while the SM is full: the ends of blocks do not tell, as the last ones run with ever
 * less beside them, and as a scheduler that prefers one block spreads even a first round's ends. Blocks that start
 * together may also end together, so that whole rounds are measured where there are two.
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
 * Simulates what the plan says. `order`: trace of each simulated block; `slots`: issue slots of each trace;
 * `slotsPerBlock`: of a block of the grid, in the mean. `another`: an SM as `sm` was.
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
    // At the end warps wait for what is under way, as it now is.
    const cycles = run.cycles + rest.cycles + Math.max(0, sm.path.loadedBy - run.cycles);
    const residentWarps = (run.residentWarpCycles + rest.blockCycles * sm.warpsPerBlock) / cycles;
    const share = run.issues / (blocksPerSm * slotsPerBlock);
    return { run, interval: slotsPerBlock / rate, cycles, share, residentWarps, partCycles };
  }
  if (half === null) machine.advance(Number.POSITIVE_INFINITY, mostIssues);
  const run = machine.result();
  let total = 0;
  for (const trace of order) total += slots[trace]!;
  // Blocks of the grid are as much longer than the simulated ones as they have more instructions.
  const longer = total === 0 ? 1 : (slotsPerBlock * simulated) / total;
  const measured = steadyInterval(run, simulated, sm.residentBlocks);
  // What queues took up in the simulated part, the rest of the launch has to wait for.
  const interval = longer * Math.max(measured, sm.path.dramBusyCycles / simulated);
  const further = (blocksPerSm - simulated) * interval;
  const cycles = run.cycles * longer + further;
  // The further blocks are resident as long as the simulated ones, if most of those had a full SM around them.
  const full = sm.residentBlocks * sm.warpsPerBlock;
  const resident = (longer * run.residentWarpCycles) / simulated / Math.max(1, interval);
  const warps = simulated < WANTED_ROUNDS * sm.residentBlocks ? full : Math.min(full, resident);
  const residentWarps = (longer * run.residentWarpCycles + further * warps) / cycles;
  return { run, interval, cycles, share: simulated / blocksPerSm, residentWarps, partCycles };
}
