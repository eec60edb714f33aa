/**
 * The path of memory instructions from a scheduler to their result. They pass the scheduler's queue, the memory unit,
 * which serves the schedulers in turn, and the tag stage, which is in order. Then they use the data stage that L1 and
 * shared memory share. `memory-path.ts` models what lies beyond L1.
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

/**
 * Extra cycles until a warp that ends after its store has left (h200/micro/set-7.json, storeOne: 13 cycles of EXIT, 22
 * of drain).
 */
const STORE_DRAIN_CYCLES = 36;
/**
 * Cycles that an opening barrier occupies the data stage. This stands for 220 to 262 cycles a step with 2 to 16 blocks
 * (h200/micro/steps.json, loadHalf).
 */
const BARRIER_STAGE_CYCLES = 2.8;
/**
 * A register read that interrupts the wavefronts of a load costs a cycle more. This stands for the conflicts that grow
 * with the load on the stage (h200/micro/registers.json, readDown).
 */
const BROKEN_INTO_CYCLES = 1;
/**
 * A scheduler gets half of the data stage's rate: one warp takes 2 cycles a wavefront, 32 warps take 1
 * (h200/micro/extra.json).
 */
const SCHEDULER_WAVEFRONT_CYCLES = 2;

/**
 * Loads that hit L1 and wait for the data stage before they block the tags (h200/micro/access.json, queue: about twenty
 * an SM).
 */
const WAITING_HITS = 20;

export class MemoryUnit {
  private readonly queues: SchedulerQueues;
  private readonly unitFree: Float64Array;
  private readonly dataPathFree: Float64Array;
  private readonly schedulerInterval: number;
  private readonly queuedInterval: number;
  /** When the stage before the data stage is free: tags and the addresses of shared memory. It is in order. */
  private frontFree = Number.NEGATIVE_INFINITY;
  private readonly dataStage = new DataStage();
  /** Loads that hit L1, until they have passed the data stage. */
  private readonly hits = new QueuePlaces(WAITING_HITS);
  /**
   * For the last instruction: when its result is available. For a store or an atomic also when the warp's data has left its
   * registers (`drainedAt`) and the SM (`storedAt`); else both are 0.
   */
  result: number = Number.NaN;
  drainedAt: number = Number.NaN;
  /** When the data stage or the queue to L2 takes the last instruction. */
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
    // The unit serves the schedulers in turn: one warp alone issues a shared load every 4 cycles
    // (h200/micro/set-1.json).
    this.schedulerInterval = ofScheduler(lsu);
    // Shuffles use the same path, but need no address calculation.
    this.queuedInterval = ofScheduler(shuffle ?? lsu);
    this.queues = new SchedulerQueues(schedulers);
    this.unitFree = new Float64Array(schedulers);
    this.dataPathFree = new Float64Array(schedulers);
  }

  /** When the scheduler's queue has room again. */
  fullUntil(scheduler: number): number {
    return this.queues.fullUntil(scheduler);
  }

  /** Takes an instruction of `kind` at `time`; `latency` is for instructions without data (shuffles). */
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
      // No lane is active, but the instruction takes its turn, and the scoreboard is released after the data stage.
      // This stands for the 23 cycles of a load that is predicated off (global_load_predicated_off).
      leaves = Math.max(entered, this.frontFree);
      this.takeFront(time, 1);
      this.result = leaves + this.device.sharedMemory.loadLatencyCycles;
    } else if (kind === SHARED_LOAD || kind === SHARED_STORE || kind === SHARED_ATOMIC) {
      leaves = this.shared(scheduler, time, entered, kind, memory[at + 1]!);
    } else leaves = this.global(scheduler, time, entered, kind, memory, at, bytesPerLane, instance, bypassesL1);
    this.servedAt = leaves;
    this.queues.enter(scheduler, leaves);
  }

  /** All warps of a block have arrived at a barrier. */
  barrier(time: number): void {
    this.takeFront(time, BARRIER_STAGE_CYCLES);
  }

  /** Reads a per-lane special register at `time`. It does not wait for returning loads; they wait for it. */
  laneRegister(time: number): void {
    this.dataStage.take(time, 1 + BROKEN_INTO_CYCLES * this.dataStage.busyShare(time));
  }

  /** Takes the front stage, and the data stage from `stage` on; returns the delay by returning loads. */
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

  /** A load that hits L1 takes the data stage after the hits before it; returns when it begins. */
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
    // It does not wait for returning loads; they wait for it.
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
