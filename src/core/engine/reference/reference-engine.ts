/**
 * The reference engine: every instruction of every warp, lane by lane, as the program says. It is slower than the fast
 * engine and does what the other cannot: observers, seeded schedules, locks within a warp,
 * primitives in both branches. Blocks may wait for one another. Hangs are proven and reported.
 */
import { InputError } from "../../base/errors.js";
import type { Instruction, Program } from "../../lower/program.js";
import type { BlockRange, BlockWork, Engine, EngineResult, Observer, PreparedLaunch, RawCounters } from "../engine.js";
import { BlockContext } from "./block-context.js";
import { compileProgram } from "./compiled-program.js";
import { Executor, LOOP_TURNS } from "./executor.js";
import { createMachineState, localWords, type MachineState, sharedWords, warpsPerBlock } from "./machine-state.js";
import { runChildrenEarly } from "./operations/child-launch.js";
import { layoutRegisters, type RegisterLayout } from "./register-layout.js";
import { canGoOn, runBurst } from "./schedule/adversary.js";
import { type EndedBlocks, hangFault } from "./schedule/hang-report.js";
import { SeededRandom } from "./schedule/seeded-random.js";
import { checkBarrier } from "./schedule/synchronization-report.js";
import { allArrived, nextWarp, releaseBarrier, resumeLongLoops } from "./schedule/warp-order.js";
import { type Beginning, SingleBlock } from "./single-block.js";
import type { Hold } from "./warp.js";

/**
 * `default`: deterministic, the order at the head of engine.ts. `adversarial`: a random legal order, the same for the
 * same seed. `held`: the default one, but some lanes are held back.
 */
export type Schedule =
  | { readonly kind: "default" }
  | { readonly kind: "adversarial"; readonly seed: number }
  | { readonly kind: "held"; readonly holds: readonly Hold[] };

export interface ReferenceOptions {
  readonly schedule?: Schedule;
  readonly observer?: Observer;
}

export interface ReferenceResult extends EngineResult {
  /** The seed to replay the schedule; null for the default one. */
  readonly seed: number | null;
}

export interface ReferenceEngine extends Engine {
  run(launch: PreparedLaunch, blocks: BlockRange, counters: RawCounters, work?: BlockWork | null): ReferenceResult;
  /**
   * Runs one block as `run` does if that takes no more than `most` warp instructions. In a longer block it runs
   * only the beginning of each warp, about as much of each, for the observer. Then memory is put back, nothing is
   * counted, and null is given. For the default schedule and blocks that start no grids and wait for no others.
   */
  runShort(launch: PreparedLaunch, block: number, counters: RawCounters, most: () => number): ReferenceResult | null;
  /**
   * Runs as much of one block for the observer as `runShort` would, and puts memory back even if the block has ended.
   * null if the block fails.
   */
  rehearse(launch: PreparedLaunch, block: number, most: () => number): Beginning | null;
}

export function createReferenceEngine(options: ReferenceOptions = {}): ReferenceEngine {
  let last: SingleBlock | null = null;
  const singleBlock = (launch: PreparedLaunch): SingleBlock => {
    if (last?.isOf(launch) !== true) last = new SingleBlock(launch, options.observer ?? null);
    return last;
  };
  return {
    name: "reference",
    run(launch, blocks, counters, work = null) {
      const run = new LaunchRun(launch, counters, options, work);
      return run.execute(blocks);
    },
    runShort(launch, block, counters, most) {
      const single = singleBlock(launch);
      return single.run(block, most, counters)?.ended === true ? { ...single.printed, seed: null } : null;
    },
    rehearse(launch, block, most) {
      return singleBlock(launch).run(block, most, null);
    },
  };
}

/** Blocks held at a time by a launch whose blocks wait for one another, in bytes of registers and memories. */
const MOST_BYTES_HELD = 1 << 30;
/** Blocks that an adversarial schedule mixes. */
const MIXED_BLOCKS = 4;
/** Bursts after which blocks that only loop let others take part. */
const MIXED_BURSTS = 2 ** 16;

/** Blocks whose order a seed mixes at a time, so that a huge grid takes little memory. */
const SHUFFLED_BLOCKS = 2 ** 20;

/** Takes the next blocks off `rest`, in an order of chance where there is one. The last one is next. */
function nextBlocks(
  rest: { first: number; readonly end: number; readonly step: number },
  random: SeededRandom | null,
): number[] {
  const order: number[] = [];
  for (; rest.first < rest.end && order.length < SHUFFLED_BLOCKS; rest.first += rest.step) order.push(rest.first);
  if (random === null) order.reverse();
  else random.shuffle(order);
  return order;
}

function issuedIn({ warps }: BlockContext): number {
  return warps.reduce((sum, warp) => sum + warp.issued, 0);
}

class LaunchRun {
  private readonly layout: RegisterLayout;
  private readonly seed: number | null;
  private machine: MachineState;
  private executor: Executor;
  private slots: BlockContext[];
  private free: BlockContext[];
  /** Blocks that the GPU, and that this engine can hold at a time. */
  private readonly resident: number;
  private readonly limit: number;
  /** Blocks of this run that have ended, and how many it has. */
  private readonly ended: EndedBlocks = { count: 0, first: Number.POSITIVE_INFINITY };
  private blockCount = 0;

  constructor(
    private readonly launch: PreparedLaunch,
    private readonly counters: RawCounters,
    private readonly options: ReferenceOptions,
    private readonly work: BlockWork | null,
  ) {
    this.layout = layoutRegisters(launch);
    this.seed = options.schedule?.kind === "adversarial" ? options.schedule.seed : null;
    const warps = warpsPerBlock(launch);
    const bytes = 4 * (warps * (this.layout.wordsPerWarp + 32 * localWords(launch)) + sharedWords(launch));
    const [x, y, z] = launch.grid;
    this.resident = launch.residentBlocks ?? x * y * z;
    this.limit = Math.max(1, Math.min(this.resident, Math.floor(MOST_BYTES_HELD / bytes)));
    const held = launch.program.cooperative ? x * y * z : this.seed === null ? 1 : MIXED_BLOCKS;
    this.machine = this.createMachine(Math.min(held, this.limit));
    this.executor = this.createExecutor();
    this.slots = Array.from({ length: Math.min(held, this.limit) }, (_, slot) => new BlockContext(this.machine, slot));
    this.free = [...this.slots].reverse();
  }

  private createMachine(contexts: number): MachineState {
    const { launch, layout, counters, seed } = this;
    return createMachineState(launch, layout, counters, contexts, seed);
  }

  private createExecutor(): Executor {
    const { lockstep } = this.launch;
    return new Executor(this.machine, compileProgram(this.machine), {
      observer: this.options.observer ?? null,
      converge: this.seed === null || lockstep,
      ...(this.options.schedule?.kind === "held" ? { holds: this.options.schedule.holds } : {}),
    });
  }

  execute(blocks: BlockRange): ReferenceResult {
    const blockCount = Math.max(0, Math.ceil((blocks.end - blocks.first) / blocks.step));
    this.blockCount = blockCount;
    if (this.seed === null) this.executeInOrder(blocks);
    else this.executeMixed(blocks, new SeededRandom(this.seed));
    this.counters.blocks += blockCount;
    this.counters.warps += blockCount * warpsPerBlock(this.launch);
    return { ...this.machine.printed.result, seed: this.seed };
  }

  /** Blocks one after the other; one that can only wait for others stays resident while the next ones start. */
  private executeInOrder({ first, end, step }: BlockRange): void {
    let held: BlockContext[] = [];
    for (let block = first; block < end; block += step) {
      if (this.free.length === 0) this.holdMore(held);
      while (this.free.length === 0) held = this.goOnTogether(held, Math.ceil((end - block) / step));
      const context = this.free.pop()!;
      context.start(block);
      held.push(context);
      held = this.goOn(held, (candidate) => candidate === context);
    }
    while (held.length > 0) held = this.goOnTogether(held, 0);
  }

  /** Lets all held blocks go on; `outside`: blocks that have not started. */
  private goOnTogether(held: readonly BlockContext[], outside: number): BlockContext[] {
    const before = this.progress(held);
    const rest = this.goOn(held, () => true);
    if (rest.length === held.length && this.progress(rest) === before && !this.openGridBarrier(rest)) {
      throw this.hang(rest, outside);
    }
    return rest;
  }

  /** Runs the blocks as far as they go, those that `insists` names through their long loops too; gives what is not done. */
  private goOn(held: readonly BlockContext[], insists: (context: BlockContext) => boolean): BlockContext[] {
    for (const context of held) {
      if (!context.mayGoOn(this.machine, !insists(context))) continue;
      this.drain(context);
      // Warps that were only long in a loop go on once the others of their block have had a turn. Other blocks get
      // theirs when half of the step limit is used up, so that long loops do not change the order of the blocks.
      let turns = LOOP_TURNS / 2;
      while (turns-- > 0 && insists(context) && resumeLongLoops(context)) this.drain(context);
      if (!context.done) {
        context.fallAsleep();
        continue;
      }
      this.release(context);
      if (this.work !== null) this.work[context.block] = issuedIn(context);
    }
    return held.filter((context) => !context.done);
  }

  private release(context: BlockContext): void {
    this.free.push(context);
    this.ended.count++;
    this.ended.first = Math.min(this.ended.first, context.block);
    this.launch.accesses?.blockEnds(context.block);
  }

  private drain(context: BlockContext): void {
    for (;;) {
      const warp = nextWarp(this.executor, context);
      if (warp === null) return;
      this.executor.run(context, warp, Number.POSITIVE_INFINITY);
    }
  }

  private progress(held: readonly BlockContext[]): number {
    let issued = held.length * 1e12;
    for (const context of held) for (const warp of context.warps) issued += warp.issued;
    return issued;
  }

  /** Every block has to come: one that has ended does not, nor one whose first thread has, which reports for its block. */
  private openGridBarrier(held: readonly BlockContext[]): boolean {
    if (held.length < this.blockCount) return false;
    const { machine } = this;
    if (!held.every((context) => context.firstThreadLives && allArrived(machine, context, "gridsync"))) return false;
    for (const context of held) {
      checkBarrier(machine, context);
      for (const warp of context.warps) releaseBarrier(warp);
      context.wakeUp();
    }
    machine.launch.accesses?.gridBarrier();
    return true;
  }

  /** `outside`: blocks that have not started, for want of room. */
  private hang(held: readonly BlockContext[], outside: number): Error {
    if (outside > 0 && this.limit < this.resident) {
      return new InputError({
        what: `${this.launch.program.name}: the blocks wait for one another, and the simulator has room for ${this.limit} of them at once`,
        cure: "launch fewer blocks, or blocks with fewer threads and smaller arrays",
      });
    }
    const missing = outside === 0 ? null : { count: outside, held: this.limit };
    return hangFault(this.machine, held, this.ended, this.seed, missing);
  }

  /** Twice as many slots, with the blocks at hand moved to the new memories. */
  private holdMore(held: readonly BlockContext[]): void {
    const old = this.machine;
    const count = Math.min(this.slots.length * 2, this.limit);
    if (count === this.slots.length) return;
    this.machine = this.createMachine(count);
    this.machine.registers.i32.set(old.registers.i32);
    this.machine.shared.i32.set(old.shared.i32);
    this.machine.local.adopt(old.local);
    if (old.shadow !== null) this.machine.shadow?.adopt(old.shadow);
    this.machine.version = old.version;
    this.machine.printed.append(old.printed.result);
    for (const context of held) context.moveTo(this.machine);
    this.executor = this.createExecutor();
    const added = Array.from(
      { length: count - this.slots.length },
      (_, index) => new BlockContext(this.machine, this.slots.length + index),
    );
    this.slots = [...this.slots, ...added];
    this.free = added.reverse();
  }

  private executeMixed(blocks: BlockRange, random: SeededRandom): void {
    if (this.launch.program.cooperative && this.blockCount > this.slots.length) {
      throw new InputError({
        what: `${this.blockCount} blocks of a cooperative launch do not fit into the memory of a mixed schedule`,
        cure: "launch fewer blocks",
      });
    }
    const most = this.slots.length;
    const mayWait = readsAgain(this.launch.program);
    const rest = { ...blocks };
    // A grid starts in any order as long as all of its blocks are held in the end.
    const shuffles = !mayWait || this.blockCount <= this.limit;
    let order: number[] = [];
    const mixed: BlockContext[] = [];
    const waiting: BlockContext[] = [];
    // The memory's version when all that wait were last seen to wait.
    let seen = -1;
    const setAside = (note: (context: BlockContext) => void): void => {
      for (const context of mixed) note(context);
      waiting.push(...mixed.splice(0));
    };
    const wake = (patient: boolean): void => {
      if (mixed.length === most || waiting.length === 0 || seen === this.machine.version) return;
      const able = waiting.filter((context) => canGoOn(this.executor, context, patient));
      random.shuffle(able);
      for (const context of able.splice(0, most - mixed.length)) {
        waiting.splice(waiting.indexOf(context), 1);
        mixed.push(context);
      }
      if (able.length === 0) seen = this.machine.version;
    };
    for (let burst = 0; ; burst++) {
      if (order.length === 0) order = nextBlocks(rest, shuffles ? random : null);
      const changes = mayWait && burst % MIXED_BURSTS === MIXED_BURSTS - 1;
      if (changes) setAside((context) => context.wakeUp());
      else wake(true);
      while (order.length > 0 && mixed.length < most) {
        if (this.free.length === 0 && waiting.length > 0) this.holdMore([...mixed, ...waiting]);
        const context = this.free.pop();
        if (context === undefined) break;
        context.start(order.pop() ?? 0);
        mixed.push(context);
      }
      if (changes || mixed.length === 0) {
        seen = -1;
        wake(false);
      }
      if (mixed.length === 0) {
        if (waiting.length === 0) return;
        throw this.hang(waiting, order.length + Math.ceil(Math.max(0, rest.end - rest.first) / rest.step));
      }
      const ran = runBurst(this.executor, mixed, random, burst);
      if (this.launch.children !== undefined) runChildrenEarly(this.machine);
      if (!ran) {
        if (!this.openGridBarrier([...mixed, ...waiting])) setAside((context) => context.fallAsleep());
        seen = -1;
      }
      for (let k = mixed.length - 1; k >= 0; k--) if (mixed[k]!.done) this.release(mixed.splice(k, 1)[0]!);
    }
  }
}

/** Some loop reads memory again and again, as one that waits for another thread does. */
function readsAgain({ instructions }: Program): boolean {
  const repeats = ({ op, volatile = false, space }: Instruction): boolean =>
    op === "atom" || (op === "ld" && volatile && space !== "local");
  return instructions.some(
    ({ op, target, pc }) =>
      op === "bra" && target !== undefined && target <= pc && instructions.slice(target, pc).some(repeats),
  );
}
