/**
 * The code of spilled values. A store follows each definition and a load precedes each use. Where there is room for it, a
 * value stays in its register between accesses of a run. It stays so through a whole loop or `if` that only reads it.
 */

import { byteSize, type Scalar } from "../../ir/types.js";
import { issueSlots } from "../machine/machine-instructions.js";
import type { Guard, Operand, Reg, Register, Root } from "../program.js";
import type { Modifiers } from "../ssa/ssa.js";
import { type Draft, type DraftInst, type DraftNode, type DraftRegion, eachInst, innerRegions } from "./draft.js";

/** Registers kept free where a value stays in its register, for the reloads of others. */
const KEPT_FREE = 2;
/** A load and the only use of what it loads, or a definition and its store. */
const FEWEST_ACCESSES = 2;

/** A pointer into global memory. */
const ADDRESS_BYTES = 8;

/** A register that holds the spilled value now, up to instruction `at`. */
interface Held {
  readonly reg: Reg;
  readonly at: number;
}

export class SpillCode {
  /** Local memory of a thread for spilled values. */
  bytes = 0;
  private readonly root: Root;
  /** The stack pointer, from which the places count; it takes no register more and no instruction. */
  private readonly stack: Register = { type: "addr", name: null };
  private stackReg: Reg = -1;
  /** The places of registers that hold a spilled value for a while. Memory has it, too. */
  private readonly placeOf: Map<Register, number> = new Map();
  private readonly shortLived: Set<Register> = new Set();
  private words: readonly number[] = [];
  private alive: Int32Array = new Int32Array(0);
  /** The register that is being spilled, its place, or the instruction that computes it again. */
  private reg: Reg = -1;
  private place = 0;
  private maker: DraftInst | null = null;

  constructor(
    private readonly draft: Draft,
    array: number,
    private readonly room: number,
  ) {
    this.root = { kind: "local", array };
  }

  /** `alive`: the words that are live after each instruction; kept up to date. */
  startRound(words: readonly number[], alive: Int32Array): void {
    this.words = words;
    this.alive = alive;
    this.stackReg = this.draft.registers.indexOf(this.stack);
  }

  /** False for a register that lives as briefly as it can. */
  gains(reg: Reg, accesses: number): boolean {
    return accesses > FEWEST_ACCESSES || !this.shortLived.has(this.draft.registers[reg]!);
  }

  /** `again`: an instruction computes the value again; nothing is stored. */
  spill(reg: Reg, again: boolean): void {
    const { draft } = this;
    this.reg = reg;
    this.maker = null;
    if (again) {
      eachInst(draft.region, (inst) => {
        if (inst.dst.includes(reg)) this.maker = inst;
      });
    } else {
      const register = draft.registers[reg]!;
      this.place = this.placeOf.get(register) ?? this.newPlace(register);
      this.startStack();
    }
    this.region(draft.region);
  }

  private newPlace({ type }: Register): number {
    const size = type === "addr" ? ADDRESS_BYTES : byteSize(type as Scalar);
    const place = Math.ceil(this.bytes / size) * size;
    this.bytes = place + size;
    return place;
  }

  private startStack(): void {
    if (this.stackReg !== -1) return;
    const { registers, region } = this.draft;
    this.stackReg = registers.push(this.stack) - 1;
    const [first] = region;
    const at = first?.kind === "inst" ? first.inst : null;
    region.unshift({
      kind: "inst",
      inst: {
        op: "addr",
        type: "addr",
        dst: [this.stackReg],
        src: [{ kind: "imm", value: 0 }],
        guard: null,
        issue: [],
        span: at?.span ?? { line: 1, column: 0, length: 1 },
        source: at?.source ?? 0,
        mods: { root: this.root },
        kills: true,
        copy: false,
        target: null,
        pc: 0,
      },
    });
  }

  private region(nodes: DraftRegion): void {
    const out: DraftRegion = [];
    let held: Held | null = null;
    for (const node of nodes) {
      if (node.kind === "inst") held = this.inst(node.inst, held, out);
      else if (node.kind === "jump") out.push(node);
      else {
        held = this.node(node, held, out);
        out.push(node);
      }
    }
    nodes.splice(0, nodes.length, ...out);
  }

  /** A loop or an `if`. */
  private node(node: DraftNode, held: Held | null, out: DraftRegion): Held | null {
    let reads = 0;
    let writes = 0;
    let first: DraftInst | null = null;
    let end = 0;
    eachInst([node], (inst) => {
      first ??= inst;
      end = Math.max(end, inst.pc);
      if (inst.dst.includes(this.reg)) writes++;
      else if (this.isRead(inst)) reads++;
    });
    if (reads + writes === 0 || first === null) return held;
    const { pc }: DraftInst = first;
    if (writes > 0 || !this.isRoomy(pc, end)) {
      for (const inner of innerRegions(node)) this.region(inner);
      return null;
    }
    const { reg } = this.hold(held, first, out);
    this.keep(pc, end);
    eachInst([node], (inst) => this.readFrom(inst, reg));
    return { reg, at: end };
  }

  /** Appends the instruction with what the spilled value needs around it. */
  private inst(inst: DraftInst, before: Held | null, out: DraftRegion): Held | null {
    const { reg } = this;
    let held = before;
    const writes = inst.dst.includes(reg);
    if (writes && (inst === this.maker || this.isReload(inst))) return null;
    if (this.isStore(inst)) {
      out.push({ kind: "inst", inst });
      return { reg, at: inst.pc };
    }
    if (this.isRead(inst)) {
      held = this.hold(held, inst, out);
      this.readFrom(inst, held.reg);
    }
    out.push({ kind: "inst", inst });
    if (!writes) return held;
    const register = this.draft.registers[reg]!;
    if (this.placeOf.has(register)) return { reg, at: inst.pc };
    const written = this.newRegister(register.name);
    inst.dst = inst.dst.map((each) => (each === reg ? written : each));
    out.push({ kind: "inst", inst: this.access("st", written, inst, inst.guard) });
    return inst.guard === null ? { reg: written, at: inst.pc } : null;
  }

  /** A register that has the value before `inst`: the one that held it last, or a new one. */
  private hold(held: Held | null, inst: DraftInst, out: DraftRegion): Held {
    if (held !== null && this.isRoomy(held.at, inst.pc)) {
      this.keep(held.at, inst.pc);
      return { reg: held.reg, at: inst.pc };
    }
    const { maker } = this;
    const reg = this.newRegister(null);
    const made =
      maker === null
        ? this.access("ld", reg, inst, null)
        : { ...maker, dst: [reg], pc: inst.pc, span: inst.span, source: inst.source };
    out.push({ kind: "inst", inst: made });
    return { reg, at: inst.pc };
  }

  private newRegister(name: string | null): Reg {
    const { registers } = this.draft;
    const register: Register = { type: registers[this.reg]!.type, name };
    this.shortLived.add(register);
    if (this.maker === null) this.placeOf.set(register, this.place);
    return registers.push(register) - 1;
  }

  private access(op: "ld" | "st", reg: Reg, near: DraftInst, guard: Guard | null): DraftInst {
    const { type } = this.draft.registers[this.reg]!;
    const mods: Modifiers = { root: this.root, space: "local", offset: this.place };
    const stack: Operand = { kind: "reg", reg: this.stackReg };
    return {
      op,
      type,
      dst: op === "ld" ? [reg] : [],
      src: op === "ld" ? [stack] : [stack, { kind: "reg", reg }],
      guard,
      issue: issueSlots(op, type, mods),
      span: near.span,
      source: near.source,
      mods,
      kills: true,
      copy: false,
      target: null,
      pc: near.pc,
    };
  }

  /** True if all points from after `from` up to `to` have room for the value. */
  private isRoomy(from: number, to: number): boolean {
    const most = this.room - KEPT_FREE - this.words[this.reg]!;
    for (let at = from; at < to; at++) if (this.alive[at]! > most) return false;
    return true;
  }

  private keep(from: number, to: number): void {
    for (let at = from; at < to; at++) this.alive[at] = this.alive[at]! + this.words[this.reg]!;
  }

  private isRead({ src }: DraftInst): boolean {
    return src.some((operand) => operand.kind === "reg" && operand.reg === this.reg);
  }

  private readFrom(inst: DraftInst, reg: Reg): void {
    inst.src = inst.src.map((operand) =>
      operand.kind === "reg" && operand.reg === this.reg ? { kind: "reg", reg } : operand,
    );
  }

  /** The load, or the store, of a register of this class that is spilled once more. */
  private isReload(inst: DraftInst): boolean {
    return inst.op === "ld" && this.isOwn(inst);
  }

  private isStore(inst: DraftInst): boolean {
    return inst.op === "st" && this.isOwn(inst) && this.isRead(inst);
  }

  private isOwn({ src: [address] }: DraftInst): boolean {
    return address?.kind === "reg" && address.reg === this.stackReg;
  }
}
