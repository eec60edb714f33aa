/** One launch simulated with one state of L2: the SM that stands for the GPU, the one that is done last, or all SMs. */
import type { Program } from "../../lower/program.js";
import type { WarpObserver } from "../base/warp-observer.js";
import { type Footprint, footprint } from "../footprint/footprint.js";
import { achievableFraction } from "../memory/dram.js";
import type { MemoryConditions } from "../memory/l2-contents.js";
import {
  beyond,
  DIRTY_PARTIAL_SHARE_OF_L2,
  DIRTY_SHARE_OF_L2,
  drivenOutByParts,
  keptBetweenLaunches,
  PARTIAL_SHARE_OF_L2,
} from "../memory/l2-retention.js";
import { MemoryPath } from "../memory/memory-path.js";
import { randomTraffic } from "../memory/random-stores.js";
import type { TimedProgram } from "../program/timed-program.js";
import { warpStreams } from "../program/warp-streams.js";
import { machineOf, type Sm } from "../sm/sm.js";
import { l1Bytes, roomOnSm } from "../sm/sm-room.js";
import type { SmInput } from "../sm/sm-run.js";
import { compareSm, type SmTime, simulateSm } from "../sm/sm-time.js";
import { simulateGpu } from "../sm/whole-gpu.js";
import { lastSmDistanceCycles } from "./launch-end.js";
import type { LaunchSample } from "./launch-sample.js";
import type { LaunchShape, PredictInput } from "./predict-input.js";
import { compareUneven, type SmBlocks, simulateUneven, smsToSimulate } from "./uneven-sm.js";

export interface SimulatedLaunch extends SmTime {
  readonly path: MemoryPath;
  /** Fraction of DRAM's peak that the launch's mix of reads and writes reaches. */
  readonly dramFraction: number;
  /** Blocks simulated, and all blocks of the SM. */
  readonly simulated: number;
  readonly blocks: number;
  /** The grid's work divided by the SM's. */
  readonly sms: number;
  /** If blocks differ, those of the SM. */
  readonly of: readonly SmBlocks[];
  readonly unlike: number;
}

/**
 * DRAM switches less often between reads and writes where a launch reads beside its partial writes. From this many
 * bytes read per byte of partly written lines, the saving is complete.
 */
const READS_OF_PARTS = 0.5;

/** The launch's traffic as L2 sees it, without the effect of other launches' dirty data. */
type Traffic = Omit<MemoryConditions, "dirtyShare" | "dirtyPartialShare" | "dramFraction">;

export class LaunchSimulation {
  readonly touched: Footprint;
  /** Share of the launch's data that L2 holds already. */
  readonly warmShare: number;
  /** Bytes that have to come from DRAM. */
  readonly readBytes: number;
  /** Blocks of one SM in the first wave, and whether further waves follow. */
  readonly residentBlocks: number;
  readonly rounds: boolean;
  /** Mean number of SMs that are busy at the same time. */
  readonly busySms: number;
  private readonly sm: Omit<SmInput, "path">;
  private readonly traffic: Traffic;
  private readonly dirtyParts: number;

  constructor(
    private readonly input: PredictInput,
    private readonly shape: LaunchShape,
    timed: TimedProgram,
    private readonly sample: LaunchSample,
  ) {
    const { device, grid, cacheState } = input;
    const { gridBlocks, warpsPerBlock, activeSms, occupancy } = shape;
    const { plan, traces, weights, candidates } = sample;
    const { program, microcode, bypassesL1 } = timed;
    this.residentBlocks = Math.min(occupancy.activeBlocksPerSm, plan.blocksPerSm);
    const { l2 } = device;
    const residentBlocks = Math.min(gridBlocks, this.residentBlocks * activeSms);
    this.touched = footprint({ program, traces, microcode, gridBlocks, grid, activeSms, residentBlocks, l2, weights });
    const { lineBytes } = this.touched;
    this.warmShare = cacheState === "warm" ? keptBetweenLaunches(lineBytes, device.l2) : 0;
    this.readBytes = this.touched.readBytes * (1 - this.warmShare);
    this.rounds = plan.blocksPerSm > this.residentBlocks;
    this.busySms = Math.min(activeSms, ...candidates.map(({ sms }) => sms));
    this.traffic = this.trafficOf(program);
    this.dirtyParts = drivenOutByParts(
      Math.max(this.traffic.partialFillFraction, Math.min(1, this.traffic.random.fills)),
      lineBytes,
      device.l2.sizeBytes,
      cacheState,
    );
    this.sm = {
      device,
      microcode,
      bypassesL1,
      streams: warpStreams(traces.blocks, this.touched.memory, microcode),
      residentBlocks: this.residentBlocks,
      ...roomOnSm(device, occupancy, warpsPerBlock, this.residentBlocks),
      warpsPerBlock,
      activeSms,
    };
  }

  private trafficOf(program: Program): Traffic {
    const { touched } = this;
    const { device } = this.input;
    const { sizeBytes } = device.l2;
    const { activeSms, occupancy } = this.shape;
    return {
      activeSms: this.busySms,
      l1Bytes: l1Bytes(device, occupancy),
      warmShare: this.warmShare,
      writeBackFraction: beyond(touched.writtenLineBytes, DIRTY_SHARE_OF_L2 * sizeBytes),
      writtenShare: touched.writtenShare,
      writeCost: touched.writeCost,
      partialFillFraction: beyond(touched.partialLineBytes, PARTIAL_SHARE_OF_L2 * sizeBytes),
      partialWriteBackFraction: beyond(touched.partialLineBytes, DIRTY_PARTIAL_SHARE_OF_L2 * sizeBytes),
      partsBesideReads: Math.min(1, this.readBytes / Math.max(1, READS_OF_PARTS * touched.partialLineBytes)),
      random: randomTraffic(touched.randomLines, sizeBytes, this.input.cacheState),
      lineFactor: touched.lineFactor,
      // If each SM has its blocks from the start, the SM farthest from L2 is done last.
      distanceCycles: this.rounds ? 0 : lastSmDistanceCycles(device, activeSms),
      loadsStrongly: program.instructions.some(
        ({ op, volatile, space }) => op === "ld" && volatile && space === "global",
      ),
    };
  }

  /** With no dirty data in L2. */
  clean(): SimulatedLaunch {
    const { candidates, slots } = this.sample;
    return this.simulate(0, smsToSimulate(candidates, slots, this.residentBlocks));
  }

  /** The SM that `clean` simulates, before its first cycle, with an observer of its warps; or one with fewer blocks. */
  watched(observer: WarpObserver, mostBlocks: number | null = null): Sm {
    const { candidates, slots, order } = this.sample;
    const [last] = smsToSimulate(candidates, slots, this.residentBlocks);
    const blocks = last?.traces ?? order;
    return machineOf({ ...this.smOf(0, this.dramFraction(0)), observer }, blocks.slice(0, mostBlocks ?? blocks.length));
  }

  /**
   * With dirty data of other launches, which incoming data evicts. `part`: simulates only as much as a comparison with
   * `clean` needs.
   */
  dirty(clean: SimulatedLaunch, part: boolean): SimulatedLaunch {
    return this.simulate(DIRTY_SHARE_OF_L2, clean.of, part ? clean : null);
  }

  private simulate(
    dirtyShare: number,
    lasts: readonly SmBlocks[],
    like: SimulatedLaunch | null = null,
  ): SimulatedLaunch {
    const { plan, slots, order, slotsPerBlock } = this.sample;
    const { gridBlocks } = this.shape;
    const dramFraction = this.dramFraction(dirtyShare);
    const sm = (): SmInput => this.smOf(dirtyShare, dramFraction);
    if (this.input.simulateAll === "gpu") return this.wholeGpu(sm, dramFraction);
    if (lasts.length > 0) {
      if (like !== null) return { ...like, ...compareUneven(sm(), lasts[0]!, slots, like) };
      const times = lasts.map((blocks): SimulatedLaunch => {
        const one = sm();
        const time = simulateUneven(one, blocks, slots);
        return { ...time, path: one.path, dramFraction, blocks: blocks.blocks.length, sms: blocks.sms, of: [blocks] };
      });
      return times.reduce((last, each) => (each.cycles > last.cycles ? each : last));
    }
    const one = sm();
    if (like !== null) return { ...like, ...compareSm(one, plan, order, slots, like) };
    const { blocksPerSm: blocks, simulated } = plan;
    const time = simulateSm(one, sm, plan, order, slots, slotsPerBlock);
    return { ...time, path: one.path, dramFraction, simulated, blocks, sms: gridBlocks / blocks, of: [], unlike: 0 };
  }

  private dramFraction(dirtyShare: number): number {
    const { writtenBytes, writeCost } = this.touched;
    // Sparse writes already cost more for the rows that DRAM opens, so their turns between reads and writes do not
    // count again.
    const writtenBack = (writtenBytes * this.traffic.writeBackFraction) / writeCost;
    return achievableFraction(this.input.device.dram, this.readBytes, writtenBack + this.readBytes * dirtyShare);
  }

  private smOf(dirtyShare: number, dramFraction: number): SmInput {
    const dirtyPartialShare = dirtyShare === 0 ? 0 : this.dirtyParts;
    return {
      ...this.sm,
      path: new MemoryPath(this.input.device, { ...this.traffic, dirtyShare, dirtyPartialShare, dramFraction }),
    };
  }

  private wholeGpu(sm: () => SmInput, dramFraction: number): SimulatedLaunch {
    const { plan, traces } = this.sample;
    const { gridBlocks, activeSms } = this.shape;
    const { run, input } = simulateGpu(activeSms, Int32Array.from(traces.blocks.keys()), sm);
    const { cycles } = run;
    return {
      run,
      interval: cycles / plan.blocksPerSm,
      cycles,
      share: 1,
      residentWarps: run.residentWarpCycles / cycles,
      path: input.path,
      dramFraction,
      simulated: plan.simulated,
      blocks: plan.blocksPerSm,
      sms: gridBlocks / plan.blocksPerSm,
      partCycles: cycles,
      of: [],
      unlike: 0,
    };
  }
}
