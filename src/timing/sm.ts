/**
 * One SM, cycle by cycle; cycles in which no scheduler can issue are skipped. Warps live in slots, slot modulo schedulers
 * is their scheduler. A scheduler issues one slot a cycle, from the warp that it issued from last as long as that one can
 * go on, else from the youngest ("greedy then youngest", found by Huerta et al., arXiv 2503.20481, on NVIDIA GPUs; of several
 * blocks an H200 prefers the oldest, test/DEVIATIONS.md, D19).
 *
 * All resources serve in order of arrival, so an instruction's completion is known when it issues; a warp knows the
 * cycle in which its next instruction may issue, and only barriers and full pipes change that.
 */
import { BYPASS_DELAY, GROUPS, LONG_GROUP } from "./bypass.js";
import { Dispatcher, FETCH_CYCLES, UNSEEN_CYCLES } from "./dispatch.js";
import { MemoryUnit } from "./memory-unit.js";
import * as code from "./microcode.js";
import { PIPE_NAMES } from "./pipe-names.js";
import type { SmInput, SmRun } from "./sm-run.js";
import * as stall from "./stalls.js";
import { WakeCalendar } from "./wake-calendar.js";
import { WarpSlots } from "./warp-slots.js";

// What ptxas writes into its instructions' stall counts, and Nsight Compute calls a fixed wait: nvcc -arch=sm_90's code of
// test/reference/probes/probes.cu. Behind BRA, EXIT and BSYNC 5, between two memory instructions 4, between two of a
// pipe that takes one every other cycle 2.
const BRANCH_STALL_COUNT = 5;
const MEMORY_STALL_COUNT = 4;
// test/reference/h200-micro-7.json: a loop's taken branch is branch_resolving for 3 cycles and no_instruction for 4; each
// warp's EXIT is branch_resolving for 8 and drain for 4 at the least.
const BRANCH_UNIT_CYCLES = 3;
const EXIT_BRANCH_CYCLES = 8;
const EXIT_DRAIN_CYCLES = 4;

// test/reference/h200-micro-9.json: a multiply of 64 bits takes its pipe twice (hiFour: 4 cycles each). Behind it the
// scheduler dispatches nothing for two cycles (hiFfma: 7.1 cycles with four FFMA; hiLop, wideChain: 2 cycles each
// instruction of the ALU and each multiply). A warp's next one waits longer (hiFour, one warp a scheduler: 6.1 cycles).
const LONG_MULTIPLY_PASSES = 2;
const LONG_MULTIPLY_DISPATCH_CYCLES = 2;
const LONG_MULTIPLY_STALL_COUNT = 6;

/** Of a result, by its class: why a warp that needs it waits. */
const RESULT_TO_STALL = [stall.WAIT, stall.SHORT_SCOREBOARD, stall.LONG_SCOREBOARD] as const;

/** Loads, stores and atomics. */
function isMemory(kind: number): boolean {
  return kind >= code.SHARED_LOAD && kind <= code.GLOBAL_ATOMIC;
}

const RUNNING = 1;
const AT_BARRIER = 2;
const DONE = 3;

/** One SM from its first blocks on. `advance` takes it further; `result` is what has happened so far. */
export interface Sm {
  /** Until cycle `until`, or `mostIssues` in all, or its last block's end: whether blocks are left. */
  advance(until: number, mostIssues: number): boolean;
  result(): SmRun;
}

export function createSm(input: SmInput): Sm {
  const { device, microcode: mc, traces, memory, bypassesL1, path, warpsPerBlock, residentBlocks } = input;
  const { group: groupOf, slotStart, readStart, reads, guard, guardDelay, independent, partDelay } = mc;
  const { pipe: pipeOf, kind: kindOf, latency, interval: intervalOf, resultClass: resultClassOf } = mc;
  const { gate: slotGate, writeStart, writes, traced, bytesPerLane, pipeIsShared, isBranch } = mc;
  const schedulers = device.schedulersPerSm;
  const { mostBlocks, warpsPerScheduler } = input;
  const places = new WarpSlots(schedulers, warpsPerScheduler, warpsPerBlock, mostBlocks, input.warpsLeave);
  const { placeOf, slotOf, count: slots } = places;
  const registers = Math.max(1, mc.registers);
  const dispatcher = new Dispatcher(device, input.activeSms);

  // State of warp slots.
  const state = new Uint8Array(slots);
  const pcIndex = new Int32Array(slots);
  const pcEnd = new Int32Array(slots);
  const memoryAt = new Int32Array(slots);
  const currentSlot = new Int32Array(slots);
  const slotEnd = new Int32Array(slots);
  const partReady = new Float64Array(slots);
  const partClass = new Uint8Array(slots);
  const startedAt = new Float64Array(slots);
  const arrivedAt = new Float64Array(slots);
  const drained = new Float64Array(slots);
  const lastStore = new Float64Array(slots);
  const age = new Float64Array(slots);
  const gateOf = new Uint8Array(slots);
  const regReady = new Float64Array(slots * registers);
  const regClass = new Uint8Array(slots * registers);
  const regGroup = new Uint8Array(slots * registers);
  // State of block places.
  const placePcs: Int32Array[] = Array.from({ length: mostBlocks }, () => new Int32Array(0));
  const placeMemory: Int32Array[] = [...placePcs];
  const placeInstance = new Int32Array(mostBlocks);
  const placeLive = new Int32Array(mostBlocks);
  const placeArrived = new Int32Array(mostBlocks);
  // Resources.
  const gateOpens = new Float64Array(schedulers * code.GATES);
  /** Until then a closed gate is the pipe's own; behind that, what the register file or another pipe holds up. */
  const pipeTaken = new Float64Array(schedulers * code.GATES);
  const usualInterval = PIPE_NAMES.map((name) => device.pipes[name]?.issueIntervalCycles ?? 1);
  const pipeBusyCycles = new Float64Array(PIPE_NAMES.length);
  const unit = new MemoryUnit(device, path);
  /** The scheduler dispatches nothing before. */
  const dispatchFree = new Float64Array(schedulers);
  const lastWarp = new Int32Array(schedulers).fill(-1);
  const nextStep = new Float64Array(schedulers).fill(Number.POSITIVE_INFINITY);
  // Warps that may issue as far as they themselves are concerned, by scheduler; all other running ones sleep.
  const asleep = new WakeCalendar(schedulers, warpsPerScheduler);
  const awake = Array.from({ length: schedulers }, () => new Int32Array(warpsPerScheduler));
  const awakeCount = new Int32Array(schedulers);
  // Those that do not issue since the scheduler was last looked at, and the cycles that all such have waited.
  const heldSince = new Float64Array(schedulers);
  const heldByChoice = new Int32Array(schedulers);
  const heldByPipe = new Int32Array(schedulers);
  const heldByDispatch = new Int32Array(schedulers);
  const heldByMio = new Int32Array(schedulers);
  const heldByLg = new Int32Array(schedulers);
  // Results.
  const warpCycles = new Float64Array(stall.STALL_REASONS.length);
  const blockEnds: number[] = [];
  const issuesAtEnds: number[] = [];
  let live = 0;
  let issues = 0;
  let residentWarpCycles = 0;
  let launchOrder = 0;
  /** All blocks' barriers are one unit's work (h200-memory-micro, barrier_loop: 64 warps 131 to 137 cycles in any blocks). */
  let barriersFree = 0;
  let now = 0;

  /** The warp can do nothing before `time`. */
  function sleep(warp: number, time: number): void {
    const scheduler = warp % schedulers;
    gateOf[warp] = slotGate[currentSlot[warp]!]!;
    const until = Math.max(now + 1, Math.ceil(time));
    asleep.sleep(scheduler, warp, until, now);
    if (until < nextStep[scheduler]!) nextStep[scheduler] = until;
  }

  const mostDelay = Math.max(...BYPASS_DELAY) + guardDelay.reduce((most, each) => Math.max(most, each), 0);

  /** The next instruction of `warp` may issue at the earliest at `earliest`, for reason `reason`; books the wait from `from`. */
  function prepare(warp: number, from: number, earliest: number, reason: number): void {
    let fixed = earliest;
    let fixedReason = reason;
    let late = 0;
    let lateReason = 0;
    const slot = currentSlot[warp]!;
    const pc = placePcs[placeOf[warp]!]![pcIndex[warp]!]!;
    const group = groupOf[slot]!;
    if (slot === slotStart[pc]!) {
      const base = warp * registers;
      const end = readStart[pc + 1]!;
      for (let i = readStart[pc]!; i < end; i++) {
        const reg = base + reads[i]!;
        let ready = regReady[reg]!;
        if (ready + mostDelay <= earliest) continue;
        const kind = regClass[reg]!;
        if (kind === code.RESULT_FIXED) {
          ready += BYPASS_DELAY[regGroup[reg]! * GROUPS + group]!;
          if (reads[i] === guard[pc]) ready += guardDelay[pc]!;
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
    } else if (independent[slot] === 0) {
      let ready = partReady[warp]!;
      if (partClass[warp] === code.RESULT_FIXED) {
        ready += BYPASS_DELAY[groupOf[slot - 1]! * GROUPS + group]! + partDelay[slot]!;
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
      sleep(warp, late);
    } else sleep(warp, fixed);
  }

  /** A block has ended at `time`: new ones come for all slots that are free. */
  function refill(time: number): void {
    for (let begin = dispatcher.start(time); places.hasRoom(time); begin += dispatcher.burstInterval) {
      const instance = input.nextBlock();
      if (instance < 0) return;
      startBlock(instance, time, begin);
    }
  }

  function startBlock(instance: number, time: number, begin: number): void {
    const place = places.take(time);
    live++;
    const trace = input.traceOf(instance);
    placeInstance[place] = instance;
    placeLive[place] = warpsPerBlock;
    placeArrived[place] = 0;
    const source = traces[trace]!;
    placePcs[place] = source.pcs;
    placeMemory[place] = memory[trace]!;
    for (let w = 0; w < warpsPerBlock; w++) {
      const warp = slotOf[place * warpsPerBlock + w]!;
      const start = begin + w * dispatcher.perWarpCycles + FETCH_CYCLES;
      regReady.fill(0, warp * registers, (warp + 1) * registers);
      age[warp] = launchOrder++;
      startedAt[warp] = start - FETCH_CYCLES - UNSEEN_CYCLES;
      warpCycles[stall.NO_INSTRUCTION]! += FETCH_CYCLES;
      drained[warp] = 0;
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
      currentSlot[warp] = slotStart[pc]!;
      slotEnd[warp] = slotStart[pc + 1]!;
      sleep(warp, start);
    }
  }

  function finishWarp(warp: number, time: number): void {
    state[warp] = DONE;
    residentWarpCycles += time - startedAt[warp]!;
    const place = placeOf[warp]!;
    places.leave(warp, time);
    const left = --placeLive[place]!;
    if (left > 0) {
      // Ended warps are no longer waited for.
      if (placeArrived[place]! > 0 && placeArrived[place] === left) openBarrier(place, time);
      return;
    }
    blockEnds.push(time);
    issuesAtEnds.push(issues);
    live--;
    places.end(place, time);
    refill(time);
  }

  /** The warps of the block go on one after the other, in order of their index. */
  function openBarrier(place: number, time: number): void {
    let opens = Math.max(time + device.barrier.baseLatencyCycles, barriersFree);
    placeArrived[place] = 0;
    unit.barrier(time);
    for (let w = 0; w < warpsPerBlock; w++) {
      const warp = slotOf[place * warpsPerBlock + w]!;
      if (state[warp] !== AT_BARRIER || placeOf[warp] !== place) continue;
      opens += device.barrier.perWarpCycles;
      state[warp] = RUNNING;
      const from = arrivedAt[warp]! + 1;
      if (opens > from) warpCycles[stall.BARRIER]! += opens - from;
      prepare(warp, Math.max(from, opens), opens, stall.BARRIER);
    }
    barriersFree = opens;
  }

  /** The warp issues its current slot at `time`. */
  function issue(warp: number, scheduler: number, time: number): void {
    const place = placeOf[warp]!;
    const pcs = placePcs[place]!;
    const pc = pcs[pcIndex[warp]!]!;
    const slot = currentSlot[warp]!;
    const kind = kindOf[slot]!;
    const pipe = pipeOf[slot]!;
    const interval = intervalOf[slot]!;
    issues++;
    pipeBusyCycles[pipe]! += interval;
    let result = time + latency[slot]!;
    let next = time + 1;
    let nextReason: number = stall.WAIT;
    let booked = 0;
    if ((kind < code.SHARED_LOAD || kind > code.QUEUED) && kind !== code.FENCE) {
      if (pipeIsShared[pipe] === 1) {
        for (let s = 0; s < schedulers; s++) gateOpens[s * code.GATES + pipe] = time + interval;
      } else {
        const gate = scheduler * code.GATES + pipe;
        const long = groupOf[slot] === LONG_GROUP;
        gateOpens[gate] = time + (long ? LONG_MULTIPLY_PASSES * interval : interval);
        pipeTaken[gate] = long ? gateOpens[gate]! : time + usualInterval[pipe]!;
        if (long) dispatchFree[scheduler] = time + 1 + LONG_MULTIPLY_DISPATCH_CYCLES;
      }
      if (kind === code.BRANCH_OUT) {
        // A branch that is not taken costs what an untaken exit does (h200-micro-4: compare, branch, load 39.9 - 22.7 - 13).
        const taken = isBranch[pc] === 0 || pcs[pcIndex[warp]! + 1] !== pc + 1;
        next = taken ? result : time + BRANCH_STALL_COUNT;
        booked = Math.max(0, next - time - BRANCH_STALL_COUNT);
        warpCycles[stall.BRANCH]! += Math.min(BRANCH_UNIT_CYCLES, booked);
        warpCycles[stall.NO_INSTRUCTION]! += Math.max(0, booked - BRANCH_UNIT_CYCLES);
      } else if (kind === code.EXIT) next = time + BRANCH_STALL_COUNT;
    } else {
      const records = placeMemory[place]!;
      let at = -1;
      if (traced[pc] === 1 && kind !== code.QUEUED) {
        at = memoryAt[warp]!;
        memoryAt[warp] = at + 3 + records[at + 2]!;
      }
      const bypasses = bypassesL1[pc] === 1;
      unit.issue(
        scheduler,
        time,
        kind,
        latency[slot]!,
        records,
        at,
        bytesPerLane[pc]!,
        placeInstance[place]!,
        bypasses,
      );
      result = unit.result;
      if (unit.storedAt > 0) {
        drained[warp] = unit.drainedAt;
        lastStore[warp] = unit.storedAt;
      }
    }
    if (kind === code.FENCE && lastStore[warp]! > next) {
      next = lastStore[warp]!;
      nextReason = stall.MEMBAR;
    }
    // The instruction's next slot, or the warp's next instruction.
    if (slot === slotStart[pc]! || result > partReady[warp]!) {
      partReady[warp] = result;
      partClass[warp] = resultClassOf[slot]!;
    }
    if (slot + 1 < slotEnd[warp]!) currentSlot[warp] = slot + 1;
    else {
      const end = writeStart[pc + 1]!;
      for (let i = writeStart[pc]!; i < end; i++) {
        const reg = warp * registers + writes[i]!;
        regReady[reg] = partReady[warp]!;
        regClass[reg] = partClass[warp]!;
        regGroup[reg] = groupOf[slot]!;
      }
      const index = ++pcIndex[warp]!;
      if (index >= pcEnd[warp]!) {
        // A warp leaves when its last store is in the queue to the port.
        const left = time + BRANCH_STALL_COUNT + EXIT_BRANCH_CYCLES;
        const gone = Math.max(left + EXIT_DRAIN_CYCLES, drained[warp]!);
        warpCycles[stall.WAIT]! += BRANCH_STALL_COUNT - 1;
        warpCycles[stall.BRANCH]! += EXIT_BRANCH_CYCLES;
        warpCycles[stall.DRAIN]! += gone - left;
        finishWarp(warp, gone);
        return;
      }
      const nextPc = pcs[index]!;
      currentSlot[warp] = slotStart[nextPc]!;
      slotEnd[warp] = slotStart[nextPc + 1]!;
    }
    if (kind === code.BARRIER_ARRIVE) {
      arrive(warp, place, time);
      return;
    }
    // ptxas has a warp wait where its own next instruction would find the pipe taken.
    const nextKind = kindOf[currentSlot[warp]!]!;
    if (isMemory(kind) ? isMemory(nextKind) : pipeOf[currentSlot[warp]!] === pipe && kind === code.FIXED) {
      const apart = groupOf[slot] === LONG_GROUP && groupOf[currentSlot[warp]!] === LONG_GROUP;
      next = Math.max(
        next,
        time + (isMemory(kind) ? MEMORY_STALL_COUNT : apart ? LONG_MULTIPLY_STALL_COUNT : interval),
      );
    }
    prepare(warp, time + 1 + booked, next, nextReason);
  }

  function arrive(warp: number, place: number, time: number): void {
    state[warp] = AT_BARRIER;
    arrivedAt[warp] = time;
    if (++placeArrived[place]! >= placeLive[place]!) openBarrier(place, time);
  }

  /** Scheduler `scheduler` at cycle `time`: issues if it can, says when to look again. */
  function step(scheduler: number, time: number): void {
    const span = time - heldSince[scheduler]!;
    heldSince[scheduler] = time;
    warpCycles[stall.NOT_SELECTED]! += span * heldByChoice[scheduler]!;
    warpCycles[stall.MATH_PIPE]! += span * heldByPipe[scheduler]!;
    warpCycles[stall.DISPATCH]! += span * heldByDispatch[scheduler]!;
    warpCycles[stall.MIO_THROTTLE]! += span * heldByMio[scheduler]!;
    warpCycles[stall.LG_THROTTLE]! += span * heldByLg[scheduler]!;
    const list = awake[scheduler]!;
    const count = asleep.wake(scheduler, time, list, awakeCount[scheduler]!);
    const greedy = lastWarp[scheduler]!;
    const gates = scheduler * code.GATES;
    gateOpens[gates + code.MIO_GATE] = gateOpens[gates + code.LG_GATE] = unit.fullUntil(scheduler);
    const blocked = dispatchFree[scheduler]!;
    let bestAt = -1;
    let bestAge = -1;
    let free = 0;
    let pipe = 0;
    let dispatch = 0;
    let mio = 0;
    let lg = 0;
    let next = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const warp = list[i]!;
      const gate = gateOf[warp]!;
      const opens = gateOpens[gates + gate]!;
      if (opens > time) {
        if (code.MIO_PIPES[gate] === 1) mio++;
        else if (gate === code.LG_GATE) lg++;
        else if (pipeTaken[gates + gate]! > time) pipe++;
        else dispatch++;
        if (opens < next) next = opens;
        continue;
      }
      if (blocked > time) {
        dispatch++;
        if (blocked < next) next = blocked;
        continue;
      }
      free++;
      const rank = warp === greedy ? Number.POSITIVE_INFINITY : age[warp]!;
      if (rank > bestAge) {
        bestAt = i;
        bestAge = rank;
      }
    }
    heldByPipe[scheduler] = pipe;
    heldByDispatch[scheduler] = dispatch;
    heldByMio[scheduler] = mio;
    heldByLg[scheduler] = lg;
    if (bestAt < 0) {
      heldByChoice[scheduler] = 0;
      awakeCount[scheduler] = count;
      nextStep[scheduler] = Math.min(Math.ceil(next), asleep.soonest(scheduler, time));
      return;
    }
    heldByChoice[scheduler] = free - 1;
    const best = list[bestAt]!;
    list[bestAt] = list[count - 1]!;
    awakeCount[scheduler] = count - 1;
    lastWarp[scheduler] = best;
    nextStep[scheduler] = free > 1 ? time + 1 : Math.min(Math.ceil(next), asleep.soonest(scheduler, time));
    issue(best, scheduler, time);
  }

  for (let block = 0; block < residentBlocks && places.hasRoom(0); block++) {
    const instance = input.nextBlock();
    if (instance >= 0) startBlock(instance, 0, dispatcher.startFirst());
  }

  function advance(until: number, mostIssues: number): boolean {
    while (live > 0 && now < until && issues < mostIssues) {
      let soonest = Number.POSITIVE_INFINITY;
      for (let s = 0; s < schedulers; s++) if (nextStep[s]! < soonest) soonest = nextStep[s]!;
      if (soonest === Number.POSITIVE_INFINITY) throw new Error("timing: warps wait for each other for ever");
      now = Math.ceil(soonest);
      for (let s = 0; s < schedulers; s++) if (nextStep[s]! <= now) step(s, now);
    }
    return live > 0;
  }

  function result(): SmRun {
    let resident = residentWarpCycles;
    for (let warp = 0; warp < slots; warp++) {
      if (state[warp] === RUNNING || state[warp] === AT_BARRIER) resident += Math.max(0, now - startedAt[warp]!);
    }
    const lastEnd = blockEnds.reduce((last, end) => Math.max(last, end), now);
    warpCycles[stall.SELECTED] = issues;
    return {
      blockEnds,
      issuesAtEnds,
      complete: live === 0,
      cycles: live === 0 ? Math.max(lastEnd, path.busyUntil) : now,
      issues,
      warpCycles: warpCycles.slice(),
      residentWarpCycles: resident,
      pipeBusyCycles: pipeBusyCycles.slice(),
    };
  }

  return { advance, result };
}
