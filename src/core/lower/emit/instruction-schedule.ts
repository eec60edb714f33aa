/**
 * List scheduling of straight-line code by the longest path to its end, as ptxas does. Loads are issued early and
 * together so that their latencies overlap, within a limit of registers. Method: Gibbons and Muchnick, "Efficient
 * instruction scheduling for a pipelined architecture" (1986).
 */

import type { Target } from "../machine/target.js";
import { type Op, type Pipe, type Reg, WARP_PRIMITIVES } from "../program.js";
import type { Draft, DraftInst, DraftLoop, DraftRegion } from "./draft.js";
import { innerRegions } from "./draft.js";
import { finish } from "./finish.js";
import { branchesInside } from "./fixed-place.js";
import { MemoryOrder } from "./memory-order.js";
import { type LiveRanges, liveRanges, registersToFill, wordsOf } from "./register-count.js";

/** Rough latencies in cycles, to rank instructions; the timing model has each GPU's own. */
const LATENCY: Record<Pipe, number> = {
  alu: 4,
  fma: 4,
  imad: 5,
  fp64: 8,
  xu: 18,
  lsu: 30,
  shuffle: 24,
  vote: 12,
  uniform: 6,
  constant: 25,
  special: 20,
  cbu: 1,
  adu: 12,
};
const GLOBAL_LATENCY = 250;
/** A branch or a guarded instruction needs its predicate this much earlier than an ALU needs a result. */
const GUARD_DELAY = 9;

/**
 * Registers that ptxas keeps free while it moves loads to the front. With a limit of 24, 32 and 64 registers, nvcc 13.0
 * uses 18 to 20, 26 to 28 and 57 for sums of 64 products.
 */
const KEPT_REGISTERS = 4;

/** Nothing moves across these. */
const FENCES: ReadonlySet<Op> = new Set<Op>(["bssy", "bsync", "gridsync", "printf", "launch", "deviceSynchronize"]);
/** What begins a kernel stays there; the moves of a predicated access go with it. */
function isFence({ op, guard }: DraftInst): boolean {
  return FENCES.has(op) || (op === "overhead" && guard === null);
}
/** Exchanges between lanes keep their order. */
const CONVERGENT: ReadonlySet<Op> = new Set<Op>([...WARP_PRIMITIVES, "bar"]);

export function schedule(draft: Draft, target: Target): void {
  const code = finish(draft);
  const words = wordsOf(code);
  const ranges = liveRanges(code, false, null);
  const most = registersToFill(code, target) - KEPT_REGISTERS;
  orderRuns(draft.region, null, (run, leaves, clock) => new Run(run, words, ranges, most, leaves, clock).order());
}

/** Instructions that are ordered together: a longer sequence is ordered in parts, as the time grows with the square. */
const MOST_INSTRUCTIONS = 4096;

/** Calls `run` for each sequence without a fence, in program order. */
function eachStretch(region: DraftRegion, run: (start: number, end: number) => void): void {
  let start = 0;
  const flush = (end: number): void => {
    for (; end - start > MOST_INSTRUCTIONS; start += MOST_INSTRUCTIONS) run(start, start + MOST_INSTRUCTIONS);
    if (end > start) run(start, end);
  };
  region.forEach((node, i) => {
    if (node.kind === "inst" && !isFence(node.inst) && !branchesInside(node.inst.issue)) return;
    flush(i);
    start = i + 1;
  });
  flush(region.length);
}

/** Cycles of a region's straight code, and when results of its earlier runs are available. */
interface Clock {
  now: number;
  readonly available: Map<Reg, number>;
}

/** `leaves`: the predicate of the branch behind the run; null where there is none. */
type Order = (run: readonly DraftInst[], leaves: Reg | null, clock: Clock) => readonly DraftInst[];

/** @param after the predicate of the branch behind the region */
function orderRuns(region: DraftRegion, after: Reg | null, order: Order): void {
  const clock: Clock = { now: 0, available: new Map() };
  let last = 0;
  eachStretch(region, (start, end) => {
    if (end - start <= 2) return;
    for (const node of region.slice(last, start)) {
      if (node.kind === "inst") clock.now += node.inst.issue.length;
      else clock.available.clear();
    }
    last = end;
    const run = region.slice(start, end).flatMap((node) => (node.kind === "inst" ? [node.inst] : []));
    const next = region[end];
    const leaves = next === undefined ? after : next.kind === "if" || next.kind === "jump" ? next.condition?.reg : null;
    order(run, leaves ?? null, clock).forEach((inst, i) => {
      region[start + i] = { kind: "inst", inst };
    });
  });
  for (const node of region) {
    if (node.kind === "loop") orderLoop(node, order);
    else for (const inner of innerRegions(node)) orderRuns(inner, null, order);
  }
}

/**
 * The body and what every iteration ends with are one sequence, where nothing jumps between them. Moves that are left at
 * the end stay behind the last readers of their registers.
 */
function orderLoop({ id, body, latch, condition }: DraftLoop, order: Order): void {
  const back = condition?.reg ?? null;
  if (continues(body, id) || latch.some((node) => node.kind === "inst" && node.inst.copy)) {
    orderRuns(body, null, order);
    orderRuns(latch, back, order);
    return;
  }
  const whole = [...body, ...latch];
  orderRuns(whole, back, order);
  body.splice(0, body.length, ...whole.slice(0, body.length));
  latch.splice(0, latch.length, ...whole.slice(whole.length - latch.length));
}

function continues(region: DraftRegion, loop: number): boolean {
  return region.some(
    (node) =>
      (node.kind === "jump" && node.jump === "continue" && node.loop === loop) ||
      innerRegions(node).some((inner) => continues(inner, loop)),
  );
}

interface Edge {
  readonly to: number;
  readonly cycles: number;
}

class Run {
  private readonly after: Edge[][];
  private readonly waits: Int32Array;
  private readonly live: LiveWords;
  private readonly readyAt: Float64Array;
  private globalLoads = 0;

  constructor(
    private readonly insts: readonly DraftInst[],
    words: readonly number[],
    ranges: LiveRanges,
    private readonly mostWords: number,
    private readonly leaves: Reg | null,
    private readonly clock: Clock,
  ) {
    this.after = insts.map(() => []);
    this.waits = new Int32Array(insts.length);
    this.readyAt = new Float64Array(insts.length);
    this.live = new LiveWords(insts, words, ranges);
  }

  order(): readonly DraftInst[] {
    this.dependencies();
    const { insts, after, live, readyAt, clock } = this;
    const path = new Float64Array(insts.length);
    for (let i = insts.length - 1; i >= 0; i--) {
      const inst = insts[i]!;
      let longest = latency(inst) + (this.leaves !== null && inst.dst.includes(this.leaves) ? GUARD_DELAY : 0);
      for (const { to, cycles } of after[i]!) longest = Math.max(longest, cycles + path[to]!);
      path[i] = longest;
    }
    const ready: number[] = [];
    this.waits.forEach((count, i) => {
      if (count === 0) ready.push(i);
    });
    this.globalLoads = insts.filter(isGlobalLoad).length;
    // Those that need more registers than are left come in program order.
    const precedes = (a: number, b: number, time: number, fit: boolean): boolean => {
      if (!fit) return a < b;
      const [startA, startB] = [Math.max(time, readyAt[a]!), Math.max(time, readyAt[b]!)];
      if (startA !== startB) return startA < startB;
      return path[a] !== path[b] ? path[a]! > path[b]! : a < b;
    };
    const result: DraftInst[] = [];
    let { now } = clock;
    const barriers = insts.flatMap(({ op }, i) => (op === "bar" ? [i] : []));
    while (ready.length > 0) {
      const barrier = barriers[0] ?? Number.POSITIVE_INFINITY;
      let best = -1;
      let bestFits = false;
      for (const [k, index] of ready.entries()) {
        // What frees no register gains nothing in front of a barrier.
        if (index > barrier && live.change(index) >= 0) continue;
        const fits = this.fits(index);
        const better = best < 0 || (fits === bestFits ? precedes(index, ready[best]!, now, fits) : fits);
        if (better) [best, bestFits] = [k, fits];
      }
      const chosen = ready.splice(best, 1)[0]!;
      const inst = insts[chosen]!;
      now = Math.max(now, readyAt[chosen]!);
      result.push(inst);
      if (chosen === barrier) barriers.shift();
      live.place(chosen);
      if (isGlobalLoad(inst)) this.globalLoads--;
      for (const { to, cycles } of after[chosen]!) {
        readyAt[to] = Math.max(readyAt[to]!, now + cycles);
        this.waits[to] = this.waits[to]! - 1;
        if (this.waits[to] === 0) ready.push(to);
      }
      for (const reg of inst.dst) clock.available.set(reg, now + latency(inst));
      now += inst.issue.length;
    }
    clock.now = now;
    return result;
  }

  /** Whether the registers that are left suffice. Global loads have them before shared ones. */
  private fits(index: number): boolean {
    const { op, mods } = this.insts[index]!;
    if (this.globalLoads > 0 && op === "ld" && mods.space === "shared") return false;
    return this.live.fits(index, this.mostWords);
  }

  private edge(from: number, to: number, cycles: number): void {
    if (from === to) return;
    this.after[from]!.push({ to, cycles });
    this.waits[to] = this.waits[to]! + 1;
  }

  private dependencies(): void {
    const written = new Map<Reg, number>();
    const readers = new Map<Reg, number[]>();
    const memory = new MemoryOrder();
    let convergent = -1;
    let barrier = -1;
    this.insts.forEach((inst, i) => {
      const read = (reg: Reg, delay: number = 0): void => {
        const writer = written.get(reg);
        if (writer !== undefined) this.edge(writer, i, latency(this.insts[writer]!) + delay);
        else this.readyAt[i] = Math.max(this.readyAt[i]!, (this.clock.available.get(reg) ?? 0) + delay);
        const list = readers.get(reg);
        if (list === undefined) readers.set(reg, [i]);
        else list.push(i);
      };
      for (const operand of inst.src) if (operand.kind === "reg") read(operand.reg);
      if (inst.guard !== null) read(inst.guard.reg, GUARD_DELAY);
      for (const reg of inst.dst) {
        if (!inst.kills) read(reg);
        for (const reader of readers.get(reg) ?? []) this.edge(reader, i, 0);
        const writer = written.get(reg);
        if (writer !== undefined) this.edge(writer, i, 1);
        written.set(reg, i);
        readers.set(reg, inst.kills ? [] : [i]);
      }
      if (CONVERGENT.has(inst.op)) {
        if (convergent >= 0) this.edge(convergent, i, 1);
        convergent = i;
      }
      if (inst.op === "bar") {
        for (let before = barrier + 1; before < i; before++) this.edge(before, i, 0);
        barrier = i;
      }
      memory.visit(inst, i, (from, cycles) => this.edge(from, i, cycles));
    });
  }
}

function isGlobalLoad({ op, mods }: DraftInst): boolean {
  return op === "ld" && mods.space !== "shared";
}

function latency(inst: DraftInst): number {
  const last = inst.issue.at(-1);
  if (last === undefined) return 0;
  if ((inst.op === "ld" || inst.op === "atom") && inst.mods.space !== "shared") return GLOBAL_LATENCY;
  let cycles = 0;
  for (const slot of inst.issue) cycles += slot.independent ? 1 : LATENCY[slot.pipe];
  return cycles;
}

/** The 32-bit registers in use while the instructions of a run are placed. */
class LiveWords {
  /** The registers of each instruction, each once. */
  private readonly touched: readonly (readonly Reg[])[];
  /** How many instructions of the run have yet to read or write a register; one more if it is live after the run. */
  private readonly left = new Map<Reg, number>();
  private readonly alive = new Set<Reg>();
  private count = 0;
  /** The words that an instruction writes: it needs no more. */
  private readonly written: readonly number[];

  constructor(
    insts: readonly DraftInst[],
    private readonly words: readonly number[],
    { first, last }: LiveRanges,
  ) {
    this.written = insts.map(({ dst }) => dst.reduce((sum, reg) => sum + words[reg]!, 0));
    const [start, end] = [insts[0]!.pc, insts.at(-1)!.pc];
    this.touched = insts.map(({ src, dst }) => [
      ...new Set([...dst, ...src.flatMap((operand) => (operand.kind === "reg" ? [operand.reg] : []))]),
    ]);
    for (const regs of this.touched) for (const reg of regs) this.left.set(reg, (this.left.get(reg) ?? 0) + 1);
    for (const [reg, left] of this.left) if (last[reg]! > end) this.left.set(reg, left + 1);
    for (let reg = 0; reg < first.length; reg++) {
      if (first[reg]! < 0 || first[reg]! >= start || last[reg]! < start) continue;
      this.alive.add(reg);
      this.count += words[reg]!;
    }
  }

  /** Whether at most `most` registers are in use after the instruction, or no more than before it. */
  fits(index: number, most: number): boolean {
    if (this.count + this.written[index]! <= most) return true;
    const change = this.change(index);
    return change <= 0 || this.count + change <= most;
  }

  place(index: number): void {
    this.count += this.change(index);
    for (const reg of this.touched[index]!) {
      const left = this.left.get(reg)! - 1;
      this.left.set(reg, left);
      if (left > 0) this.alive.add(reg);
      else this.alive.delete(reg);
    }
  }

  /** How many more words are in use after the instruction. */
  change(index: number): number {
    let sum = 0;
    for (const reg of this.touched[index]!) {
      const stays = this.left.get(reg)! > 1;
      if (stays !== this.alive.has(reg)) sum += stays ? this.words[reg]! : -this.words[reg]!;
    }
    return sum;
  }
}
