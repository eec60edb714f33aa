/**
 * List scheduling of straight-line code by the longest path to its end, as ptxas does. Loads are issued early and
 * together so that their latencies overlap, within a limit of registers. Method: Gibbons and Muchnick, "Efficient
 * instruction scheduling for a pipelined architecture" (1986).
 */

import { type Op, type Pipe, type Reg, WARP_PRIMITIVES } from "../program.js";
import type { Draft, DraftInst, DraftNode, DraftRegion } from "./draft.js";
import { eachInst, innerRegions } from "./draft.js";
import { branchesInside } from "./fixed-place.js";
import { MemoryOrder } from "./memory-order.js";

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

/**
 * The 32-bit registers that early loads may fill. With 2048 threads and 65536 registers an SM then keeps full
 * occupancy. With more live registers, loads are delayed.
 */
const MOST_WORDS = 30;
/** This many values local to a run may always be live together. */
const LEAST_LOCAL_WORDS = 8;

/** Nothing moves across these. */
const FENCES: ReadonlySet<Op> = new Set<Op>([
  "bssy",
  "bsync",
  "gridsync",
  "printf",
  "launch",
  "deviceSynchronize",
  "overhead",
]);
/** Exchanges between lanes keep their order. */
const CONVERGENT: ReadonlySet<Op> = new Set<Op>([...WARP_PRIMITIVES, "bar"]);
export function schedule(draft: Draft): void {
  const runs: DraftInst[][] = [];
  collectRuns(draft.region, runs);
  const words = wordsOf(draft);
  const lives = lifetimes(draft, runs);
  const local = words.map((size, reg) => (lives.owner[reg] === SHARED ? 0 : size));
  runs.forEach((run, index) => {
    if (run.length <= 2) return;
    let through = 0;
    words.forEach((size, reg) => {
      if (lives.owner[reg] === SHARED && lives.first[reg]! <= index && lives.last[reg]! >= index) through += size;
    });
    new Run(run, local, Math.max(LEAST_LOCAL_WORDS, MOST_WORDS - through)).order();
  });
  placeRuns(draft.region, runs);
}

/** A register that several runs, or a branch, use. */
const SHARED = -2;

interface Lifetimes {
  /** The only run that uses a register, or SHARED. */
  readonly owner: Int32Array;
  /** The first and last run of its live range. */
  readonly first: Int32Array;
  readonly last: Int32Array;
}

function lifetimes(draft: Draft, runs: readonly (readonly DraftInst[])[]): Lifetimes {
  const count = draft.registers.length;
  const owner = new Int32Array(count).fill(-1);
  const first = new Int32Array(count).fill(runs.length);
  const last = new Int32Array(count).fill(-1);
  const runOf = new Map<DraftInst, number>();
  runs.forEach((run, index) => {
    for (const inst of run) runOf.set(inst, index);
  });
  let current = 0;
  const touch = (reg: Reg, run: number): void => {
    first[reg] = Math.min(first[reg]!, run);
    last[reg] = Math.max(last[reg]!, run);
  };
  eachInst(draft.region, (inst) => {
    const run = runOf.get(inst);
    if (run !== undefined) current = run;
    eachRegister(inst, (reg) => {
      touch(reg, current);
      if (run === undefined || (owner[reg] !== -1 && owner[reg] !== run)) owner[reg] = SHARED;
      else owner[reg] = run;
    });
  });
  // A value that enters a loop is live in all of it.
  const loops = (region: DraftRegion): { readonly from: number; readonly to: number } | null => {
    let from = runs.length;
    let to = -1;
    const include = (run: number | undefined): void => {
      if (run === undefined) return;
      from = Math.min(from, run);
      to = Math.max(to, run);
    };
    for (const node of region) {
      if (node.kind === "inst") include(runOf.get(node.inst));
      else {
        for (const child of innerRegions(node)) {
          const range = loops(child);
          include(range?.from);
          include(range?.to);
        }
        if (node.kind === "loop") extend(loopRange(node, runOf), owner, first, last);
      }
    }
    return to < 0 ? null : { from, to };
  };
  loops(draft.region);
  return { owner, first, last };
}

function loopRange(
  loop: DraftNode,
  runOf: ReadonlyMap<DraftInst, number>,
): { readonly from: number; readonly to: number } {
  let from = Number.MAX_SAFE_INTEGER;
  let to = -1;
  for (const region of innerRegions(loop)) {
    eachInst(region, (inst) => {
      const run = runOf.get(inst);
      if (run === undefined) return;
      from = Math.min(from, run);
      to = Math.max(to, run);
    });
  }
  return { from, to };
}

function extend(
  range: { readonly from: number; readonly to: number },
  owner: Int32Array,
  first: Int32Array,
  last: Int32Array,
): void {
  for (let reg = 0; reg < owner.length; reg++) {
    if (owner[reg] === SHARED && first[reg]! < range.from && last[reg]! >= range.from)
      last[reg] = Math.max(last[reg]!, range.to);
  }
}

/** The 32-bit words of each register; global addresses have two. */
function wordsOf(draft: Draft): number[] {
  const words = draft.registers.map(({ type }) =>
    type === "bool" ? 0 : type === "i64" || type === "u64" || type === "f64" ? 2 : 1,
  );
  eachInst(draft.region, (inst) => {
    if (inst.op === "addr" && inst.mods.root?.kind === "param") for (const reg of inst.dst) words[reg] = 2;
  });
  return words;
}

function eachRegister(inst: DraftInst, visit: (reg: Reg) => void): void {
  for (const reg of inst.dst) visit(reg);
  for (const operand of inst.src) if (operand.kind === "reg") visit(operand.reg);
  if (inst.guard !== null) visit(inst.guard.reg);
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
    if (node.kind === "inst" && !FENCES.has(node.inst.op) && !branchesInside(node.inst.issue)) return;
    flush(i);
    start = i + 1;
  });
  flush(region.length);
}

function collectRuns(region: DraftRegion, into: DraftInst[][]): void {
  eachStretch(region, (start, end) => {
    into.push(region.slice(start, end).flatMap((node) => (node.kind === "inst" ? [node.inst] : [])));
  });
  for (const node of region) for (const inner of innerRegions(node)) collectRuns(inner, into);
}

function placeRuns(region: DraftRegion, runs: DraftInst[][]): void {
  eachStretch(region, (start) => {
    const run = runs.shift()!;
    run.forEach((inst, i) => {
      region[start + i] = { kind: "inst", inst };
    });
  });
  for (const node of region) for (const inner of innerRegions(node)) placeRuns(inner, runs);
}

interface Edge {
  readonly to: number;
  readonly cycles: number;
}

class Run {
  private readonly insts: DraftInst[];
  private readonly words: readonly number[];
  private readonly mostWords: number;
  private readonly after: Edge[][];
  private readonly waits: Int32Array;

  constructor(insts: DraftInst[], words: readonly number[], mostWords: number) {
    this.insts = insts;
    this.words = words;
    this.mostWords = mostWords;
    this.after = insts.map(() => []);
    this.waits = new Int32Array(insts.length);
  }

  order(): void {
    this.dependencies();
    const { insts, after } = this;
    const path = new Float64Array(insts.length);
    for (let i = insts.length - 1; i >= 0; i--) {
      let longest = latency(insts[i]!);
      for (const { to, cycles } of after[i]!) longest = Math.max(longest, cycles + path[to]!);
      path[i] = longest;
    }
    const readyAt = new Float64Array(insts.length);
    const ready: number[] = [];
    this.waits.forEach((count, i) => {
      if (count === 0) ready.push(i);
    });
    const readsLeft = this.countReads();
    const result: DraftInst[] = [];
    let now = 0;
    let alive = 0;
    while (ready.length > 0) {
      const full = alive >= this.mostWords;
      let best = -1;
      for (let k = 0; k < ready.length; k++) {
        if (best === -1 || this.better(ready[k]!, ready[best]!, now, readyAt, path, full)) best = k;
      }
      const chosen = ready.splice(best, 1)[0]!;
      const inst = insts[chosen]!;
      now = Math.max(now, readyAt[chosen]!);
      result.push(inst);
      alive += this.pressure(inst, readsLeft);
      for (const { to, cycles } of after[chosen]!) {
        readyAt[to] = Math.max(readyAt[to]!, now + cycles);
        this.waits[to] = this.waits[to]! - 1;
        if (this.waits[to] === 0) ready.push(to);
      }
      now += inst.issue.length;
    }
    insts.splice(0, insts.length, ...result);
  }

  private better(a: number, b: number, now: number, readyAt: Float64Array, path: Float64Array, full: boolean): boolean {
    if (full) {
      const loadsA = isLoad(this.insts[a]!);
      const loadsB = isLoad(this.insts[b]!);
      if (loadsA !== loadsB) return loadsB;
      if (!loadsA) return a < b;
    }
    const startA = Math.max(now, readyAt[a]!);
    const startB = Math.max(now, readyAt[b]!);
    if (startA !== startB) return startA < startB;
    if (path[a] !== path[b]) return path[a]! > path[b]!;
    return a < b;
  }

  private countReads(): Map<Reg, number> {
    const reads = new Map<Reg, number>();
    for (const inst of this.insts) {
      for (const operand of inst.src) {
        if (operand.kind === "reg") reads.set(operand.reg, (reads.get(operand.reg) ?? 0) + 1);
      }
    }
    return reads;
  }

  /** The change in live words by the instruction. */
  private pressure(inst: DraftInst, readsLeft: Map<Reg, number>): number {
    let change = 0;
    for (const operand of inst.src) {
      if (operand.kind !== "reg") continue;
      const left = (readsLeft.get(operand.reg) ?? 1) - 1;
      readsLeft.set(operand.reg, left);
      if (left === 0) change -= this.words[operand.reg]!;
    }
    for (const reg of inst.dst) if ((readsLeft.get(reg) ?? 0) > 0) change += this.words[reg]!;
    return change;
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
    this.insts.forEach((inst, i) => {
      const read = (reg: Reg): void => {
        const writer = written.get(reg);
        if (writer !== undefined) this.edge(writer, i, latency(this.insts[writer]!));
        const list = readers.get(reg);
        if (list === undefined) readers.set(reg, [i]);
        else list.push(i);
      };
      for (const operand of inst.src) if (operand.kind === "reg") read(operand.reg);
      if (inst.guard !== null) read(inst.guard.reg);
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
      memory.visit(inst, i, (from, cycles) => this.edge(from, i, cycles));
    });
  }
}

function isLoad(inst: DraftInst): boolean {
  return inst.op === "ld";
}

function latency(inst: DraftInst): number {
  const last = inst.issue.at(-1);
  if (last === undefined) return 0;
  if ((inst.op === "ld" || inst.op === "atom") && inst.mods.space !== "shared") return GLOBAL_LATENCY;
  let cycles = 0;
  for (const slot of inst.issue) cycles += slot.independent ? 1 : LATENCY[slot.pipe];
  return cycles;
}
