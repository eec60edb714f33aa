/**
 * How memory instructions leave a scheduler and become done: the scheduler's queue, the SM's memory unit, which serves
 * the schedulers in turn, the tags, in order, and the one data stage behind which L1 and shared memory lie. Beyond L1: `memory-path.ts`.
 */
import type { DeviceSpec, IssueRate } from "../../device/spec.js";
import { QueuePlaces } from "../base/queue-places.js";
import type { MemoryPath } from "../memory/memory-path.js";
import {
  FENCE,
  GLOBAL_LOAD,
  GLOBAL_STORE,
  QUEUED,
  SHARED_ATOMIC,
  SHARED_LOAD,
  SHARED_STORE,
} from "../program/slot-info.js";
import { STORE_ORDER_MASK, STORE_WAVEFRONTS_SHIFT } from "../trace/sector-marks.js";
import { RECORD_HEADER } from "../trace/trace.js";
import { DataStage } from "./data-stage.js";
import { SchedulerQueues } from "./scheduler-queues.js";

/** A warp that ends behind its store leaves so much later (h200/micro/set-7.json, storeOne: 13 cycles of EXIT, 22 of drain). */
const STORE_DRAIN_CYCLES = 36;
/**
 * A barrier that opens takes the data stage as long (h200/micro/steps.json, loadHalf: 64 warps in 2, 4, 8, 16 blocks 220, 222,
 * 234, 262 cycles a step, of which the loads and stores take 192).
 */
const BARRIER_STAGE_CYCLES = 2.8;
/**
 * What comes into the midst of a load's wavefronts costs a cycle more (h200/micro/registers.json, readDown: with the stage taken for 20, 40, 80 and 90 % of
 * the time .1, .3, .9 and .95 conflicts each register read).
 */
const BROKEN_INTO_CYCLES = 1;
/** A scheduler takes half of what the data stage gives a cycle (h200/micro/extra: 2 cycles a wavefront for one warp, 1 for 32). */
const SCHEDULER_WAVEFRONT_CYCLES = 2;

/** So many loads that hit L1 wait for the data stage before they hold up the tags (h200/micro/access.json, queue: some twenty an SM). */
const WAITING_HITS = 20;

export class MemoryUnit {
  private readonly queues: SchedulerQueues;
  private readonly unitFree: Float64Array;
  private readonly dataPathFree: Float64Array;
  private readonly schedulerInterval: number;
  private readonly queuedInterval: number;
  /** When what stands in front of the data stage, tags and shared memory's addresses, is free: it takes instructions in order. */
  private frontFree = Number.NEGATIVE_INFINITY;
  private readonly dataStage = new DataStage();
  /** Loads that hit L1, until they are through it. */
  private readonly hits = new QueuePlaces(WAITING_HITS);
  /**
   * Of the instruction issued last: when its result is there, and of one that stores (else 0) when its warp is rid of its
   * data and when that has left the SM.
   */
  result: number = Number.NaN;
  drainedAt: number = Number.NaN;
  /** When the data stage, or what comes before L2, takes the instruction issued last. */
  servedAt: number = Number.NaN;
  storedAt: number = Number.NaN;

  constructor(
    private readonly device: DeviceSpec,
    private readonly path: MemoryPath,
  ) {
    const schedulers = device.schedulersPerSm;
    const { lsu, shuffle } = device.pipes;
    const ofScheduler = ({ issueIntervalCycles, sharedBy }: IssueRate): number =>
      issueIntervalCycles * (sharedBy === "sm" ? schedulers : 1);
    // The unit serves the schedulers in turn: one warp alone issues a shared load every 4 cycles (h200/micro/set-1.json).
    this.schedulerInterval = ofScheduler(lsu);
    // Shuffles come this way, too, but have no addresses to work out.
    this.queuedInterval = ofScheduler(shuffle ?? lsu);
    this.queues = new SchedulerQueues(schedulers);
    this.unitFree = new Float64Array(schedulers);
    this.dataPathFree = new Float64Array(schedulers);
  }

  /** When the scheduler's queue has room again. */
  fullUntil(scheduler: number): number {
    return this.queues.fullUntil(scheduler);
  }

  /** Takes an instruction of `kind` at `time`; `latency` is that of instructions without data (shuffles). */
  issue(
    scheduler: number,
    time: number,
    kind: number,
    latency: number,
    memory: Int32Array,
    at: number,
    bytesPerLane: number,
    instance: number,
    bypassesL1: boolean,
  ): void {
    const entered = Math.max(time, this.unitFree[scheduler]!);
    this.unitFree[scheduler] = entered + (kind === QUEUED ? this.queuedInterval : this.schedulerInterval);
    this.drainedAt = 0;
    this.storedAt = 0;
    let leaves = entered;
    if (kind === QUEUED || kind === FENCE || at < 0) this.result = entered + latency;
    else if (memory[at] === 0) {
      // Nothing to fetch, but it takes its turn, and the scoreboard is released behind the data stage all the same
      // (global_load_predicated_off: 23 cycles; h200/micro/steps.json, loadApart: conflicts of one warp of eight add up with it).
      leaves = Math.max(entered, this.frontFree);
      this.takeFront(time, 1);
      this.result = leaves + this.device.sharedMemory.loadLatencyCycles;
    } else if (kind === SHARED_LOAD || kind === SHARED_STORE || kind === SHARED_ATOMIC) {
      leaves = this.shared(scheduler, time, entered, kind, memory[at + 1]!);
    } else if (memory[at + 2] === 0) {
      // Local memory: in L1 all the time.
      this.result = entered + this.device.l1.hitLatencyCycles;
    } else leaves = this.global(scheduler, time, entered, kind, memory, at, bytesPerLane, instance, bypassesL1);
    this.servedAt = leaves;
    this.queues.enter(scheduler, leaves);
  }

  /** The warps of a block have all come to a barrier. */
  barrier(time: number): void {
    this.takeFront(time, BARRIER_STAGE_CYCLES);
  }

  /** A register of each lane's own is read at `time`; it does not wait for loads that come back, but they for it. */
  laneRegister(time: number): void {
    this.dataStage.take(time, 1 + BROKEN_INTO_CYCLES * this.dataStage.busyShare(time));
  }

  /** Both stages are taken, the data stage from `stage` on; how much later for loads that have come back meanwhile. */
  private takeBoth(time: number, stage: number, cycles: number): number {
    this.takeFront(time, cycles);
    return this.dataStage.take(stage, cycles) - (stage + cycles);
  }

  private takeFront(time: number, cycles: number): void {
    this.frontFree = Math.max(this.frontFree, time) + cycles;
  }

  private shared(scheduler: number, time: number, entered: number, kind: number, wavefronts: number): number {
    const shared = this.device.sharedMemory;
    const stage = Math.max(entered, this.frontFree, this.dataPathFree[scheduler]!);
    const atomic = kind === SHARED_ATOMIC;
    const cycles = wavefronts * (atomic ? shared.atomicLaneIntervalCycles : shared.wavefrontCycles);
    const late = this.takeBoth(time, stage, cycles);
    this.dataPathFree[scheduler] = stage + SCHEDULER_WAVEFRONT_CYCLES * cycles;
    this.result =
      late +
      (atomic
        ? stage + shared.atomicLatencyCycles + (wavefronts - 1) * shared.atomicLatencyPerExtraLaneCycles
        : stage + shared.loadLatencyCycles + (wavefronts - 1) * shared.latencyPerExtraWavefrontCycles);
    this.drainedAt = late + stage + cycles;
    this.storedAt = this.drainedAt;
    return stage;
  }

  /** A load whose data L1 has goes through the data stage when those before it are; when that begins. */
  private hit(scheduler: number, stage: number): number {
    const { wavefronts, loadTagCycles } = this.path;
    const cycles = Math.max(wavefronts, loadTagCycles);
    const begin = Math.max(stage, this.hits.fullUntil);
    const end = this.dataStage.take(begin, cycles);
    this.hits.enter(end);
    this.result += end - stage - cycles;
    if (wavefronts > 1) {
      this.dataPathFree[scheduler] = stage + SCHEDULER_WAVEFRONT_CYCLES * wavefronts;
      this.result += (wavefronts - 1) * SCHEDULER_WAVEFRONT_CYCLES;
    }
    return begin;
  }

  private global(
    scheduler: number,
    time: number,
    entered: number,
    kind: number,
    memory: Int32Array,
    at: number,
    bytesPerLane: number,
    instance: number,
    bypassesL1: boolean,
  ): number {
    const { path } = this;
    const lanes = memory[at]!;
    const sectors = memory[at + 2]!;
    if (kind === GLOBAL_LOAD) {
      const stage = Math.max(entered, this.frontFree, this.dataPathFree[scheduler]!);
      this.result = path.load(memory, at + RECORD_HEADER, sectors, memory[at + 1]!, instance, stage, bypassesL1);
      this.takeFront(time, path.loadTagCycles);
      if (this.result <= stage + this.device.l1.hitLatencyCycles) return this.hit(scheduler, stage);
      this.result = this.dataStage.take(this.result, path.returnedWavefronts);
      return stage;
    }
    const stage = Math.max(entered, this.frontFree);
    // It does not wait for loads that come back, but they for it.
    if (kind === GLOBAL_STORE) {
      this.takeFront(time, path.storeTagCycles(memory, at + RECORD_HEADER, sectors));
      const cost = memory[at + 1]!;
      const order = cost & STORE_ORDER_MASK;
      this.dataStage.take(stage, Math.max(1, cost >>> STORE_WAVEFRONTS_SHIFT));
      path.store(memory, at + RECORD_HEADER, sectors, order, lanes * bytesPerLane, instance, stage);
      this.result = path.sentAt;
    } else {
      this.takeBoth(time, stage, path.atomicCycles(memory, at + RECORD_HEADER, sectors));
      this.result = path.atomic(memory, at + RECORD_HEADER, sectors, memory[at + 1]!, instance, stage);
    }
    const taken = Math.max(stage, path.takenAt);
    this.frontFree = Math.max(this.frontFree, taken);
    this.storedAt = path.sentAt + STORE_DRAIN_CYCLES;
    this.drainedAt = kind === GLOBAL_STORE ? this.storedAt : taken + STORE_DRAIN_CYCLES;
    return taken;
  }
}
