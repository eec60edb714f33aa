/**
 * One SM, cycle by cycle; cycles in which no scheduler can issue are skipped. Its blocks come, wait at barriers, and end.
 * `warp-scheduler.ts` says which warp issues, `warp-issue.ts` what that does, `scoreboard.ts` when the warp goes on.
 *
 * All resources serve in order of arrival, so an instruction's completion is known when it issues; a warp knows the
 * cycle in which its next instruction may issue, and only barriers and full pipes change that.
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

/** One SM from its first blocks on. `advance` takes it further; `result` is what has happened so far. */
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
  /** Of the block in each place: its warps that have not ended, and those of them that are at a barrier. */
  private readonly placeLive: Int32Array;
  private readonly placeArrived: Int32Array;
  private readonly placeGone: Float64Array;
  /** All blocks' barriers are one unit's work (h200/micro/memory, barrier_loop: 64 warps 131 to 137 cycles in any blocks). */
  private barriersFree = Number.NEGATIVE_INFINITY;
  /**
   * An SM starts one warp after the other (h200/micro/prologue.json, timeline: the warps of two blocks of 1024 that come
   * together start within 145 cycles, of one within 63).
   */
  private starterFree = Number.NEGATIVE_INFINITY;
  private started = 0;
  private live = 0;
  /** Of what a warp has to do when it comes. */
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

  /** Until cycle `until`, or `mostIssues` in all, or its last block's end: whether blocks are left. */
  advance(until: number, mostIssues: number): boolean {
    while (this.goesOn(until, mostIssues));
    return this.live > 0;
  }

  /** The next few cycles: a function that runs often and not for long is compiled once. */
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

  /** From now on each warp does only `share` of what it has still to do, one that comes of all that it has. */
  shorten(share: number): void {
    this.shareDone *= share;
    for (const warp of this.warps) {
      if (warp.state === RUNNING || warp.state === AT_BARRIER)
        warp.end = warp.at + Math.ceil(share * (warp.end - warp.at));
    }
  }

  /** Of each block that is resident, by its number, the share of its instructions that is left. */
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

  /** The next cycle in which a scheduler may issue. */
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

  /** A block has ended at `time`: new ones come for all slots that are free. */
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
    // The warp that issues last need not be the last one gone: another's store may take longer.
    const end = Math.max(this.placeGone[place]!, time);
    this.placeGone[place] = end;
    const left = --this.placeLive[place]!;
    if (left > 0) {
      // Ended warps are no longer waited for.
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

  /** The warps of the block go on one after the other, in order of their index. */
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

/** An SM that is given blocks with the traces of `order`. */
export function machineOf(sm: SmInput, order: Int32Array): Sm {
  let given = 0;
  return new Sm(sm, {
    next: () => (given < order.length ? given++ : -1),
    traceOf: (block) => order[block]!,
  });
}
