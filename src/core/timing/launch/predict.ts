/**
 * The time of one launch: traces of a few blocks simulated on one SM up to the steady state, the rest extrapolated by
 * its rate.
 */

import { dominantStall, stallRatios } from "../base/stalls.js";
import { timedProgram } from "../program/timed-program.js";
import { boundOf, boundShares, busiestPipe, type SharesOfTime } from "./bound.js";
import { coldStartCycles } from "./cold-start.js";
import { behindDirtyL2 } from "./dirty-l2.js";
import { dispatchedCycles, fillCycles, memoryEndMicroseconds } from "./launch-end.js";
import { launchSample } from "./launch-sample.js";
import { LaunchSimulation, type SimulatedLaunch } from "./launch-simulation.js";
import type { LaunchTime } from "./launch-time.js";
import { type LaunchShape, launchShape, type PredictInput } from "./predict-input.js";

/**
 * Predicts the time of a launch. Deterministic.
 * @throws InputError for an impossible device (by field) or traces of another launch.
 */
export function predictLaunch(input: PredictInput): LaunchTime {
  const { device } = input;
  const shape = launchShape(input);
  const timed = timedProgram(input.program, device);
  const sample = launchSample(input, shape, timed);
  const simulation = new LaunchSimulation(input, shape, timed, sample);
  const clean = simulation.clean();
  const { run, path } = clean;
  const shares = boundShares(device, run, path, simulation.busySms, clean.dramFraction);
  const behind = behindDirtyL2(input, simulation, clean, shares, sample.linesPerSlot);
  const around = aroundSm(input, shape, simulation, clean, shares);
  const cyclesActive = clean.cycles - run.drainCycles + around.coldCycles;
  const warps = meanResidentWarps(shape, simulation, clean, around.coldCycles, cyclesActive);
  const linesOfSm = simulation.touched.lineBytes / (device.l1.lineBytes * shape.activeSms);
  const stalls = stallRatios(run.warpCycles, run.issued);
  const issuingCycles = Math.max(1, run.cycles - run.drainCycles);
  const slotsOfSm = device.schedulersPerSm * device.issueWidthPerScheduler;
  const scale = clean.sms / clean.share;
  return {
    cycles: cyclesActive,
    ...timesOf(input, linesOfSm, around, clean.cycles, behind.cycles),
    issueSlotUtilizationPercent: (100 * run.issued) / (issuingCycles * slotsOfSm),
    ipc: run.issued / issuingCycles,
    achievedOccupancyPercent: (100 * warps) / device.limits.maxWarpsPerSm,
    theoreticalOccupancyPercent: 100 * shape.occupancy.theoreticalOccupancy,
    residentBlocksPerSm: shape.occupancy.activeBlocksPerSm,
    stalls,
    dominantStall: dominantStall(stalls),
    dramBytesRead: path.dramReadBytes * scale,
    dramBytesWritten: path.dramWriteBytes * scale,
    l1HitRatePercent: percent(path.l1Hits, path.l1Sectors),
    l2HitRatePercent: percent(path.l2Lookups.hits, path.l2Lookups.sectors),
    bound: boundOf(device, shares, simulation.rounds ? clean.interval : clean.cycles, shape.activeSms),
    l2BusyPercent: 100 * Math.max(shares.l2, shares.intoL2),
    pipeBusyPercent: 100 * shares.pipe,
    busiestPipe: busiestPipe(device, run),
    sampling: sample.report(clean.unlike),
    simulatedBlocks: clean.simulated,
    blocksPerSm: clean.blocks,
    simulatedWarpInstructions: run.issued + behind.simulatedWarpInstructions,
    repeatedShare: run.repeats / Math.max(1, run.issued - run.repeats),
  };
}

/** Time of a launch before and after the work of the SM that is done last. */
interface AroundSm {
  /** Cycles before the first instruction: after emptied caches; and between events, if it accesses global memory. */
  readonly coldCycles: number;
  readonly eventColdCycles: number;
  /** Cycles until the last SM has its first blocks. */
  readonly fillCycles: number;
  /** Cycles in which the blocks are dispatched: a lower bound of the launch. */
  readonly dispatchedCycles: number;
}

function aroundSm(
  { device, cacheState }: PredictInput,
  { gridBlocks, warpsPerBlock, activeSms }: LaunchShape,
  { rounds, residentBlocks, touched }: LaunchSimulation,
  { run, cycles, interval, residentWarps: warps }: SimulatedLaunch,
  shares: SharesOfTime,
): AroundSm {
  const accesses = touched.lineBytes > 0;
  const coldCycles = coldStartCycles(device, cacheState, accesses);
  const fill = fillCycles(device, {
    activeSms,
    blocks: gridBlocks,
    resident: residentBlocks,
    rounds,
    dramShare: Math.min(1, shares.dram),
    busyCycles: cacheState === "cold" ? Math.max(...Object.values(shares)) * cycles : 0,
  });
  return {
    coldCycles,
    eventColdCycles: accesses ? coldCycles : 0,
    // L2 finishes the SM's atomics while other SMs, which began later, are still running.
    fillCycles: Math.max(0, fill - run.drainCycles),
    dispatchedCycles: rounds ? dispatchedCycles(device, gridBlocks, (warps / warpsPerBlock) * interval) : 0,
  };
}

/** `cycles`, `eventCycles`: cycles of the SM that is done last, with a clean L2 and with its state between events. */
function timesOf(
  { device, cacheState }: PredictInput,
  linesOfSm: number,
  around: AroundSm,
  cycles: number,
  eventCycles: number,
): Pick<LaunchTime, "durationMicroseconds" | "timeMs"> {
  const { launch, smClockMHz } = device;
  const microseconds = (smCycles: number, coldCycles: number): number =>
    Math.max(smCycles + coldCycles + around.fillCycles, around.dispatchedCycles) / smClockMHz;
  const emptyMicroseconds = launch.emptyBlockResidencyCycles / smClockMHz;
  const cold = cacheState === "cold";
  // A cold launch follows the work that has emptied the caches; a warm one is repeated on an idle GPU.
  const eventMicroseconds = cold ? launch.queuedKernelEventMicroseconds : launch.emptyKernelEventMicroseconds;
  const endMicroseconds = cold ? 0 : memoryEndMicroseconds(launch, linesOfSm);
  const kernelMicroseconds = microseconds(cycles, around.coldCycles);
  const betweenEvents = microseconds(eventCycles, around.eventColdCycles);
  return {
    durationMicroseconds: kernelMicroseconds - emptyMicroseconds + launch.emptyKernelDurationMicroseconds,
    timeMs: (betweenEvents - emptyMicroseconds + eventMicroseconds + endMicroseconds) / 1000,
  };
}

/** Mean warps resident on an SM while it is busy, over `cyclesActive`. */
function meanResidentWarps(
  { gridBlocks, warpsPerBlock, activeSms }: LaunchShape,
  { residentBlocks }: LaunchSimulation,
  { residentWarps, cycles }: SimulatedLaunch,
  coldCycles: number,
  cyclesActive: number,
): number {
  // After emptied caches the first wave's warps are resident while they wait for their first instructions.
  const firstWarps = Math.min(residentBlocks, gridBlocks / activeSms) * warpsPerBlock;
  return (residentWarps * cycles + firstWarps * coldCycles) / cyclesActive;
}

function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : (100 * part) / whole;
}
