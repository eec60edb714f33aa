/**
 * Removes moves between values that can share a register: aggressive coalescing (Chaitin, 1982) on the interference
 * graph of the registers that moves join. Liveness runs over the tree.
 */

import type { Reg, RegisterType } from "../program.js";
import type { Draft, DraftInst, DraftNode, DraftRegion } from "./draft.js";
import { innerRegions, renameRegisters } from "./draft.js";

export function coalesce(draft: Draft): void {
  const copies = collectCopies(draft.region);
  if (copies.length === 0) return;
  const candidates = new Int32Array(draft.registers.length).fill(-1);
  let count = 0;
  const note = (reg: Reg): void => {
    if (candidates[reg] === -1) candidates[reg] = count++;
  };
  for (const { to, from } of copies) {
    note(to);
    note(from);
  }
  const interference = new Interference(candidates, count);
  interference.run(draft.region);
  const merged = new Int32Array(draft.registers.length).map((_, reg) => reg);
  const find = (reg: Reg): Reg => {
    let root = reg;
    while (merged[root] !== root) root = merged[root]!;
    merged[reg] = root;
    return root;
  };
  copies.sort((a, b) => b.depth - a.depth);
  for (const { to, from } of copies) {
    const a = find(to);
    const b = find(from);
    if (a === b) continue;
    const registerA = draft.registers[a]!;
    const registerB = draft.registers[b]!;
    if (width(registerA.type) !== width(registerB.type)) continue;
    if (interference.meets(candidates[a]!, candidates[b]!)) continue;
    merged[b] = a;
    interference.unite(candidates[a]!, candidates[b]!);
    if (registerA.name === null) draft.registers[a] = { type: registerA.type, name: registerB.name };
  }
  renameRegisters(draft.region, find);
  removeSelfCopies(draft.region);
}

function width(type: RegisterType): string {
  if (type === "i32" || type === "u32") return "32";
  if (type === "i64" || type === "u64") return "64";
  return type;
}

interface Copy {
  readonly to: Reg;
  readonly from: Reg;
  readonly depth: number;
}

function collectCopies(region: DraftRegion, depth = 0, into: Copy[] = []): Copy[] {
  for (const node of region) {
    if (node.kind === "inst") {
      const { inst } = node;
      const from = inst.src[0];
      if (inst.copy && from?.kind === "reg") into.push({ to: inst.dst[0]!, from: from.reg, depth });
    }
    for (const inner of innerRegions(node)) collectCopies(inner, node.kind === "loop" ? depth + 1 : depth, into);
  }
  return into;
}

function isSelfCopy(node: DraftNode): boolean {
  if (node.kind !== "inst" || !node.inst.copy) return false;
  const from = node.inst.src[0];
  return from?.kind === "reg" && from.reg === node.inst.dst[0];
}

function removeSelfCopies(region: DraftRegion): void {
  let kept = 0;
  for (const node of region) {
    if (isSelfCopy(node)) continue;
    region[kept++] = node;
    innerRegions(node).forEach(removeSelfCopies);
  }
  region.length = kept;
}

type Live = Uint32Array<ArrayBuffer>;

/** The interference of candidates. Liveness runs backwards over the tree; loops repeat until nothing changes. */
class Interference {
  private readonly candidates: Int32Array;
  private readonly words: number;
  private readonly rows: Live[];
  private readonly atExit: { readonly breakTo: Map<number, Live>; readonly continueTo: Map<number, Live> } = {
    breakTo: new Map(),
    continueTo: new Map(),
  };

  /** Live sets at the starts of loops, so far. */
  private readonly starts = new Map<number, Live>();

  constructor(candidates: Int32Array, count: number) {
    this.candidates = candidates;
    this.words = (count + 31) >>> 5;
    this.rows = Array.from({ length: count }, () => new Uint32Array(this.words));
  }

  meets(a: number, b: number): boolean {
    return (this.rows[a]![b >>> 5]! & (1 << (b & 31))) !== 0;
  }

  unite(a: number, b: number): void {
    const into = this.rows[a]!;
    const from = this.rows[b]!;
    for (let word = 0; word < this.words; word++) into[word] = into[word]! | from[word]!;
    for (let other = 0; other < this.rows.length; other++) {
      if (this.meets(b, other)) this.set(this.rows[other]!, a);
    }
  }

  run(region: DraftRegion): void {
    this.region(region, new Uint32Array(this.words));
  }

  private set(live: Live, index: number): void {
    live[index >>> 5] = live[index >>> 5]! | (1 << (index & 31));
  }

  private clear(live: Live, index: number): void {
    live[index >>> 5] = live[index >>> 5]! & ~(1 << (index & 31));
  }

  private read(live: Live, reg: Reg): void {
    const index = this.candidates[reg]!;
    if (index !== -1) this.set(live, index);
  }

  /** Updates `live` from after the instruction to before it. */
  private inst(inst: DraftInst, live: Live): void {
    const from = inst.src[0];
    for (const reg of inst.dst) {
      const index = this.candidates[reg]!;
      if (index === -1) continue;
      const source = inst.copy && from?.kind === "reg" ? this.candidates[from.reg]! : -1;
      const row = this.rows[index]!;
      for (let word = 0; word < this.words; word++) {
        let others = live[word]!;
        if (word === index >>> 5) others &= ~(1 << (index & 31));
        if (source !== -1 && word === source >>> 5) others &= ~(1 << (source & 31));
        row[word] = row[word]! | others;
        while (others !== 0) {
          const bit = 31 - Math.clz32(others);
          this.set(this.rows[word * 32 + bit]!, index);
          others &= ~(1 << bit);
        }
      }
      if (inst.kills) this.clear(live, index);
      else this.set(live, index);
    }
    for (const operand of inst.src) if (operand.kind === "reg") this.read(live, operand.reg);
    if (inst.guard !== null) this.read(live, inst.guard.reg);
  }

  /** `after`: the live set after the region. Returns a new set for the point before it. */
  private region(region: DraftRegion, after: Live): Live {
    let live: Live = after.slice();
    for (let i = region.length - 1; i >= 0; i--) {
      const node = region[i]!;
      if (node.kind === "inst") {
        this.inst(node.inst, live);
      } else if (node.kind === "if") {
        const then = this.region(node.then, live);
        const otherwise = this.region(node.else, live);
        live = union(then, otherwise);
        this.read(live, node.condition.reg);
      } else if (node.kind === "jump") {
        const target =
          node.jump === "exit"
            ? null
            : node.jump === "break"
              ? this.atExit.breakTo.get(node.loop)
              : this.atExit.continueTo.get(node.loop);
        const there = target ?? new Uint32Array(this.words);
        live = node.condition === null ? there.slice() : union(live, there);
        this.inst(node.inst, live);
      } else {
        live = this.loop(node, live);
      }
    }
    return live;
  }

  private loop(node: Extract<DraftNode, { kind: "loop" }>, after: Live): Live {
    // The result of an outer loop's last round holds again. It saves rounds that multiply with the depth.
    let start: Live = this.starts.get(node.id) ?? new Uint32Array(this.words);
    this.atExit.breakTo.set(node.id, after);
    for (;;) {
      const end = node.condition === null ? start.slice() : union(after, start);
      if (node.condition !== null) this.read(end, node.condition.reg);
      const latch = this.region(node.latch, end);
      this.atExit.continueTo.set(node.id, latch);
      const next = this.region(node.body, latch);
      if (next.every((word, i) => (word & ~start[i]!) === 0)) {
        this.starts.set(node.id, start);
        return next;
      }
      start = union(start, next);
    }
  }
}

function union(a: Live, b: Live): Live {
  const result: Live = a.slice();
  for (let word = 0; word < result.length; word++) result[word] = result[word]! | b[word]!;
  return result;
}
