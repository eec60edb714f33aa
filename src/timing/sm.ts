/**
 * One SM, cycle by cycle; cycles in which no scheduler can issue are skipped. Warps live in slots, slot modulo schedulers
 * is their scheduler. A scheduler issues one slot a cycle, from the warp that it issued from last as long as that one can
 * go on, else from the youngest ("greedy then youngest", found by Huerta et al., arXiv 2503.20481, on NVIDIA GPUs).
 *
 * All resources serve in order of arrival, so an instruction's completion is known when it issues; a warp knows the
 * cycle in which its next instruction may issue, and only barriers and full pipes change that.
 */
import type { DeviceSpec } from "../device/spec.js";
import { BYPASS_DELAY } from "./bypass.js";
import { Dispatcher } from "./dispatch.js";
import type { MemoryPath } from "./memory-path.js";
import { MemoryUnit } from "./memory-unit.js";
import type { Microcode } from "./microcode.js";
import * as code from "./microcode.js";
import { PIPE_NAMES } from "./pipe-names.js";
import * as stall from "./stalls.js";
import type { BlockTrace } from "./trace.js";

/** Of a branch's latency, what Nsight Compute calls branch_resolving; the rest is a fixed wait. */
const BRANCH_UNIT_CYCLES = 4;

export interface SmInput {
  readonly device: DeviceSpec;
  readonly microcode: Microcode;
  /** Volatile memory instructions bypass L1. */
  readonly bypassesL1: Uint8Array;
  readonly traces: readonly BlockTrace[];
  /** Memory streams of the traces, with encoded sectors. */
  readonly memory: readonly Int32Array[];
  /** Trace of the SM's block number i. */
  readonly traceOf: (index: number) => number;
  readonly blocks: number;
  readonly residentBlocks: number;
  readonly warpsPerBlock: number;
  readonly activeSms: number;
  readonly path: MemoryPath;
}

export interface SmRun {
  /** End of each block, in order of ending, and the cycles and issues up to then. */
  readonly blockEnds: Float64Array;
  readonly blockStarts: Float64Array;
  readonly cycles: number;
  readonly issues: number;
  /** Warp cycles by stall reason. */
  readonly warpCycles: Float64Array;
  /** Sum over cycles of the warps resident. */
  readonly residentWarpCycles: number;
  /** Cycles in which each pipe was taken, over all schedulers. */
  readonly pipeBusyCycles: Float64Array;
  readonly dispatchWaitCycles: number;
  readonly firstStart: number;
}

const RUNNING = 1;
const AT_BARRIER = 2;
const DONE = 3;

export function runSm(input: SmInput): SmRun {
  const { device, microcode: mc, traces, path, warpsPerBlock, residentBlocks } = input;
  const schedulers = device.schedulersPerSm;
  const slots = residentBlocks * warpsPerBlock;
  const perScheduler = Math.ceil(slots / schedulers);
  const registers = Math.max(1, mc.registers);
  const pipes = PIPE_NAMES.length;
  const dispatcher = new Dispatcher(device, input.activeSms);

  // State of warp slots. Slot of warp w of block place p: p * warpsPerBlock + w.
  const state = new Uint8Array(slots);
  const readyAt = new Float64Array(slots);
  const pcIndex = new Int32Array(slots);
  const pcEnd = new Int32Array(slots);
  const memoryAt = new Int32Array(slots);
  const currentSlot = new Int32Array(slots);
  const slotEnd = new Int32Array(slots);
  const partReady = new Float64Array(slots);
  const partClass = new Uint8Array(slots);
  const startedAt = new Float64Array(slots);
  const arrivedAt = new Float64Array(slots);
  const lastStore = new Float64Array(slots);
  const age = new Float64Array(slots);
  const regReady = new Float64Array(slots * registers);
  const regClass = new Uint8Array(slots * registers);
  const regGroup = new Uint8Array(slots * registers);
  // State of block places.
  const placeTrace = new Int32Array(residentBlocks);
  const placeInstance = new Int32Array(residentBlocks);
  const placeLive = new Int32Array(residentBlocks);
  const placeArrived = new Int32Array(residentBlocks);
  const placeStarted = new Float64Array(residentBlocks);
  // Resources.
  const pipeFree = new Float64Array(schedulers * pipes);
  const pipeBusyCycles = new Float64Array(pipes);
  const unit = new MemoryUnit(device, path);
  const lastWarp = new Int32Array(schedulers).fill(-1);
  const nextStep = new Float64Array(schedulers).fill(Number.POSITIVE_INFINITY);
  // Results.
  const warpCycles = new Float64Array(stall.STALL_REASONS.length);
  const blockEnds = new Float64Array(input.blocks);
  const blockStarts = new Float64Array(input.blocks);
  let ended = 0;
  let given = 0;
  let issues = 0;
  let residentWarpCycles = 0;
  let dispatchWaitCycles = 0;
  let launchOrder = 0;
  let now = 0;
  let firstStart = 0;
  const blockedBy = new Uint8Array(perScheduler);

  const RESULT_TO_STALL = [stall.WAIT, stall.SHORT_SCOREBOARD, stall.LONG_SCOREBOARD];

  function wake(warp: number, time: number): void {
    const scheduler = warp % schedulers;
    if (time < nextStep[scheduler]!) nextStep[scheduler] = time;
  }

  /** The next instruction of `warp` may issue at the earliest at `earliest`, for reason `reason`; books the wait from `from`. */
  function prepare(warp: number, from: number, earliest: number, reason: number): void {
    let fixed = earliest;
    let fixedReason = reason;
    let late = 0;
    let lateReason = 0;
    const slot = currentSlot[warp]!;
    const pc = traces[placeTrace[(warp / warpsPerBlock) | 0]!]!.pcs[pcIndex[warp]!]!;
    const group = mc.group[slot]!;
    if (slot === mc.slotStart[pc]!) {
      const base = warp * registers;
      for (let i = mc.readStart[pc]!; i < mc.readStart[pc + 1]!; i++) {
        const reg = base + mc.reads[i]!;
        const kind = regClass[reg]!;
        let ready = regReady[reg]!;
        if (kind === code.RESULT_FIXED) {
          ready += BYPASS_DELAY[regGroup[reg]! * 4 + group]!;
          if (mc.reads[i] === mc.guard[pc]) ready += mc.guardDelay[pc]!;
        }
        if (ready <= fixed && ready <= late) continue;
        if (kind === code.RESULT_FIXED) {
          if (ready > fixed) {
            fixed = ready;
            fixedReason = stall.WAIT;
          }
        } else if (ready > late) {
          late = ready;
          lateReason = RESULT_TO_STALL[kind]!;
        }
      }
    } else if (mc.independent[slot] === 0) {
      let ready = partReady[warp]!;
      if (partClass[warp] === code.RESULT_FIXED) {
        ready += BYPASS_DELAY[mc.group[slot - 1]! * 4 + group]!;
        if (ready > fixed) {
          fixed = ready;
          fixedReason = stall.WAIT;
        }
      } else {
        late = ready;
        lateReason = RESULT_TO_STALL[partClass[warp]!]!;
      }
    }
    if (fixed > from) warpCycles[fixedReason]! += fixed - from;
    if (late > fixed) {
      warpCycles[lateReason]! += late - Math.max(from, fixed);
      readyAt[warp] = late;
    } else readyAt[warp] = fixed;
    wake(warp, readyAt[warp]!);
  }

  function startBlock(place: number, freeAt: number, firstRound: boolean): void {
    if (given >= input.blocks) return;
    const instance = given++;
    const trace = input.traceOf(instance);
    const begin = dispatcher.start(freeAt, firstRound);
    dispatchWaitCycles += begin - freeAt;
    if (instance === 0) firstStart = begin;
    blockStarts[instance] = begin;
    placeTrace[place] = trace;
    placeInstance[place] = instance;
    placeLive[place] = warpsPerBlock;
    placeArrived[place] = 0;
    placeStarted[place] = begin;
    const source = traces[trace]!;
    for (let w = 0; w < warpsPerBlock; w++) {
      const warp = place * warpsPerBlock + w;
      const start = begin + w * dispatcher.perWarpCycles;
      regReady.fill(0, warp * registers, (warp + 1) * registers);
      age[warp] = launchOrder++;
      startedAt[warp] = start;
      lastStore[warp] = 0;
      pcIndex[warp] = source.pcStart[w]!;
      pcEnd[warp] = source.pcStart[w + 1]!;
      memoryAt[warp] = source.memoryStart[w]!;
      if (pcIndex[warp]! >= pcEnd[warp]!) {
        finishWarp(warp, start);
        continue;
      }
      state[warp] = RUNNING;
      const pc = source.pcs[pcIndex[warp]!]!;
      currentSlot[warp] = mc.slotStart[pc]!;
      slotEnd[warp] = mc.slotStart[pc + 1]!;
      readyAt[warp] = start;
      wake(warp, start);
    }
  }

  function finishWarp(warp: number, time: number): void {
    state[warp] = DONE;
    residentWarpCycles += time - startedAt[warp]!;
    const place = (warp / warpsPerBlock) | 0;
    const live = --placeLive[place]!;
    if (live > 0) {
      // Ended warps are no longer waited for.
      if (placeArrived[place]! > 0 && placeArrived[place] === live) openBarrier(place, time);
      return;
    }
    blockEnds[ended++] = time;
    startBlock(place, time, false);
  }

  /** The warps of the block go on one after the other, in order of their index. */
  function openBarrier(place: number, time: number): void {
    let opens = time + device.barrier.baseLatencyCycles;
    placeArrived[place] = 0;
    for (let w = 0; w < warpsPerBlock; w++) {
      const warp = place * warpsPerBlock + w;
      if (state[warp] !== AT_BARRIER) continue;
      opens += device.barrier.perWarpCycles;
      state[warp] = RUNNING;
      const from = arrivedAt[warp]! + 1;
      if (opens > from) warpCycles[stall.BARRIER]! += opens - from;
      prepare(warp, Math.max(from, opens), opens, stall.BARRIER);
    }
  }

  /** The warp issues its current slot at `time`. */
  function issue(warp: number, time: number): void {
    const scheduler = warp % schedulers;
    const place = (warp / warpsPerBlock) | 0;
    const source = traces[placeTrace[place]!]!;
    const pc = source.pcs[pcIndex[warp]!]!;
    const slot = currentSlot[warp]!;
    const pipe = mc.pipe[slot]!;
    const kind = mc.kind[slot]!;
    const interval = mc.interval[slot]!;
    issues++;
    warpCycles[stall.SELECTED]! += 1;
    pipeBusyCycles[pipe]! += interval;
    let result = time + mc.latency[slot]!;
    let next = time + 1;
    let nextReason: number = stall.WAIT;
    let branchBooked = 0;
    if (kind === code.FIXED || kind === code.BRANCH_OUT || kind === code.EXIT || kind === code.BARRIER_ARRIVE) {
      if (mc.pipeIsShared[pipe] === 1) {
        for (let s = 0; s < schedulers; s++) pipeFree[s * pipes + pipe] = time + interval;
      } else pipeFree[scheduler * pipes + pipe] = time + interval;
      if (kind === code.BRANCH_OUT) {
        // A branch that is not taken costs what an untaken exit does (h200-micro-4: compare, branch, load 39.9 - 22.7 - 13).
        const taken = mc.isBranch[pc] === 0 || source.pcs[pcIndex[warp]! + 1] !== pc + 1;
        next = taken ? result : time + device.pipes.alu.latencyCycles + 1;
        // The branch unit's own part; before it the warp waits as for any fixed latency.
        warpCycles[stall.BRANCH]! += Math.min(BRANCH_UNIT_CYCLES, next - time - 1);
        branchBooked = Math.min(BRANCH_UNIT_CYCLES, next - time - 1);
      } else if (kind === code.EXIT) next = time + device.pipes.alu.latencyCycles + 1;
    } else {
      const { memory } = input;
      const records = memory[placeTrace[place]!]!;
      let at = -1;
      if (mc.traced[pc] === 1 && kind !== code.QUEUED) {
        at = memoryAt[warp]!;
        memoryAt[warp] = at + 3 + records[at + 2]!;
      }
      const bypasses = input.bypassesL1[pc] === 1;
      const bytes = mc.bytesPerLane[pc]!;
      unit.issue(scheduler, time, kind, mc.latency[slot]!, records, at, bytes, placeInstance[place]!, bypasses);
      result = unit.result;
      if (unit.storedAt > 0) lastStore[warp] = unit.storedAt;
      if (kind === code.FENCE && lastStore[warp]! > next) {
        next = lastStore[warp]!;
        nextReason = stall.MEMBAR;
      }
    }
    // The instruction's next slot, or the warp's next instruction.
    const resultClass = mc.resultClass[slot]!;
    const firstSlot = slot === mc.slotStart[pc]!;
    if (firstSlot || result > partReady[warp]!) {
      partReady[warp] = result;
      partClass[warp] = resultClass;
    }
    if (slot + 1 < slotEnd[warp]!) currentSlot[warp] = slot + 1;
    else {
      for (let i = mc.writeStart[pc]!; i < mc.writeStart[pc + 1]!; i++) {
        const reg = warp * registers + mc.writes[i]!;
        regReady[reg] = partReady[warp]!;
        regClass[reg] = partClass[warp]!;
        regGroup[reg] = mc.group[slot]!;
      }
      const index = ++pcIndex[warp]!;
      if (index >= pcEnd[warp]!) {
        // A warp leaves when its last store has left the SM.
        const end = Math.max(time + 1, lastStore[warp]!);
        warpCycles[stall.DRAIN]! += end - time - 1;
        finishWarp(warp, end);
        return;
      }
      const nextPc = source.pcs[index]!;
      currentSlot[warp] = mc.slotStart[nextPc]!;
      slotEnd[warp] = mc.slotStart[nextPc + 1]!;
    }
    if (kind === code.BARRIER_ARRIVE) arrive(warp, place, time);
    else prepare(warp, time + 1 + branchBooked, next, nextReason);
  }

  function arrive(warp: number, place: number, time: number): void {
    state[warp] = AT_BARRIER;
    arrivedAt[warp] = time;
    if (++placeArrived[place]! >= placeLive[place]!) openBarrier(place, time);
  }

  /** Scheduler `scheduler` at cycle `time`: issues if it can, books the stalls of ready warps, says when to look again. */
  function step(scheduler: number, time: number): void {
    let best = -1;
    let bestAge = -1;
    let next = Number.POSITIVE_INFINITY;
    const greedy = lastWarp[scheduler]!;
    for (let i = 0, warp = scheduler; warp < slots; i++, warp += schedulers) {
      blockedBy[i] = 0;
      if (state[warp] !== RUNNING) continue;
      const ready = readyAt[warp]!;
      if (ready > time) {
        if (ready < next) next = ready;
        continue;
      }
      const slot = currentSlot[warp]!;
      const pipe = mc.pipe[slot]!;
      const kind = mc.kind[slot]!;
      if (kind >= code.SHARED_LOAD && kind <= code.QUEUED) {
        const full = unit.fullUntil(scheduler);
        if (full > time) {
          blockedBy[i] =
            kind >= code.GLOBAL_LOAD && kind <= code.GLOBAL_ATOMIC ? stall.LG_THROTTLE : stall.MIO_THROTTLE;
          if (full < next) next = full;
          continue;
        }
      } else {
        const free = pipeFree[scheduler * pipes + pipe]!;
        if (free > time) {
          blockedBy[i] = stall.MATH_PIPE;
          if (free < next) next = free;
          continue;
        }
      }
      blockedBy[i] = stall.NOT_SELECTED;
      if (warp === greedy) {
        best = warp;
        bestAge = Number.POSITIVE_INFINITY;
      } else if (age[warp]! > bestAge) {
        best = warp;
        bestAge = age[warp]!;
      }
    }
    if (best >= 0) next = Math.floor(time) + 1;
    else if (next !== Number.POSITIVE_INFINITY) next = Math.max(Math.ceil(next), Math.floor(time) + 1);
    const span = next === Number.POSITIVE_INFINITY ? 0 : next - time;
    for (let i = 0, warp = scheduler; warp < slots; i++, warp += schedulers) {
      const blocked = blockedBy[i]!;
      if (blocked !== 0 && warp !== best) warpCycles[blocked]! += span;
    }
    nextStep[scheduler] = next;
    if (best >= 0) {
      lastWarp[scheduler] = best;
      issue(best, time);
    }
  }

  for (let place = 0; place < residentBlocks; place++) startBlock(place, 0, true);
  while (ended < input.blocks) {
    let soonest = Number.POSITIVE_INFINITY;
    for (let s = 0; s < schedulers; s++) if (nextStep[s]! < soonest) soonest = nextStep[s]!;
    if (soonest === Number.POSITIVE_INFINITY) throw new Error("timing: warps wait for each other for ever");
    now = Math.ceil(soonest);
    for (let s = 0; s < schedulers; s++) if (nextStep[s]! <= now) step(s, now);
  }
  for (let i = 0; i < ended; i++) if (blockEnds[i]! > now) now = blockEnds[i]!;
  now = Math.max(now, path.busyUntil);
  return {
    blockEnds,
    blockStarts,
    cycles: now,
    issues,
    warpCycles,
    residentWarpCycles,
    pipeBusyCycles,
    dispatchWaitCycles,
    firstStart,
  };
}
