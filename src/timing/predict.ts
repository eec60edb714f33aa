/** The time of one launch: traces of a few blocks through one SM to the steady state, the rest by its rate. */
import { InputError } from "../base/errors.js";
import { type Occupancy, occupancyOfLaunch } from "../device/occupancy.js";
import type { DeviceSpec } from "../device/spec.js";
import { checkDevice } from "../device/validate.js";
import type { BlockWork, Dim3, RawCounters } from "../engine/engine.js";
import type { Program } from "../lower/program.js";
import { type BusySm, lastSms } from "./block-schedule.js";
import { boundOf, boundShares, IDLE_DRAM } from "./bound.js";
import { edgeWeights } from "./edge-weights.js";
import { expandTrace } from "./expand-slots.js";
import { footprint } from "./footprint.js";
import {
  beyond,
  DIRTY_PARTIAL_SHARE_OF_L2,
  DIRTY_SHARE_OF_L2,
  drivenOut,
  drivenOutByParts,
  keptBetweenLaunches,
  OWN_DIRTY,
  PARTIAL_SHARE_OF_L2,
} from "./l2-retention.js";
import { dispatchedCycles, fillCycles, lastSmDistanceCycles, memoryEndMicroseconds } from "./launch-end.js";
import type { LaunchTime } from "./launch-time.js";
import { MemoryPath } from "./memory-path.js";
import { linesOfTrace, planBlocks } from "./plan.js";
import { randomTraffic } from "./random-stores.js";
import { dropFolded, reorderTrace } from "./reorder.js";
import {
  DIFFERING_SPREAD,
  judgeSample,
  judgeUneven,
  meanOf,
  simulatedTraces,
  slotsOf,
  spreadOf,
  typicalTraces,
  type WorkSpread,
  wholeSlotsOf,
} from "./sampling.js";
import type { SmInput } from "./sm-run.js";
import { compareSm, type SmTime, simulateSm } from "./sm-time.js";
import { dominantStall, stallRatios } from "./stalls.js";
import { timedProgram } from "./timed-program.js";
import type { BlockTrace, LaunchTraces } from "./trace.js";
import { spreadOver, traceOrder } from "./trace-order.js";
import { areUneven, weighing } from "./uneven.js";
import { blocksOfSms, compareUneven, type SmBlocks, simulateUneven, smsToSimulate } from "./uneven-sm.js";
import { warpStreams } from "./warp-streams.js";
import { simulateGpu } from "./whole-gpu.js";

export interface PredictInput {
  readonly device: DeviceSpec;
  readonly program: Program;
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly dynamicSharedBytes: number;
  readonly traces: LaunchTraces;
  /** Exact counters of the whole grid, to check the sample against. */
  readonly counters?: RawCounters;
  /** Warp instructions of each block of the grid, where they are known. */
  readonly work?: BlockWork;
  /** Where blocks differ, the SMs that may be done last, if they have been worked out from `work` already. */
  readonly lastSms?: readonly BusySm[];
  /** cold: caches hold nothing of the launch's data. warm: L2 holds what fits of it. */
  readonly cacheState: "cold" | "warm";
  /**
   * Instead of extrapolating simulate all blocks of one SM, or of the GPU (of which all blocks must be traced): for
   * measuring the error of the sampling.
   */
  readonly simulateAll?: "sm" | "gpu";
  /** Warp instructions after which no further blocks are simulated, unless fewer rounds of blocks are done; default 250 000. */
  readonly instructionBudget?: number;
}

/**
 * Trips to DRAM before the first instruction that does something, caches flushed: one for the instructions, one for what the first access of
 * global memory needs. Of h200-micro-3.json, ncu: readAll of 1 MiB is active for 3067 cycles, 1500 of them its own; fmaChain
 * (h200-ends-micro.json), which accesses nothing, .3 us less.
 */
const INSTRUCTION_TRIPS = 1;
const ACCESS_TRIPS = 1;

/** Cycles of a launch in front of its first instruction, caches as they are. `accesses`: it accesses global memory. */
export function coldStartCycles(device: DeviceSpec, cacheState: PredictInput["cacheState"], accesses: boolean): number {
  return cacheState === "cold" ? (INSTRUCTION_TRIPS + (accesses ? ACCESS_TRIPS : 0)) * device.dram.latencyCycles : 0;
}

/**
 * Where less of a launch than this stands behind dirty data, or waits for DRAM and does so, a part of it tells how much slower
 * that makes it, if that is of so many instructions or lines; where hardly any of it does, no simulation is needed to know that it is
 * no slower.
 */
const LITTLE_DIRTY = 0.06;
const LITTLE_HELD_UP = 0.045;
const LONG = 120_000;
const LONG_LINES = 80_000;
const LEAST_DIRTY = 0.01;

function blocksOf(dim: Dim3): number {
  return dim[0] * dim[1] * dim[2];
}

function checkInput(input: PredictInput, gridBlocks: number, warpsPerBlock: number): void {
  checkDevice(input.device);
  const { blocks } = input.traces;
  if (blocks.length === 0) {
    throw new InputError({
      what: "predictLaunch: traces.blocks is empty",
      cure: "run the blocks of sampleBlocks(...) in the reference engine with a TraceRecorder",
    });
  }
  for (const trace of blocks) {
    if (trace.warps !== warpsPerBlock || trace.block < 0 || trace.block >= gridBlocks) {
      throw new InputError({
        what: `predictLaunch: traces.blocks has block ${trace.block} with ${trace.warps} warps, but the launch has ${gridBlocks} blocks of ${warpsPerBlock} warps`,
        cure: "give traces of this launch",
      });
    }
  }
}

function mixtureFraction(device: DeviceSpec, read: number, written: number): number {
  const { achievableReadFraction, achievableWriteFraction, achievableCopyFraction } = device.dram;
  const share = read + written === 0 ? 1 : read / (read + written);
  // Turning between reading and writing costs most where both are half of the traffic.
  return share >= 0.5
    ? achievableCopyFraction + (achievableReadFraction - achievableCopyFraction) * (share - 0.5) * 2
    : achievableWriteFraction + (achievableCopyFraction - achievableWriteFraction) * share * 2;
}

/**
 * Shared memory that the driver sets aside: since Volta the least that holds the resident blocks, before it the most
 * unless the program asks for a larger L1. L1 has the rest.
 */
function l1Bytes(device: DeviceSpec, residentBlocks: number, sharedPerBlock: number): number {
  if (device.computeCapability.major < 7) return Math.max(0, device.l1.capacityBytes - device.limits.sharedBytesPerSm);
  const needed = residentBlocks * sharedPerBlock;
  const carveout =
    device.limits.sharedCarveoutsBytes.find((bytes) => bytes >= needed) ?? device.limits.sharedBytesPerSm;
  return Math.max(0, device.l1.capacityBytes - carveout);
}

/** From Volta on the schedulers have their own slots and registers, which warps leave one by one (warp-slots.ts). */
const WARPS_LEAVE_SINCE = 7;

/** What else than the first round's blocks an SM can hold. */
function roomOnSm(
  device: DeviceSpec,
  { limits, allocatedRegistersPerBlock }: Occupancy,
  warpsPerBlock: number,
  resident: number,
): Pick<SmInput, "mostBlocks" | "warpsPerScheduler" | "warpsLeave"> {
  const { schedulersPerSm, limits: most } = device;
  const warpsLeave = device.computeCapability.major >= WARPS_LEAVE_SINCE;
  if (!warpsLeave) {
    return {
      mostBlocks: resident,
      warpsPerScheduler: Math.ceil((resident * warpsPerBlock) / schedulersPerSm),
      warpsLeave,
    };
  }
  const perWarp = Math.max(1, allocatedRegistersPerBlock / warpsPerBlock);
  return {
    mostBlocks: Math.min(limits.sharedMemory, limits.blocks, limits.barriers),
    warpsPerScheduler: Math.min(
      Math.floor(most.maxWarpsPerSm / schedulersPerSm),
      Math.floor(most.registersPerSm / schedulersPerSm / perWarp),
    ),
    warpsLeave,
  };
}

interface Simulation extends SmTime {
  readonly path: MemoryPath;
  readonly dramFraction: number;
  /** Blocks simulated, and all of the SM. */
  readonly simulated: number;
  readonly blocks: number;
  /** All the grid's work over the SM's. */
  readonly sms: number;
  /** Where blocks differ, those of the SM. */
  readonly of: readonly SmBlocks[];
  readonly unlike: number;
}

/** The work of blocks that differ; null where one SM's stand for another's. */
function unevenWork(
  { work, simulateAll, device }: PredictInput,
  spread: WorkSpread | null,
  resident: number,
): BlockWork | null {
  if (work === undefined || spread === null || simulateAll !== undefined) return null;
  return areUneven(spread, work.length, device.smCount, resident) ? work : null;
}

/**
 * Predicts the time of a launch. Deterministic.
 * @throws InputError for an impossible device (by field) or traces of another launch.
 */
export function predictLaunch(input: PredictInput): LaunchTime {
  const { device } = input;
  const gridBlocks = blocksOf(input.grid);
  const threads = blocksOf(input.block);
  const warpsPerBlock = Math.ceil(threads / device.warpSize);
  checkInput(input, gridBlocks, warpsPerBlock);
  const { program, start, microcode: mc, scheduled, bypassesL1 } = timedProgram(input.program, device);
  const occupied = occupancyOfLaunch(device, input);
  if (occupied.activeBlocksPerSm === 0) {
    throw new InputError({
      what: `predictLaunch: no block of the launch fits on ${device.name} (limited by ${occupied.limitingFactors.join(", ")})`,
      cure: "use smaller blocks, less shared memory or fewer registers",
    });
  }
  const slotCount = Int32Array.from(input.program.instructions, ({ issue }) => issue.length);
  const allSlots = wholeSlotsOf(input.traces, slotCount);
  const tracedSlots = slotsOf(input.traces, slotCount);
  const typicalSlots = typicalTraces(input.traces, gridBlocks).map((index) => allSlots[index]!);
  const gridSlots = input.counters === undefined ? null : gridInstructions(input.counters, slotCount);
  const spread = input.work === undefined ? null : spreadOf(input.work);
  const byWork = weighing(input.simulateAll === undefined ? input.work : undefined, spread);
  const weigh = (blocks: readonly BlockTrace[]): readonly number[] | null =>
    input.work === undefined && input.simulateAll === undefined ? edgeWeights(blocks, input.grid) : byWork(blocks);
  const meanSlots = meanOf(allSlots, typicalTraces(input.traces, gridBlocks), weigh(input.traces.blocks));
  const sampled = judgeSample(typicalSlots, allSlots.length, gridBlocks, gridSlots, spread?.spread ?? null);
  const simulable = simulatedTraces(input.traces, gridBlocks);
  const traced = meanOf(tracedSlots, simulable);
  const lines = simulable.map((index) => linesOfTrace(input.traces.blocks[index]!, mc.traced));
  const linesPerSlot = lines.reduce((sum, { cost }) => sum + cost, 0) / lines.length / Math.max(1, traced);
  const plan = planBlocks({
    gridBlocks,
    smCount: device.smCount,
    residentBlocks: occupied.activeBlocksPerSm,
    slotsPerBlock: meanSlots,
    tracedSlotsPerBlock: traced,
    linesPerSlot,
    linesVary: lines.some(({ vary }) => vary),
    instructionBudget: input.instructionBudget,
    simulateAll: input.simulateAll !== undefined,
  });
  const uneven = unevenWork(input, spread, occupied.activeBlocksPerSm);
  const traces = {
    blocks: (input.simulateAll === "gpu" || uneven !== null
      ? input.traces.blocks
      : spreadOver(input.traces.blocks, plan.simulated)
    ).map((trace) => dropFolded(reorderTrace(expandTrace(trace, start), scheduled, mc.traced), mc.slotCount)),
  };
  const activeSms = Math.min(gridBlocks, device.smCount);
  const weights = weigh(traces.blocks);
  const touched = footprint(program, traces, mc, gridBlocks, input.grid[0], activeSms, device.l2, weights);
  const warmShare = input.cacheState === "warm" ? keptBetweenLaunches(touched.lineBytes, device.l2) : 0;
  const writeBackFraction = beyond(touched.writtenLineBytes, DIRTY_SHARE_OF_L2 * device.l2.sizeBytes);
  const read = touched.readBytes * (1 - warmShare);
  const resident = Math.min(occupied.activeBlocksPerSm, plan.blocksPerSm);
  const rounds = plan.blocksPerSm > resident;
  const streams = warpStreams(traces.blocks, touched.memory, mc);
  const slots = slotsOf(traces, mc.slotCount);
  const differing = sampled.relativeSpread > DIFFERING_SPREAD;
  const typical = differing ? [...traces.blocks.keys()] : simulatedTraces(traces, gridBlocks);
  const last = uneven === null ? [] : (input.lastSms ?? lastSms(uneven, device.smCount, occupied.activeBlocksPerSm));
  const candidates = uneven === null ? [] : blocksOfSms(uneven, last, input.traces.blocks, slots);
  const busySms = Math.min(activeSms, ...candidates.map(({ sms }) => sms));
  const room = roomOnSm(device, occupied, warpsPerBlock, resident);
  const order = traceOrder(traces.blocks, typical, plan.simulated, gridBlocks, differing, weights);
  const partialFillFraction = beyond(touched.partialLineBytes, PARTIAL_SHARE_OF_L2 * device.l2.sizeBytes);
  const random = randomTraffic(touched.randomLines, device.l2.sizeBytes, input.cacheState);
  const partsDriveOut = drivenOutByParts(
    Math.max(partialFillFraction, Math.min(1, random.fills)),
    touched.lineBytes,
    device.l2.sizeBytes,
    input.cacheState,
  );
  // `like`: another simulation of the same blocks, with which a part of this one is compared.
  const simulate = (dirtyShare: number, lasts: readonly SmBlocks[], like: Simulation | null = null): Simulation => {
    // What is dear already for the rows that are opened for it has their turns in it.
    const writtenBack = (touched.writtenBytes * writeBackFraction) / touched.writeCost;
    const written = writtenBack + read * dirtyShare;
    const dramFraction = mixtureFraction(device, read, written);
    const conditions = {
      activeSms: busySms,
      l1Bytes: l1Bytes(device, occupied.activeBlocksPerSm, occupied.allocatedSharedBytesPerBlock),
      warmShare,
      dramFraction,
      writeBackFraction,
      writtenShare: touched.writtenShare,
      writeCost: touched.writeCost,
      partialFillFraction,
      partialWriteBackFraction: beyond(touched.partialLineBytes, DIRTY_PARTIAL_SHARE_OF_L2 * device.l2.sizeBytes),
      random,
      dirtyShare,
      dirtyPartialShare: dirtyShare === 0 ? 0 : partsDriveOut,
      lineFactor: touched.lineFactor,
      sharedSpans: touched.sharedSpans,
      // Where each SM has its blocks from the start, the one that is farthest from L2 is done last.
      distanceCycles: rounds ? 0 : lastSmDistanceCycles(device, activeSms),
      loadsStrongly: program.instructions.some(
        ({ op, volatile, space }) => op === "ld" && volatile && space === "global",
      ),
    };
    const sm = (): SmInput => ({
      device,
      microcode: mc,
      bypassesL1,
      streams,
      residentBlocks: resident,
      mostBlocks: room.mostBlocks,
      warpsPerScheduler: room.warpsPerScheduler,
      warpsLeave: room.warpsLeave,
      warpsPerBlock,
      activeSms,
      path: new MemoryPath(device, conditions),
    });
    const slotsPerBlock = gridSlots === null ? meanSlots : gridSlots / gridBlocks;
    if (input.simulateAll === "gpu") {
      const { run, input: last } = simulateGpu(activeSms, Int32Array.from(traces.blocks.keys()), sm);
      const { cycles } = run;
      const residentWarps = run.residentWarpCycles / cycles;
      return {
        run,
        interval: cycles / plan.blocksPerSm,
        cycles,
        share: 1,
        residentWarps,
        path: last.path,
        dramFraction,
        simulated: plan.simulated,
        blocks: plan.blocksPerSm,
        sms: gridBlocks / plan.blocksPerSm,
        partCycles: cycles,
        of: [],
        unlike: 0,
      };
    }
    if (lasts.length > 0) {
      if (like !== null) return { ...like, ...compareUneven(sm(), lasts[0]!, slots, like) };
      const times = lasts.map((blocks): Simulation => {
        const one = sm();
        const time = simulateUneven(one, blocks, slots);
        const { sms } = blocks;
        return { ...time, path: one.path, dramFraction, blocks: blocks.blocks.length, sms, of: [blocks] };
      });
      return times.reduce((last, each) => (each.cycles > last.cycles ? each : last));
    }
    const one = sm();
    if (like !== null) return { ...like, ...compareSm(one, plan, order, slots, like) };
    const { blocksPerSm: blocks, simulated } = plan;
    const time = simulateSm(one, sm, plan, order, slots, slotsPerBlock);
    return { ...time, path: one.path, dramFraction, simulated, blocks, sms: gridBlocks / blocks, of: [], unlike: 0 };
  };
  const clean = simulate(0, smsToSimulate(candidates, slots, resident));
  const { run, path, dramFraction, interval, cycles, share, residentWarps } = clean;
  // Between events the launch stands behind what has filled the caches with written data, until it has driven that out:
  // other work's, or what it wrote itself when it ran before.
  const fetched = (path.dramReadBytes * clean.sms * touched.lineFactor) / share;
  const filled = Math.max(read + touched.writtenBytes, touched.lineBytes * (1 - warmShare), fetched);
  const ownDirty = Math.min(1, (OWN_DIRTY * touched.writtenBytes) / Math.max(1, touched.lineBytes)) * (1 - warmShare);
  const shares = boundShares(device, run, path, busySms, dramFraction);
  const dirtyPart =
    filled === 0 || shares.dram < IDLE_DRAM || input.simulateAll === "gpu"
      ? 0
      : (drivenOut(filled, Math.max(shares.dram, shares.intoL2), device.l2.sizeBytes) *
          (input.cacheState === "warm" ? ownDirty : 1) *
          device.l2.sizeBytes) /
        filled;
  const heldUp = dirtyPart * shares.dram;
  const like =
    (dirtyPart < LITTLE_DIRTY || heldUp < LITTLE_HELD_UP) &&
    (run.issues > LONG || run.issues * linesPerSlot > LONG_LINES)
      ? clean
      : null;
  const dirty = heldUp < LEAST_DIRTY ? null : simulate(DIRTY_SHARE_OF_L2, clean.of, like);
  const eventCycles = dirty === null ? cycles : cycles + dirtyPart * (dirty.cycles - cycles);
  const dispatched = rounds ? dispatchedCycles(device, gridBlocks, (residentWarps / warpsPerBlock) * interval) : 0;
  const accesses = touched.lineBytes > 0;
  const coldCycles = coldStartCycles(device, input.cacheState, accesses);
  const starts = fillCycles(device, {
    activeSms,
    blocks: gridBlocks,
    resident,
    rounds,
    busyCycles: input.cacheState === "cold" ? Math.max(...Object.values(shares)) * cycles : 0,
  });
  // What L2 still does of the SM's atomics it does while other SMs, which began later, are not done either.
  const fill = Math.max(0, starts - run.drainCycles);
  const cyclesActive = cycles - run.drainCycles + coldCycles;
  // Meanwhile the first round's warps are resident: they wait for their first instructions.
  const firstWarps = Math.min(resident, gridBlocks / activeSms) * warpsPerBlock;
  const occupiedWarps = (residentWarps * cycles + firstWarps * coldCycles) / cyclesActive;
  const microseconds = Math.max(cycles + coldCycles + fill, dispatched) / device.smClockMHz;
  const eventMicroseconds = Math.max(eventCycles + (accesses ? coldCycles : 0) + fill, dispatched) / device.smClockMHz;
  const activeRunCycles = Math.max(1, run.cycles - run.drainCycles);
  const stalls = stallRatios(run.warpCycles, run.issued);
  const scale = clean.sms / share;
  const percent = (part: number, whole: number): number | null => (whole === 0 ? null : (100 * part) / whole);
  const { launch } = device;
  const emptyMicroseconds = launch.emptyBlockResidencyCycles / device.smClockMHz;
  const endMicroseconds =
    input.cacheState === "cold"
      ? 0
      : memoryEndMicroseconds(launch, touched.lineBytes / (device.l1.lineBytes * activeSms));
  // A cold launch stands behind the work that has emptied the caches; a warm one is repeated on an idle GPU.
  const event =
    input.cacheState === "cold" ? launch.queuedKernelEventMicroseconds : launch.emptyKernelEventMicroseconds;
  return {
    cycles: cyclesActive,
    durationMicroseconds: microseconds - emptyMicroseconds + launch.emptyKernelDurationMicroseconds,
    timeMs: (eventMicroseconds - emptyMicroseconds + event + endMicroseconds) / 1000,
    issueSlotUtilizationPercent:
      (100 * run.issued) / (activeRunCycles * device.schedulersPerSm * device.issueWidthPerScheduler),
    ipc: run.issued / activeRunCycles,
    achievedOccupancyPercent: (100 * occupiedWarps) / device.limits.maxWarpsPerSm,
    theoreticalOccupancyPercent: 100 * occupied.theoreticalOccupancy,
    residentBlocksPerSm: occupied.activeBlocksPerSm,
    stalls,
    dominantStall: dominantStall(stalls),
    dramBytesRead: path.dramReadBytes * scale,
    dramBytesWritten: path.dramWriteBytes * scale,
    l1HitRatePercent: percent(path.l1Hits, path.l1Sectors),
    l2HitRatePercent: percent(path.l2Lookups.hits, path.l2Lookups.sectors),
    bound:
      plan.blocksPerSm > resident
        ? boundOf(device, shares, interval, activeSms)
        : boundOf(device, shares, cycles, activeSms),
    sampling: spread === null || uneven === null ? sampled : judgeUneven(sampled, spread, clean.unlike),
    simulatedBlocks: clean.simulated,
    blocksPerSm: clean.blocks,
    simulatedWarpInstructions: run.issued + (dirty === null ? 0 : dirty.run.issued),
    repeatedShare: run.repeats / Math.max(1, run.issued - run.repeats),
  };
}

function gridInstructions(counters: RawCounters, slotCount: Int32Array): number {
  return slotCount.reduce((total, slots, pc) => total + (counters.executed[pc] ?? 0) * slots, 0);
}
