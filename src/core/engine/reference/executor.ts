/**
 * Runs one warp, instruction after instruction.
 *
 * Schedule inside a warp: the ready group with the lowest pc runs, and groups that meet at one pc go on together. In a
 * program whose instructions stand in the order of its structure, a reconvergence stack does the same (Collange,
 * "Stack-less SIMT reconvergence", 2011). An `if` runs its first side, then its second, then both. A loop
 * runs until its last lane has left. From compute capability 7.0 on the lanes keep their own pc all the same. A group
 * that spins is parked so that the others go on, and lanes wait at warp primitives and barriers one by one.
 */
import type { Observer } from "../engine.js";
import { budgetPassed, type FaultSite, laneOutsideMask, stepLimitPassed } from "../faults.js";
import { populationCount } from "../population-count.js";
import type { BlockContext } from "./block-context.js";
import { type CompiledProgram, KIND } from "./compiled-program.js";
import type { MachineState } from "./machine-state.js";
import { startExchange } from "./operations/collectives.js";
import { absence, checkMask, tellWidth } from "./schedule/synchronization-report.js";
import type { Shadow } from "./shadow/shadow.js";
import { type Hold, NOT_PROVEN, type Parked, type Warp, type WarpWait } from "./warp.js";
import { WordsRead } from "./watched-words.js";

const NEVER = 0x7fffffff;
/** Instructions of a warp in loops after which the launch's budget is charged. */
const CHARGED_AT_ONCE = 4096;
/** A group that is alone in its loops for this part of the step limit lets the others have a turn. */
export const LOOP_TURNS = 16;

export interface ExecutorOptions {
  readonly observer: Observer | null;
  /** The default schedule; false: the running group is chosen from outside (adversarial schedule). */
  readonly converge: boolean;
  /** Lanes that are held, in the default schedule. */
  readonly holds?: readonly Hold[];
}

export class Executor {
  private readonly snapshot: Int32Array;
  private snapshotOwner: Warp | null = null;
  private readonly countsRounds: boolean;
  private readonly reads = new WordsRead();

  constructor(
    readonly machine: MachineState,
    readonly compiled: CompiledProgram,
    private readonly options: ExecutorOptions,
  ) {
    this.snapshot = new Int32Array(machine.layout.registerWords);
    this.countsRounds = machine.layout.rounds.count > 0 && !machine.launch.lockstep;
  }

  /** Runs the warp's running group, and those that follow in the default schedule, for at most `budget` instructions. */
  run(context: BlockContext, warp: Warp, budget: number): void {
    this.runGroups(context, warp, budget);
    this.charge(warp);
  }

  private charge(warp: Warp): void {
    const { budget, program } = this.machine.launch;
    let passed = budget?.charge(warp.issued - warp.charged) ?? null;
    warp.charged = warp.issued;
    if (passed === null && budget !== undefined && this.options.observer?.full === true) passed = "trace";
    if (passed === null) return;
    const pc = Math.min(warp.pc, program.instructions.length - 1);
    throw budgetPassed(this.site(pc, warp.mask === 0 ? warp.existing : warp.mask), passed);
  }

  private runGroups(context: BlockContext, warp: Warp, budget: number): void {
    const { machine, compiled, options } = this;
    const { kinds, operations, collectives, guardRow, guardFlip, targets } = compiled;
    const { executed, activeLanes, predicatedLanes } = machine.counters;
    const i32 = machine.registers.i32;
    const { observer, converge, holds } = options;
    const { stepLimit } = machine.launch;
    const { shadow } = machine;
    this.enter(context, warp);
    const base = warp.base;
    let left = budget;
    let pc = warp.pc;
    let mask = warp.mask;
    let lanes = populationCount(mask);
    let stop = converge && warp.readyCount > 0 ? warp.readyPc[warp.readyCount - 1]! : NEVER;
    while (left-- > 0) {
      if (pc === stop) {
        mask |= warp.readyMask[--warp.readyCount]!;
        lanes = populationCount(mask);
        stop = warp.readyCount > 0 ? warp.readyPc[warp.readyCount - 1]! : NEVER;
        warp.startGroup();
      }
      if (holds !== undefined && this.hold(warp, holds, pc, mask)) {
        if (converge) settle(warp, machine.launch.lockstep);
        if (warp.mask === 0) return;
        pc = warp.pc;
        mask = warp.mask;
        lanes = populationCount(mask);
        stop = converge && warp.readyCount > 0 ? warp.readyPc[warp.readyCount - 1]! : NEVER;
        continue;
      }
      if (warp.issued >= stepLimit) throw stepLimitPassed(this.site(pc, mask));
      machine.issued = ++warp.issued;
      executed[pc]! += 1;
      activeLanes[pc]! += lanes;
      const row = guardRow[pc]!;
      const acting = row < 0 ? mask : mask & (i32[base + row]! ^ guardFlip[pc]!);
      predicatedLanes[pc]! += acting === mask ? lanes : populationCount(acting);
      const kind = kinds[pc]!;
      if (machine.journal?.ofRegisters === true) this.recordWritten(base, pc);
      if (shadow?.active === true) shadow.step(pc, base, mask, acting);
      if (kind === KIND.lanes) {
        if (observer === null) {
          if (acting !== 0) operations[pc]!(base, acting);
        } else {
          machine.event.sectorCount = 0;
          machine.event.wavefronts = 0;
          if (acting !== 0) operations[pc]!(base, acting);
          this.observe(observer, pc, mask, acting);
        }
        pc++;
        continue;
      }
      if (observer !== null) {
        machine.event.sectorCount = 0;
        machine.event.wavefronts = 0;
        machine.event.values = collectives[pc]?.distinctValues?.(base, acting) ?? 0;
        this.observe(observer, pc, mask, acting);
      }
      if (kind === KIND.nothing) {
        pc++;
        continue;
      }
      if (kind === KIND.branch && acting === 0) {
        pc++;
        continue;
      }
      warp.pc = pc;
      warp.mask = mask;
      if (kind === KIND.branch) this.branch(warp, acting, targets[pc]!);
      else if (kind === KIND.exit) {
        warp.live &= ~acting;
        warp.mask &= ~acting;
        warp.pc = pc + 1;
      } else if (kind === KIND.collective) this.collective(warp, acting);
      else this.barrier(warp, acting);
      if (converge) settle(warp, machine.launch.lockstep);
      if (warp.mask === 0) return;
      pc = warp.pc;
      if (warp.mask !== mask) {
        mask = warp.mask;
        lanes = populationCount(mask);
      }
      stop = converge && warp.readyCount > 0 ? warp.readyPc[warp.readyCount - 1]! : NEVER;
    }
    warp.pc = pc;
    warp.mask = mask;
  }

  /** Parks the lanes that a hold names here. In lockstep the warp's lanes go together. */
  private hold(warp: Warp, holds: readonly Hold[], pc: number, mask: number): boolean {
    const { block, launch } = this.machine;
    const found = holds.find(
      (each) =>
        each.pc === pc &&
        each.block === block &&
        each.warp === warp.index &&
        (each.lanes & mask) !== 0 &&
        !warp.held.includes(each),
    );
    if (found === undefined) return false;
    const lanes = launch.lockstep ? mask : found.lanes & mask;
    warp.held = [...warp.held, found];
    warp.parked = [...warp.parked, { pc, lanes, version: NOT_PROVEN, watched: null }];
    warp.pc = pc;
    warp.mask = mask & ~lanes;
    return true;
  }

  /** Tells the operations whose registers and memories they work on. */
  private enter(context: BlockContext, warp: Warp): void {
    const { machine } = this;
    const { shadow } = machine;
    if (warp !== this.snapshotOwner) machine.reads = null;
    machine.block = context.block;
    machine.warp = warp.index;
    machine.sharedBase = context.sharedBase;
    machine.localBase = context.localBase(warp);
    if (shadow === null) return;
    shadow.block = context.block;
    shadow.warp = warp.index;
  }

  private branch(warp: Warp, taken: number, target: number): void {
    const { pc, mask } = warp;
    const rest = mask & ~taken;
    const backward = target <= pc;
    if (rest !== 0) {
      this.machine.counters.divergent[pc]! += 1;
      // The lower pc goes first.
      warp.makeReady(backward ? pc + 1 : target, backward ? rest : taken);
      warp.mask = backward ? taken : rest;
    }
    warp.pc = rest !== 0 && !backward ? pc + 1 : target;
    if (!backward) return;
    if (this.countsRounds) this.countRound(warp.base, pc, taken);
    this.watchLoop(warp, pc);
  }

  /** The lanes `taken` start a round of the loop whose backward branch is at `pc`. */
  private countRound(base: number, pc: number, taken: number): void {
    const { layout, registers } = this.machine;
    const { raised = null, anew = [] } = layout.rounds.raisedBy(pc) ?? {};
    for (let m = taken; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      if (raised !== null) registers.i32[base + layout.roundsRow(raised) + lane]! += 1;
      for (const counter of anew) registers.i32[base + layout.roundsRow(counter) + lane] = 0;
    }
  }

  /**
   * Called at a taken backward branch. A group is parked if the registers that the loop depends on are the same as the
   * last time here, and memory has not changed. It would loop for ever unless another thread writes what it reads. A
   * group that has only been long in its loops gives the others a turn.
   */
  private watchLoop(warp: Warp, pc: number): void {
    const { machine, snapshot } = this;
    const { i32 } = machine.registers;
    const end = machine.layout.registerWords;
    if (warp.snapshotPc === pc && this.snapshotOwner === warp) {
      warp.snapshotPc = -1;
      const { reads } = machine;
      machine.reads = null;
      if (
        warp.snapshotMask === warp.mask &&
        warp.snapshotVersion === machine.version &&
        this.repeats(warp, pc, reads)
      ) {
        park(warp, machine.version, reads?.watched(machine) ?? null);
        return;
      }
    }
    if (((++warp.backEdges & 63) === 0 || warp.suspected) && warp.snapshotPc < 0) {
      warp.suspected = false;
      machine.reads = this.reads.clear();
      snapshot.set(i32.subarray(warp.base, warp.base + end));
      this.snapshotOwner = warp;
      warp.snapshotPc = pc;
      warp.snapshotMask = warp.mask;
      warp.snapshotVersion = machine.version;
    }
    if (warp.issued - warp.charged > CHARGED_AT_ONCE) this.charge(warp);
    if (warp.issued - warp.scheduledAt > this.machine.launch.stepLimit / LOOP_TURNS) park(warp, NOT_PROVEN, null);
  }

  /**
   * The registers are those of the snapshot. Where the loop reads memory, those on which it does not depend may differ, as
   * one that counts its turns.
   */
  private repeats({ base }: Warp, backward: number, reads: WordsRead | null): boolean {
    const { machine, snapshot, compiled } = this;
    const { i32 } = machine.registers;
    let matters: Uint8Array | null = null;
    for (let k = 0; k < machine.layout.registerWords; k++) {
      if (snapshot[k] === i32[base + k]) continue;
      if (reads === null || reads.isEmpty) return false;
      matters ??= compiled.mattersInLoop(backward);
      if (matters[k] !== 0) return false;
    }
    return true;
  }

  /** The running group is at a warp primitive: lanes whose mask is complete do it, the others wait. */
  private collective(warp: Warp, acting: number): void {
    const { machine, compiled } = this;
    const { pc } = warp;
    const own = compiled.collectives[pc];
    if (own === null || own === undefined) throw new Error(`instruction ${pc} is no warp primitive`);
    const { lockstep } = machine.launch;
    const masks = machine.registers.i32;
    warp.pc = pc + 1;
    for (let rest = acting; rest !== 0; ) {
      const first = 31 - Math.clz32(rest & -rest);
      const maskAt = warp.base + (own.maskRow ?? 0);
      const mask = masks[maskAt + first]!;
      let group = 0;
      for (let m = rest; m !== 0; m &= m - 1) {
        const lane = 31 - Math.clz32(m & -m);
        if (masks[maskAt + lane]! === mask) group |= 1 << lane;
      }
      rest &= ~group;
      if (lockstep) {
        startExchange();
        own.collect(warp.base, acting);
        this.exchange(warp, [{ pc, lanes: group }], mask, acting & mask);
        continue;
      }
      if ((group & ~mask) !== 0) throw laneOutsideMask(this.site(pc, group & ~mask), mask);
      if (this.complete(warp, { pc, lanes: group, mask, key: own.key })) continue;
      warp.waits = [...warp.waits, { pc, lanes: group, mask, key: own.key }];
      warp.mask &= ~group;
    }
  }

  /** Does the primitive if, with `arriving`, all live lanes of its mask are there. The lanes that waited become ready. */
  private complete(warp: Warp, arriving: WarpWait): boolean {
    const { compiled } = this;
    const partners = warp.waits.filter((wait) => wait.key === arriving.key && wait.mask === arriving.mask);
    let present = arriving.lanes;
    for (const wait of partners) present |= wait.lanes;
    if ((arriving.mask & warp.live & ~present) !== 0) return false;
    startExchange();
    const all = [...partners, arriving];
    for (const { pc, lanes } of all) compiled.collectives[pc]?.collect(warp.base, lanes);
    this.exchange(warp, all, arriving.mask, present);
    if (partners.length > 0) {
      warp.waits = warp.waits.filter((wait) => !partners.includes(wait));
      for (const { pc, lanes } of partners) warp.makeReady(pc + 1, lanes);
    }
    return true;
  }

  /** Gives each group the values that all lanes have collected. */
  private exchange(
    warp: Warp,
    groups: readonly { readonly pc: number; readonly lanes: number }[],
    mask: number,
    participants: number,
  ): void {
    const { machine, compiled } = this;
    const { base } = warp;
    if (machine.shadow !== null) this.watchExchange(machine.shadow, warp, groups, mask, participants);
    const { accesses, program } = machine.launch;
    if (accesses !== undefined && program.instructions[groups[0]?.pc ?? 0]?.op === "syncwarp") {
      accesses.syncwarp(machine.block, warp.index, participants);
    }
    for (const { pc, lanes } of groups) {
      if (machine.journal?.ofRegisters === true) this.recordWritten(base, pc);
      compiled.collectives[pc]?.apply(base, lanes, participants);
    }
  }

  private watchExchange(
    shadow: Shadow,
    warp: Warp,
    groups: readonly { readonly pc: number; readonly lanes: number }[],
    mask: number,
    participants: number,
  ): void {
    const { base } = warp;
    for (const { pc, lanes } of groups) {
      const bad = shadow.paused ? 0 : (this.compiled.collectives[pc]?.badWidths?.(base, lanes) ?? 0);
      if (bad === 0) continue;
      const { layout, registers, launch } = this.machine;
      const width =
        registers.i32[base + layout.operand(launch.program.instructions[pc]!, 3) + 31 - Math.clz32(bad & -bad)]!;
      tellWidth(shadow.watch, this.site(pc, bad), width);
    }
    const everybody = mask === -1 && participants === -1;
    if (everybody && !shadow.active) return;
    shadow.meet();
    for (const { pc, lanes } of groups) {
      if (!everybody && !shadow.paused) checkMask(shadow.watch, this.site(pc, lanes), warp, mask, participants);
      shadow.bring(pc, base, lanes);
    }
    const absent = (lanes: number): string => absence(lanes, warp, mask);
    for (const { pc, lanes } of groups) {
      const sources = this.compiled.collectives[pc]?.sources?.(base, lanes) ?? null;
      shadow.take(pc, base, lanes, participants, sources, absent);
    }
  }

  /** Lanes that their primitive's missing lanes have left waiting for nobody, by ending, go on. True if any did. */
  releaseWaits(warp: Warp): boolean {
    for (const wait of warp.waits) {
      const others = warp.waits;
      warp.waits = others.filter((other) => other !== wait);
      if (this.complete(warp, wait)) {
        warp.makeReady(wait.pc + 1, wait.lanes);
        return true;
      }
      warp.waits = others;
    }
    return false;
  }

  private barrier(warp: Warp, acting: number): void {
    const { pc } = warp;
    warp.pc = pc + 1;
    if (acting === 0) return;
    warp.barrier = [...warp.barrier, { pc, lanes: acting }];
    warp.mask &= ~acting;
    // In lockstep the warp has arrived, and all of its lanes wait.
    if (this.machine.launch.lockstep) warp.suspend();
  }

  /** Who fails if instruction `pc` fails in `lanes` of the running warp. */
  site(pc: number, lanes: number): FaultSite {
    const { launch, block, warp } = this.machine;
    const instruction = launch.program.instructions[pc];
    if (instruction === undefined) throw new Error(`${launch.program.name} has no instruction ${pc}`);
    return { launch, instruction, block, warp, lanes };
  }

  private recordWritten(base: number, pc: number): void {
    const { journal, registers } = this.machine;
    for (const { offset, words } of this.compiled.written[pc] ?? [])
      journal?.record(registers.i32, base + offset, words);
  }

  private observe(observer: Observer, pc: number, active: number, guard: number): void {
    const { event } = this.machine;
    event.block = this.machine.block;
    event.warp = this.machine.warp;
    event.pc = pc;
    event.activeMask = active;
    event.guardMask = guard;
    observer.instruction?.(event);
  }
}

/** Default schedule: after control flow the group with the lowest pc runs, joined by all others there. */
function settle(warp: Warp, lockstep: boolean): void {
  const last = warp.readyCount - 1;
  // In lockstep the lanes that spin or wait at a barrier keep the others of their warp from running.
  if (last < 0 || (lockstep && (warp.parked.length > 0 || warp.barrier.length > 0))) return;
  if (warp.mask !== 0 && warp.readyPc[last]! >= warp.pc) return;
  warp.suspend();
  warp.runReady(warp.readyCount - 1);
}

function park(warp: Warp, version: number, watched: Parked["watched"]): void {
  warp.parked = [...warp.parked, { pc: warp.pc, lanes: warp.mask, version, watched }];
  warp.mask = 0;
}
