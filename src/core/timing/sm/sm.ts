/**
 * One SM, cycle by cycle; cycles in which no scheduler can issue are skipped. The SM starts blocks, opens barriers and
 * ends blocks. `warp-scheduler.ts` chooses the warp that issues, `warp-issue.ts` issues, and `scoreboard.ts` says when
 * the warp is eligible again.
 *
 * All resources serve in order of arrival, so the completion of an instruction is known when it issues. A warp knows
 * the cycle in which its next instruction may issue. Only barriers and busy pipes change that.
 */

import { FRACTION } from "../base/fraction.js";
import { BARRIER, NO_INSTRUCTION, SELECTED, STALL_REASONS } from "../base/stalls.js";
import type { WarpObserver } from "../base/warp-observer.js";
import type { MemoryPath } from "../memory/memory-path.js";
import { gateOf } from "../program/slot-info.js";
import { END, type WarpStreams } from "../program/warp-streams.js";
import { Dispatcher, FETCH_CYCLES, UNSEEN_CYCLES } from "./dispatch.js";
import { MemoryUnit } from "./memory-unit.js";
import { Scoreboard } from "./scoreboard.js";
import type { BlockSource, SmInput, SmRun } from "./sm-run.js";
import { AT_BARRIER, DONE, RUNNING, Warp } from "./warp.js";
import { ARRIVES, ENDS, IssueUnit } from "./warp-issue.js";
import { WarpScheduler } from "./warp-scheduler.js";
import { WarpSlots } from "./warp-slots.js";

const CYCLES_AT_A_TIME = 64;

/** One SM with its first blocks. `advance` runs it, and `result` gives its state so far. */
export class Sm {
  private readonly places: WarpSlots;
  private readonly dispatcher: Dispatcher;
  private readonly warps: readonly Warp[];
  private readonly schedulers: readonly WarpScheduler[];
  private readonly scoreboard: Scoreboard;
  private readonly memory: MemoryUnit;
  private readonly issueUnit: IssueUnit;
  private readonly streams: WarpStreams;
  private readonly info: Int32Array;
  private readonly barrierCycles: number;
  private readonly barrierWarpCycles: number;
  private readonly warpsPerBlock: number;
  private readonly path: MemoryPath;
  private readonly observer: WarpObserver | null;
  private readonly startedAt: Float64Array;
  private readonly arrivedAt: Float64Array;
  /** By place of a block: its live warps, and those of them that wait at a barrier. */
  private readonly placeLive: Int32Array;
  private readonly placeArrived: Int32Array;
  private readonly placeGone: Float64Array;
  /**
   * One unit serves the barriers of all blocks: 64 warps take 131 to 137 cycles in blocks of any size
   * (h200/micro/memory.json, barrier_loop).
   */
  private barriersFree = Number.NEGATIVE_INFINITY;
  /**
   * An SM starts one warp after the other. The warps of one block of 1024 threads start within 63 cycles, of two within
   * 145 (h200/micro/prologue.json, timeline).
   */
  private starterFree = Number.NEGATIVE_INFINITY;
  private started = 0;
  private live = 0;
  /** The share of its work that a starting warp does. */
  private shareDone = 1;
  private now: number = FRACTION;
  private readonly warpCycles = new Float64Array(STALL_REASONS.length);
  private residentWarpCycles: number = FRACTION;
  private readonly blockEnds: number[] = [];
  private readonly issuesAtEnds: number[] = [];
  private readonly startOf: number[] = [];
  private readonly endOf: number[] = [];

  constructor(
    input: SmInput,
    private readonly blocks: BlockSource,
  ) {
    const { device, microcode, streams, mostBlocks, warpsPerScheduler, warpsPerBlock, path } = input;
    const { warpCycles } = this;
    this.streams = streams;
    this.info = microcode.info;
    this.barrierCycles = device.barrier.baseLatencyCycles;
    this.barrierWarpCycles = device.barrier.perWarpCycles;
    this.warpsPerBlock = warpsPerBlock;
    this.path = path;
    const observer = input.observer ?? null;
    this.observer = observer;
    const schedulers = device.schedulersPerSm;
    this.places = new WarpSlots(schedulers, warpsPerScheduler, warpsPerBlock, mostBlocks, input.warpsLeave);
    const { count } = this.places;
    this.dispatcher = new Dispatcher(device, input.activeSms);
    const registers = Math.max(1, microcode.registers);
    this.warps = Array.from({ length: count }, (_, slot) => new Warp(slot, registers));
    this.schedulers = Array.from(
      { length: schedulers },
      () => new WarpScheduler(count, warpsPerScheduler, warpCycles, device.warpScheduling, observer),
    );
    this.scoreboard = new Scoreboard(microcode, warpCycles, observer);
    this.memory = new MemoryUnit(device, path);
    this.issueUnit = new IssueUnit(
      device,
      microcode,
      streams,
      input.bypassesL1,
      count,
      this.schedulers,
      this.scoreboard,
      this.memory,
      warpCycles,
      observer,
    );
    this.startedAt = new Float64Array(count);
    this.arrivedAt = new Float64Array(count);
    this.placeLive = new Int32Array(mostBlocks);
    this.placeArrived = new Int32Array(mostBlocks);
    this.placeGone = new Float64Array(mostBlocks);
    for (let block = 0; block < input.residentBlocks && this.places.hasRoom(0); block++) {
      const instance = blocks.next();
      if (instance >= 0) this.startBlock(instance, 0, this.dispatcher.startFirst());
    }
  }

  /** Runs until cycle `until`, `mostIssues` slots or the end of the last block; returns whether blocks are left. */
  advance(until: number, mostIssues: number): boolean {
    while (this.goesOn(until, mostIssues));
    return this.live > 0;
  }

  /** Runs a few cycles. V8 compiles a function once if it runs often and briefly. */
  private goesOn(until: number, mostIssues: number): boolean {
    for (let left = CYCLES_AT_A_TIME; left > 0; left--) {
      if (this.live === 0 || this.now >= until || this.issueUnit.issued >= mostIssues) return false;
      this.cycle();
    }
    return true;
  }

  result(): SmRun {
    const { warps, startedAt, now, warpCycles, blockEnds } = this;
    const { issues, issued, repeats, pipeBusyCycles } = this.issueUnit;
    let resident = this.residentWarpCycles;
    for (const { state, index } of warps) {
      if (state === RUNNING || state === AT_BARRIER) resident += Math.max(0, now - startedAt[index]!);
    }
    const lastEnd = blockEnds.reduce((last, end) => Math.max(last, end), now);
    warpCycles[SELECTED] = issued;
    const complete = this.live === 0;
    const drainCycles = complete ? Math.max(0, this.path.busyUntil - lastEnd) : 0;
    return {
      blockEnds,
      issuesAtEnds: this.issuesAtEnds,
      startOf: this.startOf,
      endOf: this.endOf,
      complete,
      cycles: complete ? lastEnd + drainCycles : now,
      drainCycles,
      issues,
      issued,
      repeats,
      warpCycles: warpCycles.slice(),
      residentWarpCycles: resident,
      pipeBusyCycles: pipeBusyCycles.slice(),
    };
  }

  /**
   * From now on each warp does only `share` of its remaining work; a warp that starts later does this share of all its
   * work.
   */
  shorten(share: number): void {
    this.shareDone *= share;
    for (const warp of this.warps) {
      if (warp.state === RUNNING || warp.state === AT_BARRIER)
        warp.end = warp.at + Math.ceil(share * (warp.end - warp.at));
    }
  }

  /** The share of its instructions that each resident block has still to issue, by its number. */
  left(): ReadonlyMap<number, number> {
    const left = new Map<number, number>();
    for (const { state, instance, at, end } of this.warps) {
      if (state !== RUNNING && state !== AT_BARRIER) continue;
      const starts = this.streams.start[this.blocks.traceOf(instance)]!;
      const all = starts[this.warpsPerBlock]! - starts[0]! - this.warpsPerBlock;
      left.set(instance, (left.get(instance) ?? 0) + (end - at) / all);
    }
    return left;
  }

  /** Runs the next cycle in which a scheduler may issue. */
  private cycle(): void {
    const { schedulers, issueUnit } = this;
    let now = Number.POSITIVE_INFINITY;
    for (let s = 0; s < schedulers.length; s++) if (schedulers[s]!.nextStep < now) now = schedulers[s]!.nextStep;
    if (now === Number.POSITIVE_INFINITY) throw new Error("timing: warps wait for each other for ever");
    this.now = now;
    for (let s = 0; s < schedulers.length; s++) {
      const scheduler = schedulers[s]!;
      if (scheduler.nextStep > now) continue;
      const warp = scheduler.choose(now);
      if (warp < 0) continue;
      const outcome = issueUnit.issue(this.warps[warp]!, s, now);
      if (outcome === ENDS) this.finishWarp(warp, issueUnit.gone);
      else if (outcome === ARRIVES) this.arrive(warp, now);
    }
  }

  /** Starts new blocks in all free slots after a block has ended at `time`. */
  private refill(time: number): void {
    const { dispatcher, places } = this;
    for (let begin = dispatcher.start(time); places.hasRoom(time); begin += dispatcher.burstInterval) {
      const instance = this.blocks.next();
      if (instance < 0) return;
      this.startBlock(instance, time, begin);
    }
  }

  private startBlock(instance: number, time: number, begin: number): void {
    const { places, warps, schedulers, dispatcher, warpsPerBlock, streams } = this;
    const place = places.take(time);
    this.live++;
    this.startOf[instance] = begin;
    this.placeLive[place] = warpsPerBlock;
    this.placeArrived[place] = 0;
    this.placeGone[place] = 0;
    const trace = this.blocks.traceOf(instance);
    const starts = streams.start[trace]!;
    const memoryStarts = streams.memoryStart[trace]!;
    const first = Math.max(begin, this.starterFree);
    this.starterFree = first + warpsPerBlock * dispatcher.perWarpCycles;
    this.started++;
    for (let w = 0; w < warpsPerBlock; w++) {
      const warp = places.slotOf[place * warpsPerBlock + w]!;
      const start = first + w * dispatcher.perWarpCycles + FETCH_CYCLES;
      const scheduler = schedulers[warp % schedulers.length]!;
      scheduler.arrive(warp, this.started, w, warpsPerBlock);
      this.startedAt[warp] = start - FETCH_CYCLES - UNSEEN_CYCLES;
      this.warpCycles[NO_INSTRUCTION]! += FETCH_CYCLES;
      const at = starts[w]!;
      const slot = streams.slots[at]!;
      if (this.observer !== null) {
        this.observer.starts(warp, instance, w, start - FETCH_CYCLES);
        this.observer.enters(warp, NO_INSTRUCTION, start - FETCH_CYCLES, slot === END ? 0 : slot);
      }
      const end = at + Math.ceil(this.shareDone * (starts[w + 1]! - 1 - at));
      warps[warp]!.start(instance, at, end, slot, streams.memory[trace]!, memoryStarts[w]!);
      if (slot === END) {
        this.finishWarp(warp, start);
        continue;
      }
      warps[warp]!.state = RUNNING;
      scheduler.sleep(warp, gateOf(this.info[slot]!), start, this.now, false);
    }
  }

  private finishWarp(warp: number, time: number): void {
    const { places } = this;
    this.warps[warp]!.state = DONE;
    if (this.observer !== null) this.observer.leaves(warp, time);
    this.residentWarpCycles += time - this.startedAt[warp]!;
    const place = places.placeOf[warp]!;
    places.leave(warp, time);
    // The warp that issues last may not leave last: another warp's store may take longer.
    const end = Math.max(this.placeGone[place]!, time);
    this.placeGone[place] = end;
    const left = --this.placeLive[place]!;
    if (left > 0) {
      // A barrier does not wait for warps that have ended.
      if (this.placeArrived[place]! > 0 && this.placeArrived[place] === left) this.openBarrier(place, time);
      return;
    }
    this.blockEnds.push(end);
    this.endOf[this.warps[warp]!.instance] = end;
    this.issuesAtEnds.push(this.issueUnit.issues);
    this.live--;
    places.end(place, end);
    this.refill(end);
  }

  private arrive(warp: number, time: number): void {
    const place = this.places.placeOf[warp]!;
    this.warps[warp]!.state = AT_BARRIER;
    this.arrivedAt[warp] = time;
    if (++this.placeArrived[place]! >= this.placeLive[place]!) this.openBarrier(place, time);
  }

  /** Releases the warps of the block one after the other, in the order of their index. */
  private openBarrier(place: number, time: number): void {
    const { warps, places, warpsPerBlock } = this;
    let opens = Math.max(time + this.barrierCycles, this.barriersFree);
    this.placeArrived[place] = 0;
    this.memory.barrier(time);
    for (let w = 0; w < warpsPerBlock; w++) {
      const slot = places.slotOf[place * warpsPerBlock + w]!;
      const warp = warps[slot]!;
      if (warp.state !== AT_BARRIER || places.placeOf[slot] !== place) continue;
      opens += this.barrierWarpCycles;
      warp.state = RUNNING;
      const from = this.arrivedAt[slot]! + 1;
      if (opens > from) this.warpCycles[BARRIER]! += opens - from;
      this.issueUnit.goOn(warp, slot % this.schedulers.length, Math.max(from, opens), opens, BARRIER, this.now, false);
    }
    this.barriersFree = opens;
  }
}

/** An SM whose blocks have the traces of `order`. */
export function machineOf(sm: SmInput, order: Int32Array): Sm {
  let given = 0;
  return new Sm(sm, {
    next: () => (given < order.length ? given++ : -1),
    traceOf: (block) => order[block]!,
  });
}
